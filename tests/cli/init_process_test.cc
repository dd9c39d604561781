// The init of `bawn run` that is never used, cannot be started, or has more rights than the
// command.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "../become_root_of.h"
#include "caller.h"

namespace bawn {
namespace {

// Runs `bawn WORDS` as its subreaper. `orphan` is a child that bawn left behind, or -1.
Answer answer_and_orphan(const Words& words, pid_t& orphan) {
  const Caller caller;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Answer answer = caller.call(words);
  orphan = waitpid(-1, nullptr, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  return answer;
}

// Init is started before the request is judged. bawn once left an init of no use to notice by
// itself that bawn was gone. It lived on for a moment, and a pid 1 that does not reap got a zombie
// for each mistyped command.
TEST(InitProcess, IsEndedAndWaitedForIfTheRequestIsRefused) {
  for (const Words& words : {Words{"run", "--", "/absent"}, Words{"run", "--", "/etc"},
                             Words{"run", "--cwd-absent", "--", "/bin/true"}}) {
    ASSERT_EQ(waitpid(-1, nullptr, WNOHANG), -1)
        << "a child of this test's own would be taken for it";
    pid_t orphan = 0;
    EXPECT_GE(answer_and_orphan(words, orphan).exit_code, 125);
    EXPECT_EQ(orphan, -1) << words.back();
  }
}

// The wait status of `bawn WORDS` in a process that `prepare` has changed before the exec.
int status_after(const std::function<bool()>& prepare, const Words& words) {
  const Caller caller;
  const Words all = joined({named_by("BAWN_BINARY")}, words);
  std::vector<char*> argv;
  for (const std::string& word : all) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) dup2(nothing, fd);
    if (chdir(caller.workspace().c_str()) == 0 && prepare()) execv(argv[0], argv.data());
    _exit(99);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

constexpr int exited(int code) { return code << 8; }

// Writing init's image once ended bawn with SIGXFSZ there.
TEST(InitProcess, IsNotStartedWhereNoFileMayBeWritten) {
  const auto limit_to = [](rlim_t most) {
    return [most] {
      const rlimit limit = {most, most};
      return setrlimit(RLIMIT_FSIZE, &limit) == 0;
    };
  };
  EXPECT_EQ(status_after(limit_to(0), {"run", "--", "/bin/true"}), exited(125));
  EXPECT_EQ(status_after(limit_to(1 << 20), {"run", "--", "/bin/true"}), exited(0));
}

// Which user init is at its exec depends on whether its ids are mapped by then. As root of its
// namespace it once had every capability there, and made readable copies of settings that the
// command may not read.
TEST(InitProcess, OfRootReadsNoMoreThanTheCommandMay) {
  const Caller caller;
  const std::string settings = caller.workspace() + "/settings";
  std::ofstream(settings) << "secret\n";
  const auto cover = [&](mode_t mode) {
    return [&settings, mode] {
      return become_root_of(CLONE_NEWNS) && chmod(settings.c_str(), mode) == 0 &&
             mount(settings.c_str(), "/etc/services", nullptr, MS_BIND, nullptr) == 0;
    };
  };
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(status_after(cover(0), {"run", "--", "/bin/cat", "/etc/services"}), exited(1)) << i;
  EXPECT_EQ(status_after(cover(0600), {"run", "--", "/bin/cat", "/etc/services"}), exited(0));
}

}  // namespace
}  // namespace bawn
