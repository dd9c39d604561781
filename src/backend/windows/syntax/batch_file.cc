#include "backend/windows/syntax/batch_file.h"

#include "base/text.h"

namespace bawn::windows {
namespace {

// '%' and '!' expand inside quotes too, and '"' ends a quote. The others matter when a batch file
// passes its argument on unquoted.
constexpr std::string_view kMeansMore = "\"%!^&|<>()";

std::string lower_name(std::string_view path) {
  return ascii_lower(path.substr(path.find_last_of("/\\") + 1));
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

}  // namespace bawn::windows
