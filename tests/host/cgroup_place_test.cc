// Trees of plain files take the place of a host's cgroups.

#include "host/cgroup_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/text.h"

namespace bawn {
namespace {

using enum CgroupController;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CgroupPlaceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/bawn-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    view_ = CgroupView::of_this_process();
    view_.mount = root_ + "/cgroup";
    view_.own_cgroups = root_ + "/own";
    view_.file_system = [](const std::string& directory) {
      if (std::filesystem::exists(directory + "/cgroup.controllers")) return CgroupFileSystem::v2;
      return std::filesystem::exists(directory + "/tasks") ? CgroupFileSystem::v1
                                                           : CgroupFileSystem::none;
    };
    view_.write_problem = [this](const std::string& path) {
      if (!std::filesystem::exists(path)) return ENOENT;
      return read_only_.contains(path) ? EACCES : 0;
    };
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  struct Unified {
    std::string controllers;
    std::string subtree_control;
    std::string processes;
    bool owned = true;
  };
  void unified(const std::string& path, const Unified& content, const std::string& mount = "") {
    const std::string directory = view_.mount + mount + path;
    std::filesystem::create_directories(directory);
    std::ofstream(directory + "/cgroup.controllers") << content.controllers << "\n";
    std::ofstream(directory + "/cgroup.subtree_control") << content.subtree_control << "\n";
    std::ofstream(directory + "/cgroup.procs") << content.processes;
    if (!path.empty()) std::ofstream(directory + "/cgroup.events") << "populated 1\n";
    if (content.owned) return;
    for (const char* name : {"", "/cgroup.procs", "/cgroup.subtree_control"})
      read_only_.insert(directory + name);
  }
  void legacy(const std::string& path) {
    std::filesystem::create_directories(view_.mount + path);
    std::ofstream(view_.mount + path + "/tasks") << "1\n";
  }
  void own(const std::string& text) { std::ofstream(view_.own_cgroups) << text; }

  // A session as systemd makes it: everything below user@1000.service belongs to the user.
  void systemd_session() {
    unified("", {"cpu memory pids", "cpu memory pids", "1\n", false});
    unified("/user.slice", {"cpu memory pids", "cpu memory pids", "", false});
    unified("/user.slice/u.service", {"cpu memory pids", "memory pids", ""});
    unified("/user.slice/u.service/app.slice", {"memory pids", "memory pids", ""});
    unified("/user.slice/u.service/app.slice/term.scope", {"memory pids", "", "77\n"});
    own("0::/user.slice/u.service/app.slice/term.scope\n");
  }

  [[nodiscard]] std::string error(const CgroupControllers& wanted,
                                  const std::optional<std::string>& parent = {}) const {
    const auto place = find_cgroup_place(view_, wanted, parent);
    return place ? "found " + place.value().parents.at(0).directory : place.error().message;
  }

  std::string root_;
  CgroupView view_;
  std::set<std::string> read_only_;
};

TEST_F(CgroupPlaceTest, IsTheNearestDelegatedDirectoryThatHasTheControllers) {
  systemd_session();
  const auto place = find_cgroup_place(view_, {memory, pids}, {});
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place.value().version, CgroupVersion::v2);
  ASSERT_EQ(place.value().parents.size(), 1U);
  EXPECT_EQ(place.value().parents[0].directory, view_.mount + "/user.slice/u.service/app.slice");
  EXPECT_THAT(place.value().parents[0].controllers, ElementsAre(memory, pids));
  EXPECT_THAT(place.value().parents[0].to_enable, IsEmpty());
}

TEST_F(CgroupPlaceTest, SwitchesOnWhatIsMissingWhereThatIsAllowed) {
  systemd_session();
  const auto place = find_cgroup_place(view_, {memory, cpu}, {});
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place.value().parents.at(0).directory, view_.mount + "/user.slice/u.service");
  EXPECT_THAT(place.value().parents.at(0).controllers, ElementsAre(memory, cpu));
  EXPECT_THAT(place.value().parents.at(0).to_enable, ElementsAre(cpu));
}

TEST_F(CgroupPlaceTest, WouldRatherGoUpThanChangeADirectory) {
  unified("", {"memory", "memory", ""});
  unified("/a", {"memory", "memory", ""});
  unified("/a/b", {"memory", "", ""});
  own("0::/a/b\n");
  EXPECT_EQ(error({memory}), "found " + view_.mount + "/a");
  unified("", {"memory", "memory", "", false});
  unified("/a", {"memory", "memory", "", false});
  EXPECT_EQ(error({memory}), "found " + view_.mount + "/a/b");
}

TEST_F(CgroupPlaceTest, OfAUserWithoutDelegationIsNowhereAndEveryReasonIsGiven) {
  unified("", {"memory pids", "memory pids", "1\n", false});
  unified("/s.scope", {"memory pids", "", "77\n", false});
  own("0::/s.scope\n");
  EXPECT_THAT(error({memory}), AllOf(HasSubstr("/cgroup/s.scope': Permission denied"),
                                     HasSubstr("/cgroup': Permission denied")));
}

TEST_F(CgroupPlaceTest, IsNoDirectoryWithProcessesThatWouldHaveToBeSwitchedOn) {
  unified("", {"memory", "", "1\n", false});
  unified("/box", {"memory", "", "1\n"});
  own("0::/box\n");
  EXPECT_THAT(error({memory}),
              HasSubstr("/box' holds processes, so its children cannot have memory"));
  unified("/box", {"memory", "", ""});
  EXPECT_EQ(error({memory}), "found " + view_.mount + "/box");
}

TEST_F(CgroupPlaceTest, MayBeTheRootOfAllCgroupsAlthoughItHoldsProcesses) {
  unified("", {"memory", "", "1\n"});
  own("0::/\n");
  EXPECT_EQ(error({memory}), "found " + view_.mount);
}

TEST_F(CgroupPlaceTest, NeedsTheRightToMoveProcessesToo) {
  unified("", {"memory", "memory", "1\n"});
  own("0::/\n");
  EXPECT_EQ(error({memory}), "found " + view_.mount);
  read_only_.insert(view_.mount + "/cgroup.procs");
  EXPECT_THAT(error({memory}), HasSubstr("cgroup.procs': Permission denied"));
}

TEST_F(CgroupPlaceTest, NamesTheControllerThatTheHostLacks) {
  unified("", {"cpu", "cpu", ""});
  own("0::/\n");
  EXPECT_THAT(error({memory, pids}), HasSubstr("has no controller memory and pids"));
}

TEST_F(CgroupPlaceTest, ThatTheCallerChoseIsTakenOrRefusedButNeverReplaced) {
  systemd_session();
  const std::string service = view_.mount + "/user.slice/u.service";
  EXPECT_EQ(error({memory}, service + "/"), "found " + service);
  unified("/elsewhere", {"memory", "memory", ""});
  EXPECT_THAT(error({memory}, view_.mount + "/elsewhere"),
              AllOf(HasSubstr("processes cannot be moved"), HasSubstr("cgroup/cgroup.procs'")));
  EXPECT_THAT(error({memory}, view_.mount + "/user.slice"), HasSubstr("Permission denied"));
  EXPECT_EQ(error({memory}, "/etc"), "'/etc' is not a directory of a cgroup file system");
}

TEST_F(CgroupPlaceTest, ThatIsMissingIsToldSoAndWhenItIsMade) {
  systemd_session();
  const std::string service = view_.mount + "/user.slice/u.service";
  EXPECT_EQ(error({memory}, service + "/agents"),
            "'" + service +
                "/agents' does not exist; only the last directory of limits.cgroup_parent is made, "
                "and only with limits.total_memory_bytes or limits.total_processes");
}

TEST_F(CgroupPlaceTest, OfVersionOneLiesBelowAController) {
  legacy("/memory");
  own("4:memory:/\n");
  EXPECT_THAT(error({memory}, view_.mount),
              HasSubstr("in cgroup v1 one lies below a controller, as '" + view_.mount +
                        "/memory/runs' does"));
}

TEST_F(CgroupPlaceTest, OfAProcessInAnotherCgroupNamespaceIsOutOfSight) {
  unified("", {"memory", "memory", ""});
  own("0::/../other\n");
  EXPECT_THAT(error({memory}), HasSubstr("in no cgroup v2 that can be seen"));
}

TEST_F(CgroupPlaceTest, InAHybridHostIsTheOwnCgroupOfEachVersionOneHierarchy) {
  unified("", {"", "", "1\n"}, "/unified");
  legacy("/memory/sessions/x");
  legacy("/memory");
  legacy("/pids");
  own("5:pids:/\n4:memory:/sessions/x\n0::/\n");
  const auto place = find_cgroup_place(view_, {memory, pids}, {});
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place.value().version, CgroupVersion::v1);
  ASSERT_EQ(place.value().parents.size(), 2U);
  EXPECT_EQ(place.value().parents[0].directory, view_.mount + "/memory/sessions/x");
  EXPECT_THAT(place.value().parents[0].controllers, ElementsAre(memory));
  EXPECT_EQ(place.value().parents[1].directory, view_.mount + "/pids");
  EXPECT_THAT(error({memory, cpu}), HasSubstr("controller cpu of cgroup v1 is not mounted"));
}

TEST_F(CgroupPlaceTest, ChosenInOneVersionOneHierarchyIsTheSamePathInTheOthers) {
  legacy("/memory/runs");
  legacy("/memory");
  legacy("/pids/runs");
  legacy("/pids");
  own("5:pids:/\n4:memory:/\n");
  const auto place = find_cgroup_place(view_, {memory, pids}, view_.mount + "/memory/runs");
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place.value().parents.at(1).directory, view_.mount + "/pids/runs");
  std::filesystem::remove_all(view_.mount + "/pids/runs");
  EXPECT_THAT(error({memory, pids}, view_.mount + "/memory/runs"),
              HasSubstr("/pids/runs': No such file"));
}

TEST_F(CgroupPlaceTest, ForCountingNeedsNoController) {
  unified("", {"", "", "1\n"}, "/unified");
  own("0::/\n");
  EXPECT_EQ(error({}), "found " + view_.mount + "/unified");
}

}  // namespace
}  // namespace bawn
