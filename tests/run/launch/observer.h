// For tests that break launches: runs the guest's "audit" verb and reports what it saw.
//
// The audit looks from inside whether the whole sandbox is there and writes its result into the
// workspace. So a test can tell a run without protection from a run that never started. traces()
// shows from outside what a run left on the host.
#pragma once

#include <optional>
#include <string>

#include "../fixture.h"
#include "sys/fd.h"

namespace bawn {

// Owns the workspace, the cgroup and the abstract socket that the audit must not reach.
class Observer {
 public:
  Observer();

  // The policy of the runs. Their cgroup lies below one that only this test uses, where this user
  // may make one.
  [[nodiscard]] FixturePolicy policy() const;

  // Runs the audit, in this process. `first` says which process is pid 1 of the pid namespace that
  // the command sees: init or the command.
  enum class First { init, command };
  [[nodiscard]] Outcome run(First first = First::init) const;

  // The audit's result: "sound", or what was missing; "ended early" if it had no time to finish;
  // nothing if the command never ran. Removes the result.
  [[nodiscard]] std::optional<std::string> found() const;

  // Everything that runs can leave on the host, as text to compare before and after: mounts that
  // this process sees, files below the fixture's directory, and cgroups. Other tests do not change
  // it.
  [[nodiscard]] std::string traces() const;
  [[nodiscard]] const RunFixture& fixture() const { return fixture_; }

 private:
  RunFixture fixture_;
  CgroupFixture cgroups_{{CgroupController::memory}};
  Fd abstract_;
  std::string abstract_name_;
  std::string path_;
};

// Whether the run failed with an error or was denied with violations. This alone does not prove
// that nothing ran, because bawn can also give up a run that has started: check found() too.
[[nodiscard]] bool is_refusal(const Outcome& outcome);

// Makes this process a subreaper, so that wait_for_descendants() sees every orphan.
void inherit_orphans();
// Returns when no descendant is left. A run that leaves one hangs the test.
void wait_for_descendants();

}  // namespace bawn
