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
#include "host/cgroup_place.h"
#include "host/probe.h"
#include "linux/held_cgroup.h"
#include "linux/launch.h"
#include "linux/launch_steps.h"
#include "linux/path_lookup.h"
#include "linux/receipt.h"
#include "outcome/denial.h"
#include "plan/plan.h"
#include "policy/credential_name.h"
#include "policy/policy_check.h"
#include "run/bawn.h"
#include "run/conclude.h"
#include "run/planned_run.h"
#include "supervise/supervisor.h"
#include "validate/validate.h"

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

std::optional<std::string> process_env(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

// A request on its way from words to a plan. Everything in here is decided before anything runs.
struct Prepared {
  Violations violations;
  std::vector<std::string> repairs;
  std::optional<Tier> tier;
  HostFacts host;
  Plan plan;
  RunFilter filter;
};

void append(Violations& to, Violations from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Violations as_violations(const std::string& code, const std::vector<json::Problem>& problems) {
  Violations out;
  for (const json::Problem& problem : problems) {
    out.push_back({code, problem.where, problem.message, problem.hint});
  }
  return out;
}

std::string workspace_of(const Policy& policy, const RunOptions& options) {
  if (policy.workspace.mode == WorkspaceMode::private_dir) return "";
  return policy.workspace.root.empty() ? options.workspace : policy.workspace.root;
}

std::string caller_variable(const RunOptions& options, std::string_view name) {
  return (options.caller_env ? options.caller_env(name) : process_env(name)).value_or("");
}

// Relative ones would mean something else with every directory, and what does not exist holds no program.
std::vector<std::string> directories_of(std::string_view path, const PathLookup& lookup) {
  std::vector<std::string> out;
  for (const std::string_view entry : split(path, ':')) {
    if (!entry.starts_with('/')) continue;
    Located located = lookup.locate(entry);
    if (located.kind == FileKind::directory) out.push_back(std::move(located.path));
  }
  return out;
}

// Why an attempt came to nothing that the host had seemed to allow; "" if there was none.
struct Lacking {
  std::string namespaces{};
  std::string cgroup{};
  bool operator==(const Lacking&) const = default;
};

// Costs some reads of small files, so only for a policy that has a use for it. A host that has no controller for processor
// time may still have the others.
void look_for_cgroups(const Limits& limits, const std::string& lacking, HostFacts& host,
                      Stopwatch& stopwatch) {
  const CgroupWish wish = cgroup_wish(limits);
  if (wish.empty()) return;
  host.cgroup_reason = lacking;
  if (!lacking.empty()) return;
  const CgroupView view = CgroupView::of_this_process();
  auto place = find_cgroup_place(view, wish.controllers, wish.parent);
  if (!place) {
    host.cgroup_reason = place.error().message;
    CgroupControllers fewer = wish.controllers;
    const bool has_cpu = std::erase(fewer, CgroupController::cpu) != 0;
    if (has_cpu && !fewer.empty() && !wish.insists) place = find_cgroup_place(view, fewer, std::nullopt);
  }
  if (place) host.cgroup_place = std::move(place).value();
  stopwatch.lap("cgroup_place");
}

Prepared prepare(const Policy& policy, Request& request, RunIdentity identity, const RunOptions& options,
                 Stopwatch& stopwatch, const Lacking& lacking = {}) {
  Prepared prepared;
  prepared.repairs = normalise_request(request);
  prepared.violations = as_violations("policy.invalid", check_policy(policy));
  append(prepared.violations, as_violations("request.invalid", check_request(request, options.source)));
  if (!prepared.violations.empty()) return prepared;

  prepared.host = probe_host();
  if (!lacking.namespaces.empty()) {
    prepared.host.tier_c = false;
    prepared.host.tier_c_reason = lacking.namespaces;
  }
  stopwatch.lap("probe");
  look_for_cgroups(policy.limits, lacking.cgroup, prepared.host, stopwatch);
  const auto tier = choose_tier(policy, prepared.host);
  if (const auto* unavailable = std::get_if<Violation>(&tier)) prepared.violations.push_back(*unavailable);
  // The rest is checked all the same, so that the caller sees everything at once.
  const Tier checked_as = std::holds_alternative<Tier>(tier) ? std::get<Tier>(tier) : policy.tier.floor;

  if (policy.limits.processes && checked_as == Tier::b && !prepared.host.cgroup_place)
    prepared.host.user_tasks = probe_user_tasks();

  const FileSystemLookup lookup;
  const bool own_tools = policy.executables.caller_path && checked_as == Tier::c && !policy.identity.uid;
  identity.search =
      own_tools ? directories_of(caller_variable(options, "PATH"), lookup) : std::vector<std::string>{};
  const ValidationContext context{.tier = checked_as,
                                  .lookup = &lookup,
                                  .workspace = workspace_of(policy, options),
                                  .search = identity.search,
                                  .caller_env = options.caller_env ? options.caller_env : process_env};
  Verdict verdict = validate(policy, request, context);
  stopwatch.lap("validate");
  const bool valid = verdict.allowed();
  append(prepared.violations, verdict.violations);
  if (!valid || !std::holds_alternative<Tier>(tier)) return prepared;

  prepared.tier = checked_as;
  Planned planned = plan_run(policy, request, verdict, checked_as, identity, prepared.host, lookup);
  append(prepared.violations, std::move(planned.violations));
  prepared.plan = std::move(planned.plan);
  if (auto filter = choose_filter(prepared.plan, caller_variable(options, "XDG_RUNTIME_DIR"))) {
    prepared.filter = std::move(filter).value();
  } else {
    prepared.violations.push_back({"system_calls.profile", policy.system_calls.profile,
                                   filter.error().message,
                                   "correct the profile, or use \"default\" or \"strict\""});
  }
  stopwatch.lap("plan");
  return prepared;
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
    for (;;) {
      const Lacking known = lacking_;
      prepared_ = prepare(policy_, request_, identity_, options_, stopwatch_, known);
      Outcome outcome = attempt();
      if (lacking_ == known || !accepts_less_than(known)) return outcome;
    }
  }

  // Whether the policy can do without what the last attempt has missed. Each can be missed once only.
  [[nodiscard]] bool accepts_less_than(const Lacking& known) const {
    if (lacking_.namespaces != known.namespaces) {
      log(concat("no namespaces: ", lacking_.namespaces));
      return accepts_tier_b();
    }
    log(concat("no cgroup: ", lacking_.cgroup));
    return policy_.limits.cgroup_parent.empty();
  }

  void log(std::string_view line) const {
    if (options_.log) options_.log(line);
  }

  [[nodiscard]] bool accepts_tier_b() const {
    return policy_.tier.use == TierChoice::automatic && policy_.tier.floor <= Tier::b;
  }

  Outcome attempt() {
    if (!prepared_.violations.empty()) {
      log(concat("denied: ", prepared_.violations.size(), " violations"));
      return stamped(denied_outcome(identity_.run_id, prepared_.violations));
    }
    const Plan& plan = prepared_.plan;
    log(concat("tier ",
               std::string_view(plan.tier == Tier::c   ? "c"
                                : plan.tier == Tier::b ? "b"
                                                       : "none"),
               ", program ", quote(plan.program.file.path), ", cwd ",
               quote(plan.tier == Tier::c ? plan.root.cwd : plan.cwd.path), ", network ",
               plan.refuse_network ? "refused" : "not isolated"));
    return launch_and_supervise();
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

  Outcome launch_and_supervise() {
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
    std::optional<HeldCgroup> cgroup;
    if (auto made = make_cgroup(cgroup); !made) return failed(made.error());
    auto launched = launch(prepared_.plan, prepared_.filter, prepared_.host, stdio,
                           cgroup ? &cgroup->run() : nullptr, stopwatch_);
    if (!launched) {
      if (launched.error().kind == ErrorKind::unsupported) lacking_.namespaces = launched.error().message;
      return failed(launched.error().within("launch"));
    }
    capture.close_child_ends();

    const Supervision supervision{.limits = prepared_.plan.limits,
                                  .cancel_fd = options_.cancel_fd,
                                  .pump = needs_pump ? &capture.pump() : nullptr,
                                  .terminal = terminal ? &*terminal : nullptr,
                                  .control = &options_.terminal,
                                  .stopwatch = &stopwatch_};
    const auto supervised = supervise(std::move(launched).value(), supervision);
    if (!supervised) return failed(supervised.error().within("supervise"));
    log(concat("ended: ", to_string(supervised.value().run.ending)));
    if (const auto& failure = supervised.value().failure) note_lack(*failure);
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
      lacking_.cgroup = made.error().message;
      return made.error();
    }
    cgroup.emplace(std::move(made).value());
    return {};
  }

  void note_lack(const keeper::Report& failure) {
    if (failure.step == keeper::Step::enter_cgroup) {
      lacking_.cgroup = concat("could not ", step_words(failure.step).what, ": ", errno_text(failure.error));
    } else if (std::string lack = lack_of_namespaces(failure); !lack.empty()) {
      lacking_.namespaces = std::move(lack);
    }
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

  Outcome failed(const Error& error) {
    const bool unsupported = error.kind == ErrorKind::unsupported;
    return stamped(failed_outcome(identity_.run_id, FailureKind::spawn_failed, error.message, "launch",
                                  unsupported ? "'bawn doctor' tells who forbids it and what helps" : ""));
  }

  Outcome stamped(Outcome outcome) const {
    outcome.run_id = identity_.run_id;
    outcome.repairs = prepared_.repairs;
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
  Prepared prepared_;
  Lacking lacking_;  // what an attempt has found missing; nothing ran then
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
  Prepared prepared = prepare(policy, request, identity, options, nobody_asked);
  return {{std::move(prepared.violations), std::move(prepared.repairs), prepared.tier},
          std::move(prepared.plan),
          std::move(prepared.filter),
          std::move(prepared.host)};
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
