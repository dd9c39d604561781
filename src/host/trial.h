// Trying something in a child, so that it leaves no trace in this process: the only way to know
// what a host allows.
//
// Only for programs with one thread: the child is a plain copy, and its work may use everything
// this program can.
#pragma once

#include <string>

namespace bawn {

// How it went. Steps are constant texts of this program, valid in parent and child alike.
struct Trial {
  const char* failed_step = nullptr;  // none: everything worked
  int sys_errno = 0;  // of that step; 0 if the call answered but the effect was not there
  int number = 0;     // what a successful trial wants to tell
  bool on_file =
      false;  // that step was about a file, which no filter of system calls can tell from another

  [[nodiscard]] bool worked() const { return failed_step == nullptr; }
};

// For the statement after a call that failed.
[[nodiscard]] Trial failed_at(const char* step);
[[nodiscard]] Trial failed_on_file(const char* step);
// For a step that was accepted and had no effect.
[[nodiscard]] Trial without_effect(const char* step);
[[nodiscard]] Trial worked_with(int number);

// "clone: Operation not permitted (EPERM)".
[[nodiscard]] std::string describe(const Trial& trial);

inline constexpr const char* kCloneStep = "clone";

// `work` in a child with the given namespaces of its own (CLONE_NEW*); with a user namespace, the
// child has this user's ids mapped to themselves before it starts. A child that dies of a signal
// has failed at the step that says so.
[[nodiscard]] Trial try_in_child(unsigned long namespaces, Trial (*work)());

}  // namespace bawn
