// Init compares what it finds with what bawn said: its namespaces, and the files of the command's
// stdio. Here the tests make up what bawn says.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "backend/linux/launch/launch.h"
#include "backend/linux/launch/mount_trees.h"
#include "backend/linux/stdio/stdio_file.h"
#include "host/probe.h"
#include "policy/preset.h"
#include "refuse_call.h"
#include "run/plan_preview.h"
#include "sys/event_poll.h"

namespace bawn::linux_ {
namespace {

std::uint64_t namespace_of(pid_t pid, std::string_view name) {
  const std::string link =
      std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/ns/" + std::string(name));
  std::uint64_t inode = 0;
  const std::size_t at = link.find('[') + 1;
  std::from_chars(link.data() + at, link.data() + link.size(), inode);
  return inode;
}

// Its first report; then it is ended.
init::Report report_of(Launched& launched) {
  init::Report report{};
  EXPECT_EQ(recv(launched.control.get(), &report, sizeof report, 0),
            static_cast<ssize_t>(sizeof report));
  launched.control.reset();
  EXPECT_TRUE(sys::becomes_readable(launched.init.get(), std::chrono::seconds(60)));
  reap_init(launched.init.get());
  return report;
}

// The first report of an init that is told to run `true`. bawn claims to be in init's namespace
// `name`; if `name` is "", it names the namespaces it is really in.
init::Report first_report(const std::string& name, const Stdio& stdio = {.files = {0, 1, 2}}) {
  Policy policy = preset("workspace").value();
  policy.tier = {.use = TierChoice::c, .floor = Tier::c};
  policy.workspace.mode = WorkspaceMode::private_dir;
  policy.identity.uid = getuid();  // as the caller: init opens the host's files itself
  policy.identity.gid = getgid();
  Request request{.command = "true"};
  const PlanPreview preview = plan_only(policy, request, {.source = RequestSource::person});
  EXPECT_TRUE(preview.checked.allowed());
  const HostFacts& host = preview.host;
  NamespaceInodes callers = probe_namespaces();
  auto init = InitProcess::start(NamespaceSet::new_netns);
  EXPECT_TRUE(init);
  for (std::size_t i = 0; i < kNamespaceNames.size(); ++i) {
    if (kNamespaceNames[i] == name) callers[i] = namespace_of(init.value().pid(), name);
  }
  Stopwatch stopwatch;
  const SetupPlan namespaces = plan_setup(policy, host);
  EXPECT_TRUE(map_own_ids(init.value(), namespaces.user));
  EXPECT_TRUE(send_setup(init.value(), namespaces, host, stopwatch));
  const auto filter = load_filter(*preview.plan.filter());
  EXPECT_TRUE(filter);
  auto launched = launch(preview.plan, filter.value(),
                         {.landlock_abi = host.landlock_abi, .callers_namespaces = callers}, stdio,
                         nullptr, std::move(init).value(), stopwatch);
  EXPECT_TRUE(launched);
  return report_of(launched.value());
}

TEST(Namespaces, OfTheCallerAreNoPlaceForACommand) {
  for (const std::string name : {"user", "mnt", "pid", "ipc", "uts"}) {
    const init::Report report = first_report(name);
    EXPECT_EQ(report.kind, init::ReportKind::failed) << name;
    EXPECT_EQ(report.step, init::Step::read_namespaces) << name;
  }
  EXPECT_EQ(first_report("").kind, init::ReportKind::started);
}

// Tier c with a directory of the host that every system has.
PlanPreview preview_with_a_grant(Policy& policy) {
  policy = preset("workspace").value();
  policy.tier = {.use = TierChoice::c, .floor = Tier::c};
  policy.workspace.mode = WorkspaceMode::private_dir;
  policy.filesystem.read = {std::string("/tmp")};
  Request request{.command = "true"};
  return plan_only(policy, request, {.source = RequestSource::person});
}

// Of a run whose host files bawn opens, after `change` has been made to its plan. The trees are
// those of the plan before.
init::Report first_report_with_trees(const std::function<void(MountOp&)>& change) {
  Policy policy;
  PlanPreview preview = preview_with_a_grant(policy);
  EXPECT_TRUE(preview.checked.allowed());
  auto& namespaces = std::get<NamespacesPlan>(preview.plan.by_boundary);
  MountTrees trees(namespaces.user);
  EXPECT_TRUE(trees.make(namespaces.root));
  for (MountOp& op : namespaces.root.mounts)
    if (op.destination == "/tmp" && op.kind == MountOpKind::bind) change(op);
  auto init = InitProcess::start(NamespaceSet::new_netns);
  EXPECT_TRUE(init);
  Stopwatch stopwatch;
  const SetupPlan setup = plan_setup(policy, preview.host);
  EXPECT_TRUE(map_own_ids(init.value(), setup.user));
  EXPECT_TRUE(send_setup(init.value(), setup, preview.host, stopwatch));
  const auto filter = load_filter(*preview.plan.filter());
  auto launched = launch(preview.plan, filter.value(),
                         {.landlock_abi = preview.host.landlock_abi,
                          .callers_namespaces = probe_namespaces(),
                          .trees = trees.files()},
                         {.files = {0, 1, 2}}, nullptr, std::move(init).value(), stopwatch);
  EXPECT_TRUE(launched);
  return report_of(launched.value());
}

TEST(MountTree, MustBeTheFileThatBawnChecked) {
  if (getuid() != 0) {
    Policy policy;
    const PlanPreview preview = preview_with_a_grant(policy);
    ASSERT_TRUE(preview.checked.allowed());
    for (const MountOp& op : std::get<NamespacesPlan>(preview.plan.by_boundary).root.mounts)
      EXPECT_EQ(op.tree, 0) << op.destination << ": only runs of root have trees";
    return;
  }
  EXPECT_EQ(first_report_with_trees([](MountOp&) {}).kind, init::ReportKind::started);
  const init::Report report = first_report_with_trees([](MountOp& op) { ++op.source.inode; });
  EXPECT_EQ(report.kind, init::ReportKind::failed);
  EXPECT_EQ(report.step, init::Step::mount);
  EXPECT_EQ(report.error, ESTALE);
}

// stdin is opened by its path.
Stdio with_opening(StdioOpening opening) {
  Stdio stdio{.files = {-1, 1, 2}};
  stdio.openings[0] = std::move(opening);
  return stdio;
}

TEST(StdioOpening, MustBeTheFileThatBawnLookedAt) {
  const Fd file(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
  const auto facts = look_at_stdio(file.get());
  ASSERT_TRUE(facts);
  StdioOpening opening{.origin = init::StdioOrigin::host_file,
                       .directory = facts.value().directory,
                       .name = facts.value().name,
                       .position = 0,
                       .identity = {facts.value().device, facts.value().inode}};
  EXPECT_EQ(first_report("", with_opening(opening)).kind, init::ReportKind::started);
  ++opening.identity.inode;
  const init::Report report = first_report("", with_opening(opening));
  EXPECT_EQ(report.kind, init::ReportKind::failed);
  EXPECT_EQ(report.step, init::Step::open_stdio);
  EXPECT_EQ(report.error, ESTALE);
}

TEST(StdioOpening, OfADeviceMustHaveItsNumber) {
  constexpr std::uint64_t kMemoryDevices = std::uint64_t{1} << 32;
  StdioOpening opening{.origin = init::StdioOrigin::device,
                       .directory = "/dev",
                       .name = "null",
                       .identity = {kMemoryDevices | 3, 0}};
  EXPECT_EQ(first_report("", with_opening(opening)).kind, init::ReportKind::started);
  opening.name = "zero";
  const init::Report report = first_report("", with_opening(opening));
  EXPECT_EQ(report.step, init::Step::open_stdio);
  EXPECT_EQ(report.error, ESTALE);
}

// Both calls make the same process; only what the caller is told differs.
TEST(InitProcess, IsMadeByCloneWhereClone3IsRefused) {
  enum Answer { by_clone3, by_clone, not_started };
  const auto start = [] {
    auto init = InitProcess::start(NamespaceSet::none);
    if (!init || !init.value().arrive()) return not_started;
    return init.value().was_made_by_clone3() ? by_clone3 : by_clone;
  };
  EXPECT_EQ(start(), by_clone3);
  for (const int error : {ENOSYS, EPERM}) {
    const pid_t child = fork();
    if (child == 0) {
      const bool refused = refuse_call(
          {SYS_clone3, 0, RefusedCall::Test::is_at_least, 0, static_cast<std::uint32_t>(error)});
      _exit(refused ? start() : not_started);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), by_clone) << error;
  }
}

}  // namespace
}  // namespace bawn::linux_
