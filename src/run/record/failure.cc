#include "run/record/failure.h"

#include <utility>

#include "base/text.h"
#include "outcome/denial.h"

namespace bawn {

Outcome not_started(const Error& error) {
  const bool unsupported = error.kind == ErrorKind::unsupported;
  return failed_outcome("", FailureKind::spawn_failed, error.message, "launch",
                        unsupported ? "'bawn doctor' tells who forbids it and what helps"
                                    : std::string(shortage_remedy(error.sys_errno)));
}

Violation would_fail(const Failure& failure) {
  return {"host.failed", "host", failure.message, failure.hint};
}

Outcome not_executable(const Plan& plan, const std::string& reason, std::string hint) {
  return denied_outcome(
      "",
      {{"executable.not_executable", plan.program.argv.front(),
        concat(quote(plan.program.file.path), " cannot be executed: ", reason), std::move(hint)}});
}

Outcome given_up(const Error& error) {
  return failed_outcome(
      "", FailureKind::runtime_failure,
      concat("the run was ended because bawn could not supervise it, and may have begun: ",
             error.message));
}

}  // namespace bawn
