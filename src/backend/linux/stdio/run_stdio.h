// The command's stdin, stdout and stderr in one run: their routes, their pipes, and the output that
// is kept.
//
// plan/stdio_plan.h decides the route of each file. This class opens what the routes need, gives
// the command's ends to launch(), and afterwards writes the result into the outcome. One thread at
// a time. Linux.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "api/run_options.h"
#include "backend/linux/stdio/description_guard.h"
#include "backend/linux/stdio/pump.h"
#include "backend/linux/wire/encode_message.h"
#include "base/result.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "plan/stdio_route.h"
#include "request/request.h"
#include "run/record/captured_output.h"

namespace bawn {
struct Policy;
}  // namespace bawn

namespace bawn::linux_ {

// The files that become 0, 1 and 2 of the command.
struct Stdio {
  // Borrowed until launch() returns. -1: init opens the file, or it is the private terminal.
  std::array<int, init::kStdioCount> files = {-1, -1, -1};
  // How init opens them.
  std::array<StdioOpening, init::kStdioCount> openings{};
  init::TerminalOrder terminal{};
};

// Where the bytes go that bawn moves.
struct StdioDemand {
  const RunOptions* options = nullptr;  // borrowed
  // The caller's terminal, if the private terminal replaces it; borrowed.
  int terminal_fd = -1;
};

class RunStdio {
 public:
  // `plan` is borrowed for the object's life.
  RunStdio(const Policy& policy, const Plan& plan)
      : plan_(plan), record_(policy, plan.environment) {}
  RunStdio(const RunStdio&) = delete;  // the pump borrows filters from record_
  RunStdio& operator=(const RunStdio&) = delete;
  ~RunStdio() = default;

  // Call it once, before everything else.
  [[nodiscard]] Result<void> open(const StdioDemand& demand, const Request& request);

  // The descriptors for launch(), borrowed; valid until close_child_ends().
  [[nodiscard]] Stdio command_ends() const;
  // Call it once the command has its files: a stream ends only when all its write ends are closed.
  void close_child_ends();

  // Null if no stream goes through bawn. Borrowed.
  [[nodiscard]] Pump* pump() { return pump_ ? &*pump_ : nullptr; }

  // Call it once, after the run. Writes captured and lost output into the outcome, and moves the
  // caller's position in stdin. `read_to` is how far the command has read a stdin that init opened;
  // none if that is unknown.
  void record(std::optional<std::int64_t> read_to, const Limits& limits, Outcome& outcome);

 private:
  [[nodiscard]] const StdioRoutes& routes() const { return plan_.stdio.routes; }
  [[nodiscard]] Result<void> open_pump(const StdioDemand& demand, const Request& request);
  [[nodiscard]] Result<void> give_pipes_to_user() const;
  [[nodiscard]] bool needs_pump() const;
  [[nodiscard]] InputSource source(const Request& request) const;
  [[nodiscard]] Sink sink(const StdioDemand& demand, int fd, ByteFilter* filter) const;
  [[nodiscard]] Sink terminal_sink(const StdioDemand& demand);
  [[nodiscard]] StdioOpening opening(std::size_t fd) const;

  const Plan& plan_;
  std::array<Fd, 3> ends_{};  // the command's ends that bawn opened
  // For the descriptions of the caller's that the command gets.
  std::array<std::optional<DescriptionGuard>, 3> guards_{};
  CapturedOutput record_;
  std::optional<Pump> pump_;
};

}  // namespace bawn::linux_
