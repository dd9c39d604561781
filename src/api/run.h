// Run, run() and check(). bawn.h has the rules for their callers.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/run_options.h"
#include "base/result.h"
#include "outcome/outcome.h"
#include "policy/tier.h"
#include "request/request.h"
#include "validate/violation.h"

namespace bawn {

struct Policy;
struct PlanPreview;
class Backend;

// A signal for the command's process group.
enum class RunSignal { interrupt, quit, hang_up, terminate };

// One run in a program that has an event loop of its own:
//
//   bawn::Run run = bawn::Run::start(policy, request, options);
//   while (!run.done()) { wait until run.fd() is readable; run.step(); }
//   bawn::Outcome outcome = run.outcome();
//
// It owns no loop and no thread, installs nothing in the process, and does not wait: a thousand
// runs live in one thread (tests/run/run_object_test.cc). start() waits for the exec of init, about
// a millisecond. The options' functions are called by start() and step(). One thread at a time.
class Run {
 public:
  // A run that is refused or cannot start is done at once; its outcome says why.
  [[nodiscard]] static Run start(Policy policy, Request request, RunOptions options);

  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  // Ends a run that is not done: kills its processes and waits for their end, a second at most
  // unless a process cannot be killed.
  ~Run();

  // Readable while step() has work; the same until the run is done, then -1. Borrowed. On Windows
  // the handle of an event.
  [[nodiscard]] int fd() const;

  // Does what is ready.
  void step();
  [[nodiscard]] bool done() const;

  // Once, when the run is done.
  [[nodiscard]] Outcome outcome();

  // Ends the run as a deadline would, with status `cancelled`. Harmless if it has ended.
  void cancel();

  // Hands in a signal of the caller's terminal. If the command has a private terminal, it gets
  // `interrupt`, `quit` and `suspend`; otherwise `interrupt` and `quit` cancel the run, and
  // `suspend` stops the caller alone. Not to be called by the options' functions.
  void job_signal(JobSignal signal);

  // Needs RunOptions::input_pipe. Returns how many bytes were taken, which is 0 while the command
  // does not read; EPIPE once it has closed its stdin. A pipe takes 64 KiB that are not read.
  [[nodiscard]] Result<std::size_t> write_input(std::string_view bytes);
  void close_input();

  // The size of a private terminal that no terminal of the caller's stands behind.
  [[nodiscard]] Result<void> resize(unsigned rows, unsigned columns);

  // An error if the system cannot send it, or the command does not run.
  [[nodiscard]] Result<void> signal(RunSignal signal);

 private:
  struct State;
  // run/run_on.h
  friend Run start_on(std::unique_ptr<Backend> backend, Policy policy, Request request,
                      RunOptions options);
  friend PlanPreview preview_on(std::unique_ptr<Backend> backend, const Policy& policy,
                                Request& request, const RunOptions& options);
  explicit Run(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Validates, plans, launches and supervises. Never throws because of anything that the command or
// the host does; failures are in the outcome. If `cancel_fd` becomes readable, the run is
// cancelled; it is borrowed, and on Windows the handle of an event. -1: the run cannot be
// cancelled.
[[nodiscard]] Outcome run(const Policy& policy, Request request, const RunOptions& options,
                          int cancel_fd = -1);

// Result of check(): every violation, and what was repaired in the request.
struct Checked {
  Violations violations;
  std::vector<std::string> repairs;
  std::optional<Tier> tier;  // the tier it would run in
  // The run would fail; the only violation says why.
  bool failed = false;
  [[nodiscard]] bool allowed() const { return violations.empty(); }
};
// Validates and plans as run() does, and executes nothing. Where the host can try the plan out
// without any effect (tier c on Linux), it is carried out up to the exec.
[[nodiscard]] Checked check(const Policy& policy, Request request, const RunOptions& options);

}  // namespace bawn
