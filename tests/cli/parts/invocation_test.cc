#include "front/cli/invocation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "front/cli/help.h"
#include "front/cli/input/policy_source.h"

namespace bawn::cli {
namespace {

struct Named {
  Subcommand subcommand;
  const char* name;
};
constexpr Named kSubcommands[] = {
    {Subcommand::run, "run"},         {Subcommand::exec, "exec"},     {Subcommand::check, "check"},
    {Subcommand::explain, "explain"}, {Subcommand::policy, "policy"}, {Subcommand::bench, "bench"},
    {Subcommand::doctor, "doctor"},
};

// A value that an option takes and that no preset has.
std::string sample(const CliOption& option) {
  static const std::pair<std::string_view, std::string_view> kSamples[] = {
      {"", ""},
      {"PRESET|FILE", "agent"},
      {"PRESET", "agent"},
      {"TIER", "b"},
      {"PROFILE", "strict"},
      {"DIR", "."},
      {"PATH[:AT]", "."},
      {"PATH", "sub"},
      {"NAME", "some-program"},
      {"MODE", "preflight"},
      {"HOOKS", "open"},
      {"HOST[:PORT]", "a.b:7"},
      {"KEY=VALUE", "SOME_KEY=1"},
      {"SIZE", "123M"},
      {"KEY", "SOME_KEY"},
      {"TIME", "1234567ms"},
      {"COUNT", "123"},
      {"NUMBER", "1.23"},
      {"N", "1"},
      {"LEVEL", "off"},
      {"FILE", "-"},
      {"LIST", "1"}};
  for (const auto& [argument, value] : kSamples) {
    if (argument == option.argument) return std::string(value);
  }
  ADD_FAILURE() << "no sample for " << option.name << " " << option.argument;
  return "";
}

Result<void> parse(Subcommand subcommand, std::vector<std::string> words, Invocation& invocation) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return parse_invocation(subcommand, pointers, invocation);
}

std::vector<std::string> typed(const CliOption& option) {
  if (option.argument.empty()) return {std::string(option.name)};
  return {std::string(option.name), sample(option)};
}

TEST(Invocation, TakesTheOptionsOfItsSubcommandAndNoOther) {
  for (const Named& named : kSubcommands) {
    for (const CliOption& option : command_line_options()) {
      bool expected = false;
      for (const CliOption& row : command_line_options())
        expected = expected || (row.name == option.name && row.belongs_to(named.subcommand));
      Invocation invocation;
      const auto parsed = parse(named.subcommand, typed(option), invocation);
      EXPECT_EQ(static_cast<bool>(parsed), expected) << named.name << " " << option.name;
    }
    Invocation invocation;
    EXPECT_FALSE(parse(named.subcommand, {"--no-such-option"}, invocation)) << named.name;
    EXPECT_FALSE(parse(named.subcommand, {"-x"}, invocation)) << named.name;
    EXPECT_TRUE(parse(named.subcommand, {"-h"}, invocation)) << named.name;
    EXPECT_TRUE(invocation.help);
  }
}

// Of an option for the policy, the effect on the policy is tested below.
TEST(Invocation, KeepsWhatAnOptionSets) {
  const auto is_set = [](const Invocation& i, Setting setting) {
    switch (setting) {
      case Setting::policy:
        return i.policy_file == "agent";
      case Setting::mode:
        return i.mode == "agent";
      case Setting::request:
        return i.request_file == "-";
      case Setting::json:
        return i.json;
      case Setting::timing:
        return i.timing;
      case Setting::receipt:
        return i.receipt;
      case Setting::status_fd:
        return i.status_fd == 1;
      case Setting::log_level:
        return i.log_level == "off";
      case Setting::help:
        return i.help;
      case Setting::runs:
        return i.runs == "123";
      case Setting::parallel:
        return i.parallel == "1";
      case Setting::bench_tier:
        return i.tier == "b";
      case Setting::bench_command:
        return i.bench_command == "sub";
      case Setting::svg:
        return i.svg_file == "-";
    }
    return false;
  };
  for (const Named& named : kSubcommands) {
    for (const CliOption& option : command_line_options()) {
      const auto* setting = std::get_if<Setting>(&option.sets);
      if (setting == nullptr || !option.belongs_to(named.subcommand)) continue;
      Invocation invocation;
      EXPECT_FALSE(is_set(invocation, *setting)) << option.name;
      EXPECT_TRUE(parse(named.subcommand, typed(option), invocation));
      EXPECT_TRUE(is_set(invocation, *setting)) << named.name << " " << option.name;
    }
  }
}

// Options that only mean something beside another.
std::vector<std::string> with_company(const CliOption& option) {
  std::vector<std::string> words = {"--policy", "agent"};
  if (option.key().starts_with("limits.total_"))
    words.insert(words.end(), {"--cgroup-parent", "."});
  return words;
}

TEST(Invocation, ChangesThePolicyByEachOptionThatNamesAKey) {
  std::size_t options = 0;
  for (const CliOption& option : command_line_options()) {
    if (option.key().empty()) continue;
    std::vector<std::string> words = with_company(option);
    Invocation without;
    ASSERT_TRUE(parse(Subcommand::exec, words, without));
    for (const std::string& word : typed(option)) words.push_back(word);
    Invocation with;
    ASSERT_TRUE(parse(Subcommand::exec, words, with)) << option.name;
    const auto before = load_policy(without, PolicyDefault::none);
    const auto after = load_policy(with, PolicyDefault::none);
    // An error of check_policy() names the option or the key.
    ASSERT_TRUE(before);
    ASSERT_TRUE(after) << option.name << ": " << after.error().message;
    EXPECT_FALSE(before.value().sourced.policy == after.value().sourced.policy) << option.name;
    const auto& origins = after.value().sourced.origins;
    EXPECT_TRUE(std::any_of(origins.begin(), origins.end(), [&](const auto& origin) {
      return origin.first.starts_with(option.key()) && origin.second == option.name;
    })) << option.name;
    ++options;
  }
  EXPECT_GT(options, 20U);
}

// They were taken and did nothing.
TEST(Invocation, RefusesAnOptionWithoutEffect) {
  const std::vector<std::vector<std::string>> kWithoutEffect = {
      {"--policy", "workspace", "--allow-exec", "git"},
      {"--policy", "agent", "--env", "A=1", "--env", "A=2"},
  };
  for (const std::vector<std::string>& words : kWithoutEffect) {
    Invocation invocation;
    ASSERT_TRUE(parse(Subcommand::exec, words, invocation));
    const auto loaded = load_policy(invocation, PolicyDefault::none);
    ASSERT_FALSE(loaded) << words.back();
    EXPECT_NE(loaded.error().message.find(words[2]), std::string::npos);
  }
  Invocation invocation;
  EXPECT_FALSE(parse(Subcommand::check, {"--log-level", "debug"}, invocation));
}

std::vector<std::string_view> option_names_in(std::string_view help) {
  std::vector<std::string_view> names;
  for (const std::string_view line : split(help, '\n')) {
    if (!line.starts_with("  --")) continue;
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

TEST(Help, ListsEveryOptionOfItsSubcommandOnceAndNoOther) {
  for (const Named& named : kSubcommands) {
    const std::string help = help_text(named.name);
    std::vector<std::string_view> expected;
    for (const CliOption& option : command_line_options()) {
      if (!option.belongs_to(named.subcommand)) continue;
      expected.push_back(option.name);
      const std::string head =
          concat("\n  ", option.name, option.argument.empty() ? "" : " ", option.argument, " ");
      EXPECT_NE(help.find(head), std::string::npos) << named.name << head;
    }
    EXPECT_EQ(option_names_in(help), expected) << named.name;
  }
}

// On one line, and with single spaces.
std::string unwrapped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char shown = c == '\n' ? ' ' : c;
    if (shown != ' ' || !out.ends_with(' ')) out += shown;
  }
  return out;
}

TEST(Help, HasTheWholeTextOfEachOption) {
  for (const Named& named : kSubcommands) {
    const std::string help = unwrapped(help_text(named.name));
    for (const CliOption& option : command_line_options()) {
      if (!option.belongs_to(named.subcommand)) continue;
      const std::string row = concat(option.name, option.argument.empty() ? "" : " ",
                                     option.argument, " ", option.help, " ");
      EXPECT_NE(help.find(row), std::string::npos) << named.name << ": " << row;
    }
  }
}

TEST(Help, FitsIn80Columns) {
  for (const std::string name :
       {"", "run", "exec", "check", "explain", "policy", "bench", "doctor"}) {
    const std::string help = help_text(name);
    for (const std::string_view line : split(help, '\n'))
      EXPECT_LE(line.size(), 80U) << name << ": " << line;
  }
}

TEST(Help, OfAnythingElseIsTheOverview) {
  EXPECT_EQ(help_text("nonsense"), help_text(""));
  for (const Named& named : kSubcommands)
    EXPECT_NE(help_text("").find(concat("\n  bawn ", named.name, " ")), std::string::npos);
}

}  // namespace
}  // namespace bawn::cli
