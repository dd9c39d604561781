// How rules and layers combine, whatever the profiles of the build say.

#include "backend/linux/seccomp/compile.h"

#include <gtest/gtest.h>
#include <seccomp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>

#include "bpf_machine.h"
#include "profiles.h"

namespace bawn::linux_::test {
namespace {

using seccomp::Action;
using seccomp::Architecture;
using seccomp::Comparison;
using seccomp::Condition;
using seccomp::Rule;
using seccomp::SeccompProfile;

constexpr Action kAllow = SECCOMP_RET_ALLOW;
constexpr Action refusal(int number) { return SECCOMP_RET_ERRNO | static_cast<Action>(number); }

std::vector<sock_filter> compiled(const std::vector<SeccompProfile>& layers,
                                  Architecture architecture = Architecture::x86_64) {
  auto filter = seccomp::compile(layers, architecture);
  EXPECT_TRUE(filter.ok()) << filter.error().message;
  return std::move(filter).value();
}

Action answer(const std::vector<SeccompProfile>& layers, const std::string& name,
              const std::vector<std::uint64_t>& arguments = {}) {
  const auto number = *seccomp::syscall_number(name, Architecture::x86_64);
  return evaluate(compiled(layers), make_call(number, Architecture::x86_64, arguments));
}

Condition first_is(std::uint64_t value) { return {.argument = 0, .value = value}; }

TEST(Rules, ARefusalWithAConditionWinsOverEveryPermission) {
  const std::vector<SeccompProfile> layers = {{refusal(ENOSYS),
                                               {{{"read"}, kAllow, {}},
                                                {{"read"}, kAllow, {first_is(5)}},
                                                {{"read"}, refusal(EPERM), {first_is(5)}}}}};
  EXPECT_EQ(answer(layers, "read", {5}), refusal(EPERM));
  EXPECT_EQ(answer(layers, "read", {6}), kAllow);
  EXPECT_EQ(answer(layers, "write", {6}), refusal(ENOSYS));
}

TEST(Rules, APermissionWithAConditionIsAnExceptionFromARefusal) {
  const std::vector<SeccompProfile> layers = {
      {kAllow, {{{"read"}, refusal(EPERM), {}}, {{"read"}, kAllow, {first_is(5)}}}}};
  EXPECT_EQ(answer(layers, "read", {5}), kAllow);
  EXPECT_EQ(answer(layers, "read", {6}), refusal(EPERM));
}

TEST(Rules, TheFirstOfTwoRefusalsSaysHow) {
  const std::vector<SeccompProfile> layers = {
      {kAllow,
       {{{"read"}, refusal(EIO), {first_is(5)}},
        {{"read"}, refusal(EPERM), {{.argument = 1, .value = 7}}}}}};
  EXPECT_EQ(answer(layers, "read", {5, 7}), refusal(EIO));
  EXPECT_EQ(answer(layers, "read", {4, 7}), refusal(EPERM));
  EXPECT_EQ(answer(layers, "read", {4, 6}), kAllow);
}

TEST(Rules, AllConditionsOfARuleMustHold) {
  const std::vector<SeccompProfile> layers = {
      {kAllow, {{{"read"}, refusal(EPERM), {first_is(5), {.argument = 2, .value = 9}}}}}};
  EXPECT_EQ(answer(layers, "read", {5, 0, 9}), refusal(EPERM));
  EXPECT_EQ(answer(layers, "read", {5, 0, 8}), kAllow);
  EXPECT_EQ(answer(layers, "read", {4, 0, 9}), kAllow);
}

TEST(Layers, ALaterRefusalWinsOverEveryEarlierPermission) {
  const SeccompProfile below{refusal(ENOSYS),
                             {{{"read"}, kAllow, {}}, {{"write"}, kAllow, {first_is(1)}}}};
  const SeccompProfile above{kAllow, {{{"read", "write"}, refusal(EPERM), {}}}};
  EXPECT_EQ(answer({below}, "read"), kAllow);
  EXPECT_EQ(answer({below}, "write", {1}), kAllow);
  EXPECT_EQ(answer({below, above}, "read"), refusal(EPERM));
  EXPECT_EQ(answer({below, above}, "write", {1}), refusal(EPERM));
}

TEST(Layers, ALaterPermissionOpensNothing) {
  const SeccompProfile below{refusal(ENOSYS),
                             {{{"read"}, refusal(EPERM), {}}, {{"write"}, kAllow, {first_is(1)}}}};
  const SeccompProfile above{
      refusal(EIO), {{{"read", "write", "open"}, kAllow, {}}, {{"close"}, kAllow, {first_is(3)}}}};
  EXPECT_EQ(answer({below, above}, "read"), refusal(EPERM));
  EXPECT_EQ(answer({below, above}, "write", {1}), kAllow);
  EXPECT_EQ(answer({below, above}, "write", {2}), refusal(ENOSYS));
  EXPECT_EQ(answer({below, above}, "open"), refusal(ENOSYS));
  EXPECT_EQ(answer({below, above}, "close", {3}), refusal(ENOSYS));
  EXPECT_EQ(answer({below, above}, "close", {4}), refusal(EIO));
}

TEST(Layers, TheLastThatRefusesSaysHow) {
  const SeccompProfile below{kAllow, {{{"read"}, refusal(EPERM), {}}}};
  const SeccompProfile above{kAllow, {{{"read"}, refusal(EIO), {first_is(1)}}}};
  EXPECT_EQ(answer({below, above}, "read", {1}), refusal(EIO));
  EXPECT_EQ(answer({below, above}, "read", {2}), refusal(EPERM));
}

TEST(Layers, NoneIsAnError) {
  const auto filter = seccomp::compile({}, Architecture::x86_64);
  ASSERT_FALSE(filter.ok());
  EXPECT_NE(filter.error().message.find("at least one profile"), std::string::npos);
}

TEST(Rules, ACallThatIsBothAllowedAndRefusedIsNamed) {
  const SeccompProfile profile{kAllow, {{{"read"}, kAllow, {}}, {{"read"}, refusal(EPERM), {}}}};
  const auto filter = seccomp::compile(std::span(&profile, 1), Architecture::x86_64);
  ASSERT_FALSE(filter.ok());
  EXPECT_NE(filter.error().message.find("'read'"), std::string::npos) << filter.error().message;
}

TEST(Rules, ForCallsThatTheArchitectureLacksAreLeftOut) {
  const std::vector<SeccompProfile> layers = {{kAllow, {{{"open", "openat"}, refusal(EPERM), {}}}}};
  const auto filter = compiled(layers, Architecture::aarch64);
  EXPECT_EQ(evaluate(filter, make_call(56, Architecture::aarch64)), refusal(EPERM));
  EXPECT_EQ(evaluate(filter, make_call(2, Architecture::aarch64)), kAllow);
}

// Longer than 255 instructions, which is as far as a conditional jump reaches.
TEST(Filter, MayBeLongerThanAJumpReaches) {
  SeccompProfile profile{refusal(ENOSYS), {}};
  const auto calls = known_calls();
  std::vector<KnownCall> used;
  for (std::size_t i = 0; i < calls.size(); i += 2) {
    used.push_back(calls[i]);
    profile.rules.push_back({{calls[i].name}, kAllow, {first_is(0x1'0000'0000 * i + i)}});
  }
  const auto filter = compiled({profile});
  ASSERT_GT(filter.size(), 700U);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(used[i].numbers[0]);
    const std::uint64_t value = 0x1'0000'0000 * (2 * i) + 2 * i;
    EXPECT_EQ(evaluate(filter, make_call(number, Architecture::x86_64, {value})), kAllow)
        << used[i].name;
    EXPECT_EQ(evaluate(filter, make_call(number, Architecture::x86_64, {value + 1})),
              refusal(ENOSYS));
    EXPECT_EQ(evaluate(filter, make_call(number, Architecture::x86_64, {value + 0x1'0000'0000})),
              refusal(ENOSYS));
  }
}

TEST(Filter, ThatTheKernelWouldNotTakeIsAnError) {
  SeccompProfile profile{refusal(ENOSYS), {}};
  for (std::uint64_t i = 0; i < 2000; ++i)
    profile.rules.push_back({{"read"}, kAllow, {first_is(i)}});
  const auto filter = seccomp::compile(std::span(&profile, 1), Architecture::x86_64);
  ASSERT_FALSE(filter.ok());
  EXPECT_NE(filter.error().message.find("4096"), std::string::npos) << filter.error().message;
}

// -- Random profiles, compared with the rules as the headers state them, and with libseccomp.

// Few values, close to each other and in both halves, so that comparisons meet them, their
// neighbours and their halves.
class Chance {
 public:
  explicit Chance(unsigned seed) : generator_(seed) {}

  std::uint64_t below(std::uint64_t end) { return generator_() % end; }
  std::uint64_t value() {
    static constexpr std::uint64_t kHalves[] = {0, 1, 2, 0x80000000, 0xffffffff};
    return kHalves[below(5)] << 32 | kHalves[below(5)];
  }
  std::vector<Condition> conditions() {
    std::vector<Condition> out;
    for (unsigned argument = 0; argument < 3; ++argument) {
      if (below(2) == 0) out.push_back(condition(argument));
    }
    return out;
  }
  // Without conditions a call has one action, so that no profile contradicts itself.
  Rule rule(const std::string& name) {
    Rule rule{{name}, below(2) == 0 ? kAllow : refusal(EPERM), conditions()};
    if (rule.conditions.empty()) rule.action = refusal(EACCES);
    return rule;
  }
  SeccompProfile profile() {
    SeccompProfile profile{below(2) == 0 ? kAllow : refusal(ENOSYS), {}};
    for (std::uint64_t i = below(8); i > 0; --i)
      profile.rules.push_back(rule(kNames[below(std::size(kNames))]));
    return profile;
  }
  seccomp_data call() {
    static constexpr std::uint32_t kNumbers[] = {0, 1, 2, 16, 462, 3, 0x40000000, 0xffffffff};
    return make_call(kNumbers[below(8)], Architecture::x86_64, {value(), value(), value()});
  }

  static constexpr const char* kNames[] = {"read", "write", "open", "ioctl", "mseal"};

 private:
  Condition condition(unsigned argument) {
    Condition condition{
        .argument = argument, .comparison = static_cast<Comparison>(below(7)), .value = value()};
    if (condition.comparison == Comparison::masked_equal) {
      condition.mask = value() | 1;
      condition.value &= condition.mask;
    }
    return condition;
  }

  std::mt19937 generator_;
};

std::string described(const seccomp_data& call) {
  return testing::PrintToString(call.nr) + " with " + testing::PrintToString(call.args);
}

bool holds(const Condition& condition, const seccomp_data& call) {
  const std::uint64_t argument = call.args[condition.argument];
  switch (condition.comparison) {
    case Comparison::equal:
      return argument == condition.value;
    case Comparison::not_equal:
      return argument != condition.value;
    case Comparison::less:
      return argument < condition.value;
    case Comparison::less_or_equal:
      return argument <= condition.value;
    case Comparison::greater:
      return argument > condition.value;
    case Comparison::greater_or_equal:
      return argument >= condition.value;
    case Comparison::masked_equal:
      return (argument & condition.mask) == condition.value;
  }
  throw std::logic_error("no such comparison");
}

// The order that seccomp_profile.h states, step by step.
Action expected(const SeccompProfile& profile, const seccomp_data& call) {
  std::vector<const Rule*> matching;
  for (const Rule& rule : profile.rules) {
    const bool meant = *seccomp::syscall_number(rule.names.front(), Architecture::x86_64) ==
                       static_cast<std::uint32_t>(call.nr);
    if (meant &&
        std::ranges::all_of(rule.conditions, [&](const auto& one) { return holds(one, call); }))
      matching.push_back(&rule);
  }
  for (const bool conditional : {true, false}) {
    for (const bool refusing : {true, false}) {
      for (const Rule* rule : matching) {
        if (rule->conditions.empty() != conditional && (rule->action != kAllow) == refusing)
          return rule->action;
      }
    }
  }
  return profile.default_action;
}

Action expected(const std::vector<SeccompProfile>& layers, const seccomp_data& call) {
  const auto number = static_cast<std::uint32_t>(call.nr);
  if (number >= 0x40000000 && number != 0xffffffff) return SECCOMP_RET_KILL_PROCESS;
  for (std::size_t i = layers.size(); i-- > 0;) {
    if (const Action action = expected(layers[i], call); action != kAllow) return action;
  }
  return kAllow;
}

TEST(Filter, AnswersAsTheRulesSay) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Chance chance(seed);
    std::vector<SeccompProfile> layers;
    for (unsigned i = 0; i <= seed % 3; ++i) layers.push_back(chance.profile());
    const auto filter = compiled(layers);
    for (int i = 0; i < 300; ++i) {
      const seccomp_data call = chance.call();
      ASSERT_EQ(evaluate(filter, call), expected(layers, call))
          << "seed " << seed << ": " << described(call);
    }
  }
}

using Library = std::unique_ptr<void, decltype(&seccomp_release)>;

scmp_arg_cmp library_condition(const Condition& condition) {
  static constexpr scmp_compare kNames[] = {SCMP_CMP_EQ,       SCMP_CMP_NE, SCMP_CMP_LT,
                                            SCMP_CMP_LE,       SCMP_CMP_GT, SCMP_CMP_GE,
                                            SCMP_CMP_MASKED_EQ};
  const scmp_compare name = kNames[static_cast<std::size_t>(condition.comparison)];
  if (name == SCMP_CMP_MASKED_EQ)
    return {condition.argument, name, condition.mask, condition.value};
  return {condition.argument, name, condition.value, 0};
}

std::vector<sock_filter> library_filter(const SeccompProfile& profile) {
  const Library library(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), seccomp_release);
  EXPECT_EQ(seccomp_attr_set(library.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), 0);
  EXPECT_EQ(seccomp_arch_remove(library.get(), SCMP_ARCH_NATIVE), 0);
  EXPECT_EQ(seccomp_arch_add(library.get(), SCMP_ARCH_X86_64), 0);
  for (const Rule& rule : profile.rules) {
    std::vector<scmp_arg_cmp> conditions;
    for (const Condition& condition : rule.conditions)
      conditions.push_back(library_condition(condition));
    const auto number =
        static_cast<int>(*seccomp::syscall_number(rule.names.front(), Architecture::x86_64));
    EXPECT_EQ(seccomp_rule_add_array(library.get(), SCMP_ACT_ALLOW, number,
                                     static_cast<unsigned>(conditions.size()), conditions.data()),
              0);
  }
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::tmpfile(), std::fclose);
  EXPECT_EQ(seccomp_export_bpf(library.get(), fileno(file.get())), 0);
  std::vector<sock_filter> filter(static_cast<std::size_t>(lseek(fileno(file.get()), 0, SEEK_END)) /
                                  8);
  EXPECT_EQ(pread(fileno(file.get()), filter.data(), filter.size() * 8, 0),
            static_cast<ssize_t>(filter.size() * 8));
  return filter;
}

// One rule for each call: with several, libseccomp 2.5 allows calls that none of them allows.
TEST(Filter, AnswersAsLibseccompsDoes) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Chance chance(seed);
    SeccompProfile profile{refusal(ENOSYS), {}};
    for (const char* name : Chance::kNames)
      profile.rules.push_back({{name}, kAllow, chance.conditions()});
    const auto ours = compiled({profile});
    const auto theirs = library_filter(profile);
    for (int i = 0; i < 300; ++i) {
      const seccomp_data call = chance.call();
      ASSERT_EQ(evaluate(ours, call), evaluate(theirs, call))
          << "seed " << seed << ": " << described(call);
    }
  }
}

}  // namespace
}  // namespace bawn::linux_::test
