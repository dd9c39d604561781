// Decides how the caller's stdin, stdout and stderr reach the command.
//
// A descriptor gives access to more than bytes: to the mode, owner, times and attributes of the
// file, and to the flags, locks and owner of the open file description, which the caller shares. So
// a confined command never gets the caller's descriptor. It gets its own open file description
// where that reaches no further than the bytes, and a pipe of bawn's otherwise. A caller's pipe is
// not reopened for it: through /proc/self/fd the command could open the other direction too, and
// write into the caller's stdin or read what waits in its stdout.
//
// The one exception is output to a regular file that the command may write to anyway. Programs
// compare it with the files that they read (`grep -r x . > found`), and its position is shared with
// other writers. So the command gets the caller's open file description, and its flags are restored
// afterwards (backend/linux/stdio/description_guard.h).
//
// Pure: facts in, routes out. backend/linux/stdio/stdio_file.h finds the facts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/tier.h"

namespace bawn {

enum class StdioKind {
  regular,
  pipe,           // or a FIFO
  stream_socket,  // connected
  terminal,
  // /dev/null, zero, full, random, urandom: they store nothing that a command could change.
  plain_device,
  device,  // any other device
  directory,
  other,  // a socket of another kind, an epoll, a pidfd, ...
};

struct StdioFacts {
  StdioKind kind = StdioKind::other;
  bool is_null = false;  // the null device
  bool owned = false;    // by bawn's user, who could change its mode
  bool reads = false;    // open for reading
  bool writes = false;
  // Its directory and name, if they lead to this same file; "" if it has no name, or none that can
  // be found.
  std::string directory{};
  std::string name{};
  // Of the file system, or of a device node itself; high half major, low half minor.
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t position = -1;  // file offset of a regular file
  bool opens_anew = false;     // a plain device: the caller may open it again
  // An output file: the command's user could open it by its name, and what the command does to the
  // open file description can be undone.
  bool can_be_handed_over = false;
};

// The absolute path of the file; "" if it has no name.
[[nodiscard]] std::string path_of(const StdioFacts& facts);

enum class StdioRoute {
  callers,      // the caller's descriptor; only without a sandbox
  writable,     // the caller's descriptor, of a file that the command may write to anyway
  terminal,     // the private pty
  captured,     // a pipe into the outcome
  relayed,      // a pipe to bawn, which relays the bytes
  with_stdout,  // stderr: same pipe as stdout; the caller has one open file description for both
  reopened,     // a new open file description
  device,       // the device node in the run's root
  host_file,    // opened by init by name, through a read-only clone of its mount
  text,         // stdin is the request's text
  piped,        // stdin is a pipe that the caller fills
  empty,        // stdin is empty
};

// The name of the enumerator, for the receipt.
[[nodiscard]] std::string_view to_string(StdioRoute route);

// What decides a route beside the file itself.
struct RouteContext {
  Tier tier = Tier::c;
  bool through_bawn = false;     // bawn must count the bytes for an output limit
  bool init_opens_files = true;  // false: init tried it in this run and failed
  // The command may write to this file anyway, and the open file description can be restored.
  bool hands_over = false;
};

// The route for a descriptor of the caller. The error names the file and the accepted kinds.
[[nodiscard]] Result<StdioRoute> route_input(const StdioFacts& facts, const RouteContext& context);
[[nodiscard]] Result<StdioRoute> route_output(std::string_view name, const StdioFacts& facts,
                                              const RouteContext& context);

// The route of stdin for a command without input.
[[nodiscard]] StdioRoute route_no_input(Tier tier);

// Indexed by descriptor number.
using StdioRoutes = std::array<StdioRoute, 3>;

struct StdioPlan {
  StdioRoutes routes{};
  std::array<StdioFacts, 3> files{};  // about the files of the caller that are used
  // Stdin is one open file description with stdout or stderr: its position is where they wrote to.
  bool shares_position = false;
  bool captures_terminal = false;  // the output of a private terminal goes to no other one
};

}  // namespace bawn
