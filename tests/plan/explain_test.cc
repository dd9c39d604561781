#include "plan/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "plan/plan_parts.h"
#include "policy/sourced_policy.h"

namespace bawn {
namespace {

using test::part_of;
using test::root_of;

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

// The plans are written by hand, so that a change of the planner does not change these texts.
struct TestSetup {
  Plan plan;
  SourcedPolicy sourced;
  Request request;
  HostFacts host;
  std::optional<ExplainedFilter> filter = ExplainedFilter{"default", 321, "0123456789abcdef"};
  std::vector<ExplainedGap> gaps;
  std::optional<std::uint64_t> mappable_programs;

  [[nodiscard]] Explanation explain() const {
    return explain_plan({.plan = &plan,
                         .policy = &sourced,
                         .request = &request,
                         .host = &host,
                         .filter = filter,
                         .landlock_gaps = gaps,
                         .mappable_programs = mappable_programs,
                         .repairs = {}});
  }
  [[nodiscard]] std::string text() const { return explanation_text(explain()); }
  [[nodiscard]] Json json() const { return Json::parse(explanation_json(explain())); }
};

Located located(std::string path) { return {.path = std::move(path), .kind = FileKind::directory}; }

// A setup with everything that both tiers have in common.
TestSetup setup(Tier tier) {
  TestSetup setup;
  setup.sourced.preset = "agent";
  setup.sourced.origins = {{"limits.wall_time_ms", "--timeout"},
                           {"filesystem.read", "policy.json:4:21"},
                           {"environment.set", "policy.json:9:3"}};
  setup.sourced.policy.environment.set = {{"GREETING", "hello you"}, {"API_TOKEN", "s3cr3t"}};
  setup.sourced.policy.environment.pass = {"TERM"};
  setup.plan.passed = {"TERM"};
  setup.host.uid = 1000;
  setup.host.gid = 100;
  setup.host.landlock_abi = 6;
  setup.plan.tier = tier;
  setup.plan.program = {
      .file = located("/usr/bin/git"), .argv = {"git", "log", "a b"}, .scripts = {}};
  setup.plan.cwd = located("/work");
  setup.plan.private_tmp = true;
  setup.plan.environment = {"API_TOKEN=s3cr3t", "BAWN=1",     "GREETING=hello you",
                            "HOME=/work",       "TERM=xterm", "TMPDIR=/tmp"};
  setup.plan.limits = {.cpu_time_ms = 2000, .wall_time_ms = 5000, .processes = 8};
  setup.plan.process_limits = {{ProcessLimit::core_bytes, 0}, {ProcessLimit::cpu_seconds, 4}};
  return setup;
}

TestSetup tier_c();

TEST(ExplainedIdentity, SaysWhereTheHostIdsOfRootsRunComeFrom) {
  TestSetup root = tier_c();
  RunUser& user = part_of<NamespacesPlan>(root.plan).user;
  user = {.uid = 0, .gid = 0, .host_uid = 7, .host_gid = 7, .origin = HostIdOrigin::range};
  EXPECT_THAT(root.text(), HasSubstr("uid 0, gid 0; uid 7, gid 7 on the host, chosen anew for each "
                                     "run; mounts are idmapped\n"));
  EXPECT_EQ(root.json().at("identity").at("host_ids"), "range");
  user.origin = HostIdOrigin::workspace_owner;
  user.lack = "an overlay";
  EXPECT_THAT(root.text(), HasSubstr("on the host, the owner of the workspace\n"));
  EXPECT_THAT(root.text(), HasSubstr("no host id of the run's own: an overlay\n"));
  EXPECT_EQ(root.json().at("identity").at("host_ids"), "workspace_owner");
  EXPECT_EQ(root.json().at("identity").at("host_ids_lack"), "an overlay");
}

TestSetup tier_c() {
  TestSetup tier_c = setup(Tier::c);
  tier_c.plan.by_boundary =
      NamespacesPlan{.user = {.uid = 1000, .gid = 100, .host_uid = 1000, .host_gid = 100}};
  tier_c.plan.network.reach = NetworkReach::own_loopback;
  RootPlan& root = root_of(tier_c.plan);
  root.cwd = "/work";
  MountOp null = path_op(MountOpKind::mirror, "/dev/null", "system");
  null.device = true;
  root.mounts = {
      path_op(MountOpKind::mirror, "/usr", "system"),
      file_op("/etc/hosts", "0123456789"),
      null,
      link_op("/dev/fd", "/proc/self/fd", "system"),
      scratch_op("/tmp", "filesystem.tmp"),
      bind_op("/srv/my docs", located("/srv/my docs"), false, "filesystem.read"),
      bind_op("/tools", located("/srv/tools-12"), true, "filesystem.write"),
      bind_op("/work", located("/work"), true, "workspace"),
      path_op(MountOpKind::hidden, "/work/.env", "workspace.hide"),
  };
  tier_c.plan.process_limits.push_back({ProcessLimit::processes, 9});
  return tier_c;
}

TestSetup tier_b() {
  TestSetup tier_b = setup(Tier::b);
  tier_b.sourced.origins["workspace.root"] = "--workspace";
  tier_b.plan.by_boundary =
      LandlockPlan{.files = {{located("/usr"), FileAccess::read, "system"},
                             {located("/dev/null"), FileAccess::device, "system"},
                             {located("/work"), FileAccess::write, "workspace"}},
                   .filter = {.name = "no-network", .refuse_set_group_id = true}};
  tier_b.plan.private_parent = located("/tmp");
  tier_b.plan.private_name = "bawn-<run-id>";
  tier_b.plan.absent_limits = {{"processes", "the kernel exempts root from RLIMIT_NPROC"}};
  tier_b.filter = {"no-network", 99, "fedcba9876543210"};
  tier_b.gaps = {{"landlock.metadata", "modes can be changed"}};
  return tier_b;
}

TEST(Explain, TellsEveryPartOfARunInNamespacesAndWhereItComesFrom) {
  EXPECT_EQ(tier_c().text(),
            R"(tier c  (tier.use: preset agent); tier b, if the host refuses namespaces
program
  file       /usr/bin/git
  argument   git
  argument   log
  argument   'a b'
  directory  /work
identity
  user        uid 1000, gid 100, as on the host
  privileges  no capabilities
  privileges  an empty bounding set
  privileges  no new privileges by exec
  privileges  a new session and a new session keyring
  privileges  no set-user-id files can be made
  namespaces  user, mnt, pid, net, ipc, uts, cgroup; bawn's init is pid 1
root: new and read-only, made of these mounts in this order
  read-only  /usr            the host's, if it is there               system
  read-only  /etc/hosts      a file of 10 bytes, written for the run  system
  device     /dev/null       the host's, if it is there               system
  read-only  /dev/fd         a link to '/proc/self/fd'                system
  writable   /tmp            an empty directory of the run            filesystem.tmp: preset agent
  read-only  '/srv/my docs'  the host's                               filesystem.read: policy.json:4:21
  writable   /tools          the host's '/srv/tools-12'               filesystem.write: preset agent
  writable   /work           the host's                               workspace.mode: preset agent
  hidden     /work/.env      nothing to see                           workspace.hide: preset agent
environment, and no other variables
  API_TOKEN  (a secret of 6 bytes)  environment.set: policy.json:9:3
  BAWN       1                      bawn
  GREETING   'hello you'            environment.set: policy.json:9:3
  HOME       /work                  bawn
  TERM       (the caller's value)   environment.pass: preset agent
  TMPDIR     /tmp                   filesystem.tmp: preset agent
limits
  wall_time_ms  5000       limits.wall_time_ms: --timeout     a timer in bawn
  cpu_time_ms   2000       limits.cpu_time_ms: preset agent   processes that are alive or were waited for, measured by init; backstop RLIMIT_CPU=4 s for each process
  memory_bytes  unlimited  limits.memory_bytes: preset agent
  processes     8          limits.processes: preset agent     RLIMIT_NPROC=9, init counted in, in the run's own user namespace
  cpu_percent   unlimited  limits.cpu_percent: preset agent
  open_files    unlimited  limits.open_files: preset agent
  file_bytes    unlimited  limits.file_bytes: preset agent
  output_bytes  unlimited  limits.output_bytes: preset agent
  tmp_bytes     unlimited  limits.tmp_bytes: preset agent
  core_bytes    0          bawn                               RLIMIT_CORE=0
layers
  network       a network namespace with a loopback and nothing else  (egress.mode: preset agent)
  system calls  filter default of 321 instructions, SHA-256 0123456789abcdef
  landlock      ABI 6, behind the mounts: reads everywhere, writes below writable places only, no device nodes
)");
}

TEST(Explain, SaysWhoIsProcess1AndWhoWantedThat) {
  TestSetup setup = tier_c();
  EXPECT_THAT(setup.text(), HasSubstr("cgroup; bawn's init is pid 1\n"));
  EXPECT_EQ(setup.json().at("/pid_1/who"_json_pointer), "init");
  part_of<NamespacesPlan>(setup.plan).as_pid_1 = true;
  setup.sourced.origins["identity.as_pid_1"] = "--as-pid-1";
  EXPECT_THAT(setup.text(), HasSubstr("cgroup; the command is pid 1; bawn's init is outside  "
                                      "(identity.as_pid_1: --as-pid-1)\n"));
  EXPECT_EQ(setup.json().at("/pid_1/who"_json_pointer), "command");
  EXPECT_EQ(setup.json().at("/pid_1/origin/source"_json_pointer), "--as-pid-1");
  EXPECT_TRUE(tier_b().json().at("pid_1").is_null());
}

TEST(Explain, TellsWhatLandlockGrantsWithoutNamespacesAndWhatItCannotHold) {
  EXPECT_EQ(tier_b().text(), R"(tier b  (tier.use: preset agent)
program
  file       /usr/bin/git
  argument   git
  argument   log
  argument   'a b'
  directory  /work
identity
  user        uid 1000, gid 100, as on the host
  privileges  no capabilities
  privileges  an empty bounding set, where the caller may empty it
  privileges  no new privileges by exec
  privileges  a new session and a new session keyring
  privileges  no set-user-id or set-group-id files can be made
  namespaces  the caller's
files of the host that can be opened, and no others
  read-only  /usr                    the host's                             system
  device     /dev/null               the host's                             system
  writable   /work                   the host's                             workspace.root: --workspace
  writable   /tmp/bawn-<run-id>/tmp  made for the run and removed after it  filesystem.tmp: preset agent
environment, and no other variables
  API_TOKEN  (a secret of 6 bytes)  environment.set: policy.json:9:3
  BAWN       1                      bawn
  GREETING   'hello you'            environment.set: policy.json:9:3
  HOME       /work                  bawn
  TERM       (the caller's value)   environment.pass: preset agent
  TMPDIR     /tmp                   filesystem.tmp: preset agent
limits
  wall_time_ms  5000       limits.wall_time_ms: --timeout     a timer in bawn
  cpu_time_ms   2000       limits.cpu_time_ms: preset agent   processes that are alive or were waited for, measured by init; backstop RLIMIT_CPU=4 s for each process
  memory_bytes  unlimited  limits.memory_bytes: preset agent
  processes     8          limits.processes: preset agent     not enforced: the kernel exempts root from RLIMIT_NPROC
  cpu_percent   unlimited  limits.cpu_percent: preset agent
  open_files    unlimited  limits.open_files: preset agent
  file_bytes    unlimited  limits.file_bytes: preset agent
  output_bytes  unlimited  limits.output_bytes: preset agent
  tmp_bytes     unlimited  limits.tmp_bytes: preset agent
  core_bytes    0          bawn                               RLIMIT_CORE=0
layers
  network       none: the filter refuses every socket that leads out of the run  (egress.mode: preset agent)
  system calls  filter no-network of 99 instructions, SHA-256 fedcba9876543210
  landlock      ABI 6, refuses every file that is not listed above
  not enforced  landlock.metadata: modes can be changed
)");
}

TEST(Explain, SaysTheSameInJson) {
  const Json json = tier_c().json();
  EXPECT_EQ(json.at("schema"), "bawn.plan.v1");
  EXPECT_EQ(json.at("/tier/use"_json_pointer), "c");
  EXPECT_EQ(json.at("program").dump(),
            R"({"argv":["git","log","a b"],"cwd":"/work","file":"/usr/bin/git","scripts":[]})");
  EXPECT_EQ(json.at("namespaces").size(), 7U);
  ASSERT_EQ(json.at("files").size(), 9U);
  EXPECT_EQ(json.at("/files/5"_json_pointer).dump(),
            R"({"access":"read-only","kind":"bind","origin":{"key":"filesystem.read",)"
            R"("source":"policy.json:4:21"},"path":"/srv/my docs","source":"/srv/my docs",)"
            R"("what":"the host's"})");
  EXPECT_EQ(json.at("/files/6"_json_pointer).dump(),
            R"({"access":"writable","kind":"bind","origin":{"key":"filesystem.write",)"
            R"("source":"preset agent"},"path":"/tools","source":"/srv/tools-12",)"
            R"("what":"the host's '/srv/tools-12'"})");
  EXPECT_EQ(json.at("/limits/0/value"_json_pointer), 5000);
  EXPECT_EQ(json.at("/limits/0/state"_json_pointer), "enforced");
  EXPECT_EQ(json.at("/limits/2/state"_json_pointer), "unlimited");
  EXPECT_EQ(json.at("/filter/instructions"_json_pointer), 321);
  EXPECT_EQ(json.at("/network/isolated"_json_pointer), true);
  EXPECT_EQ(json.at("/landlock/abi"_json_pointer), 6);
  EXPECT_EQ(tier_b().json().at("/limits/3/state"_json_pointer), "absent");
  EXPECT_EQ(tier_b().json().at("/landlock/gaps/0/layer"_json_pointer), "landlock.metadata");
}

TEST(Explain, TellsWhichIdsExistInsideAndWhoAskedForThem) {
  TestSetup with = tier_c();
  EXPECT_EQ(with.json()["identity"]["id_ranges"], nullptr);
  with.sourced.origins["identity.id_ranges"] = "--id-ranges";
  part_of<NamespacesPlan>(with.plan).user.maps = {.users = {{0, 100000, 1000}, {1000, 1000, 1}},
                                                  .groups = {{0, 100, 1}}};
  EXPECT_THAT(with.text(), HasSubstr(R"(
  user        uid 1000, gid 100, as on the host
  users       0-999 are 100000-100999, 1000 is 1000 on the host  (identity.id_ranges: --id-ranges)
  groups      0 is 100 on the host  (identity.id_ranges: --id-ranges)
  privileges  no capabilities
)"));
  const Json ranges = with.json()["identity"]["id_ranges"];
  EXPECT_EQ(ranges["uid_map"], Json::parse(R"([{"inside": 0, "host": 100000, "count": 1000},
                                               {"inside": 1000, "host": 1000, "count": 1}])"));
  EXPECT_EQ(ranges["gid_map"], Json::parse(R"([{"inside": 0, "host": 100, "count": 1}])"));
  EXPECT_EQ(ranges["origin"],
            Json::parse(R"({"key": "identity.id_ranges", "source": "--id-ranges"})"));
}

TEST(Explain, TellsWhichFileOfACgroupHoldsALimitOrWhyThereIsNone) {
  TestSetup limited = tier_c();
  limited.plan.limits.memory_bytes = 1 << 20;
  limited.plan.no_cgroup = "nobody delegated any";
  EXPECT_THAT(limited.text(),
              HasSubstr("private writable memory; no cgroup: nobody delegated any"));
  limited.plan.partial_limits = {{"memory_bytes", "shared memory is not counted"}};
  EXPECT_THAT(limited.text(), HasSubstr("in part: RLIMIT_DATA="));
  EXPECT_THAT(limited.text(), HasSubstr("nobody delegated any; shared memory is not counted"));
  EXPECT_EQ(limited.json().at("/limits/2/state"_json_pointer), "partial");
  limited.plan.partial_limits = {};
  limited.plan.limits.cgroup_parent = "/cg/runs";
  limited.plan.limits.total_processes = 40;
  limited.plan.cgroup =
      plan_cgroup(cgroup_wish(limited.plan.limits),
                  {CgroupVersion::v1,
                   {{.directory = "/cg/memory", .controllers = {CgroupController::memory}},
                    {.directory = "/cg/pids", .controllers = {CgroupController::pids}}}},
                  "bawn-<run-id>");
  const std::string text = limited.text();
  EXPECT_THAT(
      text, HasSubstr("the whole tree: memory.limit_in_bytes in '/cg/memory/runs/bawn-<run-id>'"));
  EXPECT_THAT(text, HasSubstr("the whole tree: pids.max in '/cg/pids/runs/bawn-<run-id>'"));
  EXPECT_THAT(text, HasSubstr("all runs together: pids.max in '/cg/pids/runs'"));
}

// Only cgroup v2 counts the CPU time of a child that its parent did not wait for.
TEST(Explain, TellsWhoseTimeIsCounted) {
  TestSetup limited = tier_c();
  limited.plan.limits.memory_bytes = 1 << 20;
  const auto plan_in = [&](CgroupVersion version) {
    limited.plan.cgroup =
        plan_cgroup(cgroup_wish(limited.plan.limits),
                    {version, {{.directory = "/cg", .controllers = {CgroupController::memory}}}},
                    "bawn-<run-id>");
    return limited.text();
  };
  EXPECT_THAT(plan_in(CgroupVersion::v2),
              HasSubstr("the whole tree: cpu.stat of its cgroup; backstop"));
  EXPECT_THAT(plan_in(CgroupVersion::v1),
              HasSubstr("alive or were waited for, measured by init; backstop"));
}

// macOS: the host's files with exceptions, and nothing of Linux.
TEST(Explain, TellsWhatAProfileOpensAndTakesAwayAgain) {
  TestSetup profile = setup(Tier::c);
  profile.filter.reset();
  profile.plan.by_boundary =
      SandboxProfilePlan{.files = {{located("/work"), FileAccess::write, "workspace"}},
                         .hidden = {"/work/.env"},
                         .write_refused = {"/work/.git/hooks"}};
  profile.plan.private_parent = located("/private/tmp");
  profile.plan.private_name = "bawn-<run-id>";
  profile.plan.private_home = true;
  const Explanation explained = profile.explain();
  EXPECT_TRUE(explained.paths_are_all);
  EXPECT_TRUE(explained.namespaces.empty());
  EXPECT_EQ(explained.landlock, "");
  EXPECT_EQ(explained.cwd, "/work");
  EXPECT_EQ(explained.network, "none: the profile allows no address");
  const std::string text = profile.text();
  EXPECT_THAT(text, HasSubstr("files of the host that can be opened, and no others\n"));
  EXPECT_THAT(text, HasSubstr("/private/tmp/bawn-<run-id>/home"));
  EXPECT_THAT(text, testing::ContainsRegex("hidden +/work/.env +nothing to see"));
  EXPECT_THAT(text,
              testing::ContainsRegex("read-only +/work/.git/hooks +not to be changed or made"));
  EXPECT_THAT(text, Not(HasSubstr("init")));
  profile.plan.network.reach = NetworkReach::host_loopback;
  EXPECT_THAT(profile.explain().network, HasSubstr("loopback"));
  profile.plan.by_boundary = NoSandboxPlan{};
  EXPECT_FALSE(profile.explain().paths_are_all);
}

TEST(Explain, NeverShowsASecret) {
  TestSetup secrets = tier_c();
  secrets.sourced.policy.environment.set = {{"API_TOKEN", "s3cr3t"},
                                            {"PROXY", "http://me:hunter2@proxy"}};
  secrets.sourced.policy.environment.pass = {"EDITOR"};
  secrets.plan.passed = {"EDITOR"};
  secrets.request.env = {{"COLUMNS", "from-the-request"}};
  secrets.plan.environment = {"API_TOKEN=s3cr3t", "COLUMNS=from-the-request",
                              "EDITOR=of-the-caller", "PROXY=http://me:hunter2@proxy"};
  for (const std::string& out : {secrets.text(), explanation_json(secrets.explain())}) {
    for (const char* name : {"API_TOKEN", "COLUMNS", "EDITOR", "PROXY"})
      EXPECT_THAT(out, HasSubstr(name));
    for (const char* value : {"s3cr3t", "hunter2", "of-the-caller", "from-the-request"})
      EXPECT_THAT(out, Not(HasSubstr(value)));
  }
}

TEST(Explain, AVariableThatThePlanReplacedIsNotThePolicys) {
  TestSetup replaced = tier_c();
  replaced.sourced.policy.environment.pass = replaced.plan.passed = {"HOME", "TMPDIR"};
  const Json json = replaced.json();
  for (const Json& variable : json.at("environment")) {
    if (variable.at("name") == "TMPDIR") {
      EXPECT_EQ(variable.at("/origin/key"_json_pointer), "filesystem.tmp");
    }
    if (variable.at("name") == "HOME") {
      EXPECT_EQ(variable.at("/origin/source"_json_pointer), "bawn");
      EXPECT_EQ(variable.at("value"), "/work");
    }
  }
}

// Such a variable was once shown as the caller's, who had none, and its value was hidden.
TEST(Explain, AVariableThatTheCallerLacksIsBawns) {
  TestSetup bare = tier_c();
  bare.sourced.policy.environment.pass = {"LANG"};
  bare.plan.passed = {};
  bare.plan.environment = {"LANG=C.UTF-8"};
  const Json variable = bare.json().at("environment").at(0);
  EXPECT_EQ(variable.at("value"), "C.UTF-8");
  EXPECT_EQ(variable.at("/origin/source"_json_pointer), "bawn");
  bare.plan.passed = {"LANG"};
  EXPECT_EQ(bare.json().at("environment").at(0).at("/origin/key"_json_pointer), "environment.pass");
}

// The run looks for the name afterwards. explain once did not say so.
TEST(Explain, TellsOfAProtectedNameThatIsMissing) {
  TestSetup watched = tier_c();
  watched.plan.still_missing = {"/work/.git"};
  watched.sourced.origins["workspace.protect"] = "--protect";
  EXPECT_THAT(watched.text(),
              testing::ContainsRegex("watched +/work/\\.git +not there; the outcome says if the "
                                     "command made it +workspace\\.protect: --protect"));
  const Json place = watched.json().at("files").back();
  EXPECT_EQ(place.at("path"), "/work/.git");
  EXPECT_EQ(place.at("kind"), "missing");
}

TEST(Explain, ATimeoutOfTheRequestIsTheRequests) {
  TestSetup hurried = tier_c();
  hurried.request.timeout_ms = 5000;
  EXPECT_EQ(hurried.json().at("/limits/0/origin/source"_json_pointer), "request");
}

TEST(Explain, PromisesNoFallbackBelowTheFloor) {
  TestSetup firm = tier_c();
  EXPECT_NE(firm.explain().fallback, "");
  firm.sourced.policy.tier.floor = Tier::c;
  EXPECT_EQ(firm.explain().fallback, "");
}

TEST(Explain, PromisesNoFallbackToATierThatWouldRefuse) {
  const auto fallback_with = [](const std::function<void(Policy&)>& change) {
    TestSetup setup = tier_c();
    change(setup.sourced.policy);
    return setup.explain().fallback;
  };
  EXPECT_NE(fallback_with([](Policy&) {}), "");
  EXPECT_EQ(fallback_with([](Policy& policy) { policy.identity.as_root = true; }), "");
  EXPECT_EQ(fallback_with([](Policy& policy) { policy.system_calls.profile = "strict"; }), "");
  EXPECT_EQ(fallback_with([](Policy& policy) { policy.workspace.hide = {"secret"}; }), "");
  EXPECT_EQ(fallback_with([](Policy& policy) { policy.workspace.protect = {".git"}; }), "");
  EXPECT_EQ(
      fallback_with([](Policy& policy) { policy.filesystem.read = {Grant("/opt", "/tools")}; }),
      "");
}

TEST(Explain, AdmitsThatAnUnconfinedRunHasNoSandbox) {
  TestSetup open = setup(Tier::unconfined);
  open.plan.network.reach = NetworkReach::everything;
  open.plan.private_tmp = false;
  open.filter.reset();
  const std::string text = open.text();
  EXPECT_THAT(text, HasSubstr("the policy asks for a run without a sandbox"));
  EXPECT_THAT(text, HasSubstr("the caller's, all of them"));
  EXPECT_THAT(text, Not(HasSubstr("landlock")));
  EXPECT_TRUE(open.json().at("filter").is_null());
}

TEST(Explain, CannotReachTheTerminalAsAControlSequence) {
  TestSetup hostile = tier_c();
  hostile.plan.program.argv = {"git", "\x1b[2J"};
  root_of(hostile.plan).mounts[0].destination = "/\x1b]0;";
  root_of(hostile.plan).mounts[3].content = "\x1b[31m";
  hostile.sourced.origins["filesystem.read"] = "\x1b.json:1:1";
  hostile.plan.environment.push_back("GREETING=\x1b[5m");
  hostile.sourced.policy.environment.set["GREETING"] = "\x1b[5m";
  EXPECT_THAT(hostile.text(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(explanation_json(hostile.explain()), Not(HasSubstr("\x1b")));
}

void list_git(TestSetup& setup) {
  setup.plan.executables.emplace();
  setup.plan.executables->files = {
      {.file = located("/usr/bin/git"), .why = AllowedFile::Why::program, .of = ""},
      {.file = located("/lib/ld.so"), .why = AllowedFile::Why::loader, .of = "nm"}};
}

TEST(Explain, ListsTheFilesThatTheKernelExecutes) {
  TestSetup setup = tier_c();
  EXPECT_TRUE(setup.json()["executables"].is_null());
  EXPECT_EQ(setup.text().find("that the kernel executes"), std::string::npos);
  list_git(setup);
  RootPlan& root = root_of(setup.plan);
  root.library_directories = {"/usr/lib", "/usr/lib64"};
  root.mounts.push_back(program_op("/lib/ld.so", located("/lib/ld.so"), "executables.allow"));
  setup.mappable_programs = 12;
  EXPECT_NE(setup.text().find("programs that the kernel executes, and no others  "
                              "(executables.allow: preset agent)\n"
                              "  program  /usr/bin/git  of the request\n"
                              "  loader   /lib/ld.so    for nm\n"
                              "  files can be loaded from /usr/lib, /usr/lib64, among them 12 "
                              "programs, which ld.so can run\n"),
            std::string::npos)
      << setup.text();
  const Json json = setup.json()["executables"];
  EXPECT_EQ(json["files"][1], (Json{{"path", "/lib/ld.so"}, {"why", "loader"}, {"of", "nm"}}));
  EXPECT_EQ(json["library_directories"], (Json{"/usr/lib", "/usr/lib64"}));
  EXPECT_EQ(json["mappable_programs"], 12);
  EXPECT_EQ(json["all_can_be_mapped"], false);
  const Json all = setup.json();
  for (const Json& file : all["files"]) EXPECT_NE(file["path"], "/lib/ld.so");
}

TEST(Explain, SaysThatTierBCannotRefuseToMapAFile) {
  TestSetup setup = tier_b();
  list_git(setup);
  EXPECT_EQ(setup.json()["executables"]["all_can_be_mapped"], true);
  EXPECT_NE(setup.text().find("a listed program can load any file that it can read"),
            std::string::npos);
}

}  // namespace
}  // namespace bawn
