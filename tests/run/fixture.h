// A workspace for one test, and runs of the guest program in it through the library.
//
// Tests of whole runs use this: they call bawn::run() in this process and look at the Outcome.
// Tests of the command line use tests/cli/caller.h. Every denial test needs a positive control; use
// unconfined_policy() for it. The environment must name BAWN_GUEST and BAWN_TEST_TIER (see
// tests/run/meson.build).
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/run.h"
#include "fixture_policy.h"
#include "host/cgroup_place.h"

namespace bawn {

// The path of the program from tests/guest. Throws if BAWN_GUEST is not set.
[[nodiscard]] std::string guest();

// The tier that this test program is about: b or c, from BAWN_TEST_TIER. Many tests are built once
// and run for each tier.
[[nodiscard]] Tier fixture_tier();

// A workspace and a directory outside of it, below /tmp. The destructor removes both.
class RunFixture {
 public:
  RunFixture();
  ~RunFixture();
  RunFixture(const RunFixture&) = delete;
  RunFixture& operator=(const RunFixture&) = delete;

  [[nodiscard]] const std::string& workspace() const { return workspace_; }
  // A directory beside the workspace that no policy grants.
  [[nodiscard]] const std::string& outside() const { return outside_; }

  // Makes a file with some content and returns its path.
  std::string file(const std::string& directory, const std::string& name) const;

  // Runs the guest in the workspace. Without a policy, under fixture_policy().
  [[nodiscard]] Outcome run(const Policy& policy,
                            std::vector<std::string> verb_and_arguments) const;
  [[nodiscard]] Outcome run(std::vector<std::string> verb_and_arguments) const;

  // Runs the guest with words that it reads from stdin. The validator does not look there, so this
  // tests what the kernel enforces behind the validator.
  [[nodiscard]] Outcome run_unvalidated(const Policy& policy,
                                        const std::vector<std::string>& words) const;

 private:
  std::string root_;
  std::string workspace_;
  std::string outside_;
};

// A cgroup in which the runs of one test make their cgroups. Does not exist where this user may
// make none; why_not() then has the reason for GTEST_SKIP. The destructor removes it and fails the
// test if a run has left a cgroup in it.
class CgroupFixture {
 public:
  explicit CgroupFixture(const CgroupControllers& controllers);
  ~CgroupFixture();
  CgroupFixture(const CgroupFixture&) = delete;
  CgroupFixture& operator=(const CgroupFixture&) = delete;

  [[nodiscard]] bool exists() const { return !directories_.empty(); }
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  [[nodiscard]] CgroupVersion version() const { return version_; }
  // For Limits::cgroup_parent; "" if there is no cgroup.
  [[nodiscard]] std::string parent() const { return exists() ? directories_.front() : ""; }
  // The cgroups of runs that exist now, one a line.
  [[nodiscard]] std::string runs() const;

 private:
  CgroupVersion version_ = CgroupVersion::v2;
  std::vector<std::string> directories_;  // in v1 one for each controller
  std::string why_not_;
};

// Whether a limit on processes binds this user: by a rlimit, from which root is exempt, or by a
// cgroup.
[[nodiscard]] bool can_bound_processes();

// Hides all cgroups from this process, as many containers do. Only root can. Cannot be undone, so
// call it in a child process.
[[nodiscard]] bool hide_cgroups();

// The command's stdout without the newline at its end. Fails the test if the command did not exit.
[[nodiscard]] std::string said(const Outcome& outcome);

// The receipt's line for one layer. A missing line fails the test.
[[nodiscard]] LayerState layer_state(const Outcome& outcome, std::string_view layer);
// Whether its evidence has this field with this value.
[[nodiscard]] testing::AssertionResult layer_has(const Outcome& outcome, std::string_view layer,
                                                 const EvidenceField& expected);
// A field that is text; "" if there is none.
[[nodiscard]] std::string layer_text(const Outcome& outcome, std::string_view layer,
                                     std::string_view field);

// A word that is unique to the current test on the whole machine. Pass it to a command as an
// argument to find its processes again.
[[nodiscard]] std::string marker();

// Fails the test if a process with the mark is alive. Every process of a run must be dead when the
// caller has the outcome. A zombie does not count: it has no arguments any more.
void expect_nothing_alive(const std::string& mark);

// The same if the receipt says that the process tree is gone. The receipt may say instead that the
// outcome was due before the last process had ended; then the processes must end soon.
void expect_ended(const Outcome& outcome, const std::string& mark);

// Waits until no process has the mark; false after a minute. For callers that were killed before
// they had an outcome.
[[nodiscard]] bool is_gone_soon(const std::string& mark);

// Runs `deed` in a forked child, which may change itself for good. Returns the status of waitpid.
int in_another_process(const std::function<int()>& deed);

// The pid of a process on this machine that has `marker` among its arguments.
[[nodiscard]] std::optional<int> process_with_argument(const std::string& marker);

// How many descriptors this process has open.
[[nodiscard]] int open_descriptors();

}  // namespace bawn
