// Finds symbolic links that an earlier run, or another user, can have planted.
//
// The attack: an earlier run, under a policy that this run does not know, replaced `repo/pkg` by a
// link to `~/.ssh`. The next run with `--workspace repo/pkg` was then given `~/.ssh`.
//
// An earlier run has the caller's uid, so the owner does not tell its links from the caller's own.
// The directory that holds the link does:
//  - In a directory to which the caller cannot write, the administrator made the link.
//  - A process that can write to a top directory (/, /etc, /usr ...) or to the home directory
//    itself controls the machine or the account already. It gains nothing by a link there.
//  - Anywhere else an earlier run may have made it.
// A link of another user is suspect everywhere but in a top directory.
#pragma once

#include <string>
#include <string_view>

#include "validate/lookup.h"

namespace bawn {

// The first suspect link on the way to the file; null if there is none. `home` is canonical, or ""
// if unknown. The pointer points into `file.links`.
[[nodiscard]] const PassedLink* planted_link(const Located& file, std::string_view home);

// The rule for one link.
[[nodiscard]] bool may_be_planted(const PassedLink& link, std::string_view home);

// For messages: "the link '/srv/a', which an earlier run can have put there".
[[nodiscard]] std::string described(const PassedLink& link);

// The directory of an absolute path: "/a" for "/a/b", "/" for "/a".
[[nodiscard]] constexpr std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace bawn
