// Every option of every row (src/programs) that has an effect, as people and attackers spell it:
// whole, abbreviated, in a cluster, with its value attached or apart. However it is spelled, it is
// judged the same. The controls are the plain options beside it, and words that only contain its
// letters.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "programs/option_word.h"
#include "validate/program/command_argument.h"
#include "validate/program/interpreter.h"
#include "validate/program/launcher.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

template <class Function>
void for_every_row(Function function) {
  for (std::size_t i = 0; i < program_count(); ++i)
    function(program_name_at(i), *find_program(program_name_at(i)));
}

template <class Function>
void for_every_option(Function function) {
  for_every_row([&](std::string_view name, const ProgramRow& row) {
    for (const Option& option : row.options()) function(name, row, option);
  });
}

bool is_letter_name(std::string_view name) {
  return name.size() == 2 && name[0] == '-' && name[1] != '-';
}

// A value with which the option has its effect; "" if the option has none.
std::string effective_value(const Option& option) {
  if (option.prefixes() == "?") return "x";
  if (!option.prefixes().empty())
    return concat(option.prefixes().substr(0, option.prefixes().find(',')), "x");
  switch (option.role) {
    case Role::code:
    case Role::command:
    case Role::unsafe:
      return "x";
    case Role::config:
      return "core.pager=x";
    case Role::to_compiler:
      return "-load";
    case Role::to_linker:
      return "-plugin";
    case Role::to_preprocessor:
      return "-fplugin=x";
    default:
      return "";
  }
}

// The option with its value, attached and apart, where it can be so spelled. `typed` has the
// dashes.
std::vector<Words> with_value(const Option& option, const std::string& typed,
                              const std::string& value, bool joined_by_equals) {
  if (option.takes == Takes::nothing) return {{typed}};
  if (!typed.starts_with('-') && !typed.ends_with('+')) return {{typed, value}};
  std::vector<Words> out{{concat(typed, joined_by_equals ? "=" : "", value)}};
  if (option.takes == Takes::value && !typed.ends_with(',') && !typed.ends_with('+'))
    out.push_back({typed, value});
  return out;
}

// A letter that the row lacks or that takes nothing and does nothing, to begin a cluster with.
char idle_letter(const ProgramRow& row) {
  for (const char letter : std::string_view("qvnzyQjJ09")) {
    const std::string word{'-', letter};
    ReadOption read;
    OptionWord(row, word).next(read);
    if (read.option == nullptr ||
        (read.option->takes == Takes::nothing && read.option->role == Role::plain))
      return letter;
  }
  return '\0';
}

bool is_exact(const ProgramRow& row, std::string_view name) {
  const auto options = row.options();
  return std::any_of(options.begin(), options.end(),
                     [&](const Option& option) { return option.name() == name; });
}

// Every spelling of the option but the whole one alone.
std::vector<Words> spellings(const ProgramRow& row, const Option& option,
                             const std::string& value) {
  const std::string name(option.name());
  const bool equals = !is_letter_name(name) && !name.ends_with(',') && !name.ends_with('+');
  std::vector<Words> out = with_value(option, name, value, equals);
  const auto add = [&](const std::string& typed, bool by_equals) {
    for (Words& words : with_value(option, typed, value, by_equals))
      out.push_back(std::move(words));
  };
  if (equals && row.style != Style::words && name.starts_with('-')) {
    for (std::size_t length = 3; length < name.size(); ++length) {
      if (!is_exact(row, name.substr(0, length))) add(name.substr(0, length), true);
    }
  }
  if (is_letter_name(name) && row.style == Style::gnu) {
    const char idle = idle_letter(row);
    EXPECT_NE(idle, '\0') << name;
    add(concat("-", idle, name.substr(1)), false);
  }
  return out;
}

std::string shown(std::string_view program, const Words& words) {
  std::string out(program);
  for (const std::string& word : words) out += concat(" ", word);
  return out;
}

bool runs_something(const ProgramRow& row, const Words& words) {
  ArgumentCommands found;
  search_options(row, words, found);
  return !found.code.empty() || !found.command_lines.empty();
}

TEST(EveryOption, ThatRunsCodeIsSeenInEverySpelling) {
  std::size_t tried = 0;
  for_every_option([&](std::string_view name, const ProgramRow& row, const Option& option) {
    const std::string value = effective_value(option);
    if (value.empty()) return;
    for (const Words& words : spellings(row, option, value)) {
      EXPECT_TRUE(runs_something(row, words)) << shown(name, words);
      ++tried;
    }
  });
  EXPECT_GT(tried, 1500U);
}

TEST(EveryOption, ThatIsPlainRunsNothing) {
  std::size_t tried = 0;
  for_every_option([&](std::string_view name, const ProgramRow& row, const Option& option) {
    if (!effective_value(option).empty() && option.prefixes().empty()) return;
    for (const Words& words :
         with_value(option, std::string(option.name()), "y", !is_letter_name(option.name()))) {
      if (option.prefixes() == "?") continue;
      EXPECT_FALSE(runs_something(row, words)) << shown(name, words);
      ++tried;
    }
  });
  EXPECT_GT(tried, 1500U);
}

// "-fI": a letter that takes the rest of its word hides the letters behind it.
TEST(EveryOption, IsNotSeenInTheValueOfAnother) {
  std::size_t tried = 0;
  for_every_row([&](std::string_view name, const ProgramRow& row) {
    if (row.style != Style::gnu || row.interpreter == InterpreterKind::shell) return;
    for (const Option& outer : row.options()) {
      const bool hides = is_letter_name(outer.name()) && outer.takes != Takes::nothing &&
                         effective_value(outer).empty();
      for (const Option& inner : row.options()) {
        if (!hides || !is_letter_name(inner.name()) || effective_value(inner).empty()) continue;
        const Words words{concat(outer.name(), inner.name().substr(1), "x")};
        EXPECT_FALSE(runs_something(row, words)) << shown(name, words);
        ++tried;
      }
    }
  });
  EXPECT_GT(tried, 100U);
}

TEST(EveryOption, ThatNoRowHasRunsNothing) {
  for_every_row([&](std::string_view name, const ProgramRow& row) {
    for (const Words& words : {Words{"--zz-none"}, Words{"--zz-none=x"}, Words{"zz"}, Words{"-"},
                               Words{"--", "-c", "core.pager=x"}, Words{""}})
      EXPECT_FALSE(runs_something(row, words)) << shown(name, words);
  });
}

TEST(EveryOption, ThatGivesCodeToAnInterpreterIsSeenInEverySpelling) {
  std::size_t tried = 0;
  for_every_option([&](std::string_view name, const ProgramRow& row, const Option& option) {
    const bool code = option.role == Role::program || option.role == Role::pattern;
    if (!code || row.interpreter == InterpreterKind::none) return;
    for (Words words : spellings(row, option, "CODE")) {
      if (row.interpreter == InterpreterKind::shell && words.size() == 1 &&
          is_letter_name(option.name()))
        continue;  // letters of a shell have no value attached
      const CodeUse use = find_code(row, words);
      EXPECT_TRUE(use.inline_code) << shown(name, words);
      EXPECT_EQ(use.code, "CODE") << shown(name, words);
      ++tried;
    }
    if (row.interpreter == InterpreterKind::script) {
      EXPECT_FALSE(find_code(row, Words{"script", std::string(option.name()), "x"}).inline_code);
    }
  });
  EXPECT_GT(tried, 300U);
}

// Abbreviated or not, an option of a launcher leaves the same command, or none that is certain.
TEST(EveryOption, OfALauncherLeavesTheSameCommandInEverySpelling) {
  std::size_t tried = 0;
  std::size_t certain = 0;
  for_every_option([&](std::string_view name, const ProgramRow& row, const Option& option) {
    if (row.reader != LaunchReader::table || row.tail != Tail::command ||
        option.role != Role::plain)
      return;
    for (Words words : spellings(row, option, "7")) {
      words.insert(words.end(), row.operands, "1");
      words.insert(words.end(), {"ls", "-l"});
      const auto launch = read_launch(name, words);
      ASSERT_TRUE(launch) << name;
      ++tried;
      if (!launch->uncertain.empty()) continue;
      ++certain;
      ASSERT_EQ(launch->commands.size(), 1U) << shown(name, words);
      EXPECT_EQ(launch->commands[0].words, (Words{"ls", "-l"})) << shown(name, words);
    }
  });
  EXPECT_GT(certain, 800U);
  EXPECT_GT(tried, certain);
}

}  // namespace
}  // namespace bawn
