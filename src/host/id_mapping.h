// Writes the id maps of a child that waits in a new user namespace.
//
// `process` must be a child that has not been waited for: otherwise its pid could already belong to
// another process. Safe in any program and from any thread: no file stays open, and only children
// started here are waited for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string_view>
#include <utility>

#include "base/hidden.h"
#include "base/result.h"
#include "host/id_map.h"
#include "host/id_ranges.h"

namespace bawn {

// Why the kernel refuses to write an id map; it completes a sentence.
inline constexpr std::string_view kNoSetfcap =
    "root without CAP_SETFCAP may not map uid 0 into a user namespace";

// False if the files of this process in /proc belong to root, and so do those of a child until its
// exec: the caller may not read the file of this program, or the program has asked for that
// (PR_SET_DUMPABLE). An ordinary user can then write the id maps of a child only after its exec.
[[nodiscard]] bool is_dumpable();

// Waits until the files of `process` in /proc belong to the caller. The process has begun an exec
// of a file that the caller may read, so this takes the moment that the kernel needs to finish it;
// no event tells its end. An error after a second.
[[nodiscard]] Result<void> await_dumpable(pid_t process);

// Writes the maps to /proc/PID. Without privileges they can only map the caller's own user and
// group.
[[nodiscard]] Result<void> write_id_maps(pid_t process, const IdMaps& maps);

// Lets newuidmap and newgidmap write whole maps, then compares /proc/PID/uid_map and gid_map with
// what was asked for. It does not wait for them: step() does what can be done.
//
// After a failure the namespace may have only one of the two maps, so nothing may run in it. A
// program that exceeds its time is killed. If bawn itself is killed meanwhile, a hanging program
// survives it: the kernel clears PR_SET_PDEATHSIG when a setuid program is executed, so nothing
// ties its life to bawn's. One thread at a time.
class IdRangeMapping {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts the first program. `most` is the time for both together.
  [[nodiscard]] static Result<IdRangeMapping> start(pid_t process, IdMaps maps, IdMappers mappers,
                                                    std::chrono::milliseconds most);

  // Readable when step() has work; another one after each step. -1: step() has work now. Borrowed.
  [[nodiscard]] int fd() const;
  [[nodiscard]] Clock::time_point deadline() const;

  // True once both maps are written and were read back. With `cancelled` a program that still runs
  // is killed (ErrorKind::cancelled). After an error the object must not be used.
  [[nodiscard]] Result<bool> step(bool cancelled = false);

 private:
  struct Mapper;
  struct State;
  explicit IdRangeMapping(Hidden<State> state) : state_(std::move(state)) {}
  Hidden<State> state_;  // kills a program that still runs at its end
};

// The longest time that newuidmap and newgidmap may take together.
inline constexpr std::chrono::milliseconds kMappingTime = std::chrono::seconds(10);

// The same for a caller that waits.
[[nodiscard]] Result<void> map_id_ranges(pid_t process, const IdMaps& maps,
                                         const IdMappers& mappers,
                                         std::chrono::milliseconds most = kMappingTime);

}  // namespace bawn
