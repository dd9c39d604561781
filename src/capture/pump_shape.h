// What every system's pump is told, and what it tells. The pumps themselves are linux/pump.h,
// posix/pump.h and windows/pump.h.
#pragma once

#include <optional>
#include <string>

#include "capture/byte_filter.h"
#include "capture/intake.h"
#include "policy/policy.h"

namespace bawn {

enum class SinkKind {
  none,     // no pipe: the command has the caller's own
  capture,  // kept for the outcome
  relay,    // passed on to a file of the caller's
};

// `File` is how the system names an open file that is borrowed.
template <class File>
struct OutputSinkFor {
  SinkKind kind = SinkKind::none;
  ByteFilter* filter = nullptr;  // capture; borrowed, may be null
  File target{};                 // relay; borrowed
};

template <class File>
struct PumpOptionsFor {
  OutputSinkFor<File> stdout_sink;
  OutputSinkFor<File> stderr_sink;
  bool own_stdin = true;  // the command gets stdin_text, or nothing, instead of the caller's
  std::optional<std::string> stdin_text;
  Limit output_bytes = 0;
};

// What the command gets as its stdin, stdout and stderr; empty where it has the caller's own. Close
// them once the command has them: as long as this process holds a write end, the stream has no end.
template <class OwnedFile>
struct ChildEndsFor {
  OwnedFile stdin_read;
  OwnedFile stdout_write;
  OwnedFile stderr_write;
};

// How things stand after a step.
struct PumpStanding {
  bool output_exceeded = false;  // stays true
  bool streams_closed = false;   // all ended, and relays have passed on everything; stays true
  bool reader_slow = false;      // a relay's target is full: what is missing is the caller's reader
};

struct PumpedStreams {
  PumpedStream stdout_stream;
  PumpedStream stderr_stream;
};

}  // namespace bawn
