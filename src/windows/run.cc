#include <windows.h>

#include <bcrypt.h>

#include <array>
#include <chrono>

#include "base/run_id.h"
#include "base/text.h"
#include "capture/record.h"
#include "capture/redactor.h"
#include "outcome/denial.h"
#include "policy/credential_name.h"
#include "run/bawn.h"
#include "run/planned_run.h"
#include "windows/conclude.h"
#include "windows/launch.h"
#include "windows/prepare.h"
#include "windows/pump.h"
#include "windows/supervisor.h"
#include "windows/system_text.h"

namespace bawn {
namespace windows {
namespace {

using Clock = std::chrono::steady_clock;

Result<std::string> fresh_id() {
  std::array<unsigned char, 10> random{};
  if (BCryptGenRandom(nullptr, random.data(), random.size(), BCRYPT_USE_SYSTEM_PREFERRED_RNG) < 0)
    return unsupported_error("the system has no random numbers");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return make_run_id(static_cast<std::uint64_t>(ms), random);
}

// What the policy itself puts into the command's environment may come back in its output.
std::vector<std::string> secrets_of(const Policy& policy) {
  std::vector<std::string> secrets = policy.redaction.secrets;
  for (const auto& [name, value] : policy.environment.set) {
    if (looks_like_credential(name)) secrets.push_back(value);
  }
  return secrets;
}

CapturedStream stream_record(const PumpedStream& stream) {
  RecordText text = make_record(stream.kept, stream.truncated ? StreamEnd::cut : StreamEnd::whole);
  return {std::move(text.data), text.base64 ? Encoding::base64 : Encoding::utf8, stream.bytes};
}

// The caller's own file as the command gets it; the null device where the caller has none.
Result<Handle> inheritable_copy(DWORD which) {
  HANDLE own = GetStdHandle(which);
  HANDLE copy = nullptr;
  HANDLE self = GetCurrentProcess();
  if (own != nullptr && own != INVALID_HANDLE_VALUE &&
      DuplicateHandle(self, own, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0) {
    return Handle(copy);
  }
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  Handle null(CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                          &inheritable, OPEN_EXISTING, 0, nullptr));
  if (!null) return system_failure(GetLastError(), "open NUL");
  return null;
}

// Fills an end that the pump does not have.
Result<void> lend(Handle& end, DWORD which) {
  if (end) return {};
  BAWN_ASSIGN(end, inheritable_copy(which));
  return {};
}

// The streams of a run, the captured ones each behind its own redactor.
class Capture {
 public:
  Capture(const Policy& policy, StdioMode mode)
      : mode_(mode),
        redacts_(policy.redaction.enabled),
        limit_(policy.limits.output_bytes),
        out_(secrets_of(policy)),
        err_(secrets_of(policy)) {}

  Result<void> open(const Request& request, HANDLE port) {
    const PumpOptions options{.stdout_sink = sink(out_, STD_OUTPUT_HANDLE),
                              .stderr_sink = sink(err_, STD_ERROR_HANDLE),
                              .own_stdin = mode_ == StdioMode::capture,
                              .stdin_text = request.stdin_text,
                              .output_bytes = limit_};
    BAWN_ASSIGN(Pump pump, Pump::create(options, port));
    pump_.emplace(std::move(pump));
    ends_ = pump_->take_child_ends();
    BAWN_TRY(lend(ends_.stdin_read, STD_INPUT_HANDLE));
    BAWN_TRY(lend(ends_.stdout_write, STD_OUTPUT_HANDLE));
    return lend(ends_.stderr_write, STD_ERROR_HANDLE);
  }

  [[nodiscard]] Stdio stdio() const {
    return {.in = ends_.stdin_read.get(),
            .out = ends_.stdout_write.get(),
            .err = ends_.stderr_write.get(),
            .shares_console = mode_ != StdioMode::capture};
  }
  void close_child_ends() { ends_ = {}; }
  Pump& pump() { return *pump_; }

  void record(Outcome& outcome) {
    PumpedOutput output = pump_->finish();
    outcome.stdout_stream = stream_record(output.stdout_stream);
    outcome.stderr_stream = stream_record(output.stderr_stream);
    outcome.truncated = output.stdout_stream.truncated || output.stderr_stream.truncated;
    for (const Redactor* redactor : {&out_, &err_}) {
      for (const auto& [kind, count] : redactor->counts()) outcome.redactions[kind] += count;
    }
  }

 private:
  OutputSink sink(Redactor& redactor, DWORD target) const {
    if (mode_ != StdioMode::pass)
      return {.kind = SinkKind::capture, .filter = redacts_ ? &redactor : nullptr};
    if (!limit_) return {};
    return {.kind = SinkKind::relay, .target = GetStdHandle(target)};
  }

  StdioMode mode_;
  bool redacts_;
  Limit limit_;
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
    begun_ = Clock::now();
  }

  Outcome timed_run() {
    Outcome outcome = stamped(run());
    stopwatch_.lap("answer");
    for (const Lap& lap : stopwatch_.laps()) outcome.timing.push_back({std::string(lap.step), lap.ns});
    return outcome;
  }

 private:
  Outcome run() {
    const auto id = fresh_id();
    if (!id) return failed(id.error());
    const RunIdentity identity{.run_id = request_.run_id.empty() ? id.value() : request_.run_id,
                               .private_name = concat("bawn-", id.value())};
    run_id_ = identity.run_id;
    prepared_ = prepare(policy_, request_, identity, options_, stopwatch_);
    if (!prepared_.violations.empty()) {
      log(concat("denied: ", prepared_.violations.size(), " violations"));
      return denied_outcome(run_id_, prepared_.violations);
    }
    log(concat("program ", quote(prepared_.plan.program.file.path), ", cwd ",
               quote(prepared_.plan.cwd.path)));
    return launch_and_supervise();
  }

  Outcome launch_and_supervise() {
    const auto port = create_port();
    if (!port) return failed(port.error());
    Capture capture(policy_, options_.stdio);
    if (auto opened = capture.open(request_, port.value().get()); !opened) return failed(opened.error());
    std::vector<std::string> words{request_.command};
    words.insert(words.end(), request_.args.begin(), request_.args.end());
    const auto caller = [this](std::string_view name) { return caller_variable(options_, name); };
    auto launched = launch(prepared_.plan, words, caller, capture.stdio(), port.value().get());
    if (!launched) return start_failure(launched.error(), prepared_.plan);
    stopwatch_.lap("launch");
    capture.close_child_ends();
    return supervise_it(std::move(launched).value(), capture, port.value().get());
  }

  Outcome supervise_it(Launched launched, Capture& capture, HANDLE port) {
    const Supervision supervision{.limits = prepared_.plan.limits,
                                  .port = port,
                                  .cancel = cancel_event(),
                                  .pump = &capture.pump(),
                                  .stopwatch = &stopwatch_};
    const auto supervised = supervise(launched.job, launched.process, supervision);
    if (!supervised) return failed(supervised.error().within("supervise"));
    log(concat("ended: ", to_string(supervised.value().run.ending)));
    Outcome outcome = conclude(supervised.value(), prepared_.plan, launched.readback);
    capture.record(outcome);
    if (launched.directory && !launched.directory->remove()) admit_leftovers(outcome);
    return outcome;
  }

  static void admit_leftovers(Outcome& outcome) {
    for (Enforcement& layer : outcome.enforcement) {
      if (layer.layer == "private_directory")
        layer = {"private_directory", LayerState::absent, "some of it could not be removed"};
    }
  }

  // On Windows the number is that of an event, of which only the lower half counts.
  [[nodiscard]] HANDLE cancel_event() const {
    return options_.cancel_fd < 0 ? nullptr : LongToHandle(options_.cancel_fd);
  }

  void log(std::string_view line) const {
    if (options_.log) options_.log(line);
  }

  static Outcome failed(const Error& error) {
    return failed_outcome("", FailureKind::spawn_failed, error.message, "launch");
  }

  Outcome stamped(Outcome outcome) const {
    outcome.run_id = run_id_;
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
  std::string run_id_;
  Prepared prepared_;
};

}  // namespace
}  // namespace windows

Outcome run(const Policy& policy, Request request, const RunOptions& options) {
  return windows::Runner(policy, std::move(request), options).timed_run();
}

PlannedRun plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  Stopwatch nobody_asked;
  // What is new with every run stands in the plan as a word that says so.
  const RunIdentity identity{.run_id = request.run_id.empty() ? "<run-id>" : request.run_id,
                             .private_name = "bawn-<run-id>"};
  windows::Prepared prepared = windows::prepare(policy, request, identity, options, nobody_asked);
  return {.checked = {std::move(prepared.violations), std::move(prepared.repairs), prepared.tier},
          .plan = std::move(prepared.plan),
          .host = std::move(prepared.host)};
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
