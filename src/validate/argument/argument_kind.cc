#include "validate/argument/argument_kind.h"

#include <algorithm>

#include "programs/option_word.h"
#include "validate/name_list.h"
#include "validate/program/executable_file.h"
#include "validate/scope.h"

namespace bawn {
namespace {

constexpr auto kNoIndex = static_cast<std::size_t>(-1);

// The option of a word that has a value or replaces the first operand; a plain one if there is
// none.
ReadOption option_with_value(const ProgramRow& program, std::string_view word) {
  OptionWord options(program, word);
  for (ReadOption read; options.next(read);) {
    if (read.option == nullptr) continue;
    const Role role = read.option->role;
    if (read.option->takes != Takes::nothing || role == Role::source || role == Role::pair)
      return read;
  }
  return {};
}

class KindReader {
 public:
  KindReader(const ProgramRow& program, std::span<const std::string> words)
      : program_(program), words_(words), is_text_(words.size(), false) {}

  std::vector<bool> run() {
    bool replaced = !program_.is(Trait::first_operand_is_text);
    bool options_over = false;
    std::size_t first_operand = kNoIndex;
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (options_over || word.size() < 2 || word[0] != '-') {
        first_operand = std::min(first_operand, at_);
      } else if (word == "--") {
        options_over = true;
      } else {
        replaced = read_option(word) || replaced;
      }
    }
    if (!replaced && first_operand != kNoIndex) is_text_[first_operand] = true;
    return std::move(is_text_);
  }

 private:
  // True if the option replaces the first operand. To take a file for text is the worse mistake, so
  // a value is text only if its option is written out: `grep --reg=x FILE` has a pattern that is
  // not trusted to be text.
  bool read_option(std::string_view word) {
    const ReadOption read = option_with_value(program_, word);
    if (read.is(Role::pair)) {
      if (read.abbreviated || read.attached) return false;
      mark_next();
      mark_next();
      return false;
    }
    if (read.takes_next()) ++at_;
    const bool pattern = read.is(Role::pattern);
    if ((pattern || read.is(Role::text)) && !read.abbreviated && at_ < words_.size())
      is_text_[at_] = true;
    return pattern || read.is(Role::source);
  }

  void mark_next() {
    if (at_ + 1 < words_.size()) is_text_[++at_] = true;
  }

  const ProgramRow& program_;
  std::span<const std::string> words_;
  std::size_t at_ = 0;
  std::vector<bool> is_text_;
};

}  // namespace

std::string_view system_program(std::string_view command) {
  const std::size_t slash = command.rfind('/');
  if (slash == std::string_view::npos) return command;
  return lists(kUnixPath, lexically_normal(command.substr(0, slash))) ? command.substr(slash + 1)
                                                                      : "";
}

std::vector<bool> text_arguments(std::string_view command, std::span<const std::string> words) {
  const ProgramRow* program = find_program(system_program(command));
  const bool all = program != nullptr && program->is(Trait::text_only);
  if (all || program == nullptr || !program->is(Trait::has_text))
    return std::vector<bool>(words.size(), all);
  return KindReader(*program, words).run();
}

bool slash_is_data(std::string_view command) {
  const std::string_view program = system_program(command);
  return program_is(program, Trait::slash_is_data) || program_is(program, Trait::text_only);
}

bool takes_routes(std::string_view command) {
  return program_is(system_program(command), Trait::routes);
}

bool names_remote_path(std::string_view command, std::string_view word) {
  if (!program_is(system_program(command), Trait::remote_paths) || word.starts_with('-'))
    return false;
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon < word.find('/');
}

}  // namespace bawn
