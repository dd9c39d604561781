#include "validate/program/command_argument.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "programs/option_word.h"
#include "validate/program/git_arguments.h"
#include "validate/program/program_name.h"
#include "validate/shell/sed_program.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

// Words for a program that the program itself starts, and the words of the command line that they
// come from: those of `-Wl,a,b` and `-Xlinker a`.
struct PassedWords {
  Role role;
  std::string_view program;
  std::vector<std::string> words = {};
  std::vector<std::string> origins = {};
};

class OptionSearch {
 public:
  OptionSearch(const ProgramRow& program, Words args, ArgumentCommands& found)
      : program_(program), args_(args), found_(found) {}

  // Each word is looked at by itself. Whether it is an option or the value of one before it differs
  // between versions of a program, and to miss an option is the worse mistake.
  void run() {
    for (at_ = 0; at_ < args_.size() && args_[at_] != "--"; ++at_) {
      const std::string& word = args_[at_];
      if (program_.is(Trait::at_files) && word.starts_with('@')) found_.code.push_back(word);
      OptionWord options(program_, word);
      for (ReadOption read; options.next(read);) {
        if (read.option != nullptr) take(read);
      }
    }
    for (const PassedWords& passed : passed_) judge_passed(passed);
  }

 private:
  // The value of an option that ends its word is the next word, or "" if there is none.
  [[nodiscard]] std::string value_of(const ReadOption& read) const {
    if (!read.takes_next()) return std::string(read.value);
    return at_ + 1 < args_.size() ? args_[at_ + 1] : std::string();
  }

  void take(const ReadOption& read) {
    std::string value = value_of(read);
    for (PassedWords& passed : passed_) {
      if (read.is(passed.role)) pass_on(passed, value, read.typed.ends_with(','));
    }
    if (read.is(Role::command) && !value.empty()) {
      found_.command_lines.push_back(std::move(value));
    } else if (read.is(Role::command) || runs_code(*read.option, value)) {
      found_.code.push_back(args_[at_]);
    } else if (read.is(Role::config) && git_setting_runs_commands(value)) {
      found_.code.push_back(read.attached ? args_[at_] : value);
    }
  }

  void pass_on(PassedWords& passed, std::string_view value, bool is_list) {
    for (const std::string_view word : split(value, is_list ? ',' : '\0')) {
      passed.words.emplace_back(word);
      passed.origins.push_back(args_[at_]);
    }
  }

  void judge_passed(const PassedWords& passed) {
    if (passed.words.empty()) return;
    for (std::size_t i = 0; i < passed.words.size(); ++i) {
      ArgumentCommands inner;
      OptionSearch(*find_program(passed.program), Words(passed.words).subspan(i, 1), inner).run();
      if (!inner.code.empty() || !inner.command_lines.empty())
        found_.code.push_back(passed.origins[i]);
    }
  }

  const ProgramRow& program_;
  Words args_;
  ArgumentCommands& found_;
  std::size_t at_ = 0;
  std::array<PassedWords, 4> passed_{{{Role::to_assembler, "as"},
                                      {Role::to_compiler, "cc1"},
                                      {Role::to_linker, "ld"},
                                      {Role::to_preprocessor, "cpp"}}};
};

// `tar xIf PROGRAM FILE`: letters without a dash take their values from the next words, in order.
void search_old_letters(const ProgramRow& program, Words args, ArgumentCommands& found) {
  if (args.empty() || args.front().starts_with('-')) return;
  for (const char letter : args.front()) {
    const std::string word{'-', letter};
    ReadOption read;
    OptionWord(program, word).next(read);
    if (read.is(Role::command)) return found.code.push_back(args.front());
  }
}

// socat's addresses EXEC:, SYSTEM: and SHELL: start programs.
void search_socat_addresses(Words args, ArgumentCommands& found) {
  for (const std::string& word : args) {
    const std::string lower = ascii_lower(word);
    for (const std::string_view kind : words_of(WordList::socat_commands)) {
      if (lower == kind || lower.starts_with(concat(kind, ":")) ||
          lower.find(concat("!!", kind, ":")) != std::string::npos) {
        found.code.push_back(word);
      }
    }
  }
}

bool takes_commands(const ProgramRow& program) {
  return program.is(Trait::has_effects) || program.is(Trait::at_files) ||
         program.arguments != Arguments::options;
}

}  // namespace

void search_options(const ProgramRow& program, Words args, ArgumentCommands& found) {
  OptionSearch(program, args, found).run();
}

bool has_command_arguments(std::string_view name) {
  const ProgramRow* program = find_program(program_family(base_name(name)));
  return program != nullptr && takes_commands(*program);
}

ArgumentCommands find_argument_commands(std::string_view name, Words args) {
  ArgumentCommands found;
  const ProgramRow* program = find_program(program_family(base_name(name)));
  if (program == nullptr || !takes_commands(*program)) return found;
  search_options(*program, args, found);
  if (program->is(Trait::old_letters)) search_old_letters(*program, args, found);
  if (program->arguments == Arguments::git) search_git_arguments(args, found);
  if (program->arguments == Arguments::sed) search_sed_program(args, found);
  if (program->arguments == Arguments::socat) search_socat_addresses(args, found);
  return found;
}

}  // namespace bawn
