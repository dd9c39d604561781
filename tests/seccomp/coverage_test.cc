// default.json must decide about every system call on purpose, known.json must list them all, and
// the compiler must know them all.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "profiles.h"

namespace bawn::linux_::test {
namespace {

constexpr int kLastListed = 469;  // of Linux 6.18

std::set<std::string> named_in(const std::string& profile_name) {
  std::set<std::string> names;
  for (const seccomp::Rule& rule : profile(profile_name).rules)
    names.insert(rule.names.begin(), rule.names.end());
  return names;
}

std::map<std::string, KnownCall> calls_by_name() {
  std::map<std::string, KnownCall> calls;
  for (const KnownCall& call : known_calls()) calls[call.name] = call;
  return calls;
}

TEST(Coverage, TheListIsThatOfTheKernel) {
  const auto calls = calls_by_name();
  EXPECT_GT(calls.size(), 380U);
  EXPECT_EQ(calls.at("read").numbers, (std::array{0, 63}));
  EXPECT_EQ(calls.at("file_setattr").numbers, (std::array{kLastListed, kLastListed}));
}

TEST(Coverage, DefaultDecidesEveryCallOnPurpose) {
  const auto named = named_in("default");
  for (const auto& [name, call] : calls_by_name()) EXPECT_TRUE(named.contains(name)) << name;
}

// In tier b this list refuses calls that are not known yet.
TEST(Coverage, TheListOfKnownCallsHasEachOfThemAndNoOther) {
  std::set<std::string> names;
  for (const auto& [name, call] : calls_by_name()) names.insert(name);
  EXPECT_EQ(named_in("known"), names);
}

TEST(Coverage, NoProfileNamesACallThatIsNotThere) {
  const auto calls = calls_by_name();
  for (const char* layer :
       {"default", "strict", "tier_b", "no-network", "no-lease", "no-set-user-id", "no-set-id"}) {
    for (const std::string& name : named_in(layer))
      EXPECT_TRUE(calls.contains(name)) << layer << ": " << name;
  }
}

// A rule with a condition leaves the rest to the default, which is no decision.
TEST(Coverage, DefaultHasAnAnswerWithoutConditionsForEveryCall) {
  std::set<std::string> unconditional;
  for (const seccomp::Rule& rule : profile("default").rules) {
    if (rule.conditions.empty()) unconditional.insert(rule.names.begin(), rule.names.end());
  }
  EXPECT_EQ(unconditional, named_in("default"));
}

TEST(Coverage, TheCompilerKnowsTheNumbersOfEveryCall) {
  for (const auto& [name, call] : calls_by_name()) {
    for (std::size_t i = 0; i < kArchitectures.size(); ++i) {
      const auto number = seccomp::syscall_number(name, kArchitectures[i]);
      EXPECT_EQ(number ? static_cast<int>(*number) : -1, call.numbers[i])
          << name << " on " << architecture_name(kArchitectures[i]);
    }
  }
}

// The headers of the machine that built this. They may be newer than the list, and then have calls
// that it does not.
TEST(Coverage, TheListAgreesWithTheHeadersOfThisMachine) {
  const char* path = std::getenv("BAWN_TEST_HEADER");
  ASSERT_NE(path, nullptr);
  const std::size_t native = seccomp::kNativeArchitecture == kArchitectures[0] ? 0 : 1;
  const auto calls = calls_by_name();
  std::istringstream in(file_text(path));
  std::size_t seen = 0;
  for (std::string define, name, value; in >> define >> name;) {
    std::getline(in, value);
    if (define != "#define" || !name.starts_with("__NR_")) continue;
    name.erase(0, 5);
    const int number = std::atoi(value.c_str());
    const auto found = calls.find(name);
    if (found == calls.end()) {
      EXPECT_GT(number, kLastListed) << name;
    } else {
      EXPECT_EQ(found->second.numbers[native], number) << name;
      ++seen;
    }
  }
  EXPECT_GT(seen, 250U);
}

}  // namespace
}  // namespace bawn::linux_::test
