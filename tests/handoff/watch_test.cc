#include "handoff/watch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "base/text.h"
#include "handoff/look_unix.h"
#include "handoff/name.h"

namespace bawn::handoff {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

struct NameCase {
  std::string_view pattern;
  Reading reading;
  std::string_view obeyed_by;
  std::string told;
  std::string quiet;
};

// Paths below the workspace; the rows of a repository's directory lie below .git.
std::vector<NameCase> cases() {
  return {
#define BAWN_NAME(pattern, reading, obeyed_by, effect, told, quiet) \
  {pattern, Reading::reading, obeyed_by, told, quiet},
#define BAWN_GIT_NAME(pattern, reading, obeyed_by, effect, told, quiet) \
  {pattern, Reading::reading, obeyed_by, ".git/" told, ".git/" quiet},
#include "handoff/name.inc"
  };
}

std::string content_for(Reading reading) {
  switch (reading) {
    case Reading::git_config:
      return "[core]\n\teditor = ./x\n[submodule \"a\"]\n\tupdate = !id\n";
    case Reading::scripts:
      return R"({"name": "a", "scripts": {"test": "x"}})";
    case Reading::content:
      break;
  }
  return "x\n";
}

std::string harmless_for(Reading reading) {
  switch (reading) {
    case Reading::git_config:
      return content_for(reading) + "[user]\n\tname = Me\n";
    case Reading::scripts:
      return R"({"name": "b", "scripts": {"test": "x"}})";
    case Reading::content:
      break;
  }
  return content_for(reading);
}

class Watching : public testing::Test {
 protected:
  Watching() {
    std::string pattern = testing::TempDir() + "/handoff-XXXXXX";
    root_ = fs::canonical(::mkdtemp(pattern.data()));
    work_ = root_ / "work";
    fs::create_directories(work_);
  }
  ~Watching() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text = "x\n") const {
    fs::create_directories((work_ / name).parent_path());
    std::ofstream(work_ / name, std::ios::binary) << text;
  }

  [[nodiscard]] HandoffPlan plan() const {
    HandoffPlan plan{.roots = {{work_.string(), ""}}};
    if (fs::is_directory(work_ / ".git")) plan.git.push_back({0, ".git"});
    return plan;
  }

  [[nodiscard]] std::vector<Handoff> found(const std::function<void()>& deed) const {
    Watch watch = Watch::begin(plan());
    deed();
    return watch.finish();
  }

  // "new .git/config alias.x", for each.
  [[nodiscard]] std::vector<std::string> told(const std::function<void()>& deed) const {
    std::vector<std::string> out;
    for (const Handoff& each : found(deed)) {
      out.push_back(
          concat(to_string(each.change), " ", each.path, each.key.empty() ? "" : " ", each.key));
    }
    return out;
  }

  // The same as an ordinary user, who needs permissions.
  [[nodiscard]] std::vector<std::string> told_to_user(const std::function<void()>& deed) const {
    constexpr uid_t kUser = 65534;
    const uid_t me = ::geteuid();
    if (me != 0) return told(deed);
    for (const auto& each : fs::recursive_directory_iterator(root_))
      EXPECT_EQ(::lchown(each.path().c_str(), kUser, kUser), 0);
    EXPECT_EQ(::chown(root_.c_str(), kUser, kUser), 0);
    EXPECT_EQ(::seteuid(kUser), 0);
    auto all = told(deed);
    EXPECT_EQ(::seteuid(me), 0);
    return all;
  }

  void allow(const std::string& name, mode_t mode) const {
    EXPECT_EQ(::chmod((work_ / name).c_str(), mode), 0);
  }

  // As `git clone --bare` leaves it.
  void make_repository(const std::string& at, const std::string& config) const {
    write(at + "/HEAD");
    fs::create_directories(work_ / at / "objects");
    fs::create_directories(work_ / at / "refs");
    write(at + "/config", config);
  }

  void start_anew() const {
    fs::remove_all(work_);
    fs::create_directories(work_);
  }

  fs::path root_;
  fs::path work_;
};

TEST_F(Watching, TellsTheFileOfEachRow) {
  for (const NameCase& row : cases()) {
    start_anew();
    if (row.told.starts_with(".git/")) fs::create_directories(work_ / ".git");
    const auto told = found([&] { write(row.told, content_for(row.reading)); });
    ASSERT_THAT(told, testing::Not(IsEmpty())) << row.pattern;
    EXPECT_EQ(told[0].path, row.told);
    EXPECT_EQ(told[0].obeyed_by, row.obeyed_by);
    EXPECT_EQ(told[0].change, HandoffChange::is_new) << row.pattern;
  }
}

TEST_F(Watching, TellsTheFileOfEachRowThatWasThereBefore) {
  for (const NameCase& row : cases()) {
    start_anew();
    write(row.told, row.reading == Reading::content ? "old" : "");
    const auto told = found([&] { write(row.told, content_for(row.reading)); });
    ASSERT_THAT(told, testing::Not(IsEmpty())) << row.pattern;
    EXPECT_EQ(told[0].path, row.told);
  }
}

TEST_F(Watching, IsQuietAboutTheFileOfEachRowThatIsOnlyTouched) {
  for (const NameCase& row : cases()) {
    start_anew();
    write(row.told, content_for(row.reading));
    EXPECT_THAT(told([] {}), IsEmpty()) << row.pattern;
    EXPECT_THAT(told([&] { write(row.told, content_for(row.reading)); }), IsEmpty())
        << row.pattern << " rewritten";
    EXPECT_THAT(told([&] { write(row.told, harmless_for(row.reading)); }), IsEmpty())
        << row.pattern << " with another harmless part";
  }
}

TEST_F(Watching, IsQuietAboutTheOtherNameOfEachRow) {
  for (const NameCase& row : cases()) {
    start_anew();
    if (row.quiet.starts_with(".git/")) fs::create_directories(work_ / ".git");
    EXPECT_THAT(told([&] { write(row.quiet, content_for(row.reading)); }), IsEmpty()) << row.quiet;
  }
}

TEST_F(Watching, IsQuietAboutOrdinaryWork) {
  write(".git/config", "[core]\n\tbare = false\n");
  write(".git/HEAD");
  EXPECT_THAT(told([&] {
                write("src/main.c");
                write(".editorconfig");
                write(".gitignore");
                write(".git/index");
                write(".git/refs/heads/main");
                write(".git/config", "[core]\n\tbare = false\n[remote \"o\"]\n\turl = ../x\n");
                fs::create_symlink("main.c", work_ / "src/link");
                fs::create_symlink("../src", work_ / "src/up");
              }),
              IsEmpty());
}

TEST_F(Watching, TellsTheKeysOfAConfiguration) {
  write(".git/config", "[core]\n\teditor = vi\n");
  EXPECT_THAT(told([&] { write(".git/config", "[core]\n\teditor = ./x\n[alias]\n\ta = !id\n"); }),
              ElementsAre("new .git/config alias.a", "changed .git/config core.editor"));
}

// The state of such a file can be the same before and after: a file system counts time in ticks.
TEST_F(Watching, TellsAFileThatChangesRightBeforeAndAfterItIsLookedAt) {
  for (int i = 0; i < 50; ++i) {
    write("Makefile", "a\n");
    EXPECT_THAT(told([&] { write("Makefile", "b\n"); }), ElementsAre("changed Makefile"));
  }
}

// The kernel of this machine may count time finely; then only this shows that such files are read.
TEST_F(Watching, ReadsAFileAgainThatWasRecentAtTheFirstLook) {
  write("Makefile");
  const Fd directory(::open(work_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto look = [&](const Snapshot* before, std::int64_t now_ns) {
    Looker looker(before, now_ns);
    looker.look({.directory = directory.get()});
    return std::move(looker).finish();
  };
  const Snapshot recent = look(nullptr, 0);
  EXPECT_THAT(look(&recent, 0).files, SizeIs(1));
  const Snapshot old = look(nullptr, std::numeric_limits<std::int64_t>::max());
  EXPECT_THAT(look(&old, 0).files, IsEmpty());
}

TEST_F(Watching, TellsARepositoryMadeInside) {
  EXPECT_THAT(told([&] {
                write(".git/config", "[core]\n\tsshCommand = ./x\n");
                write("deep/er/.git/hooks/pre-push");
                write("deep/er/.git/hooks/pre-push.sample");
                write("deep/er/.git/config", "[filter \"a\"]\n\tclean = ./x\n");
              }),
              testing::UnorderedElementsAre("new .git/config core.sshcommand",
                                            "new deep/er/.git/hooks/pre-push",
                                            "new deep/er/.git/config filter.a.clean"));
}

TEST_F(Watching, TellsHooksOfARepositoryThatIsNoRoot) {
  write("in/.git/hooks/old");
  ::usleep(20'000);  // longer than a tick of the file system's clock
  EXPECT_THAT(told([&] { write("in/.git/hooks/new"); }), ElementsAre("new in/.git/hooks/new"));
}

TEST_F(Watching, TellsABareRepository) {
  const auto make = [&](const std::string& at) {
    write(at + "HEAD");
    fs::create_directories(work_ / (at + "objects"));
    fs::create_directories(work_ / (at + "refs"));
    write(at + "config", "[core]\n\tfsmonitor = ./x\n");
  };
  EXPECT_THAT(told([&] { make("b/"); }), ElementsAre("new b", "new b/config core.fsmonitor"));
  start_anew();
  EXPECT_THAT(told([&] { make(""); }), Contains("new HEAD"));
}

TEST_F(Watching, TellsAGitDirectoryThatBecameALinkOrAFile) {
  write(".git/config", "");
  write("other/config", "");
  EXPECT_THAT(told([&] {
                fs::rename(work_ / ".git", work_ / "g");
                fs::create_symlink("other", work_ / ".git");
              }),
              Contains("new .git"));
  start_anew();
  write(".git/config", "");
  EXPECT_THAT(told([&] {
                fs::remove_all(work_ / ".git");
                write(".git", "gitdir: other\n");
              }),
              Contains("new .git"));
}

TEST_F(Watching, TellsLinksThatLeadOut) {
  EXPECT_THAT(told([&] {
                fs::create_directories(work_ / "a/b");
                fs::create_symlink("/etc/passwd", work_ / "a/b/x");
                fs::create_symlink("../../..", work_ / "a/b/up");
                fs::create_symlink("../../c", work_ / "a/b/in");
                fs::create_symlink(work_ / "c", work_ / "a/in");
              }),
              testing::UnorderedElementsAre("new a/b/x", "new a/b/up"));
}

TEST_F(Watching, IsQuietAboutLinksThatWereThereBefore) {
  fs::create_directories(work_ / "a");
  fs::create_symlink("/etc/passwd", work_ / "a/old");
  ::usleep(20'000);  // longer than a tick of the file system's clock
  EXPECT_THAT(told([&] { write("a/new"); }), IsEmpty());
}

TEST_F(Watching, TellsALinkUnderANameOfTheTableOnce) {
  EXPECT_THAT(told([&] { fs::create_symlink("/etc/passwd", work_ / ".envrc"); }),
              ElementsAre("new .envrc"));
}

TEST_F(Watching, TellsSetIdBits) {
  EXPECT_THAT(told([&] {
                write("a/tool");
                write("a/plain");
                ::chmod((work_ / "a/tool").c_str(), 06755);
              }),
              ElementsAre("new a/tool"));
}

TEST_F(Watching, DoesNotLookBelowNodeModules) {
  EXPECT_THAT(told([&] {
                fs::create_directories(work_ / "node_modules/a");
                fs::create_symlink("/etc", work_ / "node_modules/a/x");
              }),
              IsEmpty());
}

TEST_F(Watching, SaysThatThereWereTooManyEntries) {
  const auto all = told([&] {
    fs::create_directories(work_ / "many");
    for (int i = 0; i < 2100; ++i) write(concat("many/", i));
  });
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(all[0], testing::StartsWith("not_looked_at "));
}

// A reader that opened such a file without care would wait for ever.
TEST_F(Watching, IsNotHeldUpByWhatIsNoFile) {
  write("Makefile");
  const auto all = told([&] {
    fs::remove(work_ / "Makefile");
    ASSERT_EQ(::mkfifo((work_ / "Makefile").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((work_ / ".envrc").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((work_ / ".vscode").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", work_ / "package.json");
    fs::create_symlink("/proc/self/fd", work_ / ".github");
    fs::create_symlink(".husky", work_ / ".husky");
  });
  for (const char* name : {"changed Makefile", "new .envrc", "new package.json", "new .github"})
    EXPECT_THAT(all, Contains(name));
}

TEST_F(Watching, DoesNotReadAHugeFile) {
  write(".envrc");
  EXPECT_THAT(told([&] {
                ASSERT_EQ(::truncate((work_ / ".envrc").c_str(), off_t{1} << 40), 0);
                ASSERT_EQ(::truncate((work_ / ".envrc").c_str(), off_t{1} << 30), 0);
              }),
              ElementsAre("changed .envrc"));
  const Fd directory(::open(work_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  Looker looker(nullptr, 0);
  looker.look({.directory = directory.get()});
  EXPECT_EQ(std::move(looker).finish().files.at(0).content, FileContent{});
}

TEST_F(Watching, DoesNotFollowALinkToADirectoryOfTheTable) {
  fs::create_directories(root_ / "outside");
  std::ofstream(root_ / "outside/tasks.json") << "x";
  EXPECT_THAT(told([&] { fs::create_symlink(root_ / "outside", work_ / ".vscode"); }),
              ElementsAre("new .vscode"));
}

// A directory that may be searched and not read is obeyed like any other.
TEST_F(Watching, LooksIntoDirectoriesThatMayNotBeListed) {
  write(".git/config", "");
  write(".vscode/settings.json", "{}");
  EXPECT_THAT(told_to_user([&] {
                write(".git/config", "[alias]\n\ta = !id\n");
                write(".git/hooks/pre-push");
                write(".vscode/tasks.json", "{}");
                write("r/.git/config", "[alias]\n\tb = !id\n");
                for (const char* name : {".git", "r/.git"}) allow(name, 0311);
                for (const char* name : {".vscode", "r"}) allow(name, 0111);
              }),
              testing::UnorderedElementsAre("new .git/config alias.a", "new .git/hooks/pre-push",
                                            "new .vscode/tasks.json", "not_looked_at r",
                                            "not_looked_at .vscode", "new r/.git/config alias.b"));
  allow("r", 0700);
}

TEST_F(Watching, SaysThatADirectoryCouldNotBeLookedAt) {
  write(".github/workflows/a.yml");
  write(".vscode/tasks.json");
  EXPECT_THAT(told_to_user([&] {
                allow(".github/workflows", 0311);
                allow(".vscode", 0);
                write("names/a");
                write("names/b");
                allow("names", 0444);
              }),
              testing::IsSupersetOf({"not_looked_at .github/workflows", "not_looked_at .vscode",
                                     "not_looked_at names"}));
  allow(".vscode", 0700);
}

TEST_F(Watching, FollowsLinksThatStayBelowTheRoot) {
  write(".git/config", "");
  write("hk/pre-commit", "a");
  write("sc/env", "a");
  write("sc/tasks.json", "a");
  fs::create_symlink("sc/env", work_ / ".envrc");
  fs::create_symlink("sc", work_ / ".vscode");
  fs::create_symlink("../hk", work_ / ".git/hooks");
  EXPECT_THAT(told([] {}), IsEmpty());
  EXPECT_THAT(
      told([&] {
        for (const char* name : {"hk/pre-commit", "hk/pre-push", "sc/env", "sc/tasks.json"})
          write(name, "b");
      }),
      testing::UnorderedElementsAre("changed .envrc", "changed .vscode/tasks.json",
                                    "changed .git/hooks/pre-commit", "new .git/hooks/pre-push"));
}

TEST_F(Watching, TellsFilesBehindANewLink) {
  write("old/Makefile", "a");
  fs::create_symlink("old/Makefile", work_ / "Makefile");
  EXPECT_THAT(
      told([&] {
        write("v/tasks.json", "{}");
        fs::create_symlink("v", work_ / ".vscode");
        fs::create_symlink("nothing", work_ / ".husky");
        write("new", "b");
        fs::remove(work_ / "Makefile");
        fs::create_symlink("new", work_ / "Makefile");
      }),
      testing::UnorderedElementsAre("new .vscode/tasks.json", "new .husky", "changed Makefile"));
}

TEST_F(Watching, TellsARepositoryInsideARepository) {
  write(".git/config", "");
  fs::create_directories(work_ / "old");
  write("old/.git", "gitdir: ../.git/there\n");
  write(".git/there/config", "");
  ::usleep(20'000);  // longer than a tick of the file system's clock
  const std::string config = "[alias]\n\ta = !id\n";
  EXPECT_THAT(
      told([&] {
        write(".git/there/config", config);
        write("sub/.git", "gitdir: ../.git/evil\n");
        write(".git/evil/config", config);
        make_repository(".git/modules/n", config);
        write(".git/modules/n/hooks/post-checkout");
        write(".git/worktrees/w/HEAD");
        write(".git/worktrees/w/commondir", "../..");
        write(".git/worktrees/w/config.worktree", config);
      }),
      testing::UnorderedElementsAre(
          "new .git/there/config alias.a", "new sub/.git", "new .git/evil/config alias.a",
          "new .git/modules/n", "new .git/modules/n/config alias.a",
          "new .git/modules/n/hooks/post-checkout", "new .git/worktrees/w",
          "new .git/worktrees/w/commondir", "new .git/worktrees/w/config.worktree alias.a"));
}

// Git adds worktrees, and files of objects in submodules: what was there before is no news.
TEST_F(Watching, IsQuietAboutRepositoriesInsideThatAreAsTheyWere) {
  write(".git/config", "");
  write("sub/.git", "gitdir: ../.git/modules/n\n");
  make_repository(".git/modules/n", "[alias]\n\ta = !id\n");
  make_repository("bare", "[alias]\n\ta = !id\n");
  ::usleep(20'000);  // longer than a tick of the file system's clock
  EXPECT_THAT(told([&] { write(".git/modules/n/objects/x"); }), IsEmpty());
  EXPECT_THAT(told([&] { write("bare/config", "[alias]\n\ta = !x\n"); }),
              ElementsAre("new bare/config alias.a"));
}

TEST_F(Watching, FindsNamesOfTheTableAmongAFloodOfOthers) {
  EXPECT_THAT(told([&] {
                for (int i = 0; i < 4200; ++i) write(concat(i));
                write(".envrc");
              }),
              Contains("new .envrc"));
  start_anew();
  EXPECT_THAT(told([&] {
                for (int i = 0; i < 2100; ++i) write(concat("in/", i));
                write("in/.git/hooks/pre-push");
              }),
              Contains("new in/.git/hooks/pre-push"));
}

// A run that did nothing was told to have written the files that did not fit.
TEST_F(Watching, TellsOnlyTheFilesOfTheRunWhereThereAreTooMany) {
  for (int i = 0; i < 1200; ++i) write(concat(".claude/commands/", i));
  ::usleep(20'000);  // longer than a tick of the file system's clock
  const auto changed = [](const std::vector<std::string>& all) {
    return std::ranges::count_if(all, [](const auto& each) { return !each.starts_with("not_"); });
  };
  EXPECT_EQ(changed(told([] {})), 0);
  EXPECT_EQ(changed(told([&] { write(".envrc"); })), 1);
}

TEST_F(Watching, TellsHooksInTheDirectoryThatTheConfigurationNames) {
  write(".git/config", "[core]\n\thooksPath = ./tools/hooks/\n");
  write("tools/hooks/pre-commit", "a");
  EXPECT_THAT(told([] {}), IsEmpty());
  EXPECT_THAT(told([&] {
                write("tools/hooks/pre-commit", "b");
                write("tools/hooks/pre-push");
                write("tools/other");
              }),
              ElementsAre("changed tools/hooks/pre-commit", "new tools/hooks/pre-push"));
  write(".git/config", "[core]\n\thooksPath = .githooks\n");
  EXPECT_THAT(told([&] { write(".githooks/pre-push"); }), ElementsAre("new .githooks/pre-push"))
      << "which has a row as well";
  write(".git/config", "[core]\n\thooksPath = /etc\n");
  EXPECT_THAT(told([&] { write("tools/hooks/pre-push", "c"); }), IsEmpty());
}

TEST_F(Watching, SaysWhereThePlanStoppedLookingForRepositories) {
  HandoffPlan some = plan();
  some.unsearched = ".git/modules/x";
  const auto all = Watch::begin(some).finish();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].path, ".git/modules/x");
  EXPECT_EQ(all[0].change, HandoffChange::not_looked_at);
}

TEST_F(Watching, LooksAtAWritableGrantToo) {
  HandoffPlan both = plan();
  fs::create_directories(root_ / "grant");
  both.roots.push_back({(root_ / "grant").string(), (root_ / "grant").string() + "/"});
  Watch watch = Watch::begin(both);
  std::ofstream(root_ / "grant/.envrc") << "x";
  const auto all = watch.finish();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].path, (root_ / "grant/.envrc").string());
}

TEST_F(Watching, LeavesNoDescriptorOpen) {
  const auto open = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  write(".git/config");
  const auto before = open();
  static_cast<void>(told([&] { write(".github/workflows/a.yml"); }));
  EXPECT_EQ(open(), before);
}

}  // namespace
}  // namespace bawn::handoff
