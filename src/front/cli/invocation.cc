#include "front/cli/invocation.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace bawn::cli {
namespace {

// The one option with a short form.
std::string_view full_name(std::string_view name) { return name == "-h" ? "--help" : name; }

Error given_twice(const CliOption& option) {
  return invalid_error(concat(option.name, " is given twice"));
}

Result<void> take_text(std::optional<std::string>& text, const CliOption& option,
                       std::string_view value) {
  if (value.empty()) return invalid_error(concat(option.name, " needs a value that is not empty"));
  if (text) return given_twice(option);
  text = std::string(value);
  return {};
}

Result<void> take_switch(bool& on) {
  on = true;
  return {};
}

Result<void> take_status_fd(Invocation& invocation, const CliOption& option,
                            std::string_view value) {
  if (invocation.status_fd) return given_twice(option);
  int fd = -1;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), fd);
  if (error != std::errc() || end != value.data() + value.size() || fd < 0) {
    return invalid_error(
        concat(option.name, " takes the number of an open file, not ", quote(value)));
  }
  invocation.status_fd = fd;
  return {};
}

Result<void> take_policy_flag(Invocation& invocation, const CliOption& option,
                              std::string_view value) {
  const bool given = std::any_of(invocation.policy_flags.begin(), invocation.policy_flags.end(),
                                 [&](const PolicyFlag& flag) { return flag.option == &option; });
  if (given && !option.repeats()) return given_twice(option);
  invocation.policy_flags.push_back({&option, std::string(value)});
  return {};
}

Result<void> take(Invocation& invocation, const CliOption& option, std::string_view value) {
  const auto* setting = std::get_if<Setting>(&option.sets);
  if (setting == nullptr) return take_policy_flag(invocation, option, value);
  switch (*setting) {
    case Setting::policy:
      return take_text(invocation.policy_file, option, value);
    case Setting::mode:
      return take_text(invocation.mode, option, value);
    case Setting::request:
      return take_text(invocation.request_file, option, value);
    case Setting::json:
      return take_switch(invocation.json);
    case Setting::timing:
      return take_switch(invocation.timing);
    case Setting::receipt:
      return take_switch(invocation.receipt);
    case Setting::status_fd:
      return take_status_fd(invocation, option, value);
    case Setting::log_level:
      return take_text(invocation.log_level, option, value);
    case Setting::help:
      return take_switch(invocation.help);
    case Setting::runs:
      return take_text(invocation.runs, option, value);
    case Setting::parallel:
      return take_text(invocation.parallel, option, value);
    case Setting::bench_tier:
      return take_text(invocation.tier, option, value);
    case Setting::bench_command:
      return take_text(invocation.bench_command, option, value);
    case Setting::svg:
      return take_text(invocation.svg_file, option, value);
  }
  return invalid_error(concat(option.name, " sets nothing"));
}

// True for an option of any subcommand, written as "--name" or "--name=value".
bool is_option(std::string_view word) {
  const std::string_view name = full_name(word.substr(0, word.find('=')));
  return std::ranges::find(command_line_options(), name, &CliOption::name) !=
         command_line_options().end();
}

Error unknown_option(Subcommand subcommand, std::string_view name) {
  std::vector<std::string_view> names;
  for (const CliOption& option : command_line_options()) {
    if (option.belongs_to(subcommand)) names.push_back(option.name);
  }
  const std::string_view meant = nearest(name, names);
  return invalid_error(concat("unknown option ", quote(name),
                              meant.empty() ? "" : concat(" (did you mean '", meant, "'?)")));
}

Result<const CliOption*> find_option(Subcommand subcommand, std::string_view name) {
  for (const CliOption& option : command_line_options()) {
    if (option.belongs_to(subcommand) && option.name == full_name(name)) return &option;
  }
  return unknown_option(subcommand, name);
}

// Takes "--name value" or "--name=value" from the front of `words`.
Result<void> take_option(Subcommand subcommand, std::span<char* const>& words,
                         Invocation& invocation) {
  const std::string_view word = words.front();
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  BAWN_ASSIGN(const CliOption* option, find_option(subcommand, name));
  words = words.subspan(1);
  if (option->argument.empty()) {
    if (equals != std::string_view::npos) return invalid_error(concat(name, " takes no value"));
    return take(invocation, *option, "");
  }
  if (equals != std::string_view::npos) return take(invocation, *option, word.substr(equals + 1));
  // If the value was forgotten, the next option or the "--" before the command must not be taken as
  // the value.
  const std::string_view value = words.empty() ? "--" : words.front();
  if (value == "--")
    return invalid_error(concat(name, " needs a value: ", name, " ", option->argument));
  if (is_option(value)) {
    return invalid_error(
        concat(name, " needs a value: ", name, " ", option->argument, "; found the option ",
               quote(value), " (if that is the value, write ", name, "=", option->argument, ")"));
  }
  words = words.subspan(1);
  return take(invocation, *option, value);
}

}  // namespace

Result<void> parse_invocation(Subcommand subcommand, std::span<char* const> words,
                              Invocation& invocation) {
  while (!words.empty() && words.front()[0] == '-' && words.front()[1] != '\0') {
    if (std::string_view(words.front()) == "--") {
      words = words.subspan(1);
      break;
    }
    BAWN_TRY(take_option(subcommand, words, invocation));
  }
  invocation.command.assign(words.begin(), words.end());
  if (subcommand == Subcommand::exec && !invocation.command.empty()) {
    return invalid_error(concat("exec reads its request from stdin and takes no command; found ",
                                quote(invocation.command.front())));
  }
  if (invocation.policy_file && invocation.mode)
    return invalid_error("--policy and --mode exclude each other");
  return {};
}

bool asks_for_help(Subcommand subcommand, std::span<char* const> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    const auto option = find_option(subcommand, word);
    return option && option.value()->sets == decltype(CliOption::sets)(Setting::help);
  });
}

}  // namespace bawn::cli
