// `bawn run` starts init before the C library has started, so that both can work at the same time.

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <csignal>
#include <fstream>
#include <functional>

#include "../become_root_of.h"
#include "caller.h"

namespace bawn {
namespace {

// The thread pointer. The C library sets it when it starts; the kernel starts a process with 0.
unsigned long thread_pointer(pid_t pid) {
#if defined(__x86_64__)
  user_regs_struct registers{};
  EXPECT_EQ(ptrace(PTRACE_GETREGS, pid, nullptr, &registers), 0);
  return registers.fs_base;
#else
  unsigned long pointer = 0;
  iovec place = {&pointer, sizeof pointer};
  EXPECT_EQ(ptrace(PTRACE_GETREGSET, pid, NT_ARM_TLS, &place), 0);
  return pointer;
#endif
}

pid_t start_traced(const Words& words, const std::string& directory) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    if (chdir(directory.c_str()) != 0 || ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
      _exit(127);
    execv(argv[0], argv.data());
    _exit(127);
  }
  return pid;
}

void end(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, __WALL);
}

// The thread pointer of `bawn WORDS` when it makes its first child; nothing if it makes none.
std::optional<unsigned long> thread_pointer_at_first_child(const Words& words) {
  const Caller caller;
  const pid_t bawn = start_traced(joined({named_by("BAWN_BINARY")}, words), caller.workspace());
  int status = 0;
  waitpid(bawn, &status, 0);
  ptrace(PTRACE_SETOPTIONS, bawn, nullptr,
         PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE);
  while (WIFSTOPPED(status) && status >> 16 == 0) {
    const int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_CONT, bawn, nullptr, signal);
    waitpid(bawn, &status, 0);
  }
  if (!WIFSTOPPED(status)) return std::nullopt;
  unsigned long child = 0;
  ptrace(PTRACE_GETEVENTMSG, bawn, nullptr, &child);
  const unsigned long pointer = thread_pointer(bawn);
  end(static_cast<pid_t>(child));
  end(bawn);
  return pointer;
}

TEST(EarlyInit, IsStartedBeforeTheCLibrary) {
  for (const Words& words : {Words{"run", "--", "/bin/true"},
                             {"run", "--tier", "c", "--", "/bin/true"},
                             {"run", "--tier", "namespaces", "--", "/bin/true"}}) {
    const std::optional<unsigned long> pointer = thread_pointer_at_first_child(words);
    ASSERT_TRUE(pointer.has_value());
    EXPECT_EQ(*pointer, 0UL);
  }
}

TEST(EarlyInit, IsNotStartedEarlyIfTheOptionsMayNeedAnother) {
  for (const std::string tier : {"b", "process"}) {
    const std::optional<unsigned long> pointer =
        thread_pointer_at_first_child({"run", "--tier", tier, "--", "/bin/true"});
    ASSERT_TRUE(pointer.has_value());
    EXPECT_NE(*pointer, 0UL);
  }
  EXPECT_FALSE(thread_pointer_at_first_child({"check", "--", "/bin/true"}).has_value());
}

// Runs `bawn WORDS` as its subreaper. `orphan` is a child that bawn left behind, or -1.
Answer answer_and_orphan(const Words& words, pid_t& orphan) {
  const Caller caller;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Answer answer = caller.call(words);
  orphan = waitpid(-1, nullptr, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  return answer;
}

// bawn once left such an init to notice by itself that bawn was gone. It lived on for a moment, and
// a pid 1 that does not reap got a zombie for each mistyped option.
TEST(EarlyInit, IsEndedAndWaitedForIfItHasNoUse) {
  for (const Words& words : {Words{"run"}, Words{"run", "--nosuch", "--", "/bin/true"},
                             Words{"run", "--env", "=x", "--", "/bin/true"},
                             Words{"run", "--status-fd", "77", "--", "/bin/true"}}) {
    const std::optional<unsigned long> pointer = thread_pointer_at_first_child(words);
    ASSERT_TRUE(pointer.has_value()) << "there was one";
    EXPECT_EQ(*pointer, 0UL);
    ASSERT_EQ(waitpid(-1, nullptr, WNOHANG), -1)
        << "a child of this test's own would be taken for it";
    pid_t orphan = 0;
    EXPECT_EQ(answer_and_orphan(words, orphan).exit_code, 125);
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
TEST(EarlyInit, IsNotBegunWhereNoFileMayBeWritten) {
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
TEST(EarlyInit, OfRootReadsNoMoreThanTheCommandMay) {
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
