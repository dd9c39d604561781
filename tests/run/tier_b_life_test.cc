// Only tier b: init finds the process tree through /proc, and the private directory of the run is
// on the host.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "fixture.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

// With hidepid, a process that is not dumpable has no entry in /proc for its own user. Init once
// did not kill a process whose parent it could not read.
TEST(Ending, AProcessThatProcHidesIsEndedToo) {
  if (getuid() != 0) GTEST_SKIP() << "only root can mount a /proc that hides processes";
  const RunFixture fixture;
  const std::string mark = marker();
  chmod(std::filesystem::path(fixture.workspace()).parent_path().c_str(), 0755);
  // The guest may lie below a directory that only root can read, such as /root.
  const std::string program = fixture.outside() + "/guest";
  std::filesystem::copy_file(guest(), program);
  const int status = in_another_process([&] {
    if (setenv("BAWN_GUEST", program.c_str(), 1) != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("proc", "/proc", "proc", 0, "hidepid=2") != 0 ||
        setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0) {
      return 1;
    }
    return fixture.run({"leave-hidden-daemon", mark}).status == Status::exited ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  expect_nothing_alive(mark);
}

// In a new pid namespace with the old /proc, init's pids would name foreign processes there. So
// nothing may run.
TEST(Ending, NothingRunsUnderTheProcOfAnotherNamespace) {
  if (getuid() != 0) GTEST_SKIP() << "only root can make a pid namespace alone";
  const RunFixture fixture;
  const std::string mark = marker();
  const int status = in_another_process([&] {
    if (unshare(CLONE_NEWPID) != 0) return 1;
    return WEXITSTATUS(in_another_process([&] {
      const Outcome outcome = fixture.run({"leave-daemon", mark});
      return outcome.error && outcome.error->step == "open_proc" ? 0 : 2;
    }));
  });
  EXPECT_EQ(status, 0);
  expect_nothing_alive(mark);
}

TEST(PrivateDirectory, IsEmptyWritableAndGoneAfterwards) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  const Outcome outcome = fixture.run(policy, {"print-directory"});
  EXPECT_EQ(outcome.status, Status::exited) << outcome_json(outcome);
  std::string directory = outcome.stdout_stream.data;
  directory.pop_back();
  EXPECT_THAT(directory, HasSubstr("/bawn-"));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(directory).parent_path()));
  EXPECT_EQ(fixture.run(policy, {"create", "file"}).stdout_stream.data, "ok\n");
}

// The report that the tree was gone once came after the removal, and the receipt said that some of
// it was still alive.
TEST(PrivateDirectory, FullOfFilesDelaysNeitherTheAnswerNorTheNewsThatTheTreeIsGone) {
  const RunFixture fixture;
  const Outcome outcome = fixture.run({"litter", "50000"});
  EXPECT_EQ(outcome.stdout_stream.data, "ok\n") << outcome_json(outcome);
  EXPECT_EQ(layer_state(outcome, "process_tree"), LayerState::enforced);
  while (waitpid(-1, nullptr, 0) > 0) {  // an init that still removes files
  }
}

// The run happens in a child that is killed. Init must end the tree and remove the directory by
// itself.
TEST(PrivateDirectory, IsGoneAfterTheCallerWasKilled) {
  const RunFixture fixture;
  const std::string mark = marker();
  FixturePolicy policy = fixture_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  const pid_t caller = fork();
  if (caller == 0) {
    const Outcome outcome = fixture.run(policy, {"ignore-and-sleep", mark});
    _exit(outcome.success() ? 0 : 1);
  }
  std::optional<int> command;
  while (!command) command = process_with_argument(mark);
  const std::string directory =
      std::filesystem::read_symlink("/proc/" + std::to_string(*command) + "/cwd").parent_path();
  EXPECT_THAT(directory, HasSubstr("/bawn-"));
  struct stat found {};
  ASSERT_EQ(stat(directory.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0700U) << "no other user looks into it";
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  const auto deadline = Clock::now() + seconds(60);
  while (std::filesystem::exists(directory) && Clock::now() < deadline) std::this_thread::yield();
  EXPECT_FALSE(std::filesystem::exists(directory));
  expect_nothing_alive(mark);
}

}  // namespace
}  // namespace bawn
