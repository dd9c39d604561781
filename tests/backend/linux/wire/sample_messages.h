// Messages as bawn sends them and reports as init does: for tests of the decoders, and as the seeds
// of their fuzzers.
#pragma once

#include <fcntl.h>
#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

#include "backend/linux/wire/encode_message.h"
#include "host/system_facts.h"
#include "plan/plan_parts.h"

namespace bawn::linux_ {

inline Located sample_file(std::string path, std::uint64_t inode) {
  return {.path = std::move(path), .device = makedev(8, 1), .inode = inode};
}

// Every kind of MountOp, and every field at another value than its default.
inline std::string sample_setup() {
  SetupPlan plan;
  plan.user = {.uid = 0, .gid = 0, .host_uid = 1000, .host_gid = 1000};
  plan.new_netns = plan.as_pid_1 = plan.programs_listed = true;
  plan.scratch_bytes = 1 << 20;
  MountOp null = path_op(MountOpKind::mirror, "/dev/null", "system");
  null.device = true;
  MountOp usr = path_op(MountOpKind::mirror, "/usr", "system");
  usr.exec = MountExec::none;
  plan.mounts = {usr,
                 null,
                 file_op("/etc/hosts", "127.0.0.1 localhost\n"),
                 file_op("/etc/empty", ""),
                 link_op("/dev/fd", "/proc/self/fd", "system"),
                 path_op(MountOpKind::proc, "/proc", "system"),
                 path_op(MountOpKind::hidden, "/proc/keys", "system"),
                 path_op(MountOpKind::directory, "/run", "system"),
                 path_op(MountOpKind::terminals, "/dev/pts", "system"),
                 scratch_op("/tmp", "filesystem.tmp"),
                 bind_op("/data", sample_file("/srv/data", 77), true, "filesystem.write"),
                 program_op("/usr/bin/cat", sample_file("/usr/bin/cat", 5), "executables.allow")};
  HostFacts host = linux_facts();
  host.uid = host.gid = 0;
  host.capabilities = kAllCapabilities;
  return encode_setup(plan, host, {.landlock_abi = 3, .timing = true});
}

inline constexpr std::array<sock_filter, 3> kSampleFilter = {
    {{0x20, 0, 0, 4}, {0x15, 1, 0, 0xc000003e}, {0x06, 0, 0, 0x7fff0000}}};

inline Plan sample_plan(Tier tier) {
  Plan plan{.tier = tier};
  plan.program.argv = {"cat", "", "a b"};
  plan.program.file = sample_file("/usr/bin/cat", 5);
  plan.environment = {"HOME=/home/user", "EMPTY="};
  plan.cwd = sample_file("/work", 6);
  plan.process_limits = {{ProcessLimit::core_bytes, 0}, {ProcessLimit::open_files, 64}};
  plan.limits = {.cpu_time_ms = 2000, .wall_time_ms = 5000};
  return plan;
}

inline constexpr std::uint32_t slot_bits(std::initializer_list<init::Slot> slots) {
  std::uint32_t bits = 0;
  for (const init::Slot slot : slots) bits |= 1U << slot;
  return bits;
}

// Programs are listed. Stdin is a host file, stdout a device, stderr comes with the message.
inline std::string sample_exec_in_namespaces(std::uint32_t sequence = 1) {
  Plan plan = sample_plan(Tier::c);
  plan.network.reach = NetworkReach::own_loopback;
  plan.executables.emplace();
  plan.exec_probe = "/bin/sh";
  RootPlan& root = test::root_of(plan);
  root.cwd = "/work";
  root.mounts = {path_op(MountOpKind::mirror, "/usr", "system"),
                 bind_op("/work", sample_file("/work", 6), true, "workspace"),
                 path_op(MountOpKind::hidden, "/work/.env", "workspace.hide"),
                 bind_op("/data", sample_file("/srv/data", 77), false, "filesystem.read")};
  root.base_mount_count = 1;
  root.mounts[1].tree = 1;
  root.mounts[3].tree = 2;
  const std::array<StdioOpening, 3> stdio = {{{.origin = init::StdioOrigin::host_file,
                                               .directory = "/home/you",
                                               .name = "input",
                                               .position = 12,
                                               .identity = {8, 9}},
                                              {.origin = init::StdioOrigin::device,
                                               .access = O_WRONLY,
                                               .directory = "/dev",
                                               .name = "null",
                                               .identity = {259, 0}},
                                              {}}};
  return encode_exec(plan, {.sequence = sequence,
                            .slots = slot_bits({init::slot_stderr, init::slot_cgroup,
                                                init::slot_entrance, init::slot_cgroup_kill}),
                            .trees = 2,
                            .filter = kSampleFilter,
                            .stdio = stdio,
                            .timing = true,
                            .outer_namespaces = {1, 2, 3, 4, 5, 6, 7}});
}

// Stdin is a file that bawn has opened for a user that could not.
inline std::string sample_exec_with_opened_stdin() {
  Plan plan = sample_plan(Tier::c);
  RootPlan& root = test::root_of(plan);
  root.cwd = "/work";
  const std::array<StdioOpening, 3> stdio = {{{.origin = init::StdioOrigin::opened,
                                               .directory = "/root",
                                               .name = "input",
                                               .position = 12,
                                               .identity = {8, 9}},
                                              {},
                                              {}}};
  return encode_exec(plan,
                     {.slots = slot_bits({init::slot_stdin, init::slot_stdout, init::slot_stderr}),
                      .filter = kSampleFilter,
                      .stdio = stdio,
                      .outer_namespaces = {1, 2, 3, 4, 5, 6, 7}});
}

// Tier b, in a private workspace. Stdin and stdout are a private terminal.
inline std::string sample_exec_in_tier_b() {
  Plan plan = sample_plan(Tier::b);
  plan.private_workspace = true;
  plan.private_name = "bawn-12345";
  init::TerminalOrder terminal{};
  terminal.wanted = terminal.foreground = terminal.has_modes = true;
  terminal.stdio = 3;
  terminal.size = {.rows = 24, .columns = 80, .x_pixels = 0, .y_pixels = 0};
  return encode_exec(
      plan, {.slots = slot_bits({init::slot_parent, init::slot_stderr, init::slot_executable,
                                 init::slot_landlock, init::slot_private_parent}),
             .may_drop_bounding_set = true,
             .filter = kSampleFilter,
             .rights = {.read = 1, .write = 2, .device = 4},
             .terminal = terminal});
}

inline std::string sample_exec_unconfined() {
  return encode_exec(
      sample_plan(Tier::unconfined),
      {.slots = slot_bits({init::slot_parent, init::slot_stdin, init::slot_stdout,
                           init::slot_stderr, init::slot_executable, init::slot_cwd})});
}

inline init::Report sample_report(init::ReportKind kind) {
  init::Report report{};
  report.kind = kind;
  report.sequence = 1;
  report.pid = 2;
  report.readback.no_new_privs = 1;
  report.readback.is_pid_1 = true;
  if (kind == init::ReportKind::failed) {
    report.step = init::Step::landlock;
    report.error = 38;
  }
  if (kind == init::ReportKind::command_exited) report.wait_status = 3 << 8;
  if (kind == init::ReportKind::tree_gone) report.wait_status = 9;
  if (kind == init::ReportKind::command_stopped) report.wait_status = (20 << 8) | 0x7f;
  return report;
}

inline std::string bytes_of(const init::Report& report) {
  return {reinterpret_cast<const char*>(&report), sizeof report};
}

}  // namespace bawn::linux_
