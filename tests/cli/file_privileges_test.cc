// A bawn whose own file is set-user-id, set-group-id or has file capabilities, started by an
// ordinary user; and a bawn of root that lacks a capability. Only root can make them.
//
// The controls: the same bawn without privileges runs for that user, and a `cat` with the same
// capability reads what the user may not read.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace bawn {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr uid_t kUser = 12345;

struct Ended {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

class FilePrivileges : public testing::Test {
 protected:
  void SetUp() override {
    if (getuid() != 0) GTEST_SKIP() << "only root can give a file privileges";
    directory_ = std::filesystem::temp_directory_path() / "bawn-privileges-XXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
    ASSERT_EQ(chmod(directory_.c_str(), 0755), 0);
    ASSERT_EQ(mkdir((directory_ + "/work").c_str(), 0755), 0);
    ASSERT_EQ(chown((directory_ + "/work").c_str(), kUser, kUser), 0);
    std::ofstream(secret()) << "root's secret\n";
    ASSERT_EQ(chmod(secret().c_str(), 0600), 0);
  }
  void TearDown() override {
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return directory_ + "/" + name; }
  [[nodiscard]] std::string secret() const { return path("secret"); }
  [[nodiscard]] const std::string& directory() const { return directory_; }  // of root

  // A copy that everybody may execute.
  [[nodiscard]] std::string copy(const std::string& program, const std::string& name) const {
    std::string path = directory_ + "/" + name;
    std::filesystem::copy_file(program, path);
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    return path;
  }
  [[nodiscard]] std::string bawn(const std::string& name) const {
    return copy(std::getenv("BAWN_BINARY"), name);
  }
  static void give_capabilities(const std::string& path, const char* text) {
    const cap_t capabilities = cap_from_text(text);
    EXPECT_EQ(cap_set_file(path.c_str(), capabilities), 0);
    cap_free(capabilities);
  }

  // Starts the program in the work directory after `before`, with no variables but PATH.
  [[nodiscard]] Ended start(const std::vector<std::string>& words,
                            const std::function<bool()>& before) const {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], 1);
      dup2(ends[1], 2);
      if (chdir((directory_ + "/work").c_str()) != 0 || !before()) _exit(200);
      std::vector<char*> argv;
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      char path[] = "PATH=/usr/bin:/bin";
      char* const environment[] = {path, nullptr};
      execve(argv[0], argv.data(), environment);
      _exit(201);
    }
    close(ends[1]);
    Ended out;
    char piece[4096];
    for (ssize_t got = 0; (got = read(ends[0], piece, sizeof piece)) > 0;)
      out.text.append(piece, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) out.exit_code = WEXITSTATUS(status);
    return out;
  }
  [[nodiscard]] Ended as_user(const std::vector<std::string>& words) const {
    return start(words, [] {
      return setgroups(0, nullptr) == 0 && setresgid(kUser, kUser, kUser) == 0 &&
             setresuid(kUser, kUser, kUser) == 0;
    });
  }
  [[nodiscard]] Ended as_root_without(int capability, const std::vector<std::string>& words) const {
    return start(words, [&] { return prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; });
  }

  // bawn refuses every subcommand that opens or starts something, and reads no file of root.
  void expect_refused(const std::string& program, const char* by) const {
    const std::vector<std::string> commands[] = {
        {"run", "--", "/bin/true"},
        {"run", "--policy", "disabled", "--", "/bin/true"},
        {"run", "--policy", secret(), "--", "/bin/true"},
        {"check", "--", "/bin/true"},
        {"explain", "--", "/bin/true"},
        {"policy", "show", secret()},
    };
    for (std::vector<std::string> words : commands) {
      const std::string subcommand = words.front();
      words.insert(words.begin(), program);
      const Ended refused = as_user(words);
      EXPECT_EQ(refused.exit_code, 125) << subcommand << refused.text;
      EXPECT_THAT(refused.text, HasSubstr("privileges that the caller does not have"))
          << subcommand;
      EXPECT_THAT(refused.text, HasSubstr(by)) << subcommand;
      EXPECT_THAT(refused.text, Not(HasSubstr("secret"))) << subcommand;
    }
    const Ended doctor = as_user({program, "doctor"});
    EXPECT_EQ(doctor.exit_code, 1);
    EXPECT_THAT(doctor.text, HasSubstr("no    program-file"));
    EXPECT_THAT(doctor.text, HasSubstr(by));
    EXPECT_THAT(doctor.text, HasSubstr("ok    capabilities        the caller has none"))
        << "doctor gave them up";
    EXPECT_THAT(doctor.text, HasSubstr("\ntier b does not work here: it needs program-file\n"));
  }

 private:
  std::string directory_;
};

TEST_F(FilePrivileges, OfCapabilitiesAreRefused) {
  const std::string program = bawn("bawn");
  const Ended plain = as_user({program, "run", "--", "/bin/grep", "Cap", "/proc/self/status"});
  EXPECT_EQ(plain.exit_code, 0) << plain.text;
  EXPECT_THAT(plain.text, HasSubstr("CapPrm:\t0000000000000000"));
  EXPECT_THAT(as_user({program, "run", "--policy", secret(), "--", "/bin/true"}).text,
              HasSubstr("Permission denied"));
  const std::string cat = copy("/bin/cat", "cat");
  EXPECT_THAT(as_user({cat, secret()}).text, HasSubstr("Permission denied"));
  for (const std::string& file : {program, cat})
    give_capabilities(file, "cap_dac_override,cap_sys_admin=ep");
  EXPECT_EQ(as_user({cat, secret()}).text, "root's secret\n") << "the capabilities work";
  expect_refused(program, "file capabilities");
}

// Permitted and not effective: bawn could raise it.
TEST_F(FilePrivileges, ThatAreNotInEffectAreRefusedToo) {
  const std::string program = bawn("bawn");
  give_capabilities(program, "cap_dac_override=p");
  expect_refused(program, "file capabilities");
}

TEST_F(FilePrivileges, OfAnotherUserOrGroupAreRefused) {
  const std::string user = bawn("set-user-id");
  ASSERT_EQ(chmod(user.c_str(), 04755), 0);
  expect_refused(user, "set-user-id");
  const std::string group = bawn("set-group-id");
  ASSERT_EQ(chmod(group.c_str(), 02755), 0);
  expect_refused(group, "set-group-id");
}

TEST_F(FilePrivileges, GiveRootNothingAndAreNamedByDoctor) {
  const std::string program = bawn("bawn");
  give_capabilities(program, "cap_dac_override=ep");
  const auto root = [] { return true; };
  EXPECT_EQ(start({program, "run", "--", "/bin/true"}, root).exit_code, 0);
  EXPECT_THAT(
      start({program, "doctor"}, root).text,
      HasSubstr("has file capabilities cap_dac_override=ep, which gives this caller nothing"));
}

// The kernel gives the files of such a process in /proc to root, init's among them until init has
// executed its own image. bawn once wrote the id maps before that, and won the race or lost it: a
// run was refused, or was in tier b where the policy accepts that.
TEST_F(FilePrivileges, DoNotMatterForAProgramThatItsCallerMayNotRead) {
  const std::string program = bawn("bawn");
  ASSERT_EQ(chmod(program.c_str(), 0711), 0);
  ASSERT_THAT(as_user({"/bin/cat", program}).text, HasSubstr("Permission denied"));
  const std::string policy = path("floor.json");
  std::ofstream(policy) << R"({"extends": "workspace", "tier": {"floor": "b"}})";
  for (int i = 0; i < 50; ++i) {
    const Ended run = as_user({program, "run", "--policy", policy, "--json", "--", "/bin/true"});
    ASSERT_EQ(run.exit_code, 0) << run.text;
    ASSERT_THAT(run.text, HasSubstr(R"("tier":"c")"));
  }
  EXPECT_THAT(as_user({program, "check", "--policy", policy, "--", "/bin/true"}).text,
              HasSubstr("allowed in tier c"));
  EXPECT_THAT(as_user({program, "doctor"}).text, HasSubstr("tier c works"));
}

// It once failed, and doctor said that tier c works.
TEST_F(FilePrivileges, OfRootAreNotTakenForGranted) {
  const std::string program = bawn("bawn");
  const Ended run = as_root_without(CAP_SETGID, {program, "run", "--tier", "c", "--", "/bin/true"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  // In the workspace of another, such a run has the ids of that user. In root's it needs uid 0.
  EXPECT_EQ(
      as_root_without(CAP_SETFCAP, {program, "run", "--tier", "c", "--", "/bin/true"}).exit_code,
      0);
  const Ended unmapped = as_root_without(
      CAP_SETFCAP, {program, "run", "--tier", "c", "--workspace", directory(), "--", "/bin/true"});
  EXPECT_EQ(unmapped.exit_code, 125);
  EXPECT_THAT(unmapped.text, HasSubstr("root without CAP_SETFCAP may not map uid 0"));
  EXPECT_THAT(as_root_without(CAP_SETFCAP, {program, "doctor"}).text,
              HasSubstr("root without CAP_SETFCAP may not map uid 0"));
}

}  // namespace
}  // namespace bawn
