#include "validate/program/git_arguments.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "validate/name_list.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

// Sections in which every key names a command, or a file with further keys.
constexpr std::array<std::string_view, 15> kSections{
    "alias",     "browser",  "credential", "difftool",  "filter", "guitool",   "hook",   "include",
    "includeif", "instaweb", "man",        "mergetool", "pager",  "sendemail", "trailer"};

// Last parts of keys that name a command, or a directory with commands, in any section:
// diff.*.textconv, gpg.program.
constexpr std::array<std::string_view, 25> kCommandKeys{"allow",       "alternaterefscommand",
                                                        "askpass",     "attributesfile",
                                                        "clean",       "cmd",
                                                        "command",     "difffilter",
                                                        "driver",      "editor",
                                                        "external",    "fsmonitor",
                                                        "gitproxy",    "hookspath",
                                                        "insteadof",   "packobjectshook",
                                                        "pager",       "process",
                                                        "program",     "pushinsteadof",
                                                        "receivepack", "smudge",
                                                        "sshcommand",  "templatedir",
                                                        "textconv"};

constexpr std::array<std::string_view, 6> kMoreCommandKeys{"browser", "defaultkeycommand", "tunnel",
                                                           "update",  "uploadpack",        "vcs"};

// Values that name no command: switches, and `cat`, which is harmless as a pager.
constexpr std::array<std::string_view, 7> kHarmlessValues{"",      "0",     "1",   "cat",
                                                          "false", "never", "true"};

// Options of any subcommand whose value makes git run a command.
constexpr std::array<std::string_view, 13> kGitCommandOptions{
    "--exec",       "--extcmd",   "--open-files-in-pager", "--receive-pack", "--upload-pack",
    "--exec-path",  "--template", "--config-env",          "--access-hook",  "--cc-cmd",
    "--header-cmd", "--to-cmd",   "--sendmail-cmd"};

// Subcommands that always start a program, named in their words or in the configuration.
constexpr std::array<std::string_view, 13> kRunners{
    "citool",     "difftool",    "filter-branch", "for-each-repo", "gui",
    "instaweb",   "merge-index", "mergetool",     "remote-fd",     "remote-ext",
    "send-email", "shell",       "web--browse"};

// A short option of one subcommand whose value git runs. `value_letters` are the options that take
// the rest of a cluster as their value.
struct CommandLetter {
  std::string_view subcommand;
  char letter;
  std::string_view value_letters;
};
constexpr std::array kCommandLetters{
    CommandLetter{"clone", 'u', "bcjo"},
    CommandLetter{"grep", 'O', "ABCefm"},
    CommandLetter{"rebase", 'x', "CSXs"},
};

void judge_setting(std::string_view setting, const std::string& word, ArgumentCommands& found) {
  const std::size_t equals = setting.find('=');
  const std::string_view value =
      equals == std::string_view::npos ? "true" : setting.substr(equals + 1);
  if (lists(kHarmlessValues, ascii_lower(value))) return;
  if (git_key_runs_commands(setting.substr(0, equals))) found.code.push_back(word);
}

bool is_command_option(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  // git accepts every unambiguous prefix of a long option; for `git clone` even "--u" is one.
  return name.size() > 2 && name.starts_with("--") &&
         std::any_of(kGitCommandOptions.begin(), kGitCommandOptions.end(),
                     [&](auto option) { return option.starts_with(name); });
}

// Without a value, `git --exec-path` only prints the path.
bool only_prints(std::string_view word) { return word == "--exec-path"; }

std::string_view subcommand(Words args) {
  for (std::size_t at = 0; at < args.size(); ++at) {
    const std::string_view word = args[at];
    if (!word.starts_with('-')) return word;
    if (word == "-c" || word == "-C" || word == "--git-dir" || word == "--work-tree" ||
        word == "--namespace") {
      ++at;
    }
  }
  return "";
}

bool has_word(Words args, std::string_view word) {
  return std::find(args.begin(), args.end(), word) != args.end();
}

bool has_letter(std::string_view word, const CommandLetter& option) {
  if (!word.starts_with('-') || word.starts_with("--")) return false;
  for (const char c : word.substr(1)) {
    if (c == option.letter) return true;
    if (option.value_letters.find(c) != std::string_view::npos) return false;
  }
  return false;
}

void judge_letters(std::string_view name, Words args, ArgumentCommands& found) {
  for (const CommandLetter& option : kCommandLetters) {
    if (option.subcommand != name) continue;
    for (std::size_t at = 0; at < args.size() && args[at] != "--"; ++at) {
      if (has_letter(args[at], option)) found.code.push_back(args[at]);
    }
  }
}

void judge_subcommand(Words args, ArgumentCommands& found) {
  const std::string_view name = subcommand(args);
  const bool runs_words =
      (name.starts_with("bisect") && (has_word(args, "run") || has_word(args, "--bisect-run"))) ||
      (name == "submodule" && has_word(args, "foreach")) || lists(kRunners, name);
  if (runs_words) found.code.emplace_back(name);
  judge_letters(name, args, found);
  if (name != "config") return;
  if (has_word(args, "--rename-section"))
    found.code.emplace_back("--rename-section");  // turns any key into an alias
  // `git config KEY VALUE` writes a key that a later git obeys.
  for (const std::string& word : args) {
    const auto at = &word - args.data();
    if (static_cast<std::size_t>(at) + 1 < args.size() && git_key_runs_commands(word)) {
      judge_setting(concat(word, "=", args[static_cast<std::size_t>(at) + 1]), word, found);
    }
  }
}

}  // namespace

bool git_key_runs_commands(std::string_view key) {
  const std::string lower = ascii_lower(key);
  const std::size_t first = lower.find('.');
  if (first == std::string::npos) return false;
  const std::string_view view = lower;
  if (lists(kSections, view.substr(0, first))) return true;
  const std::string_view last = view.substr(view.rfind('.') + 1);
  return lists(kCommandKeys, last) || lists(kMoreCommandKeys, last);
}

void search_git_arguments(Words args, ArgumentCommands& found) {
  for (std::size_t at = 0; at < args.size() && args[at] != "--"; ++at) {
    const std::string_view word = args[at];
    if ((word == "-c" || word == "--config") && at + 1 < args.size()) {
      judge_setting(args[at + 1], args[at + 1], found);
    } else if (word.starts_with("--config=")) {
      judge_setting(word.substr(9), args[at], found);
    } else if (word.starts_with("--config-env=") ||
               (is_command_option(word) && !only_prints(word))) {
      found.code.push_back(args[at]);
    } else if (word.starts_with("-c") && word.size() > 2 && word.find('.') < word.find('=')) {
      judge_setting(word.substr(2), args[at], found);
    }
  }
  for (const std::string& word : args) {
    if (word.starts_with("ext::") || word.starts_with("fd::"))
      found.code.push_back(word);  // these transports run commands
  }
  judge_subcommand(args, found);
}

}  // namespace bawn
