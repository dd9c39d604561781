// What a system does differently in a run: the interface between Run (run.cc) and the code for
// Linux, macOS and Windows.
//
// Run calls the functions in this order, and those of one attempt again if retry_with() gives other
// facts:
//
//   identify, probe                      who runs, what the host can do
//   set_up [continue_setup]              what can begin before the request is judged
//   make_plan                            the request is judged; nothing on the host changes
//   launch                               the command starts
//   step, terminate, kill, cpu_time_us   while it runs
//   release, is_gone, conclude           its end
//
// One backend serves one run and is used by one thread at a time. No function waits, with two
// exceptions: launch() waits for the exec of init on Linux, and the destructor for the end of
// processes that it has killed. What a backend has started, its destructor ends.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "api/run.h"
#include "base/result.h"
#include "host/facts.h"
#include "outcome/outcome.h"
#include "policy/policy.h"
#include "request/request.h"
#include "run/plan_preview.h"
#include "run/process_control.h"
#include "run/run_context.h"
#include "run/run_plan.h"
#include "run/supervisor.h"

namespace bawn {

// One run, as a backend gets it. Borrowed for the backend's life.
struct RunInput {
  const Policy& policy;
  const Request& request;
  const RunOptions& options;
  RunContext& context;
};

// How far a backend got. With an outcome the attempt is over: nothing ran.
struct Readiness {
  bool pending = false;  // call again when fd() is readable
  std::optional<Outcome> outcome{};
};

class Backend : public ProcessControl {
 public:
  // Ids and directories of this run. An error means that nothing can run.
  [[nodiscard]] virtual Result<RunIdentity> identify(const RunInput& input) = 0;
  // The same for a plan that is only shown.
  [[nodiscard]] virtual RunIdentity preview_identity(const RunInput& input);

  // What the host can do, as far as the run needs it.
  [[nodiscard]] virtual HostFacts probe(const RunInput& input) = 0;

  // Begins an attempt. `plan` has the tier and the host; the request is not judged yet. A system
  // that has nothing to prepare is ready.
  [[nodiscard]] virtual Readiness set_up(const RunInput& input, RunPlan& plan);
  // `cancelled`: the caller wants the run to stop.
  [[nodiscard]] virtual Readiness continue_setup(const RunInput& input, bool cancelled);

  // Judges the request and fills in `plan.plan`, or `plan.violations`, or `plan.failure`.
  virtual void make_plan(const RunInput& input, const RunIdentity& identity, RunPlan& plan) = 0;

  // True if a plan of this tier that is only shown is carried out up to the exec, so that the host
  // itself says whether it can. Nothing on the host may change by that.
  [[nodiscard]] virtual bool tries_out(Tier tier) const;
  // Adds the facts of this system's layers to a plan that is only shown.
  virtual void describe(PlanPreview& preview);

  // The outcome if the host could not be examined.
  [[nodiscard]] virtual Outcome plan_failure(const Error& error);

  // Starts the command of `plan`, which stays where it is until the backend is destroyed. An
  // outcome if nothing was started.
  [[nodiscard]] virtual std::optional<Outcome> launch(const RunInput& input, RunPlan& plan) = 0;

  // Called once after launch(), before the first step.
  [[nodiscard]] virtual Result<void> begin(Supervisor& supervisor) = 0;

  // Readable while step() or continue_setup() has work, and after the moment of wake_at().
  // Borrowed, and the same from set_up() on. On Windows the handle of an event.
  [[nodiscard]] virtual int fd() const = 0;
  [[nodiscard]] virtual Result<void> wake_at(Supervisor::Moment moment) = 0;

  // Does what is ready, and tells the supervisor what has happened.
  [[nodiscard]] virtual Result<void> step(Supervisor& supervisor) = 0;

  // The run is finished, or `gave_up` says that supervision failed. Ends what is still alive.
  // Returns how long Run waits for is_gone().
  [[nodiscard]] virtual std::chrono::milliseconds release(RunProgress& progress, bool gave_up) = 0;

  // True once the processes of the run have ended, and bawn's own for it. Sets progress.tree_gone
  // if that proves it.
  [[nodiscard]] virtual bool is_gone(RunProgress& progress) = 0;
  // is_gone() must be called again after a while: fd() does not tell.
  [[nodiscard]] virtual bool must_look_again() const { return false; }

  // The outcome of a run that has ended. Called once.
  [[nodiscard]] virtual Outcome conclude(const RunProgress& progress) = 0;

  // For every ending in which the command may have run, also after an error of supervision: adds
  // what the command has left behind.
  virtual void check_afterwards(Outcome& outcome) = 0;

  // Other facts with which the run can be tried again, if nothing ran and the policy accepts it.
  [[nodiscard]] virtual std::optional<HostFacts> retry_with(const RunInput& input,
                                                            const HostFacts& host);

  // For Run's functions of the same names. An error if the run has no such thing.
  [[nodiscard]] virtual Result<std::size_t> write_input(std::string_view bytes);
  virtual void close_input();
  [[nodiscard]] virtual Result<void> resize(unsigned rows, unsigned columns);
  [[nodiscard]] virtual Result<void> signal(RunSignal signal);
  // While the command runs. Without job control, `interrupt` and `quit` cancel the run.
  [[nodiscard]] virtual Result<void> job_signal(JobSignal signal, Supervisor& supervisor);
};

// The backend of this system.
[[nodiscard]] std::unique_ptr<Backend> make_backend();

}  // namespace bawn
