// The paths that one argument could be or contain, found by spelling alone.
//
// Pure: nothing is looked up here. A candidate is a guess with a degree of certainty;
// validate/argument/argument_paths.h says how the guess is settled. The spellings: the word itself,
// `--opt=path`,
// `-Cpath`, `-xzf/path`, `@file`, `key=path`, `key=@path`, lists with ':' ',' and ';', `file:` URLs
// (decoded), `~` and `~user`. A URL of another kind holds no path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bawn {

enum class PathForm {
  whole,  // the argument itself
  part,   // cut out of the argument
  url,    // decoded from a file: URL, so certainly meant as a path
  home,   // begins with ~ or ~user, which many programs expand themselves
};

struct PathCandidate {
  std::string text;
  PathForm form = PathForm::whole;

  bool operator==(const PathCandidate&) const = default;
};

// Without duplicates, the most certain first. Text that no system would open (a component of more
// than 255 bytes, more than 4095 in all) is left out.
[[nodiscard]] std::vector<PathCandidate> path_candidates(std::string_view word);

// True if `text` has no blank, no control byte and no character of regular expressions, globs or
// quotes.
[[nodiscard]] bool has_path_shape(std::string_view text);

}  // namespace bawn
