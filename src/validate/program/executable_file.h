// From the spelling of a command to the file that would run.
//
// A bare name is looked for in the directories that the policy accepts from the caller's PATH, then
// in the trusted path of the look-up; never in a PATH of the request. Two spellings mean the same
// program if they lead to the same file. Finding a file says nothing about whether it may run:
// validate/program/executable.h decides that.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/lookup.h"

namespace bawn {

// What a command name leads to. Shares the open file of the look-up.
struct ExecutableFile {
  enum class Status {
    found,
    missing,
    not_executable,  // it exists, but is a directory, a device or lacks the permission
    unknown,         // the look-up failed: Located::error is set
  };

  Status status = Status::missing;
  Located file;
  std::string name;      // base name as invoked; a multi-call program acts on it
  std::string found_as;  // absolute path, before links were followed
  std::string error;     // for `not_executable` and `unknown`: why
};

// `directory` is the working directory, for a name that has a '/' but is not absolute; "" if it
// does not exist yet, and then such a name is missing. `search` comes before the trusted path. A
// file that cannot be executed does not end the search, but is the result if nothing better is
// found.
[[nodiscard]] ExecutableFile find_executable(std::string_view command, std::string_view directory,
                                             const PathLookup& lookup,
                                             std::span<const std::string> search = {});

// True if both exist and have the same device and inode or, on a system without inodes, the same
// canonical path.
[[nodiscard]] bool same_file(const Located& a, const Located& b);

// True if the canonical path lies directly in a trusted directory: the administrator put it there.
[[nodiscard]] bool lies_on_trusted_path(const Located& file, const PathLookup& lookup);

}  // namespace bawn
