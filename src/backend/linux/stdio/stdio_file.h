// The caller's stdin, stdout and stderr: facts about each, and new open file descriptions that a
// run can use in their place.
//
// Nothing here changes the caller's descriptors. Descriptors passed in are borrowed; those returned
// are owned by the caller, close-on-exec and numbered 3 or higher.
#pragma once

#include "base/result.h"
#include "plan/stdio_plan.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// Facts about the descriptors that the run uses. An error if one of them is not open.
[[nodiscard]] Result<CallerStdio> look_at_callers(const Plan& plan, const StdioWish& wish);

// Facts about an open descriptor, without those that depend on the run. An error if it is not open.
[[nodiscard]] Result<StdioFacts> look_at_stdio(int fd);

// Whether `user`, without capabilities, could open the file by its name with the access that `fd`
// has: the user owns the file, its mode and the directories above permit it, and the name leads to
// it through the same mount. False where only a group or an access control list would permit it.
[[nodiscard]] bool could_open_by_name(int fd, const StdioFacts& facts, unsigned user);

// Whether both refer to one open file description, and so share their position.
[[nodiscard]] bool is_one_description(int first, int second);

// Whether writes to the two reach one file in the order in which they are made: one description,
// two descriptions that append to the same file, or the same pipe.
[[nodiscard]] bool share_an_end(int first, int second);

// Opens the same pipe or device again, for a new open file description. `flags` hold the access
// mode and further open flags. Fails if the file belongs to another user, or without /proc.
[[nodiscard]] Result<Fd> open_anew(int fd, int flags);

// A stdin at its end: the null device, opened so that the command cannot change the host's node
// through it, or an empty memfd.
[[nodiscard]] Result<Fd> open_empty_input();

}  // namespace bawn::linux_
