// Options of a command line, read the way getopt_long reads them, up to the first word that is
// none.
//
// It exists to find the command behind a launcher. An option it does not know could swallow the
// next word or not, so then the result is uncertain, and the caller refuses.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// `short_options` as for getopt ("n:vi::"), `long_options` blank-separated with the same colons
// ("adjustment: help"). Long names may be abbreviated by the caller as far as they stay
// unambiguous.
struct OptionGrammar {
  std::string_view short_options;
  std::string_view long_options;
};

struct SeenOption {
  std::string name;  // "n" or "adjustment", in full
  std::string value;
};

struct ReadOptions {
  std::vector<SeenOption> seen;
  std::size_t next = 0;           // index of the first word that is no option
  std::string uncertain;          // the option that made it impossible to go on; "" if all is clear
  bool last_lacks_value = false;  // the last option takes a value and the words ended

  [[nodiscard]] bool has(std::string_view name) const;
  // The last value given to the option, or null.
  [[nodiscard]] const std::string* value_of(std::string_view name) const;
};

[[nodiscard]] ReadOptions read_options(const OptionGrammar& grammar,
                                       std::span<const std::string> words);

}  // namespace bawn
