// For tests that break launches: a command that looks whether the whole sandbox is there and writes
// what it found into the workspace, and what can be left on the host.
#pragma once

#include <optional>
#include <string>

#include "../fixture.h"
#include "sys/fd.h"

namespace bawn {

class Observer {
 public:
  Observer();

  // The run has a cgroup, where this user may make one, below one of this test alone.
  [[nodiscard]] Policy policy() const;

  // Runs the command of this test, in this process. Who is process 1 of what it sees: its init, or
  // itself.
  enum class First { init, command };
  [[nodiscard]] Outcome run(First first = First::init) const;

  // What the command found: "sound", or what was missing; "ended early" if it had no time to say;
  // nothing if it never ran. Removes it.
  [[nodiscard]] std::optional<std::string> found() const;

  // What runs could leave on the host: mounts that this process sees, files beside the fixture's
  // own, and cgroups, as text to compare. Nothing that other tests do at the same time.
  [[nodiscard]] std::string traces() const;
  [[nodiscard]] const RunFixture& fixture() const { return fixture_; }

 private:
  RunFixture fixture_;
  CgroupFixture cgroups_{{CgroupController::memory}};
  Fd abstract_;
  std::string abstract_name_;
  std::string path_;
};

// Nothing ran, and the outcome says why.
[[nodiscard]] bool is_refusal(const Outcome& outcome);

// Makes this process the heir of every orphan below it, so that wait_for_descendants() sees them
// all.
void inherit_orphans();
// Returns when no descendant is left. A run that leaves one hangs the test.
void wait_for_descendants();

}  // namespace bawn
