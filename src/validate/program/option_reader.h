// Reads the options at the beginning of a command line, up to the first word that is no option.
//
// It exists to find the command behind a launcher. An unknown option might take the next word as
// its value, so the result is then `uncertain`, and the caller must refuse. A long option with
// `=value` cannot take the next word and is accepted even if unknown. Options after the first
// operand are not read.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "programs/program.h"

namespace bawn {

struct SeenOption {
  const Option* option = nullptr;  // never null
  std::string value;
};

// The result. Owns its strings.
struct ReadOptions {
  std::vector<SeenOption> seen;
  std::size_t next = 0;   // index of the first word that is no option
  std::string uncertain;  // the unknown option at which reading stopped; "" if there is none

  // The last value of an option with this role, "" if it has none; null if there is no such option.
  // The pointer is valid until `seen` changes.
  [[nodiscard]] const std::string* value_of(Role role) const;
  [[nodiscard]] bool has(Role role) const { return value_of(role) != nullptr; }
  [[nodiscard]] bool has(std::string_view name) const;  // with its dashes
};

// `words` are the words after the program's name; both parameters are borrowed for the call.
[[nodiscard]] ReadOptions read_options(const ProgramRow& program,
                                       std::span<const std::string> words);

}  // namespace bawn
