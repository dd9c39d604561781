// Init's main function: receives its messages, starts the command, and watches over it until
// nothing of it is left.
//
// It answers to bawn over one socket. If bawn dies, however it dies, init kills the tree and cleans
// up.

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <poll.h>

#include "linux/init/cgroup_reaper.h"
#include "linux/init/command.h"
#include "linux/init/event_loop.h"
#include "linux/init/init_seccomp.h"
#include "linux/init/kernel.h"
#include "linux/init/messages.h"
#include "linux/init/namespaces.h"
#include "linux/init/netns.h"
#include "linux/init/new_root.h"
#include "linux/init/priority.h"
#include "linux/init/private_directory.h"
#include "linux/init/privileges.h"
#include "linux/init/reception.h"
#include "linux/init/step_times.h"
#include "linux/init/terminal.h"
#include "linux/init/tree.h"

namespace bawn::init {
namespace {

constexpr int kLastSignal = 64;

// Milliseconds. bawn ends a run that is over time, gently first; init does if that has not happened
// by then.
constexpr std::uint64_t kAfterBawnMs = 1000;
constexpr std::uint64_t kMicrosecondsInOne = 1000;
constexpr std::uint64_t kNanosecondsInOne = 1'000'000;

class Init {
 public:
  [[noreturn]] void run(bool new_netns) {
    fill_stdio();
    if (new_netns) netns_.begin();
    if (!has_first_message()) clear_inheritance();
    // Otherwise this thread is about to wait, and leaves it the processor.
    if (new_netns && has_first_message()) netns_.spread_cpu();
    receive_first_message();
    isolate();
    watch();
    if (in_namespaces()) {
      NewRoot root(*received_.setup, file(slot_landlock), report_.readback);
      apply_setup(root);
      clear_inheritance();
      await_exec();
      move_in(root);
    } else {
      clear_inheritance();
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
  // Nothing runs after a failed step: what was made is removed, and the report names the step.
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

  // So that no file of ours lands on a number that the command's stdio will overwrite.
  void fill_stdio() {
    for (int fd = 1; fd < 3; ++fd) {
      require(Step::receive_setup, kernel(__NR_dup3, kControl, fd, O_CLOEXEC));
    }
  }

  // What the command is to have of neither the caller nor init: exec keeps ignored signals ignored;
  // and in namespaces init has got capabilities that its children could get back. Done once, when
  // there is nothing else to do, and before anything of the exec message is.
  void clear_inheritance() {
    if (inheritance_is_cleared_) return;
    for (int signal = 1; signal <= kLastSignal; ++signal) {
      if (signal == kKillSignal || signal == kStopSignal) continue;
      report_.index = signal;
      require(Step::reset_signals, kernel(__NR_rt_sigaction, signal, &kDefaultAction, nullptr,
                                          sizeof kDefaultAction.mask));
    }
    report_.index = 0;
    state_.self = static_cast<std::int32_t>(kernel(__NR_getpid));
    if (state_.self == 1) require(Step::bounding_set, empty_bounding_set());
    inheritance_is_cleared_ = true;
  }

  [[nodiscard]] bool in_namespaces() const { return received_.setup != nullptr; }
  [[nodiscard]] bool command_is_pid_1() const {
    return in_namespaces() && received_.setup->as_pid_1;
  }
  [[nodiscard]] int file(Slot slot) const { return received_.files[slot]; }

  static bool has_first_message() {
    struct pollfd message = {.fd = kControl, .events = POLLIN, .revents = 0};
    const struct timespec now = {};
    return kernel(__NR_ppoll, &message, 1, &now, nullptr, 0) > 0;
  }

  void receive_first_message() {
    require(Step::receive_setup, receive_setup(kControl, received_));
    const bool timing = in_namespaces() ? received_.setup->timing : received_.exec->timing;
    step_times_ = timing ? report_.step_times : nullptr;
    record_time(step_times_, in_namespaces() ? Step::receive_setup : Step::receive_exec);
  }

  // Whose place has been begun meanwhile.
  void await_exec() {
    require(Step::receive_exec, receive_exec(kControl, received_));
    record_time(step_times_, Step::receive_exec);
  }

  [[nodiscard]] const ExecMessage& exec() const { return *received_.exec; }

  void set_clock() {
    state_.cpu_limit_us = exec().cpu_ms * kMicrosecondsInOne;
    if (exec().wall_ms == 0) return;
    const std::uint64_t now = monotonic_ns();
    if (now == 0) require(Step::limits, kEnosys);
    state_.deadline_ns = now + (exec().wall_ms + kAfterBawnMs) * kNanosecondsInOne;
  }

  void finish_state() {
    state_.in_namespaces = in_namespaces();
    state_.scratch_is_bounded = in_namespaces() && received_.setup->scratch_bytes != 0;
    state_.cgroup_kill = file(slot_cgroup_kill);
  }

  // Out of reach of the terminal's signals and of ptrace.
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

  // The first process of a pid namespace is the heir of every orphan in it; elsewhere that must be
  // asked for.
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
    // bawn's own handle on itself: whatever happens to its pid, this stays with it. Asking shows
    // that it is one.
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

  // Becomes who the command is to be, and begins to make the namespaces that bawn put this process
  // into a place to live in.
  void apply_setup(NewRoot& root) {
    const SetupMessage& setup = *received_.setup;
    require(Step::few_privileges, verify_kept_capabilities());
    record_time(step_times_, Step::few_privileges);
    kernel(__NR_umask, 022);
    const NamespaceOrder order = {
        .setup = &setup, .readback = &report_.readback, .step_times = step_times_};
    const NamespaceFailure failure = furnish_namespaces(order);
    require(failure.step, failure.error);
    hide_memory();  // to become another user may have shown it again
    require(Step::make_root, root.begin());
    record_time(step_times_, Step::make_root);
    make_mounts(root, Step::base_mount, setup.base_mounts, &setup, 0);
  }

  // The setup message's and the exec message's are numbered as one list.
  void make_mounts(NewRoot& root, Step step, const MountOpList& list, const void* message,
                   std::uint32_t first) {
    const auto* mounts =
        reinterpret_cast<const MountOp*>(static_cast<const char*>(message) + list.mounts);
    for (std::uint32_t i = 0; i < list.count; ++i) {
      report_.index = static_cast<std::int32_t>(first + i);
      require(step, root.make(mounts[i], message));
    }
    report_.index = 0;
    record_time(step_times_, step);
  }

  void move_in(NewRoot& root) {
    require(Step::read_namespaces, compare_namespaces(exec(), report_.readback));
    make_mounts(root, Step::mount, exec().mounts, received_.exec,
                received_.setup->base_mounts.count);
    open_stdio(StdioOrigin::host_file,
               [&](const StdioFile& stdio) { return root.open_host_file(stdio, received_.exec); });
    const RootFailure failure = root.enter(step_times_);
    require(failure.step, failure.error);
    received_.files[slot_cwd] = static_cast<int>(require(
        Step::open_cwd, open_known(string(exec().cwd), exec().cwd_identity, O_PATH | O_DIRECTORY)));
    record_time(step_times_, Step::open_cwd);
    received_.files[slot_executable] = static_cast<int>(
        require(Step::open_executable,
                open_known(string(exec().executable), exec().executable_identity, O_PATH)));
    record_time(step_times_, Step::open_executable);
    open_stdio(StdioOrigin::device,
               [&](const StdioFile& stdio) { return open_device(stdio, received_.exec); });
    record_time(step_times_, Step::open_stdio);
    if (received_.setup->new_netns) enter_netns();
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
    // The host's own has a name that every user may open; in the run's devpts there is one beside
    // the terminals.
    const char* ptmx = in_namespaces() ? "/dev/pts/ptmx" : "/dev/ptmx";
    require(Step::open_terminal, open_terminal(ptmx, exec().terminal, state_.terminal));
    record_time(step_times_, Step::open_terminal);
    for (std::uint32_t fd = 0; fd < kStdioCount; ++fd) {
      if ((exec().terminal.stdio & 1U << fd) != 0)
        received_.files[slot_stdin + fd] = state_.terminal.slave;
    }
  }

  [[nodiscard]] const char* string(std::uint32_t offset) const {
    return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(received_.exec) + offset);
  }

  // Without a /proc of its own a run in namespaces can still be ended, but its processes cannot be
  // looked at. One that is its own was made by this process, so it shows the right ones.
  void watch_tree() {
    if (in_namespaces() && report_.readback.fresh_proc < 0) return;
    state_.proc =
        static_cast<int>(require(Step::open_proc, kernel(__NR_openat, AT_FDCWD, "/proc",
                                                         O_PATH | O_DIRECTORY | O_CLOEXEC, 0)));
    if (!in_namespaces()) require_own_processes();
    record_time(step_times_, Step::open_proc);
  }

  void require_own_processes() {
    // A /proc of another pid namespace has other processes under our numbers: the tree would not be
    // found, and strangers would be taken for it.
    char number[16] = {};
    const Decimal own(static_cast<std::uint64_t>(state_.self));
    require(Step::open_proc,
            kernel(__NR_readlinkat, state_.proc, "self", number, sizeof number - 1));
    for (std::size_t i = 0; i < sizeof number; ++i) {
      if (number[i] != own.text[i]) require(Step::open_proc, kEsrch);
      if (number[i] == 0) break;
    }
    // Without the lists of children the tree could not be ended: not a place to run anything.
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

  // Init stays where it is, and the command is the first one there. By unshare() the namespace
  // would be there for one attempt only: a clone3 that is refused once it has a number there leaves
  // it without a first process for good.
  static unsigned long nested(const Command& command) {
    return command.setup != nullptr && command.setup->as_pid_1 ? CLONE_NEWPID : 0;
  }

  // Shares memory with the child until it execs, so a failure is told by memory. Kept apart and
  // never inlined: the child runs on this stack, and what this frame holds must survive it. In
  // namespaces the last of them begins with the command: its cgroup is the root of what it sees. It
  // begins where its first process is at that moment, so a run with a cgroup of its own enters that
  // first.
  [[gnu::noinline]] static long clone_command(const Command& command) {
    const bool enters = command.files[slot_entrance] >= 0;
    const unsigned long own =
        nested(command) | (command.setup != nullptr && !enters ? CLONE_NEWCGROUP : 0);
    const long pid = kernel(__NR_clone, CLONE_VM | CLONE_VFORK | own | kChildSignal, 0, 0, 0, 0);
    if (pid == 0) become_command(command);
    return pid;
  }

  // To be born in a cgroup costs less than to go there. Kernels before 5.7 cannot, filters refuse
  // clone3, and an init that has become another user may not: then the command goes there itself,
  // by what bawn has opened.
  [[gnu::noinline]] static long clone_command_in_cgroup(const Command& command) {
    if (command.files[slot_cgroup] < 0) return kEinval;
    struct clone_args arguments = {};
    arguments.flags = CLONE_VM | CLONE_VFORK | CLONE_INTO_CGROUP | nested(command);
    arguments.exit_signal = kChildSignal;
    arguments.cgroup = static_cast<__u64>(command.files[slot_cgroup]);
    command.report->readback.cloned_into_cgroup = true;
    const long pid = kernel(__NR_clone3, &arguments, sizeof arguments);
    if (pid == 0) become_command(command);
    if (pid < 0) command.report->readback.cloned_into_cgroup = false;
    return pid;
  }

  static long create_command(const Command& command) {
    const long pid = clone_command_in_cgroup(command);
    const bool may_go_there =
        pid == kEinval || pid == kEnosys || pid == kEperm || pid == kEacces || pid == kE2big;
    return may_go_there ? clone_command(command) : pid;  // a cgroup that is full is an answer
  }

  void start() {
    const Command command = {
        .exec = received_.exec,
        .setup = received_.setup,
        .files = received_.files,
        .cwd = exec().cwd_is_private ? state_.private_directory.work : file(slot_cwd),
        .init = command_is_pid_1() ? 0 : state_.self,
        .terminal = state_.terminal.slave,
        .report = &report_,
        .step_times = step_times_};
    // Somebody may kill the child on its way to exec: until it says that it has arrived, it has
    // not.
    report_.step = Step::clone_command;
    report_.error = -kEintr;
    const long pid = create_command(command);
    // Namespaces alone can be too many in this way; of processes there is another word for it.
    const bool lacks_namespace = pid == kEnospc && nested(command) != 0;
    require(lacks_namespace ? Step::nested_pid_namespace : Step::clone_command, pid);
    report_.pid = state_.command = static_cast<std::int32_t>(pid);
    if (report_.step != Step::none) {
      kernel(__NR_wait4, state_.command, nullptr, 0, nullptr);
      fail();
    }
    record_time(step_times_, Step::execute);
    const StdioFile& input = exec().stdio[0];
    if (input.origin == StdioOrigin::host_file) state_.input = file(slot_stdin);
    // Init must not hold the pipes open, or their reader would wait for it too.
    for (std::uint32_t slot = slot_stdin; slot <= slot_landlock; ++slot) {
      const int held = received_.files[slot];
      if (held >= 0 && held != state_.terminal.slave && held != state_.input)
        kernel(__NR_close, held);
    }
    if (in_namespaces()) {
      // The command runs already: if this fails, that is its end, and no word of "nothing ran".
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
  bool inheritance_is_cleared_ = false;
  Netns netns_;
  InitState state_;
};

}  // namespace

// `stack` is what the kernel put there: how many words the program was started with, then the
// words. With a second word, whatever it is, init makes a network of its own; with more than that
// it is no init but a cgroup reaper.
extern "C" [[noreturn, gnu::used]] void bawn_init_main(const long* stack) {
  if (stack[0] > 2) reap_cgroups(reinterpret_cast<const char* const*>(stack + 3));
  Init init;
  init.run(stack[0] > 1);
}

}  // namespace bawn::init
