#include "validate/program/judged_command.h"

#include <utility>

#include "base/text.h"

namespace bawn {

std::string JudgedCommand::shown() const { return concat(quote(words.front()), origin); }

JudgedCommand started_by(const JudgedCommand& outer, std::vector<std::string> words,
                         std::string origin) {
  JudgedCommand inner;
  inner.words = std::move(words);
  inner.subject = inner.words.front();
  inner.origin = std::move(origin);
  inner.depth = outer.depth + 1;
  inner.scripts = outer.scripts;
  inner.in_shell_code = outer.in_shell_code;
  inner.named_by_script = outer.named_by_script;
  return inner;
}

}  // namespace bawn
