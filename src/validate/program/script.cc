#include "validate/program/script.h"

#include <algorithm>
#include <array>

namespace bawn {
namespace {

constexpr std::string_view kBlanks = " \t";

// How scripts, ELF, PE and Mach-O files begin.
constexpr std::array<std::string_view, 7> kBeginnings{"#!",
                                                      "\x7f"
                                                      "ELF\x01",
                                                      "\x7f"
                                                      "ELF\x02",
                                                      "MZ",
                                                      "\xca\xfe\xba\xbe",
                                                      "\xce\xfa\xed\xfe",
                                                      "\xcf\xfa\xed\xfe"};

}  // namespace

std::optional<Shebang> read_shebang(std::string_view head) {
  if (!head.starts_with("#!")) return std::nullopt;
  head = head.substr(0, kShebangBytes);
  const std::size_t newline = head.find('\n');
  std::string_view line = head.substr(2, newline == std::string_view::npos ? newline : newline - 2);
  const std::size_t start = line.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) return Shebang{};
  line.remove_prefix(start);
  const std::size_t end = line.find_first_of(kBlanks);
  const bool cut_off = newline == std::string_view::npos && head.size() == kShebangBytes;
  if (end == std::string_view::npos) return cut_off ? Shebang{} : Shebang{std::string(line), ""};
  Shebang out{std::string(line.substr(0, end)), ""};
  std::string_view argument = line.substr(end);
  const std::size_t first = argument.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return out;
  argument = argument.substr(first, argument.find_last_not_of(kBlanks) - first + 1);
  out.argument = argument;
  return out;
}

bool is_text_without_shebang(std::string_view head) {
  return !head.empty() &&
         std::none_of(kBeginnings.begin(), kBeginnings.end(),
                      [&](std::string_view each) { return head.starts_with(each); });
}

std::vector<std::string> interpreter_words(const Shebang& shebang, std::string script_path,
                                           const std::vector<std::string>& script_words) {
  std::vector<std::string> out{shebang.interpreter};
  if (!shebang.argument.empty()) out.push_back(shebang.argument);
  out.push_back(std::move(script_path));
  if (!script_words.empty()) out.insert(out.end(), script_words.begin() + 1, script_words.end());
  return out;
}

}  // namespace bawn
