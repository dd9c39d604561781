// The command's stdin, stdout and stderr in one run: routes, pipes, and what is kept of the output.
//
// plan/stdio_route.h says which way each file takes; this opens what the routes need, hands the
// command's ends to launch(), and afterwards tells the outcome what went through. Linux.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "linux/description_guard.h"
#include "linux/launch.h"
#include "linux/pump.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "plan/stdio_route.h"
#include "request/request.h"
#include "run/bawn.h"
#include "run/captured_output.h"

namespace bawn {

// What decides the routes besides the caller's files.
struct StdioDemand {
  StdioMode mode = StdioMode::capture;
  Tier tier = Tier::c;
  TerminalPlan terminal{};
  int terminal_fd = -1;  // the caller's terminal, if the private one stands for it; borrowed
  Limit output_bytes{};
  Limit most_file_bytes{};
  bool init_opens_files = true;
};

class RunStdio {
 public:
  // The plan is borrowed.
  RunStdio(const Policy& policy, const Plan& plan)
      : plan_(plan), record_(policy, plan.environment) {}
  RunStdio(const RunStdio&) = delete;  // the pump borrows the filters of the record
  RunStdio& operator=(const RunStdio&) = delete;
  ~RunStdio() = default;

  // Once, first. An error says which file cannot be given to the command, and why.
  [[nodiscard]] Result<void> open(const StdioDemand& demand, const Request& request);

  [[nodiscard]] const StdioRoutes& routes() const { return routes_; }

  // For launch(): valid until close_child_ends().
  [[nodiscard]] Stdio command_ends() const;
  void close_child_ends();

  // Null if nothing goes through bawn.
  [[nodiscard]] Pump* pump() { return pump_ ? &*pump_ : nullptr; }

  // Once, after the run. `read_to` is how far the command has read a stdin that init opened; none
  // if that is unknown.
  void record(std::optional<std::int64_t> read_to, const Limits& limits, Outcome& outcome);

 private:
  [[nodiscard]] Result<void> choose(const StdioDemand& demand, const Request& request);
  [[nodiscard]] Result<StdioRoute> choose_input(const StdioDemand& demand, const Request& request);
  [[nodiscard]] Result<StdioRoute> choose_output(const StdioDemand& demand, int fd);
  [[nodiscard]] bool hands_over(const StdioFacts& facts, int fd) const;
  void reopen(int fd);
  [[nodiscard]] Result<void> open_pump(const StdioDemand& demand, const Request& request);
  [[nodiscard]] bool needs_pump() const;
  [[nodiscard]] InputSource source(const Request& request) const;
  [[nodiscard]] Sink sink(const StdioDemand& demand, int fd, ByteFilter* filter) const;
  [[nodiscard]] Sink terminal_sink(const StdioDemand& demand);
  [[nodiscard]] StdioOpening opening(std::size_t fd) const;

  const Plan& plan_;
  StdioRoutes routes_{};
  std::array<StdioFacts, 3> facts_{};  // of those that the caller hands over
  std::array<Fd, 3> ends_{};           // the command's, where bawn opened them
  bool shares_position_ =
      false;  // stdin has its position with stdout or stderr, which is where those have written to
  std::array<std::optional<DescriptionGuard>, 3>
      guards_{};  // of the caller's own that the command holds
  CapturedOutput record_;
  std::optional<Pump> pump_;
};

}  // namespace bawn
