#include "validate/program/forbidden_program.h"

#include <algorithm>

#include "base/characters.h"
#include "programs/program.h"
#include "validate/program/program_name.h"
#include "validate/shell/shell_words.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

// A process id, or a process group as a negative number. -1 means every process.
bool is_process_target(std::string_view word) {
  if (word.find(kUnknownByte) != std::string_view::npos) return true;
  if (word == "-1") return false;
  if (word.starts_with('-')) word.remove_prefix(1);
  return is_number(word);
}

bool takes_value(std::string_view option) {
  return option == "-s" || option == "-n" || option == "-q" || option == "--signal" ||
         option == "--queue";
}

// kill [-SIGNAL | OPTION...] TARGET...
bool kill_has_odd_target(Words args) {
  std::size_t at = 0;
  bool signal_seen = false;
  for (; at < args.size() && args[at].starts_with('-'); ++at) {
    const std::string_view word = args[at];
    if (word == "-l" || word == "-L" || word.starts_with("--list") || word == "--table")
      return false;
    if (word == "--") {
      ++at;
      break;
    }
    if (takes_value(word)) {
      signal_seen = true;
      ++at;
    } else if (!word.starts_with("--")) {
      if (signal_seen) break;  // a negative number after the signal is a target
      signal_seen = true;
    }
  }
  if (at >= args.size()) return false;
  return !std::all_of(args.begin() + static_cast<std::ptrdiff_t>(at), args.end(),
                      is_process_target);
}

bool fuser_kills(Words args) {
  return std::any_of(args.begin(), args.end(), [](std::string_view word) {
    if (word == "--kill") return true;
    return word.size() > 1 && word[0] == '-' && word[1] != '-' &&
           word.find('k') != std::string_view::npos;
  });
}

}  // namespace

bool raises_privilege(std::string_view name) {
  return program_is(plain_program_name(base_name(name)), Trait::raises_privilege);
}

bool kills_by_name(std::string_view spelled, Words args) {
  const std::string name = plain_program_name(base_name(spelled));
  if (program_is(name, Trait::kills_by_name)) return true;
  if (name == "kill") return kill_has_odd_target(args);
  return name == "fuser" && fuser_kills(args);
}

}  // namespace bawn
