#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "base/run_id.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "capture/pump.h"
#include "capture/redactor.h"
#include "host/probe.h"
#include "linux/held_cgroup.h"
#include "linux/landlock_ruleset.h"
#include "linux/launch.h"
#include "linux/launch_steps.h"
#include "linux/path_lookup.h"
#include "outcome/denial.h"
#include "plan/plan.h"
#include "policy/credential_name.h"
#include "run/bawn.h"
#include "run/conclude.h"
#include "run/planned_run.h"
#include "run/prepare.h"
#include "supervise/supervisor.h"

namespace bawn {
namespace {

using Clock = std::chrono::steady_clock;

Result<std::string> fresh_id() {
  std::array<unsigned char, 10> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return system_error(errno, "getrandom");
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return make_run_id(static_cast<std::uint64_t>(ms), random);
}

// What happens to the command's stdio, as far as the caller's mode and the plan decide it.
struct StdioPlan {
  StdioMode mode = StdioMode::capture;
  PlannedTerminal terminal;
  int terminal_fd =
      -1;  // the caller's own terminal, if there is one: what is printed to the private one belongs there
  Limit output_bytes;

  [[nodiscard]] bool on_own_terminal(int fd) const {
    return terminal.use == TerminalUse::own && (terminal.stdio & 1U << static_cast<unsigned>(fd)) != 0;
  }
  // Another terminal than the one that the private one stands for is kept from the command by a pipe.
  [[nodiscard]] bool is_relayed(int fd) const {
    return mode == StdioMode::pass && !on_own_terminal(fd) &&
           (output_bytes || (terminal.use == TerminalUse::own && isatty(fd) == 1));
  }
  [[nodiscard]] bool is_captured(int fd) const { return mode != StdioMode::pass && !on_own_terminal(fd); }
  [[nodiscard]] bool needs_pump() const {
    return mode != StdioMode::pass || output_bytes || terminal.use == TerminalUse::own;
  }
};

// The streams of a run that go through bawn, the captured ones each behind its own redactor.
class Capture {
 public:
  explicit Capture(const Policy& policy)
      : redacts_(policy.redaction.enabled), out_(secrets_of(policy)), err_(secrets_of(policy)) {}

  Result<void> open(const StdioPlan& plan, const Request& request) {
    const PumpOptions options{.stdout_sink = sink(plan, out_, STDOUT_FILENO),
                              .stderr_sink = sink(plan, err_, STDERR_FILENO),
                              .terminal_sink = terminal_sink(plan),
                              .stdin_text = request.stdin_text,
                              .output_bytes = plan.output_bytes};
    BAWN_ASSIGN(Pump pump, Pump::create(options));
    pump_.emplace(std::move(pump));
    ends_ = pump_->take_child_ends();
    return {};
  }

  [[nodiscard]] Stdio stdio(StdioMode mode) const {
    const auto own_or = [](const Fd& end, int fd) { return end ? end.get() : fd; };
    return {.in = mode == StdioMode::capture ? ends_.stdin_read.get() : STDIN_FILENO,
            .out = own_or(ends_.stdout_write, STDOUT_FILENO),
            .err = own_or(ends_.stderr_write, STDERR_FILENO)};
  }

  void close_child_ends() { ends_ = {}; }
  Pump& pump() { return *pump_; }

  void record(Outcome& outcome) {
    PumpedOutput output = pump_->finish();
    // A terminal is one stream, whatever was written to it as stderr.
    outcome.stdout_stream = stream_record(on_terminal_ ? output.terminal_stream : output.stdout_stream);
    outcome.stderr_stream = stream_record(output.stderr_stream);
    outcome.truncated =
        output.stdout_stream.truncated || output.stderr_stream.truncated || output.terminal_stream.truncated;
    for (const Redactor* redactor : {&out_, &err_}) {
      for (const auto& [kind, count] : redactor->counts()) outcome.redactions[kind] += count;
    }
  }

 private:
  // What the policy itself puts into the command's environment may come back in its output.
  static std::vector<std::string> secrets_of(const Policy& policy) {
    std::vector<std::string> secrets = policy.redaction.secrets;
    for (const auto& [name, value] : policy.environment.set) {
      if (looks_like_credential(name)) secrets.push_back(value);
    }
    return secrets;
  }

  Sink sink(const StdioPlan& plan, Redactor& redactor, int fd) const {
    if (plan.is_relayed(fd)) return RelaySink{.target = fd};
    if (plan.is_captured(fd)) return CaptureSink{.filter = redacts_ ? &redactor : nullptr};
    return NoSink{};
  }

  Sink terminal_sink(const StdioPlan& plan) {
    if (plan.terminal.use != TerminalUse::own) return NoSink{};
    on_terminal_ = plan.on_own_terminal(STDOUT_FILENO);
    const bool captured = plan.mode != StdioMode::pass && on_terminal_;
    if (!captured) return RelaySink{.target = plan.terminal_fd >= 0 ? plan.terminal_fd : STDOUT_FILENO};
    return CaptureSink{.filter = redacts_ ? &out_ : nullptr};
  }

  bool redacts_;
  bool on_terminal_ = false;  // stdout is
  Redactor out_;
  Redactor err_;
  std::optional<Pump> pump_;
  ChildEnds ends_;
};

// What the layers themselves have to say about the plan.
void ask_layers(const RunFilter& filter, PlannedRun& planned) {
  if (planned.plan.tier == Tier::unconfined) return;
  planned.filter = {filter.name, filter.code().size(), filter_hash(filter.code())};
  // Behind the mounts of tier c these gaps lead nowhere.
  if (planned.plan.tier != Tier::b) return;
  for (LandlockGap& gap : landlock_gaps(planned.host.landlock_abi))
    planned.gaps.push_back({std::move(gap.layer), std::move(gap.why)});
}

class Runner {
 public:
  Runner(const Policy& policy, Request request, const RunOptions& options)
      : policy_(policy), request_(std::move(request)), options_(options) {
    if (options_.timing) stopwatch_.start();
    begun_ = Clock::now();  // the duration lies within what the stopwatch measures
  }

  // The run, and how long each step of it took if somebody wants to know.
  Outcome timed_run() {
    Outcome outcome = run();
    stopwatch_.lap("answer");
    for (const Lap& lap : stopwatch_.laps()) outcome.timing.push_back({std::string(lap.step), lap.ns});
    return outcome;
  }

 private:
  Outcome run() {
    // Before anything is opened: a number that is free now would be one of our own files a moment later.
    if (const auto open = require_stdio(); !open) return failed(open.error());
    const auto id = fresh_id();
    if (!id) return failed(id.error());
    identity_ = {.run_id = request_.run_id.empty() ? id.value() : request_.run_id,
                 .private_name = concat("bawn-", id.value()),
                 .home = caller_variable(options_, "HOME"),
                 .terminals = CallerTerminal::stdio(borrowed_files())};
    repairs_ = normalise_request(request_);
    HostFacts host = probe_host();
    stopwatch_.lap("probe");
    Outcome outcome = attempt(host);
    while (give_up_what_is_lacking(host)) outcome = attempt(host);
    return outcome;
  }

  // Whether the policy can do without what the last attempt has missed; then `host` no longer offers it.
  bool give_up_what_is_lacking(HostFacts& host) {
    if (!no_namespaces_.empty() && host.tier_c && accepts_tier_b()) {
      log(concat("no namespaces, so tier b: ", no_namespaces_));
      host.tier_c = false;
      host.tier_c_reason = no_namespaces_;
      return true;
    }
    if (!no_cgroup_.empty() && host.cgroup_reason.empty() && policy_.limits.cgroup_parent.empty()) {
      log(concat("no cgroup, so rlimits: ", no_cgroup_));
      host.cgroup_reason = no_cgroup_;
      return true;
    }
    return false;
  }

  void log(std::string_view line) const {
    if (options_.log) options_.log(line);
  }

  [[nodiscard]] bool accepts_tier_b() const {
    return policy_.tier.use == TierChoice::automatic && policy_.tier.floor <= Tier::b;
  }

  // The keeper makes its namespaces and begins with the root while the request is judged; if that is denied, it ends
  // without a program.
  Outcome attempt(const HostFacts& host) {
    prepared_ = weigh_words(policy_, request_, options_.source, host);
    if (!prepared_.words_are_valid) return denied();
    std::optional<KeeperProcess> keeper;
    if (prepared_.tier) {
      auto started = KeeperProcess::start(place_of_keeper(*prepared_.tier));
      if (!started) return not_launched(started.error());
      keeper.emplace(std::move(started).value());
      stopwatch_.lap("keeper");
      if (auto laid = begin_yard(*keeper, host); !laid) return not_launched(laid.error());
    }
    judge_and_plan(prepared_, policy_, request_, identity_, options_, stopwatch_);
    if (!prepared_.violations.empty()) return denied();
    log_plan();
    return launch_and_supervise(*std::move(keeper));
  }

  // Nothing is begun as somebody whom the plan will refuse.
  Result<void> begin_yard(const KeeperProcess& keeper, const HostFacts& host) {
    if (prepared_.tier != Tier::c) return {};
    const YardPlan yard = plan_yard(policy_, host);
    if (!may_become(yard.user, host)) return {};
    return lay_foundation(keeper, yard, host, stopwatch_);
  }

  [[nodiscard]] KeeperPlace place_of_keeper(Tier tier) const {
    if (tier != Tier::c) return KeeperPlace::host;
    return refuses_network(policy_.egress) ? KeeperPlace::closed_yard : KeeperPlace::yard;
  }

  Outcome denied() {
    log(concat("denied: ", prepared_.violations.size(), " violations"));
    return stamped(denied_outcome(identity_.run_id, prepared_.violations));
  }

  void log_plan() const {
    if (!options_.log) return;
    const Plan& plan = prepared_.plan;
    log(concat("tier ",
               std::string_view(plan.tier == Tier::c   ? "c"
                                : plan.tier == Tier::b ? "b"
                                                       : "none"),
               ", program ", quote(plan.program.file.path), ", cwd ",
               quote(plan.tier == Tier::c ? plan.root.cwd : plan.cwd.path), ", network ",
               plan.refuse_network ? "refused" : "not isolated"));
  }

  // What the command is to get of the caller's stdio must be there.
  [[nodiscard]] Result<void> require_stdio() const {
    for (int fd = 0; fd < borrowed_files(); ++fd) {
      if (fcntl(fd, F_GETFD) == -1)
        return invalid_error(concat("the caller's file ", fd, " is closed; open it on /dev/null"));
    }
    return {};
  }

  // How many of the caller's files, from 0 on, the command is to get.
  [[nodiscard]] int borrowed_files() const {
    switch (options_.stdio) {
      case StdioMode::capture:
        return 0;
      case StdioMode::capture_output:
        return 1;
      case StdioMode::pass:
        return 3;
    }
    return 3;
  }

  // A terminal that was asked for without there being one to stand for.
  [[nodiscard]] keeper::TerminalOrder unattended_terminal() const {
    return {.wanted = true,
            .foreground = true,
            .has_modes = false,
            .stdio = static_cast<std::uint8_t>(prepared_.plan.terminal.stdio),
            .size = {.rows = 24, .columns = 80, .x_pixels = 0, .y_pixels = 0},
            .modes = {}};
  }

  // The caller's side of a private terminal, if the command gets one in the caller's terminal's place.
  Result<void> open_terminal(std::optional<TerminalSession>& terminal) const {
    if (prepared_.plan.terminal.use != TerminalUse::own || identity_.terminals == 0) return {};
    BAWN_ASSIGN(TerminalSession opened,
                TerminalSession::open(prepared_.plan.terminal.stdio, options_.terminal));
    terminal.emplace(std::move(opened));
    return {};
  }

  Outcome launch_and_supervise(KeeperProcess keeper) {
    std::optional<TerminalSession> terminal;
    if (auto opened = open_terminal(terminal); !opened) return failed(opened.error());
    const StdioPlan planned{.mode = options_.stdio,
                            .terminal = prepared_.plan.terminal,
                            .terminal_fd = terminal ? terminal->output_fd() : -1,
                            .output_bytes = policy_.limits.output_bytes};
    const bool needs_pump = planned.needs_pump();
    Capture capture(policy_);
    if (needs_pump) {
      if (auto opened = capture.open(planned, request_); !opened) return failed(opened.error());
    }
    Stdio stdio = capture.stdio(options_.stdio);
    if (planned.terminal.use == TerminalUse::own) {
      stdio.terminal = terminal ? terminal->order() : unattended_terminal();
    }
    auto tools = make_supervision_tools(options_.cancel_fd);
    if (!tools) return failed(tools.error().within("supervise"));
    std::optional<HeldCgroup> cgroup;
    if (auto made = make_cgroup(cgroup); !made) return failed(made.error());
    auto launched = launch(prepared_.plan, prepared_.filter, prepared_.host, stdio,
                           cgroup ? &cgroup->run() : nullptr, std::move(keeper), stopwatch_);
    if (!launched) return not_launched(launched.error());
    capture.close_child_ends();

    const Supervision supervision{.limits = prepared_.plan.limits,
                                  .cancel_fd = options_.cancel_fd,
                                  .pump = needs_pump ? &capture.pump() : nullptr,
                                  .terminal = terminal ? &*terminal : nullptr,
                                  .control = &options_.terminal,
                                  .stopwatch = &stopwatch_};
    const auto supervised = supervise(std::move(launched).value(), supervision, std::move(tools).value());
    if (!supervised) return given_up(supervised.error());
    log(concat("ended: ", to_string(supervised.value().run.ending)));
    if (const auto& failure = supervised.value().failure) {
      no_namespaces_ = lack_of_namespaces(*failure);
      no_cgroup_ = lack_of_cgroup(*failure);
    }
    if (const auto& first = supervised.value().start ? supervised.value().start : supervised.value().failure)
      add_keeper_steps(*first, stopwatch_);
    std::optional<CgroupRecord> counted;
    if (cgroup) counted = cgroup->record();
    Outcome outcome = conclude(supervised.value(), prepared_.plan, prepared_.filter, prepared_.host, counted);
    if (needs_pump) capture.record(outcome);
    report_created(outcome);
    return stamped(std::move(outcome));
  }

  Result<void> make_cgroup(std::optional<HeldCgroup>& cgroup) {
    if (!prepared_.plan.cgroup) return {};
    auto made = HeldCgroup::make(*prepared_.plan.cgroup);
    stopwatch_.lap("cgroup");
    if (!made) {
      no_cgroup_ = made.error().message;
      return made.error();
    }
    cgroup.emplace(std::move(made).value());
    return {};
  }

  // What did not exist could not be protected without leaving something in the workspace.
  void report_created(Outcome& outcome) const {
    const FileSystemLookup lookup;
    for (const std::string& path : prepared_.plan.root.still_missing) {
      const Located now = lookup.locate(path);
      if (now.kind == FileKind::missing && now.trouble.empty()) continue;
      outcome.violations.push_back(
          {"workspace.protected_created", path,
           concat("the command created ", quote(path), ", which the policy protects"),
           "look at it before any other program does, or remove it"});
    }
  }

  Outcome not_launched(const Error& error) {
    if (error.kind == ErrorKind::unsupported) no_namespaces_ = error.message;
    return failed(error.within("launch"));
  }

  // bawn could not look after a run that it had started.
  Outcome given_up(const Error& error) {
    return stamped(failed_outcome(
        identity_.run_id, FailureKind::runtime_failure,
        concat("the run was ended because bawn could not supervise it, and may have begun: ", error.message),
        "", ""));
  }

  Outcome failed(const Error& error) {
    const bool unsupported = error.kind == ErrorKind::unsupported;
    return stamped(failed_outcome(identity_.run_id, FailureKind::spawn_failed, error.message, "launch",
                                  unsupported ? "'bawn doctor' tells who forbids it and what helps" : ""));
  }

  Outcome stamped(Outcome outcome) const {
    outcome.run_id = identity_.run_id;
    outcome.repairs = repairs_;
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_).count();
    outcome.duration_ms = static_cast<std::uint64_t>(elapsed);
    return outcome;
  }

  const Policy& policy_;
  Request request_;
  const RunOptions& options_;
  Clock::time_point begun_;
  Stopwatch stopwatch_;
  RunIdentity identity_;
  std::vector<std::string> repairs_;
  Prepared prepared_;
  std::string no_namespaces_;  // why tier c could not be had; nothing ran then
  std::string no_cgroup_;      // why none could be had; likewise
};

}  // namespace

Outcome run(const Policy& policy, Request request, const RunOptions& options) {
  return Runner(policy, std::move(request), options).timed_run();
}

PlannedRun plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  Stopwatch nobody_asked;
  // What is new with every run stands in the plan as a word that says so.
  const RunIdentity identity{.run_id = request.run_id.empty() ? "<run-id>" : request.run_id,
                             .private_name = "bawn-<run-id>",
                             .home = caller_variable(options, "HOME")};
  std::vector<std::string> repairs = normalise_request(request);
  Prepared prepared = weigh_words(policy, request, options.source, probe_host());
  if (prepared.words_are_valid) judge_and_plan(prepared, policy, request, identity, options, nobody_asked);
  PlannedRun planned{.checked = {std::move(prepared.violations), std::move(repairs), prepared.tier},
                     .plan = std::move(prepared.plan),
                     .host = std::move(prepared.host)};
  if (planned.checked.allowed()) ask_layers(prepared.filter, planned);
  return planned;
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
