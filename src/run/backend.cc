#include "run/backend.h"

#include "run/identity.h"
#include "run/record/failure.h"

namespace bawn {

RunIdentity Backend::preview_identity(const RunInput& input) {
  return unnamed_identity(input.request);
}

Readiness Backend::set_up(const RunInput& /*input*/, RunPlan& /*plan*/) { return {}; }

Readiness Backend::continue_setup(const RunInput& /*input*/, bool /*cancelled*/) { return {}; }

bool Backend::tries_out(Tier /*tier*/) const { return false; }

void Backend::describe(PlanPreview& /*preview*/) {}

Outcome Backend::plan_failure(const Error& error) { return not_started(error); }

std::optional<HostFacts> Backend::retry_with(const RunInput& /*input*/, const HostFacts& /*host*/) {
  return std::nullopt;
}

Result<std::size_t> Backend::write_input(std::string_view /*bytes*/) {
  return unsupported_error("this run has no pipe as stdin (RunOptions::input_pipe)");
}

void Backend::close_input() {}

Result<void> Backend::resize(unsigned /*rows*/, unsigned /*columns*/) {
  return unsupported_error("this run has no terminal of its own to resize");
}

Result<void> Backend::signal(RunSignal /*signal*/) {
  return unsupported_error("signals to the command are not supported on this system");
}

Result<void> Backend::job_signal(JobSignal signal, Supervisor& supervisor) {
  if (signal == JobSignal::interrupt || signal == JobSignal::quit)
    supervisor.happen(RunEvent::cancelled);
  return {};
}

}  // namespace bawn
