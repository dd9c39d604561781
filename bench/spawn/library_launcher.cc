#include "bench/spawn/library_launcher.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "api/run.h"
#include "base/text.h"
#include "bench/spawn/parallel.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::bench {
namespace {

struct Order {
  unsigned parallel = 1;
  unsigned count = 1;
};

struct Answer {
  std::int64_t nanoseconds = 0;
  std::array<char, 240> problem{};  // "" if the runs succeeded
};

std::string reason_of(const Outcome& outcome) {
  if (!outcome.violations.empty()) return outcome.violations.front().message;
  if (outcome.error) return outcome.error->message;
  return concat("ended as ", to_string(outcome.status), ", exit code ",
                outcome.exit_code.value_or(-1));
}

Result<void> call_once(const LibraryCall& call) {
  const RunOptions options{
      .workspace = call.workspace, .source = RequestSource::person, .stdio = StdioMode::pass};
  const Outcome outcome = run(call.policy, call.request, options);
  if (!outcome.success()) return invalid_error(reason_of(outcome));
  return {};
}

// A single run is timed without starting a thread, as in a single-threaded caller.
Result<Elapsed> carry_out(const LibraryLauncher::Call& call, Order order) {
  if (order.parallel > 1) return time_parallel(order.parallel, order.count, call);
  const auto begun = Clock::now();
  for (unsigned i = 0; i < order.count; ++i) BAWN_TRY(call());
  return Elapsed(Clock::now() - begun);
}

// Small pages, each of them written: the slowest case for fork().
Result<void> hold_resident(std::size_t bytes) {
  if (bytes == 0) return {};
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return system_error(errno, concat("mmap of ", bytes, " bytes"));
  // An error is ignored: a kernel without huge pages refuses MADV_NOHUGEPAGE and needs no advice.
  madvise(start, bytes, MADV_NOHUGEPAGE);
  const std::span memory(static_cast<char*>(start), bytes);
  for (std::size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
  return {};
}

Result<void> silence_stdio() {
  BAWN_ASSIGN(const Fd nothing, sys::open("/dev/null", O_RDWR));
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    BAWN_TRY(sys::checked("dup2", [&] { return dup2(nothing.get(), fd); }));
  }
  return {};
}

Answer answer_of(const Result<Elapsed>& result) {
  Answer answer;
  if (result) {
    answer.nanoseconds = result.value().count();
  } else {
    const std::string& message = result.error().message;
    std::copy_n(message.begin(), std::min(message.size(), answer.problem.size() - 1),
                answer.problem.begin());
  }
  return answer;
}

// Serves orders until the socket is closed.
void answer_orders(const LibraryLauncher::Call& call, std::size_t resident_bytes, int orders) {
  Result<void> ready = silence_stdio();
  if (ready) ready = hold_resident(resident_bytes);
  Order order;
  while (sys::retried([&] { return recv(orders, &order, sizeof order, 0); }) == sizeof order) {
    const Answer answer = answer_of(ready ? carry_out(call, order) : ready.error());
    if (send(orders, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) return;
  }
}

// Main function of the calling process. It never returns, so that the copied stack of its parent is
// not unwound.
[[noreturn]] void serve(const LibraryLauncher::Call& call, std::size_t resident_bytes, int orders) {
  try {
    answer_orders(call, resident_bytes, orders);
  } catch (...) {  // no memory or no thread: the other side sees that this process ended
    _exit(1);
  }
  _exit(0);
}

}  // namespace

LibraryLauncher::LibraryLauncher(std::string name, std::string isolation, pid_t caller, Fd orders)
    : Launcher(std::move(name), std::move(isolation)),
      caller_(caller),
      orders_(std::move(orders)) {}

Result<std::unique_ptr<Launcher>> LibraryLauncher::create(std::string name, std::string isolation,
                                                          const LibraryCall& call) {
  return create(
      std::move(name), std::move(isolation), [&] { return call_once(call); }, call.resident_bytes);
}

Result<std::unique_ptr<Launcher>> LibraryLauncher::create(std::string name, std::string isolation,
                                                          const Call& call,
                                                          std::size_t resident_bytes) {
  std::array<int, 2> ends{};
  BAWN_TRY(sys::checked("socketpair", [&] {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data());
  }));
  Fd here(ends[0]);
  Fd there(ends[1]);
  const pid_t caller = fork();
  if (caller == -1) return system_error(errno, "fork");
  if (caller == 0) {
    here.reset();
    serve(call, resident_bytes, there.get());
  }
  return std::unique_ptr<Launcher>(
      new LibraryLauncher(std::move(name), std::move(isolation), caller, std::move(here)));
}

LibraryLauncher::~LibraryLauncher() {
  // shutdown(), not only close(): processes that were forked later have copies of this descriptor.
  shutdown(orders_.get(), SHUT_RDWR);
  sys::retried([this] { return waitpid(caller_, nullptr, 0); });
}

Result<void> LibraryLauncher::try_once() {
  BAWN_TRY(run_once());
  return {};
}

Result<Elapsed> LibraryLauncher::run_many(unsigned parallel, unsigned count) {
  const Order order{parallel, count};
  Answer answer;
  const bool sent = send(orders_.get(), &order, sizeof order, MSG_NOSIGNAL) == sizeof order;
  if (!sent || sys::retried([&] { return recv(orders_.get(), &answer, sizeof answer, 0); }) !=
                   sizeof answer) {
    return invalid_error(
        "the process that makes the calls has ended; is there memory enough for it?");
  }
  if (answer.problem.front() != '\0') return invalid_error(answer.problem.data());
  return Elapsed(answer.nanoseconds);
}

}  // namespace bawn::bench
