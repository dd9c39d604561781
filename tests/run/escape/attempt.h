// Attempts to escape, as data: what is tried, which answer it must get, and a control where the
// same action succeeds.
//
// An attempt is one line in a table (files.cc, kernel.cc, processes.cc, network.cc).
// attempt_test.cc runs each line twice. In the sandbox it must get the answer, and nothing outside
// may have changed. Then the control must get another answer: without it, a refusal would prove
// nothing.
#pragma once

#include <string>
#include <vector>

#include "fixture_policy.h"

namespace bawn::escape {

// The guest's verb and arguments. TestSetup replaces {workspace}, {outside}, {pid}, {group}, {tcp},
// {tcp6} and {abstract} in them.
using Words = std::vector<std::string>;

// Where the action succeeds, and what it answers there.
struct Control {
  enum class Where {
    unconfined,  // without any sandbox
    sandboxed,   // in the same sandbox
    granted,     // in a sandbox whose policy grants it
    watched,     // without any sandbox, under a filter that answers the system call with EXFULL
  };
  Where where;
  Words words;  // empty: those of the attempt
  std::string answer;
  void (*grant)(FixturePolicy& policy) = nullptr;
  long call = -1;
};

struct Attempt {
  const char* name;
  Words words;
  std::string answers;  // any of these, separated by '|'
  Control control;
};

// The same action without a sandbox.
inline Control outside(std::string answer = "ok") {
  return {.where = Control::Where::unconfined, .words = {}, .answer = std::move(answer)};
}
// Another action in the same sandbox, where it is allowed: on files and processes of the run.
inline Control within(Words words, std::string answer = "ok") {
  return {
      .where = Control::Where::sandboxed, .words = std::move(words), .answer = std::move(answer)};
}
// Another action without a sandbox.
inline Control without_sandbox(Words words, std::string answer = "ok") {
  return {
      .where = Control::Where::unconfined, .words = std::move(words), .answer = std::move(answer)};
}
// The same action in a sandbox whose policy grants it.
inline Control granted_by(void (*grant)(FixturePolicy&), std::string answer = "ok") {
  return {
      .where = Control::Where::granted, .words = {}, .answer = std::move(answer), .grant = grant};
}
// For actions that the kernel refuses to ordinary users everywhere, or that would harm the host. It
// only shows that the action makes this system call.
inline Control reaches(long call) {
  return {.where = Control::Where::watched, .words = {}, .answer = "EXFULL", .call = call};
}

[[nodiscard]] const std::vector<Attempt>& attempts_on_files();
[[nodiscard]] const std::vector<Attempt>& attempts_on_the_kernel();
[[nodiscard]] const std::vector<Attempt>& attempts_on_the_network();
[[nodiscard]] const std::vector<Attempt>& attempts_on_processes();

}  // namespace bawn::escape
