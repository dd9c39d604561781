// The rows of the command-line options, and the places in the source that name options.

#include "policy/text/option.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "policy/text/field.h"

namespace bawn {
namespace {

TEST(CliOption, IsSpeltInOneWayAndHasAHelpText) {
  const std::regex name("--[a-z][a-z0-9-]*");
  const std::regex argument("([A-Z]+([:=|[].*)?)?");
  for (const CliOption& option : command_line_options()) {
    EXPECT_TRUE(std::regex_match(std::string(option.name), name)) << option.name;
    EXPECT_TRUE(std::regex_match(std::string(option.argument), argument)) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_NE(option.subcommands, 0U) << option.name;
  }
}

TEST(CliOption, HasOneMeaningInASubcommand) {
  const auto options = command_line_options();
  for (auto one = options.begin(); one != options.end(); ++one) {
    for (auto other = one + 1; other != options.end(); ++other) {
      if (one->name != other->name) continue;
      EXPECT_EQ(one->subcommands & other->subcommands, 0U) << one->name;
    }
  }
}

TEST(CliOption, StandsWithTheOthersOfItsGroup) {
  std::set<std::string_view> seen;
  std::string_view group;
  for (const CliOption& option : command_line_options()) {
    if (option.group == group) continue;
    group = option.group;
    EXPECT_TRUE(seen.insert(group).second) << option.name << " is apart from " << group;
  }
}

TEST(CliOption, ThatChangesThePolicySetsAKeyThatExistsAndNoOtherOptionSets) {
  std::size_t keys = 0;
  for (const CliOption& option : command_line_options()) {
    if (option.key().empty()) continue;
    ++keys;
    EXPECT_NE(find_field(option.key()), nullptr) << option.name;
    EXPECT_EQ(option_for(option.key()), &option) << option.name;
  }
  EXPECT_GT(keys, 20U);
  EXPECT_EQ(option_for("redaction.secrets"), nullptr);
  EXPECT_EQ(option_for(""), nullptr);
}

TEST(CliOption, MayBeRepeatedIfItAddsToAListOrIsASwitch) {
  for (const std::string_view key : {"filesystem.read", "environment.set", "egress.hosts",
                                     "executables.allow", "workspace.hide", "identity.as_root"})
    EXPECT_TRUE(option_for(key)->repeats()) << key;
  for (const std::string_view key :
       {"limits.memory_bytes", "tier.use", "egress.mode", "workspace.root"})
    EXPECT_FALSE(option_for(key)->repeats()) << key;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The position behind the literal whose first quote is at `at`.
std::size_t behind_literal(const std::string& code, std::size_t at) {
  const char quote = code[at];
  for (++at; at < code.size() && code[at] != quote; ++at) {
    if (code[at] == '\\') ++at;
  }
  return at + 1;
}

// String literals of the source, each with those that the compiler would join to it.
std::vector<std::string> literals_of(const std::filesystem::path& file) {
  const std::string code = content_of(file);
  std::vector<std::string> literals;
  bool joins = false;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    if (code.compare(at, 2, "//") == 0) {
      end = std::min(code.find('\n', at), code.size());
    } else if (code.compare(at, 3, "R\"(") == 0) {
      end = std::min(code.find(")\"", at), code.size());
      literals.push_back(code.substr(at + 3, end - at - 3));
      end += 2;
      joins = false;
    } else if (code[at] == '"') {
      end = behind_literal(code, at);
      if (!joins) literals.emplace_back();
      literals.back() += code.substr(at + 1, end - at - 2);
      joins = true;
    } else if (code[at] == '\'' && std::isalnum(static_cast<unsigned char>(code[at - 1])) == 0) {
      end = behind_literal(code, at);
      joins = false;
    } else if (std::isspace(static_cast<unsigned char>(code[at])) == 0) {
      joins = false;
    }
    at = end;
  }
  return literals;
}

std::vector<std::filesystem::path> sources_below(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path root(std::getenv("BAWN_SOURCE"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".cc" || extension == ".inc" || extension == ".h")
      files.push_back(entry.path());
  }
  return files;
}

std::vector<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1].str());
  return found;
}

bool is_option(std::string_view name) {
  return std::ranges::find(command_line_options(), name, &CliOption::name) !=
         command_line_options().end();
}

// What a hint says is typed behind 'bawn run'.
bool is_option_of_run(std::string_view name) {
  const auto options = command_line_options();
  return std::any_of(options.begin(), options.end(), [&](const CliOption& option) {
    return option.name == name && option.belongs_to(Subcommand::run);
  });
}

// Hints that are made of one key take its option from the rows; the others are sentences.
TEST(Hint, NamesOnlyOptionsAndKeysThatExist) {
  ASSERT_NE(std::getenv("BAWN_SOURCE"), nullptr);
  std::size_t hints = 0;
  for (const std::filesystem::path& file : sources_below("src")) {
    for (const std::string& text : literals_of(file)) {
      const bool is_hint = text.starts_with("try --") ||
                           text.find(" try --") != std::string::npos ||
                           text.find("policy key") != std::string::npos;
      if (!is_hint) continue;
      for (const std::string& name : matches(text, "(--[a-z][a-z0-9-]*)"))
        EXPECT_TRUE(is_option_of_run(name)) << name << " in " << file << ": " << text;
      for (const std::string& key : matches(text, "\\b([a-z_]+\\.[a-z0-9_]+)[),;]"))
        EXPECT_NE(find_field(key), nullptr) << key << " in " << file << ": " << text;
      ++hints;
    }
  }
  EXPECT_GT(hints, 20U) << "the search finds nothing any more";
}

TEST(CliOption, ThatTheCommandLineNamesInItsCodeIsInTheTable) {
  ASSERT_NE(std::getenv("BAWN_SOURCE"), nullptr);
  std::size_t names = 0;
  for (const std::filesystem::path& file : sources_below("src/front")) {
    for (const std::string& text : literals_of(file)) {
      if (text.find("--") == std::string::npos) continue;
      for (const std::string& name : matches(text, "(--[a-z][a-z0-9-]*)")) {
        EXPECT_TRUE(is_option(name) || name == "--version") << name << " in " << file;
        ++names;
      }
    }
  }
  EXPECT_GT(names, 10U) << "the search finds nothing any more";
}

}  // namespace
}  // namespace bawn
