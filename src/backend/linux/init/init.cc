// Init's main function: receives its messages, builds the sandbox, starts the command, and
// supervises it until no process of the run is left.
//
// Init talks to bawn over one socket. If bawn ends, for any reason, init kills the tree and cleans
// up. Init::run() is the order of all steps.

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <poll.h>

#include "backend/linux/init/cgroup_reaper.h"
#include "backend/linux/init/clone_onto.h"
#include "backend/linux/init/command/command.h"
#include "backend/linux/init/command/init_seccomp.h"
#include "backend/linux/init/command/privileges.h"
#include "backend/linux/init/event_loop.h"
#include "backend/linux/init/kernel.h"
#include "backend/linux/init/priority.h"
#include "backend/linux/init/private_directory.h"
#include "backend/linux/init/reception.h"
#include "backend/linux/init/role.h"
#include "backend/linux/init/root/namespaces.h"
#include "backend/linux/init/root/netns.h"
#include "backend/linux/init/root/new_root.h"
#include "backend/linux/init/step_times.h"
#include "backend/linux/init/terminal.h"
#include "backend/linux/init/tree.h"
#include "backend/linux/wire/messages.h"

namespace bawn::init {
namespace {

constexpr int kLastSignal = 64;

// Milliseconds. bawn ends a run at its wall-time limit, with SIGTERM first. Init kills the run if
// it is still alive this much later.
constexpr std::uint64_t kAfterBawnMs = 1000;
constexpr std::uint64_t kMicrosecondsInOne = 1000;
constexpr std::uint64_t kNanosecondsInOne = 1'000'000;

class Init {
 public:
  [[noreturn]] void run(bool new_netns) {
    fill_stdio();
    if (new_netns) netns_.begin();
    clear_inheritance();
    receive_first_message();
    isolate();
    watch();
    if (in_namespaces()) {
      NewRoot root(setup(), file(slot_landlock), report_.readback, received_.trees);
      apply_setup(root);
      await_exec();
      move_in(root);
    } else {
      inherit_orphans();
      prepare_private_directory();
    }
    if (exec().terminal.wanted) open_private_terminal();
    watch_tree();
    set_clock();
    start();
    finish_state();
    run_event_loop(state_, report_);
  }

 private:
  // Ends init if the step failed. The private directory is removed and the report names the step,
  // so a failed step never leads to a command that runs with less protection.
  long require(Step step, long result) {
    if (result >= 0) return result;
    report_.step = step;
    report_.error = static_cast<std::int32_t>(-result);
    fail();
  }

  [[noreturn]] void fail() {
    remove_private_directory(state_.private_directory);
    send(report_, ReportKind::failed);
    leave(1);
  }

  // Occupies 1 and 2, so that no other file of init gets a number that the command's stdio will
  // overwrite.
  void fill_stdio() {
    for (int fd = 1; fd < 3; ++fd) {
      require(Step::receive_setup, kernel(__NR_dup3, kControl, fd, O_CLOEXEC));
    }
  }

  // Removes what the command would inherit from the caller or from init. Exec keeps ignored signals
  // ignored. In namespaces init has capabilities, and a child could get them back from the bounding
  // set.
  void clear_inheritance() {
    for (int signal = 1; signal <= kLastSignal; ++signal) {
      if (signal == kKillSignal || signal == kStopSignal) continue;
      report_.index = signal;
      require(Step::reset_signals, kernel(__NR_rt_sigaction, signal, &kDefaultAction, nullptr,
                                          sizeof kDefaultAction.mask));
    }
    report_.index = 0;
    state_.self = static_cast<std::int32_t>(kernel(__NR_getpid));
    if (state_.self == 1) require(Step::bounding_set, empty_bounding_set());
  }

  [[nodiscard]] bool in_namespaces() const { return received_.in_namespaces; }
  [[nodiscard]] bool command_is_pid_1() const { return in_namespaces() && setup().as_pid_1; }
  [[nodiscard]] int file(Slot slot) const { return received_.files[slot]; }

  void receive_first_message() {
    require(Step::receive_setup, receive_setup(kControl, received_));
    const bool timing = in_namespaces() ? setup().timing : exec().timing;
    report_.sequence = received_.sequence;
    step_times_ = timing ? report_.step_times : nullptr;
    record_time(step_times_, in_namespaces() ? Step::receive_setup : Step::receive_exec);
  }

  // In namespaces; the setup message has been carried out by now.
  void await_exec() {
    require(Step::receive_exec, receive_exec(kControl, received_));
    report_.sequence = received_.sequence;
    record_time(step_times_, Step::receive_exec);
  }

  [[nodiscard]] const Setup& setup() const { return received_.setup; }
  [[nodiscard]] const Exec& exec() const { return received_.exec; }

  void set_clock() {
    state_.cpu_limit_us = exec().cpu_ms * kMicrosecondsInOne;
    if (exec().wall_ms == 0) return;
    const std::uint64_t now = monotonic_ns();
    if (now == 0) require(Step::limits, kEnosys);
    state_.deadline_ns = now + (exec().wall_ms + kAfterBawnMs) * kNanosecondsInOne;
  }

  void finish_state() {
    state_.in_namespaces = in_namespaces();
    state_.scratch_is_bounded = in_namespaces() && setup().scratch_bytes != 0;
    state_.cgroup_kill = file(slot_cgroup_kill);
  }

  // Protects init from the terminal's signals (setsid, blocked signals) and from ptrace by
  // processes of the same user (not dumpable).
  void isolate() {
    if (in_namespaces() || exec().confine) {
      require(Step::priority, give_up_priority());
      record_time(step_times_, Step::priority);
    }
    constexpr int kSetMask = 2;
    const std::uint64_t all = ~std::uint64_t{0};
    require(Step::own_session, kernel(__NR_rt_sigprocmask, kSetMask, &all, nullptr, sizeof all));
    require(Step::own_session, kernel(__NR_setsid));
    hide_memory();
    kernel(__NR_prctl, PR_SET_NAME, "bawn-init", 0, 0, 0);
    record_time(step_times_, Step::own_session);
  }

  void hide_memory() {
    require(Step::own_session, kernel(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0));
    report_.readback.init_dumpable =
        static_cast<std::int32_t>(kernel(__NR_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0));
    if (report_.readback.init_dumpable != 0) require(Step::own_session, kEinval);
  }

  // Pid 1 of a pid namespace is the parent of every orphan in it. Outside one, init must become a
  // subreaper for that.
  void inherit_orphans() {
    require(Step::become_subreaper, kernel(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    int subreaper = 0;
    require(Step::become_subreaper,
            kernel(__NR_prctl, PR_GET_CHILD_SUBREAPER, &subreaper, 0, 0, 0));
    report_.readback.subreaper = subreaper;
    if (subreaper != 1) require(Step::become_subreaper, kEinval);
    record_time(step_times_, Step::become_subreaper);
  }

  void watch() {
    // A pidfd stays with its process even if the pid is reused. Polling it proves that it is a
    // pidfd and that bawn is alive.
    state_.parent = file(slot_parent);
    struct pollfd alive = {.fd = state_.parent, .events = POLLIN, .revents = 0};
    const struct timespec now = {};
    require(Step::watch_parent, kernel(__NR_ppoll, &alive, 1, &now, nullptr, 0));
    if (alive.revents != 0) require(Step::watch_parent, kEsrch);
    record_time(step_times_, Step::watch_parent);
    const std::uint64_t mask = std::uint64_t{1} << (kChildSignal - 1);
    state_.children = static_cast<int>(
        require(Step::watch_children,
                kernel(__NR_signalfd4, -1, &mask, sizeof mask, O_CLOEXEC | O_NONBLOCK)));
    record_time(step_times_, Step::watch_children);
  }

  // Carries out the setup message: switches to the run's user, sets up the namespaces that bawn
  // cloned this process into, and makes the base mounts.
  void apply_setup(NewRoot& root) {
    require(Step::few_privileges, verify_kept_capabilities());
    record_time(step_times_, Step::few_privileges);
    kernel(__NR_umask, 022);
    const NamespaceOrder order = {
        .setup = &setup(), .readback = &report_.readback, .step_times = step_times_};
    const NamespaceFailure failure = furnish_namespaces(order);
    require(failure.step, failure.error);
    hide_memory();  // setresuid may have made the process dumpable again
    require(Step::make_root, root.begin());
    record_time(step_times_, Step::make_root);
    make_mounts(root, Step::base_mount, setup().base_mounts, 0);
  }

  // The report's index counts the mounts of both messages as one list; those of the exec message
  // start at `first`.
  void make_mounts(NewRoot& root, Step step, const MountOpList& list, std::uint64_t first) {
    for (std::uint64_t i = 0; i < list.count; ++i) {
      report_.index = static_cast<std::int32_t>(first + i);
      require(step, root.make(list.at[i]));
    }
    report_.index = 0;
    record_time(step_times_, step);
  }

  void move_in(NewRoot& root) {
    require(Step::read_namespaces, compare_namespaces(exec(), report_.readback));
    make_mounts(root, Step::mount, exec().mounts, setup().base_mounts.count);
    open_stdio(StdioOrigin::host_file,
               [&](const StdioFile& stdio) { return root.open_host_file(stdio); });
    open_stdio(StdioOrigin::opened, [&](const StdioFile& stdio) {
      return root.take_host_file(file(slot_stdin), stdio);
    });
    const RootFailure failure = root.enter(step_times_);
    require(failure.step, failure.error);
    received_.files[slot_cwd] =
        static_cast<int>(require(Step::open_cwd, open_known(exec().cwd, O_PATH | O_DIRECTORY)));
    record_time(step_times_, Step::open_cwd);
    received_.files[slot_executable] =
        static_cast<int>(require(Step::open_executable, open_known(exec().executable, O_PATH)));
    record_time(step_times_, Step::open_executable);
    open_stdio(StdioOrigin::device, open_device);
    record_time(step_times_, Step::open_stdio);
    if (setup().new_netns) enter_netns();
  }

  template <class Open>
  void open_stdio(StdioOrigin origin, Open open) {
    for (std::uint32_t fd = 0; fd < kStdioCount; ++fd) {
      const StdioFile& stdio = exec().stdio[fd];
      if (stdio.origin != origin) continue;
      report_.index = static_cast<std::int32_t>(fd);
      received_.files[slot_stdin + fd] = static_cast<int>(require(Step::open_stdio, open(stdio)));
    }
    report_.index = 0;
  }

  void enter_netns() {
    std::uint64_t& inode = report_.readback.namespaces[kNetworkNamespace];
    require(Step::netns, netns_.enter(inode));
    if (inode == exec().outer_namespaces[kNetworkNamespace]) require(Step::netns, kEsrch);
    record_time(step_times_, Step::netns);
  }

  void open_private_terminal() {
    // Every user may open the host's /dev/ptmx. The run's devpts has its own ptmx node beside the
    // terminals.
    const char* ptmx = in_namespaces() ? "/dev/pts/ptmx" : "/dev/ptmx";
    require(Step::open_terminal, open_terminal(ptmx, exec().terminal, state_.terminal));
    record_time(step_times_, Step::open_terminal);
    for (std::uint32_t fd = 0; fd < kStdioCount; ++fd) {
      if ((exec().terminal.stdio & 1U << fd) != 0)
        received_.files[slot_stdin + fd] = state_.terminal.slave;
    }
  }

  // If the kernel refused the run a procfs, its processes cannot be inspected, but kill(-1) still
  // ends them. A procfs that init mounted shows the right processes; the host's must be checked.
  void watch_tree() {
    if (in_namespaces() && report_.readback.fresh_proc < 0) return;
    state_.proc =
        static_cast<int>(require(Step::open_proc, kernel(__NR_openat, AT_FDCWD, "/proc",
                                                         O_PATH | O_DIRECTORY | O_CLOEXEC, 0)));
    if (!in_namespaces()) require_own_processes();
    record_time(step_times_, Step::open_proc);
  }

  void require_own_processes() {
    // A /proc of another pid namespace shows other processes under the same pids: init would miss
    // its own tree and signal unrelated processes.
    char number[16] = {};
    const Decimal own(static_cast<std::uint64_t>(state_.self));
    require(Step::open_proc,
            kernel(__NR_readlinkat, state_.proc, "self", number, sizeof number - 1));
    for (std::size_t i = 0; i < sizeof number; ++i) {
      if (number[i] != own.text[i]) require(Step::open_proc, kEsrch);
      if (number[i] == 0) break;
    }
    // Init finds the tree through the children files (CONFIG_PROC_CHILDREN). Without them it could
    // not end the run, so nothing may start.
    const int task = static_cast<int>(
        require(Step::open_proc,
                kernel(__NR_openat, state_.proc, "thread-self/children", O_RDONLY | O_CLOEXEC, 0)));
    kernel(__NR_close, task);
  }

  void prepare_private_directory() {
    if (file(slot_private_parent) < 0) return;
    require(Step::private_directory,
            make_private_directory(file(slot_private_parent), exec().private_name,
                                   state_.private_directory));
    record_time(step_times_, Step::private_directory);
    if (file(slot_landlock) < 0) return;
    const struct landlock_path_beneath_attr rule = {.allowed_access = exec().private_access,
                                                    .parent_fd = state_.private_directory.self};
    require(Step::private_directory, kernel(__NR_landlock_add_rule, file(slot_landlock),
                                            LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
  }

  // The nested pid namespace is made by the clone itself, so the command is its pid 1 and init
  // stays outside. Not by unshare() before the clone: if clone3 then failed after it had taken pid
  // 1, that namespace could never have a first process, and the second attempt with clone() would
  // fail too.
  static std::uint64_t nested(const Command& command) {
    return command.setup != nullptr && command.setup->as_pid_1 ? CLONE_NEWPID : 0;
  }

  // In namespaces the command also gets a cgroup namespace. The root of that namespace is the
  // cgroup that its first process is in when it is made. So in a run with its own cgroup the
  // command enters the cgroup first and makes the namespace then (enter_cgroup in command.cc).
  static std::uint64_t command_flags(const Command& command) {
    const bool enters = command.files[slot_entrance] >= 0;
    const std::uint64_t own_cgroups = command.setup != nullptr && !enters ? CLONE_NEWCGROUP : 0;
    return CLONE_VM | CLONE_VFORK | nested(command) | own_cgroups;
  }

  // The child shares init's memory until it execs, so it reports a failure by writing to the
  // Report. Never inlined, nor is clone_command(): the child runs on this very stack frame before
  // init continues in it, so the frame must hold nothing that the child could spoil.
  //
  // CLONE_INTO_CGROUP costs less than moving the process afterwards.
  [[gnu::noinline]] static long clone3_command(const Command& command) {
    Readback& readback = command.report->readback;
    struct clone_args arguments = {};
    arguments.flags = command_flags(command);
    arguments.exit_signal = kChildSignal;
    if (command.files[slot_cgroup] >= 0) {
      arguments.flags |= CLONE_INTO_CGROUP;
      arguments.cgroup = static_cast<__u64>(command.files[slot_cgroup]);
    }
    readback.cloned_by_clone3 = true;
    readback.cloned_into_cgroup = command.files[slot_cgroup] >= 0;
    const long pid = kernel(__NR_clone3, &arguments, sizeof arguments);
    if (pid == 0) become_command(command);
    return pid;
  }

  // The command then moves itself into its cgroup, through the cgroup.procs files that bawn opened.
  [[gnu::noinline]] static long clone_command(const Command& command) {
    Readback& readback = command.report->readback;
    readback.cloned_by_clone3 = readback.cloned_into_cgroup = false;
    const long pid = kernel(__NR_clone, command_flags(command) | kChildSignal, 0, 0, 0, 0);
    if (pid == 0) become_command(command);
    return pid;
  }

  // An init that has switched its user may not clone into the cgroup (EACCES).
  static long create_command(const Command& command) {
    const long pid = clone3_command(command);
    return may_try_clone(pid) ? clone_command(command) : pid;
  }

  void start() {
    const Command command = {
        .exec = &exec(),
        .setup = in_namespaces() ? &setup() : nullptr,
        .files = received_.files,
        .cwd = exec().cwd_is_private ? state_.private_directory.work : file(slot_cwd),
        .init = command_is_pid_1() ? 0 : state_.self,
        .terminal = state_.terminal.slave,
        .report = &report_,
        .step_times = step_times_};
    // The child can be killed on its way to exec (OOM killer, another process of the user). So the
    // report says "failed" until the child clears it just before exec.
    report_.step = Step::clone_command;
    report_.error = -kEintr;
    const long pid = create_command(command);
    // ENOSPC is the limit on pid namespaces; too many processes would be EAGAIN.
    const bool lacks_namespace = pid == kEnospc && nested(command) != 0;
    require(lacks_namespace ? Step::nested_pid_namespace : Step::clone_command, pid);
    report_.pid = state_.command = static_cast<std::int32_t>(pid);
    if (report_.step != Step::none) {
      kernel(__NR_wait4, state_.command, nullptr, 0, nullptr);
      fail();
    }
    record_time(step_times_, Step::execute);
    const StdioFile& input = exec().stdio[0];
    if (input.origin == StdioOrigin::host_file || input.origin == StdioOrigin::opened)
      state_.input = file(slot_stdin);
    // Init must not hold the pipes open: their reader would not see the end before init exits.
    for (std::uint32_t slot = slot_stdin; slot <= slot_landlock; ++slot) {
      const int held = received_.files[slot];
      if (held >= 0 && held != state_.terminal.slave && held != state_.input)
        kernel(__NR_close, held);
    }
    if (in_namespaces()) {
      // The command already runs, so a `failed` report ("nothing ran") would be untrue. Init exits
      // instead; as pid 1 it takes the whole run with it.
      std::uint64_t left = 0;
      if (drop_capabilities(left) < 0 || left != 0 || confine_init() < 0) leave(1);
      record_time(step_times_, Step::drop_init);
    }
    if (state_.terminal.slave < 0) return send(report_, ReportKind::started);
    prepare(report_, ReportKind::started);
    send_with_file(kControl, report_, state_.terminal.master);
    kernel(__NR_close, state_.terminal.master);  // the terminal hangs up when bawn closes it
  }

  Report report_{};
  Reception received_;
  std::uint64_t* step_times_ = nullptr;
  Netns netns_;
  InitState state_;
};

}  // namespace

// `stack` is the initial stack from the kernel: argc, then argv. argv[1] is the role (role.h). A
// process without a role that it knows does nothing.
extern "C" [[noreturn, gnu::used]] void bawn_init_main(const long* stack) {
  const auto* argv = reinterpret_cast<const char* const*>(stack + 1);
  const char* role = stack[0] > 1 ? argv[1] : "";
  if (is_role(role, kReapCgroups)) reap_cgroups(argv + 2);
  const bool new_netns = is_role(role, kInitWithNetns);
  if (!new_netns && !is_role(role, kInit)) leave(1);
  Init init;
  init.run(new_netns);
}

}  // namespace bawn::init
