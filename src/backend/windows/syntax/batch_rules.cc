#include "backend/windows/syntax/batch_rules.h"

#include "backend/windows/syntax/batch_file.h"
#include "base/text.h"
#include "policy/executables_policy.h"

namespace bawn::windows {
namespace {

// cmd.exe called directly gets code on purpose. It does not know `\"`, so a quote in a word would
// end the word too early.
std::string error_in(std::string_view word, bool is_code) {
  if (!is_code) return reinterpreted_in(word);
  return word.find('"') == std::string_view::npos ? "" : quote("\"");
}

}  // namespace

Violations judge_batch(const ExecutablesPolicy& policy, Tier tier, std::string_view program,
                       std::span<const std::string> args) {
  const bool batch = is_batch_file(program);
  if (!batch && !is_command_processor(program)) return {};
  Violations out;
  if (batch && tier != Tier::unconfined && !policy.interpreters) {
    out.push_back({"executable.interpreter", std::string(program),
                   concat(quote(program), " is a batch file, which cmd.exe runs as code"),
                   "try --allow-interpreters (policy key: executables.interpreters)"});
  }
  for (const std::string& word : args) {
    const std::string error = error_in(word, !batch);
    if (error.empty()) continue;
    out.push_back(
        {"argument.reinterpreted", word,
         concat("cmd.exe would not take ", quote(word), " as it is, because of ", error),
         batch ? "pass it in a file or a variable, or call a program that is not a batch file"
               : "put the code into a batch file"});
  }
  return out;
}

}  // namespace bawn::windows
