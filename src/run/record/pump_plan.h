// Options for the pump, from what the caller wants done with the output. For systems without
// private terminals (macOS, Windows).
#pragma once

#include "api/run_options.h"
#include "capture/pump_shape.h"
#include "request/request.h"
#include "run/record/captured_output.h"

namespace bawn {

// `out` and `err` are the caller's files, borrowed. In mode `pass` they are relayed through bawn
// only if an output limit must be counted. The result borrows the filters of `output`.
template <class File>
[[nodiscard]] PumpOptionsFor<File> plan_pump(const RunOptions& options, const Limit& limit,
                                             const Request& request, CapturedOutput& output,
                                             File out, File err) {
  const StdioMode mode = options.stdio;
  const auto sink = [&](ByteFilter* filter, File target, Stream stream) -> OutputSinkFor<File> {
    if (mode != StdioMode::pass)
      return {
          .kind = SinkKind::capture, .filter = filter, .consumer = consumer_of(options, stream)};
    if (!limit) return {};
    return {.kind = SinkKind::relay, .target = target};
  };
  return {.stdout_sink = sink(output.stdout_filter(), out, Stream::out),
          .stderr_sink = sink(output.stderr_filter(), err, Stream::err),
          .own_stdin = mode == StdioMode::capture,
          .stdin_text = request.stdin_text,
          .output_bytes = limit};
}

}  // namespace bawn
