// The settings of the host that both tiers read, with an /etc that the test makes: bawn starts in a
// mount namespace in which a copy covers the host's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "caller.h"
#include "host/system_paths.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class SystemSetting : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (access("/usr/bin/git", X_OK) != 0) GTEST_SKIP() << "git is not installed";
    if (access("/usr/bin/unshare", X_OK) != 0) GTEST_SKIP() << "unshare is not installed";
    for (const std::string_view path : kReadablePaths) {
      if (path.starts_with("/etc/")) copy_of(path);
    }
    write("gitconfig", "[bawn]\n\tread = by-git\n");
    write("secret", "[bawn]\n\tread = a-secret\n");
    const Answer plain = with_etc({"git", "config", "--system", "bawn.read"});
    if (plain.exit_code != 0) GTEST_SKIP() << "no mount namespace with another /etc: " << plain.err;
    ASSERT_EQ(plain.out, "by-git\n") << "the control: without bawn git reads the copy";
  }

  void copy_of(std::string_view path) const {
    std::error_code ignored;  // what this user may not read is not needed either
    const std::string copy = etc() + std::string(path.substr(std::string_view("/etc").size()));
    fs::create_directories(fs::path(copy).parent_path());
    fs::copy(path, copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks, ignored);
  }
  void write(const std::string& name, std::string_view text) const {
    fs::remove(etc() + "/" + name);
    std::ofstream(etc() + "/" + name) << text;
  }
  [[nodiscard]] std::string etc() const { return caller.outside() + "/etc"; }

  // Runs a command in a mount namespace with the test's /etc.
  [[nodiscard]] Answer with_etc(const Words& command) const {
    const Words words = {"unshare",
                         "--user",
                         "--map-root-user",
                         "--mount",
                         "sh",
                         "-c",
                         "mount --bind \"$0\" /etc && exec \"$@\"",
                         etc()};
    return caller.start_program("/usr/bin/unshare", joined(words, command)).finish();
  }
  [[nodiscard]] Answer run(const Words& command) const {
    return with_etc(joined({named_by("BAWN_BINARY"), "run", "--tier", GetParam(), "--"}, command));
  }
  void expect_output(const Words& command, const std::string& expected) const {
    const Answer answer = run(command);
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_EQ(answer.out, expected);
    EXPECT_THAT(answer.err, Not(HasSubstr("/etc/")));
  }

  Caller caller;
};

INSTANTIATE_TEST_SUITE_P(Tiers, SystemSetting, testing::Values("b", "c"),
                         [](const auto& tier) { return "Tier" + tier.param; });

// Landlock refused the file, and git stops if it may not read a file that exists: in tier b every
// git command ended with code 128.
TEST_P(SystemSetting, OfGitIsReadAndGitWorks) {
  expect_output({"git", "config", "--system", "bawn.read"}, "by-git\n");
  expect_output({"git", "init", "--quiet"}, "");
  caller.file("text", "line\n");
  expect_output({"git", "status", "--short"}, "?? text\n");
  expect_output({"git", "add", "text"}, "");
  expect_output({"git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet",
                 "--message", "One"},
                "");
  expect_output({"git", "log", "--format=%s"}, "One\n");
  expect_output({"env", "-i", "/usr/bin/git", "log", "--format=%s"}, "One\n");
}

TEST_P(SystemSetting, ThatMayNotBeReadStopsGit) {
  expect_output({"git", "init", "--quiet"}, "");
  fs::permissions(etc() + "/gitconfig", fs::perms::none);
  const Answer refused = run({"git", "status", "--short"});
  EXPECT_EQ(refused.exit_code, 128);
  EXPECT_THAT(refused.err, HasSubstr("/etc/gitconfig"));
}

TEST_P(SystemSetting, ThatNoRowNamesStaysClosed) {
  const Answer read = run({"sh", "-c", "cd /etc && cat gitconfig; cat secret"});
  EXPECT_NE(read.exit_code, 0);
  EXPECT_THAT(read.out, HasSubstr("by-git"));
  EXPECT_THAT(read.out, Not(HasSubstr("a-secret")));
  EXPECT_THAT(with_etc({"cat", "/etc/secret"}).out, HasSubstr("a-secret")) << "the control";
}

}  // namespace
}  // namespace bawn
