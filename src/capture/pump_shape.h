// The options and results that the pumps of all systems have in common.
//
// Plain data. The pumps are backend/linux/stdio/pump.h, backend/posix/pump.h and
// backend/windows/pump.h; each supplies its type for an open file. Linux has other options and
// shares only the results and ChildEndsFor.
#pragma once

#include <optional>
#include <string>

#include "capture/byte_filter.h"
#include "capture/intake.h"
#include "policy/limit.h"

namespace bawn {

enum class SinkKind {
  none,     // no pipe: the command uses the caller's stream
  capture,  // kept for the outcome
  relay,    // passed on to a file of the caller
};

// `File` is the system's type for a borrowed open file: int, or HANDLE.
template <class File>
struct OutputSinkFor {
  SinkKind kind = SinkKind::none;
  ByteFilter* filter = nullptr;  // for capture; borrowed, may be null
  OutputConsumer consumer{};     // for capture; empty: the bytes are kept
  File target{};                 // for relay; borrowed
};

template <class File>
struct PumpOptionsFor {
  OutputSinkFor<File> stdout_sink;
  OutputSinkFor<File> stderr_sink;
  // The command reads stdin_text, or an empty stream, and not the caller's stdin.
  bool own_stdin = true;
  std::optional<std::string> stdin_text;
  Limit output_bytes = 0;
};

// The command's ends of the pipes; empty where it uses the caller's stream. Close them as soon as
// the command has them: while this process holds a write end, the stream does not end.
template <class OwnedFile>
struct ChildEndsFor {
  OwnedFile stdin_read;
  OwnedFile stdout_write;
  OwnedFile stderr_write;
};

// The state of a pump after a step.
struct PumpStanding {
  bool output_exceeded = false;  // stays true
  bool streams_closed = false;   // all ended, and relays passed on everything; stays true
  bool reader_slow = false;      // a relay's target is full: only the caller's reader is late

  // Adds what one stream says; begin with streams_closed set.
  template <class Stream>
  void add(const Stream& stream) {
    streams_closed = streams_closed && stream.done();
    reader_slow = reader_slow || stream.reader_slow();
  }
};

struct PumpedStreams {
  PumpedStream stdout_stream;
  PumpedStream stderr_stream;
};

}  // namespace bawn
