// By which way each of the caller's stdin, stdout and stderr reaches the command.
//
// An open file keeps the mount that it was opened through, and whoever holds it can change more
// than its content: mode, owner, times and attributes of the file, and flags, locks and owner of
// the open file description, which the caller shares. So a confined command never gets the caller's
// own descriptor. It gets an open file of its own where that reaches no further than the bytes, and
// a pipe of bawn's otherwise. A pipe is not opened anew for it: through /proc/self/fd the command
// could open it in the other direction as well, and write into the caller's stdin, or read what
// waits in its stdout.
//
// One file is an exception: output that goes to a regular file which the command may write to
// anyway. Programs compare it with what they read (`grep -r x . > found`), and the position is
// shared with everything else that writes to it, so the command gets the caller's description of
// it, which is put back into its old state afterwards (linux/description_guard.h).
//
// Pure: facts in, routes out. linux/stdio_file.h finds the facts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/policy.h"

namespace bawn {

enum class StdioKind {
  regular,
  pipe,           // or a FIFO
  stream_socket,  // connected
  terminal,
  plain_device,  // null, zero, full, random, urandom: they hold nothing that a command could change
  device,        // any other
  directory,
  other,  // a socket of another kind, an epoll, a pidfd, ...
};

struct StdioFacts {
  StdioKind kind = StdioKind::other;
  bool is_null = false;  // the null device
  bool owned = false;    // by the user that bawn runs as, who may change its mode
  bool reads = false;    // the descriptor is open for reading
  bool writes = false;
  // Where it lies, if that name leads to this very file; empty if it has none, or none that can be
  // found.
  std::string directory{};
  std::string name{};
  std::uint64_t device =
      0;  // of the file system, or of a device itself; high half major, low half minor
  std::uint64_t inode = 0;
  std::int64_t position = -1;  // of a regular file
};

enum class StdioRoute {
  callers,      // the caller's own descriptor: only without a sandbox
  writable,     // the caller's own descriptor, of a file that the command may write to by its name
  terminal,     // the private terminal
  captured,     // a pipe into the outcome
  relayed,      // a pipe of bawn's, and bawn passes the bytes on
  with_stdout,  // stderr: the same pipe as stdout, because the caller has one open file for both
  reopened,     // an open file description of the command's own
  device,       // the node of the run's own root
  host_file,    // opened by init under its name, through a read-only clone of its mount
  text,         // stdin is the request's text
  empty,        // stdin has nothing
};

// For the receipt: "a pipe of bawn's own, not seekable".
[[nodiscard]] std::string_view describe_route(StdioRoute route);

// What decides a route besides the file itself.
struct RouteContext {
  Tier tier = Tier::c;
  bool through_bawn = false;     // an output limit has to be counted
  bool init_opens_files = true;  // false: it was tried in this run, and failed
  bool hands_over =
      false;  // the command may write to this file anyway, and the description can be restored
};

// For a file that the caller hands over. An error names the file and the kinds that are accepted.
[[nodiscard]] Result<StdioRoute> route_input(const StdioFacts& facts, const RouteContext& context);
[[nodiscard]] Result<StdioRoute> route_output(std::string_view name, const StdioFacts& facts,
                                              const RouteContext& context);

// For a command that is given no stdin.
[[nodiscard]] StdioRoute route_no_input(Tier tier);

// In the order of their numbers.
using StdioRoutes = std::array<StdioRoute, 3>;

// "stdin: ...; stdout: ...; stderr: ..."
[[nodiscard]] std::string describe_routes(const StdioRoutes& routes);

}  // namespace bawn
