#include "validate/program/git_arguments.h"

#include <algorithm>

#include "base/text.h"
#include "programs/option_word.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

bool has_word(Words args, std::string_view word) {
  return std::find(args.begin(), args.end(), word) != args.end();
}

// The words from the subcommand on.
Words from_subcommand(Words args) {
  const ProgramRow* git = find_program("git");
  for (std::size_t at = 0; at < args.size(); ++at) {
    if (!args[at].starts_with('-')) return args.subspan(at);
    ReadOption read;
    OptionWord(*git, args[at]).next(read);
    if (read.takes_next()) ++at;
  }
  return {};
}

// `git config KEY VALUE` writes a key that a later git obeys.
void judge_written_keys(Words args, ArgumentCommands& found) {
  for (std::size_t at = 0; at + 1 < args.size(); ++at) {
    if (git_setting_runs_commands(concat(args[at], "=", args[at + 1])))
      found.code.push_back(args[at]);
  }
}

}  // namespace

bool git_setting_runs_commands(std::string_view setting) {
  const std::string lower = ascii_lower(setting);
  const std::string_view view = lower;
  const std::size_t equals = std::min(view.find('='), view.size());
  const std::string_view key = view.substr(0, equals);
  const std::string_view value = equals == view.size() ? "true" : view.substr(equals + 1);
  if (key.find('.') == std::string_view::npos || value.empty() ||
      words_of(WordList::git_harmless_values).has(value))
    return false;
  return words_of(WordList::git_command_sections).has(key.substr(0, key.find('.'))) ||
         words_of(WordList::git_command_keys).has(key.substr(key.rfind('.') + 1));
}

void search_git_arguments(Words args, ArgumentCommands& found) {
  for (const std::string& word : args) {
    if (word.starts_with("ext::") || word.starts_with("fd::"))
      found.code.push_back(word);  // these transports run commands
  }
  const Words words = from_subcommand(args);
  if (words.empty()) return;
  const std::string& name = words.front();
  if (words_of(WordList::git_runners).has(name)) found.code.push_back(name);
  for (const std::string_view pair : words_of(WordList::git_running_words)) {
    const std::size_t slash = pair.find('/');
    if (name == pair.substr(0, slash) && has_word(args, pair.substr(slash + 1)))
      found.code.push_back(name);
  }
  if (const ProgramRow* row = find_program(concat("git ", name)))
    search_options(*row, words.subspan(1), found);
  if (name == "config") judge_written_keys(words.subspan(1), found);
}

}  // namespace bawn
