// The one reader of options: one word of a command line, by the grammar of a program's row.
//
// It knows long options with `=value`, abbreviated ones, clusters of letters with a value attached,
// options of several letters with one dash, families (`-Wl,`), and options without a dash (`deno
// eval`). It does not know which words are options at all, nor whether a word that follows is a
// value: the loop over the words belongs to the caller, because callers differ in what is safe.
#pragma once

#include <string>
#include <string_view>

#include "programs/program.h"

namespace bawn {

// One option. The views point into the word, or into the OptionWord for a program that ignores
// case.
struct ReadOption {
  const Option* option = nullptr;  // null if the row lacks it
  std::string_view typed;          // "--out", "-f", or the letter of a cluster
  std::string_view value;          // the attached value
  bool attached = false;           // a value is attached, perhaps an empty one (`--out=`)
  bool is_long = false;            // the option is the whole word up to '='
  bool abbreviated = false;        // `option` is the most harmful one that `typed` can mean
  bool ambiguous = false;          // `typed` can mean several

  [[nodiscard]] bool is(Role role) const { return option != nullptr && option->role == role; }
  // The next word is its value.
  [[nodiscard]] bool takes_next() const {
    return option != nullptr && option->takes == Takes::value && !attached;
  }
};

// `program` and `word` are borrowed.
class OptionWord {
 public:
  OptionWord(const ProgramRow& program, std::string_view word);

  // Reads the next option of the word. False at its end, and for a word that is no option.
  bool next(ReadOption& out);

 private:
  bool read_whole(ReadOption& out);
  bool read_letter(ReadOption& out);
  void find_abbreviated(ReadOption& out) const;
  void find_attached(ReadOption& out) const;

  const ProgramRow& program_;
  std::string lower_;       // only if case does not matter
  std::string_view given_;  // the word, from which values are taken
  std::string_view word_;   // the same, or `lower_`
  std::size_t at_ = 0;
  bool letters_ = false;
};

// True if the option makes the program run code if it has this value.
[[nodiscard]] bool runs_code(const Option& option, std::string_view value);

}  // namespace bawn
