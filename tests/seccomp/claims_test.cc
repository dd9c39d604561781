// Evaluates the rows of seccomp/claims.json on the filters for both architectures, and checks that
// every refusal has a row.

#include "claims.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "backend/linux/lookup/path_lookup.h"
#include "backend/linux/seccomp/profile_file.h"
#include "bpf_machine.h"

namespace bawn::linux_::test {
namespace {

using seccomp::Architecture;
using Filters = std::vector<std::vector<sock_filter>>;
using Answers = std::vector<std::uint32_t>;

Filters filters_on(Architecture architecture) {
  Filters filters;
  for (const Column& column : claims().columns)
    filters.push_back(filter_of(column.layers, architecture));
  return filters;
}

Answers answers_of(const Filters& filters, const seccomp_data& call) {
  Answers answers;
  for (const auto& filter : filters) answers.push_back(evaluate(filter, call));
  return answers;
}

bool are_alike(const Answers& answers) {
  return std::all_of(answers.begin(), answers.end(),
                     [&](auto one) { return one == answers.front(); });
}

std::string words_for(const ClaimedCall& call) {
  std::string words = call.name.empty() ? std::to_string(call.number) : call.name;
  for (const std::uint64_t argument : call.arguments) words += " " + std::to_string(argument);
  return words;
}

TEST(Claims, HaveAnAnswerForEachColumnAndAReasonWhereTheyDiffer) {
  std::set<std::string> seen;
  for (const Claim& claim : claims().rows) {
    EXPECT_TRUE(seen.insert(claim.text).second) << claim.text;
    ASSERT_EQ(claim.answers.size(), claims().columns.size()) << claim.text;
    EXPECT_FALSE(claim.calls.empty()) << claim.text;
    EXPECT_EQ(claim.reason.empty(), are_alike(claim.answers)) << claim.text;
  }
}

TEST(Claims, NameCallsThatExist) {
  for (const Claim& claim : claims().rows) {
    for (const ClaimedCall& call : claim.calls) {
      EXPECT_TRUE(call.name.empty() || seccomp::is_syscall(call.name)) << call.name;
    }
  }
}

class ClaimsOn : public testing::TestWithParam<Architecture> {
 protected:
  const Filters filters_ = filters_on(GetParam());
};

TEST_P(ClaimsOn, AreTrueOfEveryFilter) {
  std::size_t asked = 0;
  std::size_t listed = 0;
  for (const Claim& claim : claims().rows) {
    for (const ClaimedCall& call : claim.calls) {
      ++listed;
      const auto made = call.on(GetParam());
      if (!made) continue;
      ++asked;
      EXPECT_EQ(answers_of(filters_, *made), claim.answers)
          << claim.text << ": " << words_for(call);
    }
  }
  // aarch64 never had the calls that have an ...at form.
  EXPECT_GE(asked, GetParam() == Architecture::x86_64 ? listed : listed * 3 / 4);
}

// The kernel reads an int or a mode from the lower bits only, so the answer must be the same.
TEST_P(ClaimsOn, DoNotDependOnTheUpperHalvesOfArguments) {
  for (const Claim& claim : claims().rows) {
    for (const ClaimedCall& call : claim.calls) {
      const auto made = call.wide_on(GetParam());
      if (!made) continue;
      EXPECT_EQ(answers_of(filters_, *made), claim.answers)
          << claim.text << ": " << words_for(call);
    }
  }
}

// The layer of a run whose programs are listed refuses one call and changes no other answer.
TEST_P(ClaimsOn, HoldWithoutFilesInMemoryToo) {
  Filters filters;
  for (Column column : claims().columns) {
    column.layers.emplace_back("no-memfd");
    filters.push_back(filter_of(column.layers, GetParam()));
  }
  const Answers refused(filters.size(), action_named("ENOSYS"));
  bool asked = false;
  for (const Claim& claim : claims().rows) {
    for (const ClaimedCall& call : claim.calls) {
      const auto made = call.on(GetParam());
      if (!made) continue;
      const bool is_memfd = call.name == "memfd_create";
      asked = asked || is_memfd;
      EXPECT_EQ(answers_of(filters, *made), is_memfd ? refused : claim.answers)
          << claim.text << ": " << words_for(call);
    }
  }
  EXPECT_TRUE(asked);
}

// Values of one argument that the condition can distinguish.
std::set<std::uint64_t> values_around(const seccomp::Condition& condition) {
  std::set<std::uint64_t> values = {0, condition.value, condition.value + 1};
  if (condition.comparison != seccomp::Comparison::masked_equal) return values;
  values = {0, condition.value, condition.mask & (condition.value + 1), condition.mask};
  const bool is_set_of_bits = condition.mask != 0xffffffff;
  for (unsigned bit = 0; is_set_of_bits && bit < 32; ++bit) {
    if ((condition.mask >> bit & 1) != 0) values.insert(std::uint64_t{1} << bit);
  }
  return values;
}

using ArgumentValues = std::array<std::set<std::uint64_t>, 6>;

// For each call the argument values that any rule of any layer looks at.
std::map<std::string, ArgumentValues> values_by_call() {
  std::map<std::string, ArgumentValues> values;
  for (const KnownCall& call : known_calls()) values[call.name].fill({0});
  std::set<std::string> layers;
  for (const Column& column : claims().columns)
    layers.insert(column.layers.begin(), column.layers.end());
  for (const std::string& layer : layers) {
    for (const seccomp::Rule& rule : profile(layer).rules) {
      for (const std::string& name : rule.names) {
        for (const seccomp::Condition& condition : rule.conditions)
          values[name][condition.argument].merge(values_around(condition));
      }
    }
  }
  return values;
}

// Every combination of the values.
std::vector<std::vector<std::uint64_t>> combinations(const ArgumentValues& values) {
  std::vector<std::vector<std::uint64_t>> all = {{}};
  for (const std::set<std::uint64_t>& choices : values) {
    std::vector<std::vector<std::uint64_t>> longer;
    for (const auto& so_far : all) {
      for (const std::uint64_t choice : choices) {
        longer.push_back(so_far);
        longer.back().push_back(choice);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::set<std::pair<std::string, Answers>> claimed_answers() {
  std::set<std::pair<std::string, Answers>> claimed;
  for (const Claim& claim : claims().rows) {
    for (const ClaimedCall& call : claim.calls) claimed.insert({call.name, claim.answers});
  }
  return claimed;
}

// If only some filters refuse a call, either that is intended and has a row with the reason, or it
// is a hole.
TEST_P(ClaimsOn, CoverWhateverAFilterRefuses) {
  const auto claimed = claimed_answers();
  const Answers all_allow(filters_.size(), SECCOMP_RET_ALLOW);
  std::size_t refused = 0;
  for (const auto& [name, values] : values_by_call()) {
    const auto number = seccomp::syscall_number(name, GetParam());
    if (!number) continue;
    for (const auto& arguments : combinations(values)) {
      const Answers answers = answers_of(filters_, make_call(*number, GetParam(), arguments));
      if (answers == all_allow) continue;
      ++refused;
      EXPECT_TRUE(claimed.contains({name, answers}))
          << "no row of claims.json has these answers for "
          << words_for({.name = name, .arguments = arguments}) << ": "
          << testing::PrintToString(answers);
    }
  }
  EXPECT_GT(refused, 500U);
}

INSTANTIATE_TEST_SUITE_P(Both, ClaimsOn, testing::ValuesIn(kArchitectures),
                         [](const auto& one) { return architecture_name(one.param); });

// The most lenient profile that can be written.
std::string profile_that_allows_everything() {
  std::string path = std::filesystem::temp_directory_path() / "bawn-lenient-XXXXXX";
  const int fd = mkstemp(path.data());
  EXPECT_NE(fd, -1);
  close(fd);
  std::ofstream(path) << R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
    {"names": ["chmod", "fchmodat", "openat2", "io_uring_setup"], "action": "SCMP_ACT_ALLOW"},
    {"names": ["openat"], "action": "SCMP_ACT_ALLOW",
     "args": [{"index": 3, "value": 2493, "op": "SCMP_CMP_EQ"}]}]})";
  return path;
}

class OwnProfile : public testing::TestWithParam<std::pair<RefusedSetId, const char*>> {};

// The answers must be those of the built-in filter for the same kind of run.
TEST_P(OwnProfile, CannotAllowWhatHoldsUnderAnyProfile) {
  const RefusedSetId refused = GetParam().first;
  const std::string_view column_name = GetParam().second;
  const auto& columns = claims().columns;
  const auto column = std::find_if(columns.begin(), columns.end(),
                                   [&](const Column& one) { return one.name == column_name; });
  ASSERT_NE(column, columns.end());
  const std::string path = profile_that_allows_everything();
  const auto filter =
      load_seccomp_profile(FileSystemLookup().locate(path), path, {.set_id = refused});
  std::filesystem::remove(path);
  ASSERT_TRUE(filter.ok()) << filter.error().message;
  std::size_t refusals = 0;
  for (const Claim& claim : claims().rows) {
    const std::uint32_t answer =
        claim.answers.at(static_cast<std::size_t>(column - columns.begin()));
    for (const ClaimedCall& call : claim.calls) {
      const auto made = call.on(seccomp::kNativeArchitecture);
      if (!claim.any_profile || !made) continue;
      EXPECT_EQ(evaluate(filter.value(), *made), answer) << claim.text << ": " << words_for(call);
      if (answer != SECCOMP_RET_ALLOW) ++refusals;
    }
  }
  EXPECT_GT(refusals, 10U);
}

TEST(ListedPrograms, KeepAnOwnProfileFromAllowingFilesInMemory) {
  const std::string path = profile_that_allows_everything();
  const Located file = FileSystemLookup().locate(path);
  const auto free = load_seccomp_profile(file, path, {.memfd = false});
  const auto listed = load_seccomp_profile(file, path, {.memfd = true});
  std::filesystem::remove(path);
  ASSERT_TRUE(free.ok() && listed.ok());
  const auto number = seccomp::syscall_number("memfd_create", seccomp::kNativeArchitecture);
  const seccomp_data call = make_call(number.value(), seccomp::kNativeArchitecture);
  EXPECT_EQ(evaluate(free.value(), call), SECCOMP_RET_ALLOW);
  EXPECT_EQ(evaluate(listed.value(), call), action_named("ENOSYS"));
}

INSTANTIATE_TEST_SUITE_P(Of, OwnProfile,
                         testing::Values(std::pair(RefusedSetId::user, "default"),
                                         std::pair(RefusedSetId::user_and_group, "default_root")),
                         [](const auto& one) { return std::string(one.param.second); });

}  // namespace
}  // namespace bawn::linux_::test
