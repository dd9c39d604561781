#include "handoff/git_key.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"

namespace bawn::handoff {
namespace {

constexpr GitKey kGitKeys[] = {
#define BAWN_GIT_KEY(key, value, effect, told, quiet) {key, GitValue::value, effect},
#include "handoff/git_key.inc"
};

// One '*' stands for any text that is not empty.
bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  const std::string_view front = pattern.substr(0, star);
  const std::string_view back = pattern.substr(star + 1);
  return text.size() > front.size() + back.size() && text.starts_with(front) &&
         text.ends_with(back);
}

template <std::size_t size>
bool is_one_of(std::string_view value, const std::array<std::string_view, size>& words) {
  return std::ranges::find(words, ascii_lower(value)) != words.end();
}

bool is_false(std::string_view value) {
  static constexpr std::array<std::string_view, 5> kFalse{"false", "no", "off", "0", ""};
  return is_one_of(value, kFalse);
}

bool is_true(std::string_view value) {
  static constexpr std::array<std::string_view, 4> kTrue{"true", "yes", "on", "1"};
  return is_one_of(value, kTrue);
}

// "ext::sh -c x", and not "https://host/a::b".
bool names_helper(std::string_view address) {
  const std::size_t colons = address.find("::");
  return colons != std::string_view::npos && colons != 0 && address.find_first_of("/@:[") == colons;
}

// Words of an alias that make git run a command. A long option may be shortened.
struct RunningWord {
  std::string_view command;  // of git; "" for every one
  std::string_view word;     // "" if the command is enough
};
constexpr RunningWord kRunningWords[] = {
    {"", "--exec"},           {"", "--ext-diff"},     {"", "--extcmd"},
    {"", "--upload-pack"},    {"", "--receive-pack"}, {"", "--open-files-in-pager"},
    {"bisect", "run"},        {"difftool", "-x"},     {"filter-branch", ""},
    {"for-each-repo", ""},    {"grep", "-O"},         {"rebase", "-x"},
    {"submodule", "foreach"},
};

bool is_running_word(std::string_view command, std::string_view word) {
  constexpr std::size_t kShortest = 4;  // "--ex"
  const bool is_long = word.starts_with("--") && word.size() >= kShortest;
  if (is_long) word = word.substr(0, word.find('='));
  return std::ranges::any_of(kRunningWords, [&](const RunningWord& each) {
    if (!each.command.empty() && each.command != command) return false;
    if (is_long) return each.word.starts_with(word);
    return each.word.size() == 2 ? word.starts_with(each.word) : word == each.word;
  });
}

// "!id", "-c core.pager=./x log", "difftool -x ./x". Quotes do not count.
bool runs_a_command(std::string_view alias) {
  if (alias.starts_with('!')) return true;
  std::string text(alias);
  std::erase_if(text, [](char c) { return c == '\'' || c == '"' || c == '\\'; });
  static constexpr std::array<std::string_view, 3> kHarmless{"-p", "-P", "--no-pager"};
  std::string_view command;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (command.empty() && word.starts_with('-')) {
      if (std::ranges::find(kHarmless, word) == kHarmless.end()) return true;
      continue;
    }
    if (command.empty()) command = word;
    if (is_running_word(command, word) || is_running_word(command, "")) return true;
  }
  return false;
}

bool counts(GitValue wanted, std::string_view value) {
  switch (wanted) {
    case GitValue::any:
      return true;
    case GitValue::shell:
      return value.starts_with('!');
    case GitValue::runs:
      return runs_a_command(value);
    case GitValue::program:
      return !is_true(value) && !is_false(value);
    case GitValue::allows:
      return value != "never";
    case GitValue::off:
      return is_false(value);
    case GitValue::helper:
      return names_helper(value);
  }
  return true;
}

// A key with several values, as credential.helper, in order.
struct GitValues {
  std::string shown;
  std::string_view effect;
  std::vector<std::string_view> values;
};

std::map<std::string, GitValues> obeyed_in(const GitConfig& config) {
  std::map<std::string, GitValues> out;
  for (const GitSetting& setting : config.settings) {
    const GitKey* key = find_git_key(setting);
    if (key == nullptr) continue;
    GitValues& entry = out[key_of(setting)];
    entry.shown = shown_key(setting);
    entry.effect = key->effect;
    entry.values.push_back(setting.value);
  }
  return out;
}

}  // namespace

std::span<const GitKey> git_keys() { return kGitKeys; }

const GitKey* find_git_key(const GitSetting& setting) {
  const std::string key = key_of(setting);
  const auto* found = std::ranges::find_if(kGitKeys, [&](const GitKey& row) {
    return matches(row.key, key) && counts(row.value, setting.value);
  });
  return found == std::end(kGitKeys) ? nullptr : found;
}

std::string shown_key(const GitSetting& setting) {
  static constexpr std::array<std::string_view, 3> kOfAddresses{"credential", "http", "url"};
  const bool is_address = setting.subsection.find_first_of("/@") != std::string::npos ||
                          is_one_of(setting.section, kOfAddresses);
  if (!is_address || setting.subsection.empty()) return key_of(setting);
  return concat(setting.section, ".*.", setting.name);
}

namespace {

// The address of a remote is no news where every key is new. Another one than before is.
std::map<std::string, std::vector<std::string_view>> remotes_in(const GitConfig& config) {
  std::map<std::string, std::vector<std::string_view>> out;
  for (const GitSetting& setting : config.settings) {
    if (setting.section == "remote" && setting.name == "url" && !setting.subsection.empty())
      out[shown_key(setting)].push_back(setting.value);
  }
  return out;
}

void add_moved_remotes(const GitConfig& before, const GitConfig& after,
                       std::vector<GitKeyChange>& out) {
  const auto old = remotes_in(before);
  for (const auto& [key, now] : remotes_in(after)) {
    const auto was = old.find(key);
    const bool is_told = std::ranges::find(out, key, &GitKeyChange::key) != out.end();
    if (was != old.end() && was->second != now && !is_told)
      out.push_back({key, "redirects what is fetched and pushed", false});
  }
}

}  // namespace

std::vector<GitKeyChange> changed_git_keys(const GitConfig& before, const GitConfig& after) {
  const auto old = obeyed_in(before);
  std::vector<GitKeyChange> out;
  for (const auto& [key, now] : obeyed_in(after)) {
    const auto was = old.find(key);
    if (was == old.end())
      out.push_back({now.shown, now.effect, true});
    else if (was->second.values != now.values)
      out.push_back({now.shown, now.effect, false});
  }
  add_moved_remotes(before, after, out);
  return out;
}

}  // namespace bawn::handoff
