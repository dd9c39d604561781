// From the spelling of a command to the file that would run.
//
// A bare name is looked for in the directories that the look-up trusts, and before that in those
// that the policy takes from the caller's PATH; never on the request's. Two spellings mean the same
// program if they lead to the same file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/lookup.h"

namespace bawn {

struct ExecutableFile {
  enum class Status {
    found,
    missing,
    not_executable,  // there is something, but it is a directory, a device or lacks the permission
    unknown,         // the look-up itself was refused
  };

  Status status = Status::missing;
  Located file;
  std::string name;      // base name as invoked; what a multi-call program would see
  std::string found_as;  // absolute path before links were followed
  std::string error;     // for `not_executable` and `unknown`: why
};

// `directory` is what a relative path starts from; "" if there is no such directory yet.
[[nodiscard]] ExecutableFile find_executable(std::string_view command, std::string_view directory,
                                             const PathLookup& lookup,
                                             std::span<const std::string> search = {});

// The same inode or, where a system has none, the same canonical path.
[[nodiscard]] bool same_file(const Located& a, const Located& b);

// True if the file lies directly in one of the trusted directories: the system's administrator put
// it there.
[[nodiscard]] bool lies_on_trusted_path(const Located& file, const PathLookup& lookup);

}  // namespace bawn
