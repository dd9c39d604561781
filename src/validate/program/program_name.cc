#include "validate/program/program_name.h"

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "programs/program.h"

namespace bawn {
namespace {

bool is_joint(char c) { return c == '-' || c == '.' || c == '_'; }

}  // namespace

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string plain_program_name(std::string_view name) {
  std::string out = ascii_lower(name);
  if (out.size() > 4 && out.ends_with(".exe")) out.resize(out.size() - 4);
  return out;
}

std::string program_family(std::string_view name) {
  std::string out = plain_program_name(name);
  // x86_64-linux-gnu-gcc-12 -> gcc-12.
  if (const std::size_t system = out.find("-linux-"); system != std::string::npos) {
    const std::size_t end = out.find('-', system + 7);
    if (end != std::string::npos && end + 1 < out.size()) out.erase(0, end + 1);
  }
  const auto digit = std::find_if(out.begin(), out.end(), is_digit);
  if (digit != out.begin()) out.erase(digit, out.end());
  while (out.size() > 1 && is_joint(out.back())) out.pop_back();
  const std::size_t joint = out.find_last_of("-.");
  if (joint != std::string::npos && joint > 0) {
    const std::string_view variant = std::string_view(out).substr(joint + 1);
    if (words_of(WordList::name_variants).has(variant)) out.resize(joint);
  }
  return out;
}

}  // namespace bawn
