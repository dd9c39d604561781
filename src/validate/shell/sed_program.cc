#include "validate/shell/sed_program.h"

#include <algorithm>

#include "validate/program/option_reader.h"

namespace bawn {
namespace {

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

enum class Finding { edits, runs_commands, unreadable };

// Whether a delimiter inside [...] ends a regular expression: not in new versions of sed, but in
// old ones.
enum class Brackets { hide_delimiters, mean_nothing };

// Reads one sed program, command by command.
class SedReader {
 public:
  SedReader(std::string_view text, Brackets brackets) : text_(text), brackets_(brackets) {}

  Finding read() {
    while (skip_separators(), at_ < text_.size()) {
      if (!skip_addresses() || at_ >= text_.size()) return Finding::unreadable;
      const char command = text_[at_++];
      if (command == 'e') return Finding::runs_commands;
      if (!skip_rest(command)) return Finding::unreadable;
      if (flags_run_) return Finding::runs_commands;
    }
    return Finding::edits;
  }

 private:
  void skip_separators() {
    while (at_ < text_.size() && is_one_of(text_[at_], " \t\n;{}")) ++at_;
  }

  // 3, $, /re/I, \cREc, first~step, addr,+N, with an optional '!' after them.
  bool skip_addresses() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_one_of(c, "0123456789$,+~!IM \t")) {
        ++at_;
      } else if (c == '/') {
        if (!skip_delimited('/', 1)) return false;
      } else if (c == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (!skip_delimited(text_[at_], 1)) return false;
      } else {
        return true;
      }
    }
    return true;
  }

  // Moves from the opening delimiter past `parts` closing ones. False if the text ends before.
  bool skip_delimited(char delimiter, int parts) {
    bool in_expression = true;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (c == delimiter) {
        in_expression = false;
        if (--parts > 0) continue;
        ++at_;
        return true;
      } else if (c == '[' && in_expression && brackets_ == Brackets::hide_delimiters) {
        skip_brackets();
      }
    }
    return false;
  }

  // Moves from '[' to its closing ']'. A ']' directly after '[' or '[^' closes nothing, nor does
  // the one of a class such as [:alpha:].
  void skip_brackets() {
    std::size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '^') ++end;
    if (end < text_.size() && text_[end] == ']') ++end;
    while (end < text_.size() && text_[end] != ']') {
      const bool opens_class =
          text_[end] == '[' && end + 1 < text_.size() && is_one_of(text_[end + 1], ":.=");
      const std::size_t close = opens_class ? text_.find(']', end + 2) : std::string_view::npos;
      end = close == std::string_view::npos ? end + 1 : close + 1;
    }
    if (end < text_.size()) at_ = end;
  }

  // Text, file names and comments end with the line; labels and numbers end at a semicolon or '}'
  // too.
  bool skip_rest(char command) {
    if (command == 's' || command == 'y') return skip_substitution(command);
    if (is_one_of(command, "{}=dDgGhHnNpPxzF")) return true;
    const bool to_end_of_line = is_one_of(command, "aicrRwW#");
    if (!to_end_of_line && !is_one_of(command, ":btTvlqQL")) return false;
    while (at_ < text_.size() && text_[at_] != '\n' &&
           (to_end_of_line || !is_one_of(text_[at_], ";}"))) {
      if (text_[at_] == '\\') ++at_;
      ++at_;
    }
    return true;
  }

  bool skip_substitution(char command) {
    if (at_ >= text_.size()) return false;
    if (!skip_delimited(text_[at_], 2)) return false;
    while (at_ < text_.size() && !is_one_of(text_[at_], " \t\n;}")) {
      const char flag = text_[at_++];
      if (flag == 'e') flags_run_ = command == 's';
      if (flag == 'w') skip_rest('w');
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool flags_run_ = false;
  Brackets brackets_;
};

}  // namespace

bool sed_program_runs_commands(std::string_view program) {
  return SedReader(program, Brackets::hide_delimiters).read() != Finding::edits ||
         SedReader(program, Brackets::mean_nothing).read() == Finding::runs_commands;
}

void search_sed_program(std::span<const std::string> args, ArgumentCommands& found) {
  const ProgramRow& sed = *find_program("sed");
  bool has_program = false;
  // sed accepts options after operands.
  for (std::size_t at = 0; at < args.size();) {
    const ReadOptions options = read_options(sed, args.subspan(at));
    if (!options.uncertain.empty()) {
      found.code.push_back(options.uncertain);
      return;
    }
    if (options.has("--sandbox")) return;
    for (const SeenOption& option : options.seen) {
      const bool is_file = option.option->role == Role::source;
      const bool is_text = option.option->role == Role::pattern;
      if (is_file || (is_text && sed_program_runs_commands(option.value)))
        found.code.push_back(option.value);
      has_program = has_program || is_file || is_text;
    }
    at += options.next;
    if (at >= args.size()) break;
    if (!has_program && sed_program_runs_commands(args[at])) found.code.push_back(args[at]);
    has_program = true;
    ++at;
  }
}

}  // namespace bawn
