// One run from request to outcome, on any backend. Run::State is the order of all steps.
#include <utility>

#include "base/text.h"
#include "outcome/denial.h"
#include "run/record/failure.h"
#include "run/run_on.h"
#include "run/wait.h"
#include "supervise/ending.h"

namespace bawn {

struct Run::State {
  enum class Phase {
    setting_up,  // the backend prepares something that takes time
    running,     // the command was launched
    leaving,     // it has ended; its processes are on their way out
    done,
  };

  State(std::unique_ptr<Backend> given_backend, Policy given_policy, Request given_request,
        RunOptions given_options)
      : policy(std::move(given_policy)),
        request(std::move(given_request)),
        options(std::move(given_options)),
        context(options, request.run_id),
        backend(std::move(given_backend)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { end_at_once(); }

  void begin() {
    auto identified =
        preview == nullptr ? backend->identify(input()) : backend->preview_identity(input());
    if (!identified) return finish(not_started(identified.error()));
    identity = std::move(identified).value();
    context.address(identity.run_id, normalise_request(request));
    host = std::make_shared<const HostFacts>(backend->probe(input()));
    context.stopwatch().lap("probe");
    attempt();
  }

  void step() {
    is_stepping = true;
    step_phase();
    is_stepping = false;
    obey_cancel();
  }

  // The caller may cancel from a function that step() calls. It is obeyed when the step is over.
  void cancel() {
    is_cancelled = true;
    if (!is_stepping) obey_cancel();
  }

  // While ids are mapped there is nothing to stop or to resize yet.
  void job_signal(JobSignal signal) {
    if (phase == Phase::setting_up && (signal == JobSignal::interrupt || signal == JobSignal::quit))
      return cancel();
    if (phase != Phase::running) return;
    if (auto taken = backend->job_signal(signal, *supervisor); !taken)
      return give_up(taken.error());
    settle();
  }

  Policy policy;
  Request request;
  RunOptions options;
  RunContext context;
  std::unique_ptr<Backend> backend;
  Phase phase = Phase::setting_up;
  std::optional<Outcome> outcome;
  PlanPreview* preview = nullptr;  // set if the plan is only shown

  [[nodiscard]] bool is_done() const { return phase == Phase::done; }

  void step_phase() {
    switch (phase) {
      case Phase::setting_up:
        return go_on(backend->continue_setup(input(), false));
      case Phase::running:
        return supervise();
      case Phase::leaving:
        return look_whether_gone();
      case Phase::done:
        return;
    }
  }

  void obey_cancel() {
    if (!is_cancelled || std::exchange(has_obeyed_cancel, true)) return;
    if (phase == Phase::setting_up) return go_on(backend->continue_setup(input(), true));
    if (phase != Phase::running) return;
    supervisor->happen(RunEvent::cancelled);
    settle();
  }

  [[nodiscard]] RunInput input() { return {policy, request, options, context}; }

  void attempt() {
    supervisor.reset();
    plan = check_input(policy, request, options.source, host, identity.draw);
    if (!plan.input_is_valid) return finish(denied());
    if (!plan.tier || (preview != nullptr && !backend->tries_out(*plan.tier))) return judge();
    go_on(backend->set_up(input(), plan));
  }

  void go_on(Readiness readiness) {
    if (readiness.outcome) return end_attempt(*std::move(readiness.outcome));
    phase = Phase::setting_up;
    if (!readiness.pending) judge();
  }

  void judge() {
    backend->make_plan(input(), identity, plan);
    if (plan.failure) return end_attempt(backend->plan_failure(*plan.failure));
    if (!plan.violations.empty()) return end_attempt(denied());
    if (context.is_logging()) context.log(plan_line(plan.plan));
    if (preview != nullptr) return try_out();
    give_notice();
    launch();
  }

  // Shows the plan, and executes nothing.
  void try_out() {
    preview->plan = plan.plan;
    preview->host = *plan.host;
    backend->describe(*preview);
    if (!backend->tries_out(plan.plan.tier)) return finish(Outcome{.status = Status::exited});
    plan.plan.trial = true;
    launch();
  }

  void launch() {
    if (auto failed = backend->launch(input(), plan)) return end_attempt(*std::move(failed));
    supervisor.emplace(plan.plan.limits, *backend, context.stopwatch());
    phase = Phase::running;
    if (auto begun = backend->begin(*supervisor); !begun) return give_up(begun.error());
    settle();
  }

  void supervise() {
    if (auto stepped = backend->step(*supervisor); !stepped) return give_up(stepped.error());
    settle();
  }

  // Deadlines are looked at after the events: output and exits from before a deadline come first.
  void settle() {
    supervisor->look_at_clock();
    if (supervisor->finished()) return leave();
    if (auto armed = backend->wake_at(supervisor->next()); !armed) give_up(armed.error());
  }

  void give_up(Error error) {
    supervision_error = std::move(error);
    leave();
  }

  void leave() {
    phase = Phase::leaving;
    const auto patience = backend->release(supervisor->progress(), supervision_error.has_value());
    leaving_until = Supervisor::Clock::now() + patience;
    look_whether_gone();
  }

  void look_whether_gone() {
    const auto now = Supervisor::Clock::now();
    if (backend->is_gone(supervisor->progress()) || now >= leaving_until) return conclude();
    auto next = leaving_until;
    if (backend->must_look_again()) next = std::min(next, now + Supervisor::kBetweenLooks);
    // Without a timer the end would be missed if it never comes.
    if (!backend->wake_at(next)) conclude();
  }

  void conclude() {
    if (supervision_error) {
      Outcome ended = given_up(*supervision_error);
      backend->check_afterwards(ended);
      return finish(std::move(ended));
    }
    context.log(concat("ended: ", to_string(supervisor->progress().ending)));
    Outcome ended = backend->conclude(supervisor->progress());
    backend->check_afterwards(ended);
    end_attempt(std::move(ended));
  }

  // Tries again if the host lacks something that the policy can do without. A run that the caller
  // has cancelled is not tried again.
  void end_attempt(Outcome ended) {
    auto other = backend->retry_with(input(), *host);
    if (other && !is_cancelled) {
      host = std::make_shared<const HostFacts>(*std::move(other));
      return attempt();
    }
    if (other) static_cast<void>(name_ending(Ending::cancelled, policy.limits, ended));
    finish(std::move(ended));
  }

  // The backend goes first: the duration includes what it removes.
  void finish(Outcome ended) {
    phase = Phase::done;
    supervisor.reset();
    backend.reset();
    outcome = context.sealed(std::move(ended));
  }

  void end_at_once() {
    if (phase != Phase::running && phase != Phase::leaving) return;
    if (phase == Phase::running)
      leaving_until = Supervisor::Clock::now() + backend->release(supervisor->progress(), true);
    while (!backend->is_gone(supervisor->progress()) && Supervisor::Clock::now() < leaving_until)
      wait_for(backend->fd(), Supervisor::Clock::now() + Supervisor::kBetweenLooks);
  }

  [[nodiscard]] Outcome denied() const {
    context.log(concat("denied: ", plan.violations.size(), " violations"));
    return denied_outcome("", plan.violations);
  }

  // Prints the notices once, however many attempts the run takes.
  void give_notice() {
    if (!options.notice || std::exchange(has_given_notice, true)) return;
    for (const std::string& line : protection_notices(plan.plan)) options.notice(line);
  }

  RunIdentity identity;
  std::shared_ptr<const HostFacts> host;
  RunPlan plan;
  std::optional<Supervisor> supervisor;
  std::optional<Error> supervision_error;
  Supervisor::Clock::time_point leaving_until;
  bool has_given_notice = false;
  bool is_stepping = false;
  bool is_cancelled = false;
  bool has_obeyed_cancel = false;
};

Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

int Run::fd() const { return done() ? -1 : state_->backend->fd(); }
bool Run::done() const { return state_->is_done(); }
void Run::step() { state_->step(); }
void Run::cancel() { state_->cancel(); }
void Run::job_signal(JobSignal signal) { state_->job_signal(signal); }
Outcome Run::outcome() { return std::exchange(state_->outcome, std::nullopt).value(); }

namespace {

Error has_ended() { return unsupported_error("the run has ended"); }

}  // namespace

Result<std::size_t> Run::write_input(std::string_view bytes) {
  return done() ? has_ended() : state_->backend->write_input(bytes);
}

void Run::close_input() {
  if (!done()) state_->backend->close_input();
}

Result<void> Run::resize(unsigned rows, unsigned columns) {
  return done() ? has_ended() : state_->backend->resize(rows, columns);
}

Result<void> Run::signal(RunSignal signal) {
  return done() ? has_ended() : state_->backend->signal(signal);
}

Run start_on(std::unique_ptr<Backend> backend, Policy policy, Request request, RunOptions options) {
  Run run(std::make_unique<Run::State>(std::move(backend), std::move(policy), std::move(request),
                                       std::move(options)));
  run.state_->begin();
  return run;
}

Outcome finish(Run run, int cancel_fd) {
  while (!run.done()) {
    if (wait_for_either(run.fd(), cancel_fd)) {
      cancel_fd = -1;
      run.cancel();
    }
    run.step();
  }
  return run.outcome();
}

PlanPreview preview_on(std::unique_ptr<Backend> backend, const Policy& policy, Request& request,
                       const RunOptions& options) {
  PlanPreview preview;
  Run::State state(std::move(backend), policy, request, options);
  state.preview = &preview;
  state.begin();
  while (!state.is_done()) {
    wait_for(state.backend->fd(), std::nullopt);
    state.step();
  }
  request = state.request;
  Outcome& outcome = *state.outcome;
  const bool denied = outcome.status == Status::denied;
  preview.checked = {.repairs = std::move(outcome.repairs),
                     .failed = outcome.status == Status::failed};
  if (denied) preview.checked.violations = std::move(outcome.violations);
  if (preview.checked.failed) preview.checked.violations = {would_fail(*outcome.error)};
  if (preview.checked.allowed()) preview.checked.tier = preview.plan.tier;
  return preview;
}

}  // namespace bawn
