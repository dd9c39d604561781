// Scripts take the place of newuidmap and newgidmap: they map, refuse, lie or hang. The real
// programs are tested in tests/cli/id_ranges_test.cc.

#include "host/id_mapping.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "sys/control_file.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A process in a user namespace without ids, and a directory for the scripts.
class Mapping : public testing::Test {
 protected:
  Mapping() : directory_(testing::TempDir() + "bawn-mapping-XXXXXX") {
    if (mkdtemp(directory_.data()) == nullptr) throw std::runtime_error("mkdtemp");
    process_ = static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    if (process_ == 0) {
      for (;;) pause();
    }
  }
  ~Mapping() override {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    std::filesystem::remove_all(directory_);
  }

  void SetUp() override { ASSERT_GT(process_, 0) << "no user namespace can be made here"; }

  [[nodiscard]] std::string script(const std::string& name, const std::string& lines) const {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
    chmod(path.c_str(), 0755);
    return path;
  }

  // Writes the map as the real program does, where that needs no privilege.
  [[nodiscard]] std::string mapper(const std::string& file, const std::string& more = ":") const {
    return script("map-" + file,
                  "printf '%s %s %s\\n' \"$2\" \"$3\" \"$4\" > /proc/$1/" + file + "; " + more);
  }
  [[nodiscard]] IdMappers honest() const {
    return {.users = mapper("uid_map"), .groups = mapper("gid_map")};
  }

  [[nodiscard]] std::string shown(const char* file) const {
    return sys::read_control(AT_FDCWD, concat("/proc/", process_, "/", std::string_view(file)))
        .value();
  }

  [[nodiscard]] static IdMaps own_ids() {
    return {.users = {{0, geteuid(), 1}}, .groups = {{0, getegid(), 1}}};
  }

  std::string directory_;
  pid_t process_;
};

TEST_F(Mapping, IsDoneByTheProgramsAndReadBack) {
  const auto mapped = map_id_ranges(process_, own_ids(), honest());
  ASSERT_TRUE(mapped.ok()) << mapped.error().message;
  EXPECT_EQ(parse_id_map(shown("uid_map")), own_ids().users);
  EXPECT_EQ(parse_id_map(shown("gid_map")), own_ids().groups);
}

TEST_F(Mapping, GivesUpChangingGroupsUnlessTheCallerIsRoot) {
  ASSERT_TRUE(map_id_ranges(process_, own_ids(), honest()).ok());
  EXPECT_EQ(shown("setgroups"), geteuid() == 0 ? "allow\n" : "deny\n");
}

TEST_F(Mapping, WithManyExtentsNeedsAPrivilegeThatRootHas) {
  const IdMaps maps = {.users = {{0, geteuid(), 1}, {1, 200000, 10}}, .groups = own_ids().groups};
  const std::string both = script(
      "both", "printf '%s %s %s\\n%s %s %s\\n' $2 $3 $4 $5 $6 $7 > /proc/$1/uid_map || exit 3");
  const auto mapped = map_id_ranges(process_, maps, {.users = both, .groups = mapper("gid_map")});
  EXPECT_EQ(mapped.ok(), geteuid() == 0);
  if (!mapped) {
    EXPECT_THAT(mapped.error().message, AllOf(HasSubstr(both), HasSubstr("exit code 3")));
  }
}

TEST_F(Mapping, ByAProgramThatOnlySaysSoIsFoundOut) {
  const std::string liar = script("liar", "echo all done");
  const auto users =
      map_id_ranges(process_, own_ids(), {.users = liar, .groups = mapper("gid_map")});
  ASSERT_FALSE(users.ok());
  EXPECT_THAT(users.error().message,
              AllOf(HasSubstr(liar), HasSubstr("did not write the id map that was asked for"),
                    HasSubstr("all done"), HasSubstr("uid_map' is ''")));
  const auto groups =
      map_id_ranges(process_, own_ids(), {.users = mapper("uid_map"), .groups = liar});
  ASSERT_FALSE(groups.ok());
  EXPECT_THAT(groups.error().message, AllOf(HasSubstr(liar), HasSubstr("gid_map' is ''")));
}

TEST_F(Mapping, OtherThanPlannedIsFoundOut) {
  IdMaps maps = own_ids();
  maps.users[0].inside = 5;
  const std::string other = script("other", concat("echo 6 ", geteuid(), " 1 > /proc/$1/uid_map"));
  const auto mapped = map_id_ranges(process_, maps, {.users = other, .groups = mapper("gid_map")});
  ASSERT_FALSE(mapped.ok());
  EXPECT_THAT(mapped.error().message, HasSubstr(concat("should be '5 ", geteuid(), " 1")));
  EXPECT_EQ(shown("gid_map"), "");
}

TEST_F(Mapping, ThatIsRefusedIsToldInTheProgramsWords) {
  const std::string refuser = script("refuser", "echo not you >&2; exit 7");
  const auto mapped =
      map_id_ranges(process_, own_ids(), {.users = refuser, .groups = mapper("gid_map")});
  ASSERT_FALSE(mapped.ok());
  EXPECT_THAT(mapped.error().message, AllOf(HasSubstr(refuser), HasSubstr("exit code 7"),
                                            HasSubstr("it printed 'not you'")));
  EXPECT_EQ(mapped.error().kind, ErrorKind::system) << "another tier must not be tried instead";
}

TEST_F(Mapping, ByAProgramThatIsNotThereNamesIt) {
  const auto mapped =
      map_id_ranges(process_, own_ids(), {.users = "/nowhere/newuidmap", .groups = ""});
  ASSERT_FALSE(mapped.ok());
  EXPECT_THAT(mapped.error().message, AllOf(HasSubstr("/nowhere/newuidmap"), HasSubstr("ENOENT")));
}

TEST_F(Mapping, ByAProgramThatHangsIsGivenUp) {
  const std::string pid_file = directory_ + "/pid";
  const std::string sleeper =
      script("sleeper", "echo $$ > " + pid_file + "; echo wait; exec sleep 1000");
  pid_t hung = 0;
  // On a slow machine the script may not even have started; then it gets more time.
  for (std::chrono::milliseconds most(500); hung == 0; most *= 2) {
    const auto mapped =
        map_id_ranges(process_, own_ids(), {.users = sleeper, .groups = mapper("gid_map")}, most);
    ASSERT_FALSE(mapped.ok());
    EXPECT_THAT(
        mapped.error().message,
        AllOf(HasSubstr(sleeper), HasSubstr(concat("did not end within ", most.count(), " ms"))));
    std::ifstream(pid_file) >> hung;
  }
  EXPECT_EQ(kill(hung, 0), -1) << "it was not ended and waited for";
}

// A caller that cancelled a run once had to wait until the ten seconds of the program were over.
TEST_F(Mapping, IsGivenUpWhenTheCallerSaysSo) {
  const std::string fifo = directory_ + "/pid";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::string sleeper = script("sleeper", "echo $$ > " + fifo + "; exec sleep 1000");
  auto mapping = IdRangeMapping::start(
      process_, own_ids(), {.users = mapper("uid_map"), .groups = sleeper}, std::chrono::hours(1));
  ASSERT_TRUE(mapping.ok());
  pollfd first = {.fd = mapping.value().fd(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(poll(&first, 1, -1), 1);
  const auto half = mapping.value().step();
  ASSERT_TRUE(half.ok()) << half.error().message;
  EXPECT_FALSE(half.value()) << "the second program runs now";
  pid_t hung = 0;
  std::ifstream(fifo) >> hung;
  const auto hanging = mapping.value().step();
  ASSERT_TRUE(hanging.ok());
  EXPECT_FALSE(hanging.value()) << "and step() does not wait for it";
  const auto mapped = mapping.value().step(true);
  ASSERT_FALSE(mapped.ok());
  EXPECT_EQ(mapped.error().kind, ErrorKind::cancelled) << mapped.error().message;
  ASSERT_GT(hung, 0);
  EXPECT_EQ(kill(hung, 0), -1) << "it was not ended and waited for";
}

// If no pidfd could be opened, a healthy program was once killed by its pid, and the message said
// that it had not ended in time.
TEST_F(Mapping, ThatCouldNotBeGivenUpIsNotBegun) {
  const std::string observer = directory_ + "/observer";
  IdMappers mappers = honest();
  mappers.users = mapper("uid_map", "touch " + observer);
  struct rlimit before {};
  getrlimit(RLIMIT_NOFILE, &before);
  const Fd lowest(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
  // Enough for this descriptor and the two ends of a pipe, but not for a pidfd.
  struct rlimit few = {static_cast<rlim_t>(lowest.get()) + 3, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto refused = map_id_ranges(process_, own_ids(), mappers);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("pidfd_open"), HasSubstr("EMFILE")));
  EXPECT_FALSE(std::filesystem::exists(observer));
  const auto mapped = map_id_ranges(process_, own_ids(), mappers);
  EXPECT_TRUE(mapped.ok()) << mapped.error().message;
  EXPECT_TRUE(std::filesystem::exists(observer));
}

TEST_F(Mapping, WaitsForTheProgramAndNotForWhoHoldsItsOutput) {
  const std::string pid_file = directory_ + "/pid";
  IdMappers mappers = honest();
  mappers.users = mapper("uid_map", "sleep 1000 & echo $! > " + pid_file);
  EXPECT_TRUE(map_id_ranges(process_, own_ids(), mappers).ok());
  pid_t left = 0;
  std::ifstream(pid_file) >> left;
  ASSERT_GT(left, 0);
  kill(left, SIGKILL);
}

TEST_F(Mapping, GivesTheProgramNothingOfTheCallers) {
  const int spare = fcntl(STDERR_FILENO, F_DUPFD, 7);  // without close-on-exec
  setenv("LD_LIBRARY_PATH", "/nowhere", 1);
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  const auto handler = signal(SIGUSR1, SIG_IGN);
  const std::string seen = directory_ + "/seen";
  IdMappers mappers = honest();
  // The shell passes on what it was given. Descriptor 3 is the directory that ls opens.
  mappers.users = mapper("uid_map",
                         "{ tr '\\0' '\\n' < /proc/$$/environ; readlink /proc/$$/fd/0; ls "
                         "/proc/self/fd; grep -E '^Sig(Blk|Ign)' /proc/self/status; } > " +
                             seen);
  const auto mapped = map_id_ranges(process_, own_ids(), mappers);
  signal(SIGUSR1, handler);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  unsetenv("LD_LIBRARY_PATH");
  close(spare);
  ASSERT_TRUE(mapped.ok()) << mapped.error().message;
  std::ifstream file(seen);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // The last four digits are signals 1 to 16, SIGUSR1 among them: none may be ignored. The C
  // library ignores two higher signals of its own.
  EXPECT_THAT(
      text, testing::MatchesRegex("/dev/null\n0\n1\n2\n3\nSigBlk:\t0+\nSigIgn:\t[0-9a-f]+0000\n"));
}

// If SIGCHLD is ignored, the kernel reaps the child and its exit code is lost. The map is still
// read back.
TEST_F(Mapping, DoesNotNeedTheExitCode) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const auto lied = map_id_ranges(process_, own_ids(),
                                  {.users = script("liar", "echo no; exit 1"), .groups = ""});
  const auto mapped = map_id_ranges(process_, own_ids(), honest());
  signal(SIGCHLD, before);
  EXPECT_TRUE(mapped.ok()) << mapped.error().message;
  ASSERT_FALSE(lied.ok());
  EXPECT_THAT(lied.error().message, HasSubstr("it printed 'no'"));
}

TEST_F(Mapping, LeavesNoFileAndNoOtherChildBehind) {
  const auto files = [] {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      ++count;
    return count;
  };
  const pid_t bystander = fork();
  if (bystander == 0) _exit(5);
  const int before = files();
  EXPECT_FALSE(map_id_ranges(process_, own_ids(), {.users = "/nowhere", .groups = ""}).ok());
  ASSERT_TRUE(map_id_ranges(process_, own_ids(), honest()).ok());
  EXPECT_EQ(files(), before);
  int status = 0;
  EXPECT_EQ(waitpid(bystander, &status, 0), bystander) << "nobody else has waited for it";
  EXPECT_EQ(WEXITSTATUS(status), 5);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

}  // namespace
}  // namespace bawn
