#include "backend/windows/syntax/batch_file.h"

#include "base/text.h"
#include "policy/executables_policy.h"

namespace bawn::windows {
namespace {

// '%' and '!' expand inside quotes too, and '"' ends a quote. The others matter when a batch file
// passes its argument on unquoted.
constexpr std::string_view kMeansMore = "\"%!^&|<>()";

std::string lower_name(std::string_view path) {
  return ascii_lower(path.substr(path.find_last_of("/\\") + 1));
}

// cmd.exe called directly gets code on purpose. It does not know `\"`, so a quote in a word would
// end the word too early.
std::string error_in(std::string_view word, bool is_code) {
  if (!is_code) return reinterpreted_in(word);
  return word.find('"') == std::string_view::npos ? "" : quote("\"");
}

}  // namespace

bool is_batch_file(std::string_view path) {
  const std::string name = lower_name(path);
  return name.ends_with(".bat") || name.ends_with(".cmd");
}

bool is_command_processor(std::string_view path) {
  const std::string name = lower_name(path);
  return name == "cmd" || name == "cmd.exe";
}

std::string reinterpreted_in(std::string_view word) {
  for (const char c : word) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (control || kMeansMore.find(c) != std::string_view::npos)
      return quote(std::string_view(&c, 1));
  }
  return "";
}

Result<std::string> batch_command_line(std::string_view processor,
                                       std::span<const std::string> words) {
  if (words.empty()) return invalid_error("a batch file must be named");
  for (const std::string& word : words) {
    if (const std::string what = reinterpreted_in(word); !what.empty())
      return invalid_error(
          concat("cmd.exe would not take ", quote(word), " as it is, because of ", what));
  }
  // /d: ignore AutoRun commands of the registry; /v:off: '!' is literal; /s: strip only the outer
  // quotes.
  std::string out = concat("\"", processor, "\" /d /v:off /s /c \"");
  for (const std::string& word : words)
    out += concat(&word == words.data() ? "\"" : " \"", word, "\"");
  return out += '"';
}

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
