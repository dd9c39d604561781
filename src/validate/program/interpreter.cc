#include "validate/program/interpreter.h"

#include "programs/option_word.h"
#include "validate/program/program_name.h"
#include "validate/shell/shell_words.h"

namespace bawn {
namespace {

const ProgramRow* row_of_interpreter(std::string_view name) {
  const ProgramRow* row = find_program(name);
  return row != nullptr && row->interpreter != InterpreterKind::none ? row : nullptr;
}

// Reads the options of one call up to the code, the script or the end.
class CodeSearch {
 public:
  CodeSearch(const ProgramRow& interpreter, std::span<const std::string> args)
      : interpreter_(interpreter), args_(args) {}

  CodeUse run() {
    while (at_ < args_.size() && !out_.inline_code) {
      const std::string_view word = args_[at_];
      OptionWord options(interpreter_, word);
      ReadOption read;
      if (!options.next(read) && !is_option_word(word)) break;
      ++at_;
      if (word == "--") break;
      do {
        take(read);
      } while (!out_.inline_code && options.next(read));
    }
    finish();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_shell() const { return interpreter_.interpreter == InterpreterKind::shell; }

  [[nodiscard]] bool is_option_word(std::string_view word) const {
    return word.size() > 1 && (word.front() == '-' || (is_shell() && word.front() == '+'));
  }

  void take(const ReadOption& read) {
    const bool has_code = read.is(Role::program) || read.is(Role::pattern);
    if (is_shell() && !read.is_long) {
      if (read.typed == "s") reads_stdin_ = true;
      if (has_code) code_is_first_operand_ = true;
      if (!has_code && read.takes_next()) take_next();
      return;
    }
    if (read.option == nullptr) return;
    std::string value = read.takes_next() ? take_next() : std::string(read.value);
    if (read.is(Role::source)) names_script_ = true;
    if (!has_code) return;
    out_.inline_code = true;
    out_.code = std::move(value);
  }

  void finish() {
    if (out_.inline_code) return;
    const bool has_operand = at_ < args_.size();
    const bool first_is_code = interpreter_.interpreter == InterpreterKind::code;
    if (code_is_first_operand_ || (first_is_code && has_operand && !names_script_)) {
      out_.inline_code = true;
      out_.code = take_next();
    } else {
      out_.reads_stdin = reads_stdin_ || (!has_operand && !names_script_);
    }
  }

  std::string take_next() {
    return at_ < args_.size() ? args_[at_++] : std::string(1, kUnknownByte);
  }

  const ProgramRow& interpreter_;
  std::span<const std::string> args_;
  std::size_t at_ = 0;
  bool code_is_first_operand_ = false;
  bool names_script_ = false;
  bool reads_stdin_ = false;
  CodeUse out_;
};

}  // namespace

const ProgramRow* find_interpreter(std::string_view name) {
  const std::string plain_name = plain_program_name(base_name(name));
  if (const ProgramRow* exact = row_of_interpreter(plain_name)) return exact;
  return row_of_interpreter(program_family(plain_name));
}

CodeUse find_code(const ProgramRow& interpreter, std::span<const std::string> args) {
  return CodeSearch(interpreter, args).run();
}

}  // namespace bawn
