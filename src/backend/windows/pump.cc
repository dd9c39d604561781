#include "backend/windows/pump.h"

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "backend/windows/process/spawn.h"
#include "backend/windows/relay.h"
#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

constexpr ULONG_PTR kStdoutKey = kFirstPumpKey;
constexpr ULONG_PTR kStderrKey = kFirstPumpKey + 1;
constexpr ULONG_PTR kStdinKey = kFirstPumpKey + 2;
constexpr ULONG_PTR kStdoutRelayKey = kFirstPumpKey + 3;
constexpr ULONG_PTR kStderrRelayKey = kFirstPumpKey + 4;

enum class PipeUse { output, input };

struct PipeEnds {
  Handle ours;    // overlapped
  Handle childs;  // inheritable
};

// Anonymous pipes cannot be overlapped. If the name were taken, FILE_FLAG_FIRST_PIPE_INSTANCE would
// make the creation fail; only one client can connect, and this process does so at once.
Result<std::wstring> fresh_pipe_name() {
  static std::atomic<unsigned> count = 0;
  LARGE_INTEGER moment{};
  QueryPerformanceCounter(&moment);
  return wide(
      concat("\\\\.\\pipe\\bawn-", GetCurrentProcessId(), "-", moment.QuadPart, "-", ++count));
}

Result<PipeEnds> open_pipe(PipeUse use) {
  BAWN_ASSIGN(const std::wstring name, fresh_pipe_name());
  const bool output = use == PipeUse::output;
  PipeEnds ends;
  ends.ours = Handle(CreateNamedPipeW(name.c_str(),
                                      (output ? PIPE_ACCESS_INBOUND : PIPE_ACCESS_OUTBOUND) |
                                          FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                      PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, kPumpChunk,
                                      kPumpChunk, 0, nullptr));
  if (!ends.ours) return system_failure(GetLastError(), "make a pipe");
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  ends.childs = Handle(CreateFileW(name.c_str(), output ? GENERIC_WRITE : GENERIC_READ, 0,
                                   &inheritable, OPEN_EXISTING, 0, nullptr));
  if (!ends.childs) return system_failure(GetLastError(), "open the command's end of a pipe");
  return ends;
}

Result<void> connect_port(HANDLE handle, HANDLE port, ULONG_PTR key) {
  if (CreateIoCompletionPort(handle, port, key, 0) != nullptr) return {};
  return system_failure(GetLastError(), "connect a pipe to the port");
}

// One pending read or write. The object must not move until the operation is complete.
class Overlapped {
 public:
  OVERLAPPED* begin() {
    block_ = {};
    pending_ = true;
    return &block_;
  }
  void done() { pending_ = false; }
  [[nodiscard]] bool pending() const { return pending_; }

  // After this the system does not touch the buffer.
  void cancel(HANDLE handle) {
    if (!std::exchange(pending_, false)) return;
    CancelIoEx(handle, &block_);
    DWORD ignored = 0;
    GetOverlappedResult(handle, &block_, &ignored, TRUE);
  }

 private:
  OVERLAPPED block_{};
  bool pending_ = false;
};

class OutputStream {
 public:
  explicit OutputStream(const OutputSink& sink) : intake_(sink.filter, sink.consumer) {}
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;
  ~OutputStream() { read_.cancel(source_.get()); }

  // Returns the child's end.
  Result<Handle> open(const OutputSink& sink, HANDLE port, ULONG_PTR key, ULONG_PTR relay_key) {
    BAWN_ASSIGN(PipeEnds ends, open_pipe(PipeUse::output));
    BAWN_TRY(connect_port(ends.ours.get(), port, key));
    source_ = std::move(ends.ours);
    if (sink.kind == SinkKind::relay) {
      BAWN_ASSIGN(Relay relay, Relay::create(sink.target, port, relay_key));
      relay_.emplace(std::move(relay));
    }
    return std::move(ends.childs);
  }

  void begin_read() {
    if (!source_ || reader_slow() || read_.pending()) return;
    if (ReadFile(source_.get(), chunk_.get(), kPumpChunk, nullptr, read_.begin()) == 0 &&
        GetLastError() != ERROR_IO_PENDING) {
      close_source(GetLastError() == ERROR_BROKEN_PIPE);
    }
  }

  void read_done(OutputStock& stock, DWORD bytes, bool well) {
    read_.done();
    if (!source_) return;
    if (!well || bytes == 0) {
      // A failed read means that all write ends are closed.
      if (!well || nobody_writes()) return close_source(true);
      return begin_read();  // a write of zero bytes
    }
    const std::string_view admitted = intake_.admit(stock, {chunk_.get(), bytes});
    if (!relay_) {
      intake_.keep(stock, admitted);
    } else if (!admitted.empty()) {
      relay_->put(admitted);
    }
    begin_read();
  }

  void relay_done() {
    if (const DWORD error = relay_->error(); error != 0) {
      intake_.lose(static_cast<int>(error));
      // As in a shell pipeline: the command's next write fails because the reader is gone.
      close_source(false);
    }
    begin_read();
  }

  [[nodiscard]] bool done() const { return !source_ && !reader_slow(); }
  [[nodiscard]] bool reader_slow() const { return relay_ && relay_->busy(); }

  PumpedStream finish(OutputStock& stock) {
    if (reader_slow()) intake_.lose(0);
    close_source(false);
    relay_.reset();
    return intake_.finish(stock);
  }

 private:
  [[nodiscard]] bool nobody_writes() const {
    DWORD waiting = 0;
    return PeekNamedPipe(source_.get(), nullptr, 0, nullptr, &waiting, nullptr) == 0;
  }

  void close_source(bool ended) {
    if (!source_) return;
    if (ended) intake_.end();
    read_.cancel(source_.get());
    source_.reset();
  }

  Intake intake_;
  Handle source_;
  Overlapped read_;
  std::unique_ptr<char[]> chunk_ = std::make_unique_for_overwrite<char[]>(kPumpChunk);
  std::optional<Relay> relay_;
};

// Writes the text in one overlapped write, which completes as the command reads.
class InputStream {
 public:
  explicit InputStream(std::string text) : text_(std::move(text)) {}
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;
  ~InputStream() { write_.cancel(target_.get()); }

  Result<Handle> open(HANDLE port, ULONG_PTR key) {
    BAWN_ASSIGN(PipeEnds ends, open_pipe(PipeUse::input));
    BAWN_TRY(connect_port(ends.ours.get(), port, key));
    target_ = std::move(ends.ours);
    return std::move(ends.childs);
  }

  void begin_write() {
    if (text_.empty()) return target_.reset();
    if (WriteFile(target_.get(), text_.data(), static_cast<DWORD>(text_.size()), nullptr,
                  write_.begin()) == 0 &&
        GetLastError() != ERROR_IO_PENDING) {
      write_done(0, false);
    }
  }

  void write_done(DWORD bytes, bool well) {
    write_.done();
    if (well && bytes < text_.size()) {
      text_.erase(0, bytes);
      return begin_write();
    }
    target_.reset();  // the command sees end of file
  }

 private:
  std::string text_;
  Handle target_;
  Overlapped write_;
};

}  // namespace

struct Pump::State {
  explicit State(Limit limit) : stock(limit) {}

  OutputStock stock;
  ChildEnds child;
  std::optional<OutputStream> out;
  std::optional<OutputStream> err;
  std::optional<InputStream> in;

  Result<void> open(const PumpOptions& options, HANDLE port) {
    if (options.stdout_sink.kind != SinkKind::none) {
      out.emplace(options.stdout_sink);
      BAWN_ASSIGN(child.stdout_write,
                  out->open(options.stdout_sink, port, kStdoutKey, kStdoutRelayKey));
    }
    if (options.stderr_sink.kind != SinkKind::none) {
      err.emplace(options.stderr_sink);
      BAWN_ASSIGN(child.stderr_write,
                  err->open(options.stderr_sink, port, kStderrKey, kStderrRelayKey));
    }
    if (!options.own_stdin) return {};
    if (!options.stdin_text) {
      BAWN_ASSIGN(child.stdin_read, open_null(GENERIC_READ));
      return {};
    }
    in.emplace(*options.stdin_text);
    BAWN_ASSIGN(child.stdin_read, in->open(port, kStdinKey));
    return {};
  }
};

Result<Pump> Pump::create(const PumpOptions& options, HANDLE port) {
  auto state = make_hidden<State>(options.output_bytes);
  BAWN_TRY(state->open(options, port));
  return Pump(std::move(state));
}

ChildEnds Pump::take_child_ends() { return std::exchange(state_->child, {}); }

void Pump::start() {
  if (state_->out) state_->out->begin_read();
  if (state_->err) state_->err->begin_read();
  if (state_->in) state_->in->begin_write();
}

void Pump::step(ULONG_PTR key, DWORD bytes, bool well) {
  switch (key) {
    case kStdoutKey:
      return state_->out->read_done(state_->stock, bytes, well);
    case kStderrKey:
      return state_->err->read_done(state_->stock, bytes, well);
    case kStdinKey:
      return state_->in->write_done(bytes, well);
    case kStdoutRelayKey:
      return state_->out->relay_done();
    case kStderrRelayKey:
      return state_->err->relay_done();
    default:
      return;
  }
}

PumpStanding Pump::standing() const {
  PumpStanding event{.output_exceeded = state_->stock.quota.exceeded(), .streams_closed = true};
  for (const auto* stream : {&state_->out, &state_->err}) {
    if (*stream) event.add(**stream);
  }
  return event;
}

PumpedStreams Pump::finish() {
  PumpedStreams output;
  if (state_->out) output.stdout_stream = state_->out->finish(state_->stock);
  if (state_->err) output.stderr_stream = state_->err->finish(state_->stock);
  state_.reset();
  return output;
}

}  // namespace bawn::windows
