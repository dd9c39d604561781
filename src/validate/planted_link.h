// Links that an earlier run, or another user, can have put in the place of what a caller names.
//
// An earlier run had another scope, of which this one knows nothing: it turned `repo/pkg` into a
// link to `~/.ssh`, and the next run with `--workspace repo/pkg` was given that. It ran as the same
// user, so its links cannot be told from the caller's own by their owner. They are told by where
// they lie:
//  - in a directory to which no process of the caller's can write, the administrator made them;
//  - to write to one of the top directories, or to the home itself, is to own the machine or the
//    account: a run that could do so has nothing to gain by a link;
//  - anywhere else a run may have made them.
#pragma once

#include <string>
#include <string_view>

#include "validate/lookup.h"

namespace bawn {

// The first such link on the way to the file; null if there is none. `home` is canonical, or "".
// Lives as long as the file's.
[[nodiscard]] const PassedLink* planted_link(const Located& file, std::string_view home);

[[nodiscard]] bool may_be_planted(const PassedLink& link, std::string_view home);

// "the link '/srv/a', which an earlier run can have put there".
[[nodiscard]] std::string described(const PassedLink& link);

// The directory that holds a name: "/" of "/a".
[[nodiscard]] constexpr std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace bawn
