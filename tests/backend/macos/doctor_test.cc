// doctor on macOS with a sandbox-exec that confines nothing: doctor must notice.
#include "backend/macos/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/macos/fake_sandbox_exec.h"
#include "doctor/diagnosis.h"

namespace bawn::macos {
namespace {

using testing::Contains;
using testing::HasSubstr;

CheckResult named(const CheckResults& results, std::string_view name) {
  for (const CheckResult& result : results) {
    if (result.name == name) return result;
  }
  ADD_FAILURE() << "no finding " << name;
  return {};
}

TEST(MacosDoctor, FindsWhatTheSystemReallyDoes) {
  const CheckResults results = examine(fake_sandbox_exec());
  for (const char* name : {"spawn", "process-table", "sandbox-exec"}) {
    const CheckResult result = named(results, name);
    EXPECT_TRUE(result.works) << name << ": " << result.evidence;
  }
  EXPECT_TRUE(diagnose(results).tier_b.works);
}

TEST(MacosDoctor, DoesNotTakeASandboxAtItsWord) {
  const CheckResults results = examine(fake_sandbox_exec());
  const CheckResult files = named(results, "file-profile");
  EXPECT_FALSE(files.works);
  EXPECT_THAT(files.evidence, HasSubstr("did not refuse reading"));
  EXPECT_FALSE(named(results, "network-profile").works);
  const Diagnosis diagnosis = diagnose(results);
  EXPECT_FALSE(diagnosis.tier_c.works);
  EXPECT_THAT(diagnosis.tier_c.missing, Contains("file-profile"));
}

TEST(MacosDoctor, WithoutSandboxExecThereIsNoTierC) {
  const CheckResults results = examine("/no/such/sandbox-exec");
  EXPECT_THAT(named(results, "sandbox-exec").evidence, HasSubstr("/no/such/sandbox-exec"));
  EXPECT_FALSE(diagnose(results).tier_c.works);
}

TEST(MacosDoctor, NeverPromisesWhatMacosCannotKeep) {
  CheckResults results = examine(fake_sandbox_exec());
  for (const char* name : {"process-tree", "tree-limits", "terminal"}) {
    const CheckResult result = named(results, name);
    EXPECT_FALSE(result.works) << name;
    EXPECT_NE(result.otherwise, "") << name;
  }
  for (CheckResult& result : results) {
    if (result.for_tier_c) result.works = true;  // as on a Mac where everything works
  }
  std::vector<std::string> kept;
  for (const Promise& promise : diagnose(results).promises) {
    if (promise.holds) kept.push_back(promise.text);
  }
  EXPECT_THAT(kept, Contains(HasSubstr("no other file")));
  EXPECT_THAT(kept, Contains(HasSubstr("no network")));
  EXPECT_THAT(kept, testing::Not(Contains(HasSubstr("outlives"))));
  EXPECT_THAT(kept, testing::Not(Contains(HasSubstr("memory"))));
  EXPECT_THAT(diagnosis_text(results), HasSubstr("What tier c promises on this host"));
}

}  // namespace
}  // namespace bawn::macos
