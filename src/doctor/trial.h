// Runs a function in a child to learn what the host allows, so that this process is not changed.
//
// Only for single-threaded programs: the child is a plain copy of this process, and its work may
// allocate and lock.
#pragma once

#include <string>

namespace bawn {

// The result of a trial. Step names are string constants of this program, so the pointers are valid
// in parent and child.
struct Trial {
  const char* failed_step = nullptr;  // null: everything worked
  int sys_errno = 0;                  // of that step; 0 if the call succeeded but had no effect
  int number = 0;                     // a value that a successful trial reports
  // The step failed on a file's content, which a seccomp filter cannot see.
  bool on_file = false;

  [[nodiscard]] bool worked() const { return failed_step == nullptr; }
};

// Reads errno: call it in the statement after the failed call.
[[nodiscard]] Trial failed_at(const char* step);
[[nodiscard]] Trial failed_on_file(const char* step);
// For a call that succeeded without the expected effect.
[[nodiscard]] Trial without_effect(const char* step);
[[nodiscard]] Trial worked_with(int number);

// "clone: Operation not permitted (EPERM)".
[[nodiscard]] std::string describe(const Trial& trial);

inline constexpr const char* kCloneStep = "clone";

// Runs `work` in a child with the given new namespaces (CLONE_NEW*). With a new user namespace, the
// child's ids are mapped to themselves first. A child killed by a signal counts as failed; the step
// name says so.
[[nodiscard]] Trial try_in_child(unsigned long namespaces, Trial (*work)());

}  // namespace bawn
