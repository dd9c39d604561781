// Attempts to escape as data: what is tried, what must come of it, and where the same deed
// succeeds.
//
// An attempt is one line in one of the tables (files.cc, kernel.cc, processes.cc, network.cc).
// attempt_test.cc runs each of them: in the sandbox, where it must get the named answer and a
// observer outside must have seen nothing; and its control, without which a refusal would show
// nothing.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"

namespace bawn::escape {

// In words, {workspace}, {outside}, {pid}, {tcp}, {tcp6} and {abstract} stand for what TestSetup
// has made of them.
using Words = std::vector<std::string>;

struct Control {
  enum class Where {
    unconfined,  // without any sandbox
    sandboxed,   // in the same sandbox
    granted,     // in a sandbox whose policy grants it
    watched,     // without any sandbox, under a filter of its own that answers the system call
  };
  Where where;
  Words words;  // empty: those of the attempt
  std::string answer;
  void (*grant)(Policy& policy) = nullptr;
  long call = -1;
};

struct Attempt {
  const char* name;
  Words words;
  std::string answers;  // any of these, separated by '|'
  Control control;
};

// The same deed without a sandbox.
inline Control outside(std::string answer = "ok") {
  return {.where = Control::Where::unconfined, .words = {}, .answer = std::move(answer)};
}
// The deed where it is allowed: on the run's own things.
inline Control within(Words words, std::string answer = "ok") {
  return {
      .where = Control::Where::sandboxed, .words = std::move(words), .answer = std::move(answer)};
}
inline Control without_sandbox(Words words, std::string answer = "ok") {
  return {
      .where = Control::Where::unconfined, .words = std::move(words), .answer = std::move(answer)};
}
inline Control granted_by(void (*grant)(Policy&), std::string answer = "ok") {
  return {
      .where = Control::Where::granted, .words = {}, .answer = std::move(answer), .grant = grant};
}
// For what the kernel refuses to ordinary users everywhere, and what nobody wants to succeed: the
// deed makes this call.
inline Control reaches(long call) {
  return {.where = Control::Where::watched, .words = {}, .answer = "EXFULL", .call = call};
}

[[nodiscard]] const std::vector<Attempt>& attempts_on_files();
[[nodiscard]] const std::vector<Attempt>& attempts_on_the_kernel();
[[nodiscard]] const std::vector<Attempt>& attempts_on_the_network();
[[nodiscard]] const std::vector<Attempt>& attempts_on_processes();

}  // namespace bawn::escape
