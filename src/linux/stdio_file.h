// The caller's stdin, stdout and stderr: what each is, and open files of the run's own in their
// place.
#pragma once

#include "base/result.h"
#include "plan/stdio_route.h"
#include "sys/fd.h"

namespace bawn {

// `fd` is borrowed. An error if it is not open.
[[nodiscard]] Result<StdioFacts> look_at_stdio(int fd);

// Whether `user`, who has no capability, could open the file by its name as the caller has it open:
// the file is the user's, its mode and the directories above it permit it, and the name leads to it
// through the mount that the descriptor has. Says no where only a group or an access list would
// permit it.
[[nodiscard]] bool could_open_by_name(int fd, const StdioFacts& facts, unsigned user);

// Where the file lies; "" without a name.
[[nodiscard]] std::string path_of(const StdioFacts& facts);

// Whether both share one open file description, and with it their position.
[[nodiscard]] bool is_one_description(int first, int second);

// Whether what is written to one and to the other comes into one file in the order in which it is
// written: one description, or two that append to the same file, or write to the same pipe.
[[nodiscard]] bool share_an_end(int first, int second);

// An open file description of its own for the same pipe or device, for reading or for writing;
// `flags` are added. Fails where the file belongs to another user, or where there is no /proc.
[[nodiscard]] Result<Fd> open_anew(int fd, int flags);

// A stdin that is at its end: the null device through which nothing of the host can be changed, or
// an empty file in memory.
[[nodiscard]] Result<Fd> open_empty_input();

}  // namespace bawn
