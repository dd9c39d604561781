// The paths that one argument could be or contain, found by spelling alone.
//
// Pure: nothing is looked up. A candidate is a guess; validate/argument/argument_paths.h decides
// whether it counts as a path. The spellings: the word itself, `--opt=path`, `-Cpath`, `-xzf/path`,
// `@file`, `key=path`, `key=@path`, lists with ':', ',' and ';', `file:` URLs (decoded), `~` and
// `~user`. A URL with a network scheme holds no path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// Where a candidate comes from, which tells how certain the guess is.
enum class PathForm {
  whole,  // the argument itself
  part,   // cut out of the argument
  url,    // decoded from a file: URL, so certainly a path
  home,   // begins with ~ or ~user, which many programs expand
};

struct PathCandidate {
  std::string text;
  PathForm form = PathForm::whole;

  bool operator==(const PathCandidate&) const = default;
};

// Without duplicates. The whole word comes before its parts, except that `@file` gives `file`
// first. Text that no system can open is left out: a component of more than 255 bytes, or more than
// 4095 bytes in all.
[[nodiscard]] std::vector<PathCandidate> path_candidates(std::string_view word);

// True if `text` has no space, no control byte, and none of the characters that mark quotes, globs,
// shell operators or regular expressions (kNeverInPlainPaths). '.' and '+' are allowed.
[[nodiscard]] bool has_path_shape(std::string_view text);

}  // namespace bawn
