// Hints: what they tell a person to type is taken, and the policy keys that they name exist.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The words between "try " and the policy keys in brackets.
std::vector<Words> flags_of(const std::string& text) {
  std::vector<Words> all;
  const std::regex suggestion(R"(try (--[^(;,]*) \(policy key)");
  for (std::sregex_iterator it(text.begin(), text.end(), suggestion), end; it != end; ++it) {
    std::istringstream stream((*it)[1].str());
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    all.push_back(words);
  }
  return all;
}

std::vector<std::string> keys_of(const std::string& text) {
  std::vector<std::string> all;
  const std::regex key(R"(policy keys?: ([a-z0-9_.]+))");
  for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it)
    all.push_back((*it)[1].str());
  return all;
}

struct Refused {
  Words options;
  Words command;
  std::string hint;
};

const Refused kRefused[] = {
    {{"--policy", "agent"}, {"true"}, "try --allow-exec true (policy key: executables.allow)"},
    {{"--policy", "agent", "--allow-exec", "sh"},
     {"sh", "-c", "true"},
     "try --allow-interpreters (policy key: executables.interpreters)"},
    {{"--policy", "agent", "--allow-exec", "git"},
     {"git", "clone", "https://example.com/x"},
     "try --egress preflight --allow-host example.com:443 (policy keys: egress.mode, egress.hosts"},
    {{"--policy", "disabled", "--egress", "block_all"},
     {"true"},
     "try --tier auto (policy key: tier.use)"},
    {{"--tier", "process", "--hide", "x"},
     {"true"},
     "try --tier namespaces (policy key: tier.use)"},
};

// An option with one value may be given once, so the hint's takes the place of the one before.
Words without(Words options, const std::string& option) {
  const auto found = std::find(options.begin(), options.end(), option);
  if (found != options.end()) options.erase(found, found + 2);
  return options;
}

TEST(Hint, OfADenialIsWhatLetsTheCommandThrough) {
  const Caller caller;
  const std::string schema = caller.call({"policy", "schema"}).out;
  for (const Refused& refused : kRefused) {
    const Words command = joined({"--"}, refused.command);
    const Answer denied = caller.call(joined(joined({"check"}, refused.options), command));
    EXPECT_EQ(denied.exit_code, 126) << refused.hint;
    EXPECT_THAT(denied.out, HasSubstr("\n  hint: " + refused.hint));
    for (const std::string& key : keys_of(denied.out)) {
      const std::string name = key.substr(key.find('.') + 1);
      EXPECT_THAT(schema, HasSubstr("\"" + name + "\":")) << key;
    }
    const std::vector<Words> flags = flags_of(denied.out);
    ASSERT_FALSE(flags.empty()) << denied.out;
    const Words options = without(refused.options, flags.front().front());
    const Answer again =
        caller.call(joined(joined(joined({"check"}, options), flags.front()), command));
    EXPECT_EQ(again.exit_code, 0) << again.out << again.err << refused.hint;
  }
}

struct Reached {
  Words options;
  std::string script;
  std::string hint;
};

const Reached kReached[] = {
    {{"--timeout", "300ms"}, "sleep 20", "try --timeout 3s (policy key: limits.wall_time_ms)"},
    {{"--cpu", "100ms"}, "while :; do :; done", "try --cpu 1s (policy key: limits.cpu_time_ms)"},
    {{"--output", "10"}, "yes", "try --output 100 (policy key: limits.output_bytes)"},
    {{"--tmp-size", "1M"},
     "head -c 2000000 /dev/zero > /tmp/x",
     "try --tmp-size 2M (policy key: limits.tmp_bytes)"},
};

TEST(Hint, OfALimitIsAConcreteLargerAmount) {
  const Caller caller;
  for (const Reached& reached : kReached) {
    const Answer stopped = caller.call(joined(joined({"run", "--tier", "c"}, reached.options),
                                              {"--", "sh", "-c", reached.script}));
    EXPECT_THAT(stopped.err, HasSubstr("\n  hint: " + reached.hint + "\n"));
    const std::vector<Words> flags = flags_of(stopped.err);
    ASSERT_EQ(flags.size(), 1U) << stopped.err;
    EXPECT_EQ(caller.call(joined(joined({"check"}, flags.front()), {"--", "true"})).exit_code, 0);
  }
}

TEST(Hint, KeepsTheJsonWordOfALimit) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--tier", "c", "--tmp-size", "1M", "--json", "--", "sh",
                                     "-c", "head -c 2000000 /dev/zero > /tmp/x"});
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/limit"), "tmp");
  EXPECT_EQ(at(printed, "/error"), "null");
}

// They were called "denied", as if a policy could allow them.
TEST(Missing, ProgramIsNotCalledDenied) {
  const Caller caller;
  caller.file("note", "text");
  const Answer missing = caller.call({"run", "--", "nosuch"});
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_THAT(missing.err, testing::StartsWith("bawn: not found: 'nosuch'\n  hint: "));
  const Answer text = caller.call({"run", "--", "./note"});
  EXPECT_EQ(text.exit_code, 126);
  EXPECT_THAT(text.err, testing::StartsWith(
                            "bawn: cannot execute: './note': it has no execute permission\n"));
  EXPECT_THAT(caller.call({"check", "--", "nosuch"}).out,
              testing::StartsWith("not found: executable.not_found: there is no program 'nosuch'"));
  EXPECT_THAT(caller.call({"run", "--json", "--", "nosuch"}).out,
              AllOf(HasSubstr("\"denied\""), HasSubstr("executable.not_found")));
}

}  // namespace
}  // namespace bawn
