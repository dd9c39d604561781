#include "request/command_line.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/characters.h"
#include "base/text.h"
#include "base/word_lexer.h"
#include "request/known_program.h"

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestSpelledLine = 1024;
constexpr std::string_view kBlanks = " \t\r\n";
// Each of these is special to a shell anywhere outside quotes.
constexpr std::string_view kShellBytes = "|&;<>()$`\\*?[]{}!";
constexpr std::string_view kNoShell =
    "there is no shell here: give one program as \"command\" and each of its arguments as one "
    "element of \"args\", without pipes, redirections, && or variables; a directory is \"cwd\", "
    "variables are \"env\"";
// Shell built-ins and keywords. A request that names one as its program would not work either.
constexpr auto kShellWords =
    std::to_array<std::string_view>({"alias", "cd", "eval", "exec", "exit", "export", "for", "if",
                                     "set", "source", "ulimit", "while"});

bool is_between_words(char c) { return kBlanks.find(c) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> blank_separated(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t length = std::min(text.find_first_of(kBlanks), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || is_digit(word[0])) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// `A=1 make all` -> {"command":"make","args":["all"],"env":{"A":"1"}}
std::optional<Json> request_of(const std::vector<std::string>& words) {
  auto word = words.begin();
  Json env = Json::object();
  for (; word != words.end() && is_assignment(*word); ++word) {
    const std::size_t equals = word->find('=');
    env[word->substr(0, equals)] = word->substr(equals + 1);
  }
  if (word == words.end() || word->empty()) return std::nullopt;
  if (std::find(kShellWords.begin(), kShellWords.end(), *word) != kShellWords.end())
    return std::nullopt;
  Json out;
  out["command"] = *word;
  if (std::next(word) != words.end())
    out["args"] = std::vector<std::string>(std::next(word), words.end());
  if (!env.empty()) out["env"] = std::move(env);
  return out;
}

// Most command lines of models start with `cd DIR &&`, and a request can express that without a
// shell.
std::optional<Json> request_in_directory(std::string_view line) {
  const std::size_t joint = line.find(" && ");
  if (joint == std::string_view::npos) return std::nullopt;
  const auto before = plain_words(line.substr(0, joint));
  const auto after = plain_words(line.substr(joint + 4));
  if (!before || !after || before->size() != 2 || before->front() != "cd") return std::nullopt;
  auto out = request_of(*after);
  if (out) (*out)["cwd"] = before->back();
  return out;
}

bool has_shell_operator(std::string_view text) {
  return text.find_first_of("|;<>`") != std::string_view::npos ||
         text.find("&&") != std::string_view::npos || text.find("$(") != std::string_view::npos;
}

bool is_absolute(std::string_view path) {
  if (path.starts_with('/')) return true;
  return path.size() > 2 && is_letter(path[0]) && path[1] == ':' &&
         (path[2] == '\\' || path[2] == '/');
}

bool is_program_directory(std::string_view name) {
  return name == "bin" || name == "sbin" || name == ".bin";
}

// "/opt/My App/bin/tool": blanks only in directory names, and no word that looks like an argument.
// If the first word has a program directory ("/usr/bin/cat src/a.c"), the program's name ends
// there.
bool is_path_with_blanks(std::string_view command) {
  if (!is_absolute(command)) return false;
  const auto words = blank_separated(command);
  const std::size_t last_separator = command.find_last_of("/\\");
  if (command.find_first_of(kBlanks, last_separator) != std::string_view::npos) return false;
  const std::string_view directory = words[0].substr(0, words[0].find_last_of("/\\"));
  if (is_program_directory(directory.substr(directory.find_last_of("/\\") + 1))) return false;
  return std::none_of(words.begin() + 1, words.end(), [](std::string_view word) {
    return std::string_view("-/~.\"'").find(word[0]) != std::string_view::npos;
  });
}

// "-la", "--all": an option without a free-form value. Options that take code are excluded.
bool is_plain_option(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  constexpr auto kTakeCode =
      std::to_array<std::string_view>({"--command", "--eval", "--exec", "--execute"});
  if (std::find(kTakeCode.begin(), kTakeCode.end(), word) != kTakeCode.end()) return false;
  const bool is_long = word.starts_with("--");
  if (!is_long && std::string_view("ceESx").find(word.back()) != std::string_view::npos)
    return false;
  return std::all_of(word.begin() + 1, word.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_redirection(std::string_view word) {
  return word.starts_with("2>") || word.starts_with("&>") || word == ">/dev/null";
}

bool joins_commands(std::string_view word) {
  return word == "&&" || word == "||" || word == "|" ||
         (word.ends_with(';') && word.find(';') + 1 == word.size());
}

// `-la && rm x`, `src 2>&1 | tail`, `-l > list.txt`. Quotes, variables or braces before the
// operator mean that the text is code or prose that contains an operator.
bool goes_on_with_a_command(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].find_first_of("'\"`$({") != std::string_view::npos) return false;
    if (is_redirection(words[i])) return true;
    const std::size_t following = words.size() - i - 1;
    if ((words[i] == ">" || words[i] == ">>") && following == 1) return true;
    if (joins_commands(words[i]) && following > 0 && is_common_tool(program_name(words[i + 1])))
      return true;
  }
  return false;
}

bool holds_joined_commands(std::string_view program, const std::vector<std::string_view>& words) {
  if (words[0].find('=') != std::string_view::npos) return false;  // make 'RUN=a; echo b'
  const bool option_first = words[0].starts_with('-');
  if (option_first && !is_plain_option(words[0])) return false;
  if (takes_names_or_text(program) || !(option_first || takes_plain_words(program))) return false;
  return goes_on_with_a_command(words);
}

// {"command":"git","args":["git status"]}
bool repeats_program(const Request& request, const std::vector<std::string_view>& words) {
  const std::string_view program = program_name(request.command);
  if (words.size() < 2 || (words[0] != program && words[0] != request.command)) return false;
  if (takes_names_or_text(program)) return false;
  const bool has_option = std::any_of(words.begin() + 1, words.end(),
                                      [](std::string_view word) { return word.starts_with('-'); });
  return has_option || is_common_tool(program);
}

// {"command":"git","args":["status --short"]}: the name of a subcommand has no blank.
bool is_subcommand_line(std::string_view program, std::string_view argument) {
  if (!has_subcommands(program) || !is_lower(argument[0])) return false;
  const auto words = plain_words(argument);
  return words && words->size() > 1 &&
         std::all_of(words->front().begin(), words->front().end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

}  // namespace

std::optional<std::vector<std::string>> plain_words(std::string_view line) {
  if (line.size() > kLongestSpelledLine) return std::nullopt;
  constexpr auto kIsRefused = [](char c) {
    return is_control(c) || kShellBytes.find(c) != std::string_view::npos;
  };
  return split_words(trimmed(line), {.blanks = " \t",
                                     .is_refused = kIsRefused,
                                     .refused_at_start = "~#",
                                     .refused_in_doubles = "$`\\!"});
}

std::optional<std::string> spelled_request(std::string_view line) {
  if (const auto in_directory = request_in_directory(line)) return dumped(*in_directory);
  const auto words = plain_words(line);
  return words ? spelled_request(*words) : std::nullopt;
}

std::optional<std::string> spelled_request(const std::vector<std::string>& words) {
  const std::size_t bytes = std::accumulate(
      words.begin(), words.end(), std::size_t{0},
      [](std::size_t sum, const std::string& word) { return sum + word.size() + 1; });
  if (bytes > kLongestSpelledLine) return std::nullopt;
  const auto request = request_of(words);
  return request ? std::optional(dumped(*request)) : std::nullopt;
}

std::optional<CommandLineAdvice> command_line_in_command(const Request& request) {
  const std::string_view command = trimmed(request.command);
  const bool has_blank = std::any_of(command.begin(), command.end(), is_between_words);
  if (!has_blank && !has_shell_operator(command)) return std::nullopt;
  if (!has_shell_operator(command) && is_path_with_blanks(command)) return std::nullopt;
  CommandLineAdvice advice;
  advice.message =
      concat("expected the name or path of one program, found the command line ", quote(command));
  if (const auto spelled = spelled_request(command)) {
    advice.hint = concat("write ", *spelled,
                         request.args.empty() ? "" : ", with the present args after these");
  } else {
    advice.hint = kNoShell;
  }
  return advice;
}

std::optional<CommandLineAdvice> command_line_in_argument(const Request& request) {
  if (request.args.size() != 1) return std::nullopt;
  const std::string_view argument = trimmed(request.args[0]);
  const auto words = blank_separated(argument);
  if (words.size() < 2) return std::nullopt;
  const std::string_view program = program_name(request.command);
  const bool repeated = repeats_program(request, words);
  if (!repeated && !is_subcommand_line(program, argument) &&
      !holds_joined_commands(program, words)) {
    return std::nullopt;
  }
  const std::string line =
      repeated ? std::string(argument) : concat(request.command, " ", argument);
  const auto spelled = spelled_request(line);
  return CommandLineAdvice{
      concat("expected one argument, found a whole command line in it: ", quote(argument)),
      spelled ? concat("write ", *spelled) : std::string(kNoShell)};
}

}  // namespace bawn
