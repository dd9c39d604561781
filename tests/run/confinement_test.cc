// Actions that a run in tier b cannot do. Each refusal stands beside the same action where it is
// allowed.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "fixture.h"
#include "policy/egress_policy.h"
#include "policy/environment_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/limit.h"
#include "policy/policy.h"
#include "policy/workspace_policy.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using testing::HasSubstr;

struct FileDeed {
  const char* verb;
  bool needs_file;
};

class FileConfinement : public testing::TestWithParam<FileDeed> {};

TEST_P(FileConfinement, HoldsOutsideTheScopeAndNotInside) {
  const RunFixture fixture;
  const auto target = [&](const std::string& directory) {
    return GetParam().needs_file ? fixture.file(directory, "target") : directory + "/target";
  };
  const std::string inside = target(fixture.workspace());
  const std::string outside = target(fixture.outside());
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {GetParam().verb, inside})), "ok");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {GetParam().verb, outside})), "EACCES");
  EXPECT_EQ(std::filesystem::exists(outside), GetParam().needs_file);
  if (GetParam().needs_file) {
    EXPECT_EQ(std::filesystem::file_size(outside), 7U);
  }
}

INSTANTIATE_TEST_SUITE_P(Deeds, FileConfinement,
                         testing::Values(FileDeed{"read", true}, FileDeed{"write", true},
                                         FileDeed{"create", false}, FileDeed{"truncate", true},
                                         FileDeed{"open-truncating", true},
                                         FileDeed{"remove", true}),
                         [](const auto& deed) {
                           std::string name = deed.param.verb;
                           std::erase(name, '-');
                           return name;
                         });

TEST(FileConfinement, HoldsForDirectoriesLinksAndRenames) {
  const RunFixture fixture;
  const std::string inside = fixture.file(fixture.workspace(), "a");
  const std::string outside = fixture.file(fixture.outside(), "b");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"list", fixture.workspace()})), "ok");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"list", fixture.outside()})), "EACCES");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(),
                                         {"link", inside, fixture.workspace() + "/hard"})),
            "ok");
  EXPECT_NE(said(fixture.run_unvalidated(fixture_policy(),
                                         {"link", outside, fixture.workspace() + "/stolen"})),
            "ok");
  EXPECT_NE(
      said(fixture.run_unvalidated(fixture_policy(), {"rename", inside, fixture.outside() + "/a"})),
      "ok");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(),
                                         {"rename", inside, fixture.workspace() + "/moved"})),
            "ok");
}

TEST(FileConfinement, FollowsALinkToWhereItPoints) {
  const RunFixture fixture;
  const std::string secret = fixture.file(fixture.outside(), "secret");
  const std::string link = fixture.workspace() + "/innocent";
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"symlink", secret, link})), "ok");
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"read", link})), "EACCES");
}

TEST(FileConfinement, LetsGrantsThroughForReadingAndForWriting) {
  const RunFixture fixture;
  const std::string target = fixture.file(fixture.outside(), "granted");
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {fixture.outside()};
  EXPECT_EQ(said(fixture.run(policy, {"read", target})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "EACCES");
  policy.filesystem.write = {fixture.outside()};
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "ok");
}

// The violation is reported even if the missing path makes the validator fail first.
TEST(FileConfinement, RefusesToShowAGrantElsewhere) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.filesystem.read = {fixture.outside()};
  EXPECT_EQ(said(fixture.run(policy, {"print", "x"})), "x");
  policy.filesystem.read = {{fixture.outside(), "/data"}};
  for (const std::string& command : {guest(), std::string("/data/tool")}) {
    const Outcome outcome = run(policy, {.command = command, .args = {"print", "x"}},
                                {.workspace = fixture.workspace()});
    ASSERT_FALSE(outcome.violations.empty());
    EXPECT_EQ(outcome.violations[0].code, "tier.unavailable");
    EXPECT_EQ(outcome.violations[0].subject, fixture.outside());
    EXPECT_NE(outcome.violations[0].message.find("at '/data', which needs tier c on Linux"),
              std::string::npos);
    EXPECT_EQ(outcome.violations.size(), command == guest() ? 1U : 2U);
  }
}

TEST(FileConfinement, KeepsAReadOnlyWorkspaceReadOnly) {
  const RunFixture fixture;
  const std::string target = fixture.file(fixture.workspace(), "kept");
  FixturePolicy policy = fixture_policy();
  policy.workspace.mode = WorkspaceMode::read_only;
  EXPECT_EQ(said(fixture.run(policy, {"read", target})), "ok");
  EXPECT_EQ(said(fixture.run(policy, {"write", target})), "EACCES");
  EXPECT_EQ(said(fixture.run(policy, {"create", fixture.workspace() + "/new"})), "EACCES");
}

TEST(FileConfinement, RefusesDeviceNodesEvenInTheWorkspace) {
  const RunFixture fixture;
  EXPECT_NE(said(fixture.run({"make-device", fixture.workspace() + "/null"})), "ok");
}

TEST(Network, NoSocketCanBeMadeThatLeadsOut) {
  const RunFixture fixture;
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  for (const char* family : {"1", "2", "10", "16", "17", "38", "40"}) {
    EXPECT_EQ(said(fixture.run({"socket", family})), "EACCES") << "family " << family;
    EXPECT_EQ(said(fixture.run({"socket-with-high-bits", family})), "EACCES")
        << "family " << family;
  }
  EXPECT_EQ(said(fixture.run(open, {"socket", "2"})), "ok");
  EXPECT_EQ(said(fixture.run({"socket-pair", "1"})), "ok");
  EXPECT_EQ(said(fixture.run({"io-uring"})), "ENOSYS");
}

TEST(Network, AListenerOnLoopbackIsReachedOnlyByAnOpenPolicy) {
  const RunFixture fixture;
  const Fd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  ASSERT_EQ(getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  EXPECT_EQ(said(fixture.run(open, {"connect-tcp", port})), "ok");
  EXPECT_EQ(said(fixture.run({"connect-tcp", port})), "EACCES");
}

// A Unix socket with a name, as a user's bus, ssh-agent or container engine has one.
Fd named_socket(const std::string& name, int type) {
  Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path, sizeof address.sun_path - 1);
  if (name[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  EXPECT_EQ(bind(socket.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  if (type == SOCK_STREAM) {
    EXPECT_EQ(listen(socket.get(), 1), 0);
  }
  return socket;
}

// Landlock does not control connect() to a path. This was once a way out of every run with an open
// network: one message to the user's service manager starts any program outside.
TEST(UnixSockets, OfOthersAreOutOfReachWithAndWithoutNetwork) {
  const RunFixture fixture;
  const std::string path = fixture.outside() + "/agent";
  const std::string abstract = "@bawn-test-" + std::to_string(getpid());
  const Fd by_path = named_socket(path, SOCK_STREAM);
  const Fd by_name = named_socket(abstract, SOCK_STREAM);
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  const FixturePolicy unconfined = unconfined_policy();
  for (const std::string& name : {path, abstract}) {
    EXPECT_EQ(said(fixture.run_unvalidated(unconfined, {"connect-unix", name})), "ok");
    EXPECT_EQ(said(fixture.run_unvalidated(open, {"connect-unix", name})), "EACCES");
    EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"connect-unix", name})), "EACCES");
  }
  EXPECT_EQ(said(fixture.run(open, {"socket", "2"})), "ok");
  EXPECT_EQ(said(fixture.run(open, {"socket-with-high-bits", "1"})), "EACCES");
}

TEST(UnixSockets, APairCannotBeTurnedOutwards) {
  const RunFixture fixture;
  const std::string path = fixture.outside() + "/log";
  const Fd listener = named_socket(path, SOCK_DGRAM);
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  const FixturePolicy unconfined = unconfined_policy();
  for (const int type : {SOCK_DGRAM, SOCK_RAW}) {
    const std::vector<std::string> deed = {"connect-datagram-pair", path, std::to_string(type)};
    EXPECT_EQ(said(fixture.run_unvalidated(unconfined, deed)), "ok");
    EXPECT_EQ(said(fixture.run_unvalidated(open, deed)), "EACCES");
    EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), deed)), "EACCES");
  }
  EXPECT_EQ(said(fixture.run(open, {"socket-pair", "1"})), "ok");
}

TEST(Processes, OthersCanNeitherBeSignalledNorTraced) {
  const RunFixture fixture;
  const std::string self = std::to_string(getpid());
  const FixturePolicy unconfined = unconfined_policy();
  EXPECT_EQ(said(fixture.run(unconfined, {"signal", self, "0"})), "ok");
  EXPECT_EQ(said(fixture.run({"signal", self, "0"})), "EPERM");
  EXPECT_EQ(said(fixture.run({"signal-init"})), "EPERM");
  EXPECT_EQ(said(fixture.run({"trace", self})), "EPERM");
  EXPECT_EQ(said(fixture.run({"read-memory-of-init"})), "EACCES");
}

// prlimit() only checks for the same user: neither Landlock nor a process that is not dumpable
// prevents it.
TEST(Processes, LimitsAndPrioritiesOfOthersAreOutOfReachWithAndWithoutNetwork) {
  const RunFixture fixture;
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  const FixturePolicy unconfined = unconfined_policy();
  EXPECT_EQ(said(fixture.run(unconfined, {"limit-init"})), "ok");
  for (const FixturePolicy& policy : {fixture_policy(), open}) {
    EXPECT_EQ(said(fixture.run(policy, {"limit-init"})), "EPERM");
    EXPECT_EQ(said(fixture.run(policy, {"make-init-idle"})), "EPERM");
    EXPECT_EQ(said(fixture.run(policy, {"slow-down-user"})), "EPERM");
    EXPECT_EQ(said(fixture.run(policy, {"print-limit-of-init"})), "ok");
    EXPECT_EQ(said(fixture.run(policy, {"limit-itself"})), "ok");
    EXPECT_EQ(said(fixture.run(policy, {"slow-down-itself"})), "ok");
    EXPECT_EQ(said(fixture.run(policy, {"io-uring"})), "ENOSYS");
  }
}

// The state of a process that another process of the same user can change through its pid.
std::string state_of(pid_t process) {
  cpu_set_t processors;
  EXPECT_EQ(sched_getaffinity(process, sizeof processors, &processors), 0);
  std::string state = "processors " + std::to_string(CPU_COUNT(&processors)) + ", policy " +
                      std::to_string(sched_getscheduler(process)) + ", priority " +
                      std::to_string(getpriority(PRIO_PROCESS, static_cast<id_t>(process))) +
                      ", io " + std::to_string(syscall(SYS_ioprio_get, 1, process)) + ", group " +
                      std::to_string(getpgid(process));
  for (const auto resource : {RLIMIT_NOFILE, RLIMIT_CPU}) {
    struct rlimit limit {};
    EXPECT_EQ(prlimit(process, resource, nullptr, &limit), 0);
    state += ", limit " + std::to_string(limit.rlim_cur);
  }
  return state;
}

// A process of the user beside the run. It has no capabilities: with root's capabilities the kernel
// would protect it from a command that has none. The destructor ends it.
class Bystander {
 public:
  Bystander() {
    int ready[2];
    EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) wait_without_capabilities(ready[1]);
    close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
  }
  ~Bystander() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::string number() const { return std::to_string(pid_); }

 private:
  [[noreturn]] static void wait_without_capabilities(int ready) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[2] = {};
    if (syscall(SYS_capset, &header, none) != 0 || write(ready, "x", 1) != 1) _exit(1);
    for (;;) pause();
  }

  pid_t pid_ = -1;
};

// An action against a process, and its errno in the sandbox. The pid replaces "PID" in the words,
// or becomes the last word.
struct ProcessDeed {
  std::vector<std::string> words;
  const char* refusal;
  bool changes_state = false;
};

const std::vector<ProcessDeed>& process_deeds() {
  static const std::vector<ProcessDeed> kDeeds = {
      {{"pin-to-one"}, "EPERM", sysconf(_SC_NPROCESSORS_ONLN) > 1},
      {{"make-idle"}, "EPERM", true},
      {{"lower-io-priority"}, "EPERM", true},
      {{"take-files"}, "EPERM", true},
      {{"take-cpu-time"}, "EPERM", true},
      {{"lower-priority"}, "EPERM"},
      {{"trace-process"}, "EPERM"},
      {{"copy-memory"}, "EPERM"},
      {{"write-memory"}, "EPERM"},
      {{"steal-file"}, "EPERM"},
      {{"call", std::to_string(SYS_move_pages), "PID", "0", "0", "0", "0", "0"}, "EPERM"},
      {{"call", std::to_string(SYS_migrate_pages), "PID", "8", "buffer", "buffer"}, "EPERM"},
      {{"call", std::to_string(SYS_kcmp), "PID", "PID", "1", "0", "0"}, "EPERM"},
      {{"call", std::to_string(SYS_prctl), "62", "1", "PID", "0", "0"}, "EPERM"},
      {{"write", "/proc/PID/oom_score_adj"}, "EACCES"},
      {{"write", "/proc/PID/coredump_filter"}, "EACCES"},
      {{"write", "/proc/PID/clear_refs"}, "EACCES"},
  };
  return kDeeds;
}

std::vector<std::string> aimed_at(const ProcessDeed& deed, const std::string& number) {
  std::vector<std::string> words = deed.words;
  bool named = false;
  for (std::string& word : words) {
    for (std::size_t at = 0; (at = word.find("PID")) != std::string::npos; named = true)
      word.replace(at, 3, number);
  }
  if (!named) words.push_back(number);
  return words;
}

// The system calls check for the same user. Some also check ptrace access, which Landlock refuses.
// The filter refuses the others.
TEST(Processes, OfTheUserCannotBeChangedByTheirNumberWithAndWithoutNetwork) {
  const RunFixture fixture;
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  for (const ProcessDeed& deed : process_deeds()) {
    const Bystander bystander;
    const std::string before = state_of(bystander.pid());
    const std::vector<std::string> words = aimed_at(deed, bystander.number());
    for (const FixturePolicy& policy : {fixture_policy(), open})
      EXPECT_EQ(said(fixture.run_unvalidated(policy, words)), deed.refusal)
          << testing::PrintToString(words);
    EXPECT_EQ(state_of(bystander.pid()), before) << testing::PrintToString(words);

    const std::string control = said(fixture.run_unvalidated(unconfined_policy(), words));
    EXPECT_NE(control, deed.refusal) << "the control: " << testing::PrintToString(words);
    EXPECT_EQ(state_of(bystander.pid()) != before, deed.changes_state)
        << testing::PrintToString(words);
  }
}

// A filter cannot tell a thread id of the command from the pid of another process. pid 0 means the
// calling thread.
TEST(Processes, AThreadIsPinnedAsItselfAndNotByItsNumber) {
  const RunFixture fixture;
  EXPECT_EQ(said(fixture.run({"pin", "0"})), "ok");
  EXPECT_EQ(said(fixture.run({"pin-to-one", "0"})), "ok");
  EXPECT_EQ(said(fixture.run({"pin-by-own-number"})), "EPERM");
  EXPECT_EQ(said(fixture.run(unconfined_policy(), {"pin-by-own-number"})), "ok");
}

// Landlock refuses the call, but the kernel wants a capability too. So the control only shows that
// the call is made.
TEST(Processes, OfTheUserGetNoAdviceAboutTheirMemory) {
  const RunFixture fixture;
  const Bystander bystander;
  EXPECT_EQ(said(fixture.run({"advise-memory", bystander.number()})), "EACCES");
  EXPECT_EQ(said(fixture.run(unconfined_policy(), {"answering", std::to_string(SYS_process_madvise),
                                                   "advise-memory", bystander.number()})),
            "EXFULL");
}

// A new session keyring hides the caller's, but the user's keyrings can still be found by their
// ids.
TEST(Processes, KeyringsSharedMemoryAndQueuesOfTheUserAreOutOfReach) {
  const RunFixture fixture;
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  const FixturePolicy unconfined = unconfined_policy();
  for (const char* deed : {"find-user-keyring", "add-key", "share-memory", "make-message-queue"}) {
    EXPECT_EQ(said(fixture.run(unconfined, {deed})), "ok") << deed;
    EXPECT_EQ(said(fixture.run(open, {deed})), "ENOSYS") << deed;
    EXPECT_EQ(said(fixture.run({deed})), "ENOSYS") << deed;
  }
}

TEST(Terminal, TakesNoInputFromTheCommand) {
  const RunFixture fixture;
  const FixturePolicy unconfined = unconfined_policy();
  for (const char* deed : {"inject-terminal-input", "inject-with-high-bits"}) {
    EXPECT_EQ(said(fixture.run(unconfined, {deed})), "ENOTTY")
        << "stdin is no terminal, but the request is let through";
    EXPECT_EQ(said(fixture.run({deed})), "EPERM");
  }
}

TEST(Privileges, AreGoneInEverySet) {
  const RunFixture fixture;
  const Outcome outcome = fixture.run({"print-capabilities"});
  const std::string sets = said(outcome);
  EXPECT_THAT(sets, HasSubstr("CapEff:\t0000000000000000"));
  EXPECT_THAT(sets, HasSubstr("CapPrm:\t0000000000000000"));
  EXPECT_THAT(sets, HasSubstr("CapInh:\t0000000000000000"));
  EXPECT_THAT(sets, HasSubstr("CapAmb:\t0000000000000000"));
  if (getuid() == 0) {
    EXPECT_THAT(sets, HasSubstr("CapBnd:\t0000000000000000"));
  }
}

// A user namespace gives its creator every capability in it. The receipt once said "all sets
// empty", which was true only until the command's first system call.
TEST(Privileges, AreNotRegainedInAUserNamespace) {
  const RunFixture fixture;
  FixturePolicy open = fixture_policy();
  open.egress.mode = EgressMode::allow_all;
  const FixturePolicy unconfined = unconfined_policy();
  const std::string clone = std::to_string(SYS_clone);
  const std::string clone3 = std::to_string(SYS_clone3);
  const std::string unshare = std::to_string(SYS_unshare);
  const auto flags = [](unsigned long bits) { return std::to_string(bits); };
  const std::vector<std::string> by_unshare = {"call", unshare, flags(CLONE_NEWUSER)};
  const std::vector<std::string> by_clone = {"call", clone, flags(CLONE_NEWUSER | SIGCHLD)};
  if (said(fixture.run(unconfined, by_unshare)) != "ok")
    GTEST_SKIP() << "this host makes no user namespaces";
  EXPECT_EQ(said(fixture.run(unconfined, by_clone)), "ok");
  for (const FixturePolicy& policy : {fixture_policy(), open}) {
    EXPECT_EQ(said(fixture.run(policy, by_unshare)), "EPERM");
    EXPECT_EQ(said(fixture.run(policy, by_clone)), "EPERM");
    EXPECT_EQ(said(fixture.run(policy, {"call", clone3, "0", "0"})), "ENOSYS");
    EXPECT_EQ(said(fixture.run(policy, {"call", unshare, flags(CLONE_FS)})), "ok");
    EXPECT_EQ(said(fixture.run(policy, {"call", clone, flags(SIGCHLD)})), "ok");
  }
}

TEST(Privileges, RootWithoutCapabilitiesCannotGiveFilesAway) {
  if (getuid() != 0) GTEST_SKIP() << "only root could";
  const RunFixture fixture;
  const std::string target = fixture.file(fixture.workspace(), "mine");
  EXPECT_EQ(said(fixture.run({"change-owner", target})), "EPERM");
  const FixturePolicy unconfined = unconfined_policy();
  EXPECT_EQ(said(fixture.run(unconfined, {"change-owner", target})), "ok");
}

TEST(Inheritance, OnlyStdioIsOpen) {
  const RunFixture fixture;
  // A careless launcher would leak these: not close-on-exec, and one with a high number.
  const Fd leaked(open("/dev/null", O_RDONLY));
  const Fd high(fcntl(leaked.get(), F_DUPFD, 500));
  EXPECT_EQ(said(fixture.run({"list-open-files"})), "0\n1\n2");
}

TEST(Inheritance, NothingOfTheCallersEnvironmentArrives) {
  const RunFixture fixture;
  setenv("BAWN_TEST_SECRET", "hunter2", 1);
  setenv("LD_PRELOAD_NOT", "x", 1);
  const std::string environment = said(fixture.run({"list-environment"}));
  EXPECT_EQ(environment.find("hunter2"), std::string::npos);
  EXPECT_THAT(environment, HasSubstr("SANDBOX_RUNTIME=1"));
  EXPECT_THAT(environment, HasSubstr("BAWN=1"));
  FixturePolicy passing = fixture_policy();
  passing.environment.pass = {"BAWN_TEST_SECRET"};
  passing.redaction.enabled = false;
  EXPECT_THAT(said(fixture.run(passing, {"list-environment"})),
              HasSubstr("BAWN_TEST_SECRET=hunter2"));
}

TEST(Inheritance, SignalStateIsTheDefault) {
  const RunFixture fixture;
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  sigset_t previous;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &blocked, &previous);
  const std::string odd = said(fixture.run({"list-odd-signals"}));
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  std::signal(SIGUSR1, before);
  EXPECT_EQ(odd, "");
}

TEST(Inheritance, UmaskSessionAndTerminalAreReset) {
  const RunFixture fixture;
  const mode_t before = umask(0);
  const std::string state = said(fixture.run({"print-process-state"}));
  umask(before);
  EXPECT_THAT(state, HasSubstr("umask 022"));
  EXPECT_THAT(state, HasSubstr("session 1"));
  EXPECT_THAT(state, HasSubstr("no_new_privs 1"));
  EXPECT_THAT(state, HasSubstr("seccomp 2"));
  EXPECT_THAT(state, HasSubstr("terminal none"));
}

TEST(Inheritance, LimitsAreThePolicysOnes) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.open_files = 33;
  policy.limits.memory_bytes = 99 << 20;
  EXPECT_EQ(said(fixture.run(policy, {"print-limit", std::to_string(RLIMIT_NOFILE)})), "33 33");
  // If a cgroup bounds the memory of the whole tree, there is no rlimit beside it.
  EXPECT_EQ(said(fixture.run(policy, {"print-limit", std::to_string(RLIMIT_DATA)})),
            CgroupFixture({CgroupController::memory}).exists()
                ? "18446744073709551615 18446744073709551615"
                : "103809024 103809024");
  EXPECT_EQ(said(fixture.run(policy, {"print-limit", std::to_string(RLIMIT_CORE)})), "1 1");
  EXPECT_EQ(said(fixture.run(policy, {"raise-file-limit"})), "EPERM");
}

TEST(Receipt, ListsWhatTheKernelSaid) {
  const RunFixture fixture;
  const Outcome outcome = fixture.run({"exit", "0"});
  for (const char* layer :
       {"no_new_privs", "capabilities", "landlock", "system_calls", "unix_sockets", "network",
        "session", "open_files", "keyring", "process_tree", "limit.output"}) {
    EXPECT_EQ(layer_state(outcome, layer), LayerState::enforced) << layer;
  }
  const CgroupFixture cgroups({CgroupController::memory});
  EXPECT_EQ(layer_state(outcome, "limit.memory"),
            cgroups.exists() ? LayerState::enforced : LayerState::partial);
  EXPECT_EQ(layer_state(outcome, "limit.cpu_time"),
            cgroups.exists() && cgroups.version() == CgroupVersion::v2 ? LayerState::enforced
                                                                       : LayerState::partial);
  EXPECT_TRUE(layer_has(outcome, "no_new_privs", {"pr_get_no_new_privs", 1}));
  EXPECT_TRUE(layer_has(outcome, "landlock", {"errno", "EACCES"}));
  EXPECT_TRUE(layer_has(outcome, "system_calls", {"pr_get_seccomp", 2}));
  EXPECT_TRUE(layer_has(outcome, "system_calls", {"filter", "no-network-no-memfd"}));
  EXPECT_TRUE(outcome.was_sandboxed);
  EXPECT_EQ(outcome.tier, Tier::b);
}

// Landlock does not control chmod(), so here only the filter protects the user's other files.
TEST(SetId, IsRefusedOutsideTheScopeToo) {
  const RunFixture fixture;
  for (const char* verb : {"mode-by-chmod", "mode-by-fchmodat", "mode-by-fchmodat2"}) {
    const std::string path = fixture.file(fixture.outside(), verb);
    const auto came_of = [&](const char* mode) {
      return said(fixture.run_unvalidated(fixture_policy(), {verb, mode, path}));
    };
    const auto mode = [&] { return std::filesystem::status(path).permissions(); };
    for (const char* wanted : {"04755", "02755", "06755"})
      EXPECT_EQ(came_of(wanted), "EPERM") << verb;
    EXPECT_EQ(mode() & (std::filesystem::perms::set_uid | std::filesystem::perms::set_gid),
              std::filesystem::perms::none);
    const std::string control = came_of("0700");
    if (control == "ENOSYS") continue;  // fchmodat2 needs Linux 6.6
    EXPECT_EQ(control, "ok") << verb;
    EXPECT_EQ(mode(), std::filesystem::perms::owner_all) << verb;
  }
}

// The command can do these things, so the receipt must say so.
TEST(Receipt, AdmitsWhatLandlockDoesNotRefuse) {
  const RunFixture fixture;
  const std::string outside = fixture.file(fixture.outside(), "mode");
  const Outcome outcome = fixture.run_unvalidated(fixture_policy(), {"change-mode", outside});
  EXPECT_EQ(said(outcome), "ok");
  EXPECT_EQ(layer_state(outcome, "landlock.metadata"), LayerState::absent);
  EXPECT_THAT(layer_text(outcome, "landlock.metadata", "reason"),
              HasSubstr("Landlock has no right for metadata"));
  for (const char* verb : {"touch", "set-attribute", "take-ownership"})
    EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {verb, outside})), "ok") << verb;
  EXPECT_EQ(said(fixture.run_unvalidated(fixture_policy(), {"look-at", outside})), "ok");
  EXPECT_EQ(layer_state(outcome, "landlock.names"), LayerState::absent);
  EXPECT_EQ(said(fixture.run({"read-command-line", std::to_string(getpid())})), "ok");
  EXPECT_EQ(layer_state(outcome, "landlock.process_list"), LayerState::absent);
}

TEST(Receipt, SaysWhenThereWasNoSandbox) {
  const RunFixture fixture;
  FixturePolicy policy = disabled_policy();
  const Outcome outcome = fixture.run(policy, {"exit", "0"});
  EXPECT_EQ(outcome.status, Status::exited) << outcome_json(outcome);
  EXPECT_FALSE(outcome.was_sandboxed);
  EXPECT_EQ(layer_state(outcome, "sandbox"), LayerState::not_requested);
}

}  // namespace
}  // namespace bawn
