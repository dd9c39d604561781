// Reads the options of a command line as getopt_long does, up to the first word that is no option.
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

namespace bawn {

// `short_options` as for getopt ("n:vi::"); `long_options` separated by spaces, with the same
// colons ("adjustment: help"). Long names may be abbreviated on the command line as far as they are
// unambiguous.
struct OptionGrammar {
  std::string_view short_options;
  std::string_view long_options;
};

struct SeenOption {
  std::string name;  // "n" or "adjustment": without dashes, in full
  std::string value;
};

// The result. Owns its strings.
struct ReadOptions {
  std::vector<SeenOption> seen;
  std::size_t next = 0;   // index of the first word that is no option
  std::string uncertain;  // the unknown option at which reading stopped; "" if there is none

  [[nodiscard]] bool has(std::string_view name) const;
  // The last value of the option, "" if it has none; null if the option is absent. The pointer is
  // valid until `seen` changes.
  [[nodiscard]] const std::string* value_of(std::string_view name) const;
};

// `words` are the words after the program's name; both parameters are borrowed for the call.
[[nodiscard]] ReadOptions read_options(const OptionGrammar& grammar,
                                       std::span<const std::string> words);

}  // namespace bawn
