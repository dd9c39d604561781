// The owner and mode of terminals, restored by the user who owns them. Real runs are in
// tests/cli/terminal_test.cc.

#include "backend/linux/terminal/terminal_nodes.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace bawn::linux_ {
namespace {

constexpr uid_t kUser = 12345;
constexpr gid_t kTerminalGroup = 5;

// Runs `body` in a process that has a terminal as stdin but no controlling terminal. Its result is
// the exit code.
int with_terminal(const std::function<int(int terminal)>& body) {
  const pid_t child = fork();
  if (child == 0) {
    int master = -1;
    int slave = -1;
    if (openpty(&master, &slave, nullptr, nullptr, nullptr) != 0 || setsid() == -1) _exit(100);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (dup2(slave, 0) == -1 || dup2(null, 1) == -1) _exit(101);
    _exit(body(slave));
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

mode_t mode_of(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 ? status.st_mode & 07777U : 0;
}

gid_t group_of(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 ? status.st_gid : ~gid_t{0};
}

TEST(TerminalNodes, PutTheModeBackAndTellItOnce) {
  EXPECT_EQ(with_terminal([](int terminal) {
              if (fchmod(terminal, 0620) != 0) return 1;
              auto nodes = TerminalNodes::of_caller();
              if (!nodes || fchmod(terminal, 0666) != 0) return 2;
              if (nodes.value().restore().size() != 1) return 3;
              if (mode_of(terminal) != 0620) return 4;
              return nodes.value().restore().empty() ? 0 : 5;
            }),
            0);
}

TEST(TerminalNodes, PutTheModeBackWhenTheyAreDestroyed) {
  EXPECT_EQ(with_terminal([](int terminal) {
              if (fchmod(terminal, 0620) != 0) return 1;
              {
                const auto nodes = TerminalNodes::of_caller();
                if (!nodes || fchmod(terminal, 0666) != 0) return 2;
              }
              return mode_of(terminal) == 0620 ? 0 : 3;
            }),
            0);
}

TEST(TerminalNodes, TellNothingOfATerminalThatIsAsItWas) {
  EXPECT_EQ(with_terminal([](int) {
              auto nodes = TerminalNodes::of_caller();
              return nodes && nodes.value().restore().empty() ? 0 : 1;
            }),
            0);
}

// Gives the terminal to the user and to group tty, becomes that user or stays root, and gives the
// terminal to another group.
int group_test(int terminal, uid_t as) {
  if (fchown(terminal, as, kTerminalGroup) != 0 || fchmod(terminal, 0620) != 0) return 1;
  if (as != 0 && (setgroups(0, nullptr) != 0 || setgid(kUser) != 0 || setuid(as) != 0)) return 2;
  auto nodes = TerminalNodes::of_caller();
  if (!nodes || fchown(terminal, static_cast<uid_t>(-1), getegid()) != 0) return 3;
  if (nodes.value().restore().size() != 1) return 4;
  if (as == 0) return group_of(terminal) == kTerminalGroup && mode_of(terminal) == 0620 ? 0 : 5;
  return group_of(terminal) == kUser && mode_of(terminal) == 0600 ? 0 : 6;
}

TEST(TerminalNodes, PutTheGroupBackAsRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give a terminal to the group tty";
  EXPECT_EQ(with_terminal([](int terminal) { return group_test(terminal, 0); }), 0);
}

// The owner may give a terminal to one of its groups, but only root may give it back to another
// group. So bawn takes the group's permissions away.
TEST(TerminalNodes, TakeTheRightsOfAGroupAwayThatCannotBePutBack) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give a terminal to the group tty";
  EXPECT_EQ(with_terminal([](int terminal) { return group_test(terminal, kUser); }), 0);
}

}  // namespace
}  // namespace bawn::linux_
