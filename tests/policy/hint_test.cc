#include "policy/text/hint.h"

#include <gtest/gtest.h>

#include "policy/text/field.h"

namespace bawn {
namespace {

TEST(Hint, NamesTheFlagFirstAndThenThePolicyKey) {
  EXPECT_EQ(try_option("executables.allow", "curl"),
            "try --allow-exec curl (policy key: executables.allow)");
  EXPECT_EQ(try_option("executables.interpreters", ""),
            "try --allow-interpreters (policy key: executables.interpreters)");
}

TEST(Hint, CanBePastedIntoAShell) {
  EXPECT_EQ(shell_word("/usr/bin/g++"), "/usr/bin/g++");
  EXPECT_EQ(shell_word("my program"), "'my program'");
  EXPECT_EQ(shell_word("[::1]:443"), "'[::1]:443'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Hint, SuggestsMoreOfALimitThatWasReached) {
  EXPECT_EQ(raise_limit("limits.wall_time_ms", 1000),
            "try --timeout 10s (policy key: limits.wall_time_ms)");
  EXPECT_EQ(raise_limit("limits.cpu_time_ms", 200),
            "try --cpu 2s (policy key: limits.cpu_time_ms)");
  EXPECT_EQ(raise_limit("limits.output_bytes", 65536),
            "try --output 640K (policy key: limits.output_bytes)");
  EXPECT_EQ(raise_limit("limits.memory_bytes", 256 << 20),
            "try --memory 512M (policy key: limits.memory_bytes)");
  EXPECT_EQ(raise_limit("limits.processes", 5), "try --pids 10 (policy key: limits.processes)");
  EXPECT_EQ(raise_limit("limits.file_bytes", 1000),
            "try --file-size 2000 (policy key: limits.file_bytes)");
  EXPECT_EQ(raise_limit("limits.tmp_bytes", 1 << 20),
            "try --tmp-size 2M (policy key: limits.tmp_bytes)");
}

TEST(Hint, NamesAnAmountThatTheFlagTakes) {
  EXPECT_EQ(raise_limit("limits.file_bytes", 0),
            "try --file-size 1M (policy key: limits.file_bytes)");
  EXPECT_EQ(raise_limit("limits.processes", 1U << 22),
            "try --pids unlimited (policy key: limits.processes)");
  EXPECT_EQ(lift_limit("limits.memory_bytes"),
            "try --memory unlimited (policy key: limits.memory_bytes)");
}

TEST(Hint, KnowsAFlagForEveryLimit) {
  for (const Section& section : policy_sections()) {
    if (section.key != "limits") continue;
    for (const Field& field : section.fields) {
      if (std::get_if<LimitField>(&field.value) == nullptr) continue;
      EXPECT_TRUE(raise_limit(field_path(section, field), 100).starts_with("try --")) << field.key;
    }
  }
}

}  // namespace
}  // namespace bawn
