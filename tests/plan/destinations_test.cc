#include "plan/root/destinations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/system_facts.h"
#include "host/system_paths.h"
#include "plan/plan.h"
#include "plan/plan_parts.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using test::planned;
using test::root_of;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FakeLookup host_tree(std::map<std::string, std::string> more = {}) {
  more.merge(std::map<std::string, std::string>{{"/work/sub/file", "file"},
                                                {"/work/link", "link:sub"},
                                                {"/work/.env", "file"},
                                                {"/usr/bin/git", "exe"},
                                                {"/srv/a/deep/er", "dir"},
                                                {"/srv/a/file", "file"},
                                                {"/srv/b", "dir"},
                                                {"/srv/linked", "link:/srv/a"},
                                                {"/home/me", "dir"},
                                                {"/tools/bin", "dir"},
                                                {"/proc", "dir"}});
  return FakeLookup(more);
}

HostFacts linux_host() {
  HostFacts host = linux_facts();
  host.seccomp_filters = true;
  host.landlock_abi = 6;
  return host;
}

Policy granting(std::vector<Grant> read, std::vector<Grant> write = {}) {
  Policy policy = *preset("agent");
  policy.executables.allow = {"git"};
  policy.limits.processes = {};
  policy.filesystem.read = std::move(read);
  policy.filesystem.write = std::move(write);
  return policy;
}

Violations judged(const Policy& policy, Tier tier, const HostFacts& host) {
  const auto setup = test::setup_of(policy, tier, host);
  return judge_destinations(policy, setup ? &*setup : nullptr);
}

PlanResult plan_for(const Policy& policy, const HostFacts& host = linux_host(), Tier tier = Tier::c,
                    const FakeLookup& lookup = host_tree(),
                    const std::vector<std::string>& search = {"/tools/bin"}) {
  const Request request{.command = "git"};
  const Verdict verdict = validate(policy, request,
                                   {.tier = tier,
                                    .lookup = &lookup,
                                    .workspace = "/work",
                                    .system = {kShownPaths.begin(), kShownPaths.end()}});
  EXPECT_TRUE(verdict.allowed());
  const RunIdentity identity{
      .run_id = "run-1", .private_name = "bawn-x", .home = "/home/me", .search = search};
  return planned(policy, request, verdict, tier, identity, host, lookup);
}

std::vector<std::string> reasons(const PlanResult& result) {
  std::vector<std::string> out;
  for (const Violation& violation : result.violations) out.push_back(violation.code);
  return out;
}

const MountOp* op_at(const PlanResult& result, std::string_view destination) {
  const MountOp* found = nullptr;
  for (const MountOp& op : root_of(result.plan).mounts) {
    if (op.destination == destination) found = &op;
  }
  return found;
}

TEST(Destinations, PutAGrantWhereThePolicySays) {
  const PlanResult result = plan_for(granting({{"/srv/a", "/data/a"}}, {{"/srv/linked", "/out"}}));
  ASSERT_THAT(reasons(result), IsEmpty());
  const MountOp* read = op_at(result, "/data/a");
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->source.path, "/srv/a");
  EXPECT_FALSE(read->writable);
  EXPECT_EQ(read->origin, "filesystem.read");
  EXPECT_EQ(op_at(result, "/srv/a"), nullptr);
  const MountOp* write = op_at(result, "/out");
  ASSERT_NE(write, nullptr);
  EXPECT_EQ(write->source.path, "/srv/a") << "the host's links are followed";
  EXPECT_TRUE(write->writable);
}

TEST(Destinations, NeedARootOfTheRunsOwn) {
  const Policy policy = granting({"/srv/b", {"/srv/a", "/data"}});
  EXPECT_THAT(reasons(plan_for(policy)), IsEmpty());
  EXPECT_THAT(reasons(plan_for(policy, linux_host(), Tier::b)),
              testing::Contains("tier.unavailable"));
  for (const Tier tier : {Tier::b, Tier::c, Tier::unconfined}) {
    for (const HostFacts& host : {macos_facts(), windows_facts()}) {
      const Violations refused = judged(policy, tier, host);
      ASSERT_EQ(refused.size(), 1U);
      EXPECT_EQ(refused[0].code, "tier.unavailable");
      EXPECT_EQ(refused[0].subject, "/srv/a");
      EXPECT_EQ(refused[0].message,
                "filesystem.read shows '/srv/a' at '/data', which needs tier c on Linux");
      EXPECT_THAT(refused[0].hint, HasSubstr("grant /srv/a without a destination"));
    }
  }
  EXPECT_THAT(judged(policy, Tier::unconfined, linux_host()), testing::SizeIs(1));
  EXPECT_THAT(judged(granting({"/srv/a"}), Tier::b, macos_facts()), IsEmpty());
}

TEST(Destinations, LeaveTheSystemAlone) {
  for (const char* place : {"/usr",
                            "/usr/share/x",
                            "/bin",
                            "/lib64/x",
                            "/opt/x",
                            "/proc",
                            "/proc/x",
                            "/dev/x",
                            "/dev",
                            "/sys/x",
                            "/etc",
                            "/etc/passwd",
                            "/etc/ssl/certs/x",
                            "/etc/ssl",
                            "/nix",
                            "/run",
                            "/tmp",
                            "/var",
                            "/var/tmp",
                            "/etc/resolv.conf",
                            "/dev/shm/x"}) {
    const Violations refused = judged(granting({{"/srv/a", place}}), Tier::c, linux_host());
    ASSERT_EQ(refused.size(), 1U) << place;
    EXPECT_EQ(refused[0].code, "grant.system") << place;
  }
  for (const char* place :
       {"/etc/x", "/run/x", "/tmp/x", "/var/x", "/var/run/x", "/var/tmp/x", "/usrx", "/srv/a/deep"})
    EXPECT_THAT(reasons(plan_for(granting({{"/srv/a", place}}))), IsEmpty()) << place;
  Policy no_tmp = granting({{"/srv/a", "/tmp"}});
  no_tmp.filesystem.tmp = Tmp::none;
  no_tmp.limits.tmp_bytes = {};
  EXPECT_THAT(reasons(plan_for(no_tmp)), IsEmpty()) << "where there is no other /tmp";
}

// The validator looks at paths on the host, so a path must not lead elsewhere in the run.
TEST(RootPlan, MakesNoLinkThatTheHostHasNot) {
  const auto links = [](const PlanResult& result) {
    std::vector<std::string> out;
    for (const MountOp& op : root_of(result.plan).mounts) {
      if (op.kind == MountOpKind::link && op.destination.starts_with("/var"))
        out.push_back(op.destination);
    }
    return out;
  };
  EXPECT_THAT(links(plan_for(granting({}))), IsEmpty());
  EXPECT_THAT(links(plan_for(granting({}), linux_host(), Tier::c,
                             host_tree({{"/run", "dir"}, {"/var/run", "link:/run"}}))),
              ElementsAre("/var/run"));
  EXPECT_THAT(links(plan_for(granting({}), linux_host(), Tier::c,
                             host_tree({{"/var/run", "link:/srv/b"}}))),
              IsEmpty());
}

// A grant named through a link once removed the link, and was shown only at its canonical path.
TEST(RootPlan, HasTheLinkByWhichAGrantIsNamed) {
  const FakeLookup tree = host_tree({{"/run/socket", "dir"}, {"/var/run", "link:/run"}});
  const auto with = [&](const Grant& grant) {
    return plan_for(granting({grant}), linux_host(), Tier::c, tree);
  };
  for (const char* name : {"/var/run/socket", "/run/socket"}) {
    const PlanResult result = with(name);
    ASSERT_THAT(reasons(result), IsEmpty());
    EXPECT_NE(op_at(result, "/run/socket"), nullptr) << name;
    ASSERT_NE(op_at(result, "/var/run"), nullptr) << name;
    EXPECT_EQ(op_at(result, "/var/run")->kind, MountOpKind::link) << name;
  }
  EXPECT_EQ(op_at(with({"/srv/a", "/var/run/socket"}), "/var/run"), nullptr)
      << "a destination is no link's";
}

TEST(RootPlan, HasAnEmptyHomeUnlessItLiesInAGrant) {
  EXPECT_EQ(op_at(plan_for(granting({})), "/home/me")->kind, MountOpKind::scratch);
  EXPECT_EQ(op_at(plan_for(granting({"/home"})), "/home/me"), nullptr);
  EXPECT_EQ(op_at(plan_for(granting({"/home/me"})), "/home/me")->kind, MountOpKind::bind);
}

// "/home" on the PATH was once shown like any directory of tools, with the home and its keys in it.
TEST(RootPlan, ShowsNoDirectoryOfThePathThatHoldsTheHome) {
  const FakeLookup tree =
      host_tree({{"/home/me/bin", "dir"}, {"/home/tools", "dir"}, {"/home/mean", "dir"}});
  const auto with_path = [&](std::vector<std::string> search, std::vector<Grant> read = {}) {
    return plan_for(granting(std::move(read)), linux_host(), Tier::c, tree, search);
  };
  const PlanResult result =
      with_path({"/home", "/home/me", "/home/me/bin", "/home/tools", "/home/mean"});
  EXPECT_EQ(op_at(result, "/home"), nullptr);
  ASSERT_NE(op_at(result, "/home/me"), nullptr);
  EXPECT_EQ(op_at(result, "/home/me")->kind, MountOpKind::scratch);
  for (const char* tools : {"/home/me/bin", "/home/tools", "/home/mean"})
    EXPECT_NE(op_at(result, tools), nullptr) << tools;
  EXPECT_EQ(op_at(with_path({"/home"}, {"/home"}), "/home")->origin, "filesystem.read")
      << "a grant says that it is meant";
}

TEST(Destinations, ShowNothingOfTheHostsProcesses) {
  EXPECT_THAT(reasons(plan_for(granting({{"/", "/host"}}))), ElementsAre("grant.system"));
  EXPECT_THAT(reasons(plan_for(granting({{"/proc", "/host"}}))), ElementsAre("grant.system"));
}

TEST(Destinations, AreTakenOnce) {
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/work"}}))), ElementsAre("grant.place_taken"));
  EXPECT_THAT(reasons(plan_for(granting({"/srv/linked", {"/srv/b", "/srv/a"}}))),
              ElementsAre("grant.place_taken"))
      << "one of them by a link";
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/home/me"}}))), IsEmpty())
      << "a home that is shown instead";
}

// init can create a mount point only on the run's own file systems. Inside a bind mount it must
// exist.
TEST(Destinations, NeedSomethingOfTheirKindToLieOn) {
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/work/sub"}}))), IsEmpty());
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/a/file", "/work/sub/file"}}))), IsEmpty());
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/work/absent"}}))),
              ElementsAre("grant.no_ground"));
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/work/sub/file"}}))),
              ElementsAre("grant.no_ground"));
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/a/file", "/work/sub"}}))),
              ElementsAre("grant.no_ground"));
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/work/link"}}))),
              ElementsAre("grant.no_ground"));
  const PlanResult result = plan_for(granting({{"/srv/b", "/work/absent"}}));
  EXPECT_EQ(result.violations[0].message,
            "filesystem.read puts a directory at '/work/absent', inside of '/work' (workspace), "
            "where there is no directory to lie on; nothing is made on the host");
  EXPECT_EQ(result.violations[0].hint,
            "make a directory '/work/absent', or choose a destination outside of '/work'");
}

TEST(Destinations, LieInOneAnotherIfThereIsGround) {
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/a", "/data"}, {"/srv/b", "/data/deep"}}))),
              IsEmpty());
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/a", "/data"}, {"/srv/b", "/data/deep/er"}}))),
              IsEmpty());
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/a", "/data"}, {"/srv/b", "/data/deep/other"}}))),
              ElementsAre("grant.no_ground"));
  // The innermost mount counts: "/srv/b" is empty.
  EXPECT_THAT(
      reasons(plan_for(granting(
          {{"/srv/a", "/data"}, {"/srv/b", "/data/deep"}, {"/srv/a/deep", "/data/deep/er"}}))),
      ElementsAre("grant.no_ground"));
}

// The message was once about an empty home inside of the grant, which bawn never makes.
TEST(Destinations, HaveTheHomeInThemIfTheyLieAroundIt) {
  const PlanResult refused = plan_for(granting({{"/srv/b", "/home"}}));
  ASSERT_THAT(reasons(refused), ElementsAre("grant.no_ground"));
  EXPECT_EQ(refused.violations[0].subject, "/home/me");
  EXPECT_EQ(
      refused.violations[0].message,
      "HOME '/home/me' would not exist inside of '/srv/b', which filesystem.read shows at '/home'");
  EXPECT_EQ(refused.violations[0].hint,
            "make a directory '/srv/b/me', or choose a destination that does not hold the home");
  const FakeLookup other_homes = host_tree({{"/srv/homes/me", "dir"}, {"/srv/files/me", "file"}});
  const auto shown_as_homes = [&](const char* path) {
    return plan_for(granting({{path, "/home"}}), linux_host(), Tier::c, other_homes);
  };
  const PlanResult result = shown_as_homes("/srv/homes");
  EXPECT_THAT(reasons(result), IsEmpty());
  EXPECT_EQ(op_at(result, "/home/me"), nullptr);
  ASSERT_THAT(reasons(shown_as_homes("/srv/files")), ElementsAre("grant.no_ground"));
  EXPECT_THAT(shown_as_homes("/srv/files").violations[0].message,
              HasSubstr("would not be a directory"));
  EXPECT_THAT(reasons(plan_for(granting({{"/srv/b", "/home"}, "/home/me"}))),
              ElementsAre("grant.no_ground"))
      << "a grant of the home itself needs ground as any other";
}

TEST(Destinations, CoverTheToolsOfTheCaller) {
  EXPECT_NE(op_at(plan_for(granting({{"/srv/a", "/data"}})), "/tools/bin"), nullptr);
  const PlanResult result = plan_for(granting({{"/srv/a", "/tools"}}));
  EXPECT_THAT(reasons(result), IsEmpty());
  EXPECT_EQ(op_at(result, "/tools/bin"), nullptr);
}

TEST(Destinations, AreNoWayAroundHidingAndProtecting) {
  Policy policy = granting({{"/work/sub", "/again"}});
  policy.workspace.hide = {".env"};
  EXPECT_THAT(reasons(plan_for(policy)), IsEmpty());
  policy.filesystem.read = {{"/work", "/again"}};
  EXPECT_THAT(reasons(plan_for(policy)), ElementsAre("grant.exception"));
  policy.filesystem.read = {{"/work/.env", "/again"}};
  EXPECT_THAT(reasons(plan_for(policy)), ElementsAre("grant.exception"));
  policy.filesystem.read = {{"/srv/a/file", "/work/.env"}};
  EXPECT_THAT(reasons(plan_for(policy)), ElementsAre("grant.exception"));
  policy.workspace = {.protect = {"sub/absent"}};
  policy.filesystem.read = {{"/work", "/again"}};
  EXPECT_THAT(reasons(plan_for(policy)), IsEmpty());
  policy.filesystem = {{}, {{"/work", "/again"}}, Tmp::private_dir};
  EXPECT_THAT(reasons(plan_for(policy)), ElementsAre("grant.exception"))
      << "also where there is nothing yet";
}

TEST(Destinations, OfAGrantThatDoesNotExistAreNamed) {
  const PlanResult result = plan_for(granting({{"/srv/typo", "/data"}}));
  ASSERT_THAT(reasons(result), ElementsAre("grant.missing"));
  EXPECT_EQ(result.violations[0].message,
            "filesystem.read grants '/srv/typo' at '/data', which does not exist");
  EXPECT_EQ(result.violations[0].hint, "create it, or take it out of filesystem.read")
      << "a plain mistake, or a policy file's: no word of colons";
  const FakeLookup with_colon = host_tree({{"/srv/typo:/data", "dir"}});
  EXPECT_THAT(plan_for(granting({{"/srv/typo", "/data"}}), linux_host(), Tier::c, with_colon)
                  .violations[0]
                  .hint,
              HasSubstr("':/'"))
      << "of '--ro /srv/typo:/data' the whole was the name";
  EXPECT_THAT(plan_for(granting({"/srv/typo:data"})).violations[0].hint,
              HasSubstr("a destination must be absolute"));
  EXPECT_EQ(plan_for(granting({"/srv/typo"})).violations[0].hint,
            "create it, or take it out of filesystem.read");
}

// Between two look-ups another run may replace a directory of the path by a link.
class ChangingTree : public FakeLookup {
 public:
  ChangingTree()
      : FakeLookup({{"/work/sub/file", "file"}, {"/usr/bin/git", "exe"}, {"/home/me", "dir"}}) {}
  Located locate(std::string_view path) const override {
    return FakeLookup::locate(changed && path == "/work/sub" ? "/home/me" : path);
  }
  bool changed = false;
};

TEST(PinnedDirectory, IsNeverAnotherOneThanItsNameSays) {
  ChangingTree lookup;
  Policy policy = granting({});
  policy.workspace.protect = {"sub/file"};
  const PlanResult calm = plan_for(policy, linux_host(), Tier::c, lookup, {});
  EXPECT_THAT(reasons(calm), IsEmpty());
  ASSERT_NE(op_at(calm, "/work/sub"), nullptr);
  lookup.changed = true;
  const PlanResult raced = plan_for(policy, linux_host(), Tier::c, lookup, {});
  EXPECT_THAT(reasons(raced), ElementsAre("path.changed"));
  const MountOp* home = op_at(raced, "/home/me");
  ASSERT_NE(home, nullptr);
  EXPECT_EQ(home->kind, MountOpKind::scratch) << "the run's own, not the caller's";
}

}  // namespace
}  // namespace bawn
