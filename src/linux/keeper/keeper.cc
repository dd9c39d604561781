// The keeper's main function: receives its program, starts the command, and stays until nothing of it is left.
//
// It answers to bawn over one socket. If bawn dies, however it dies, the keeper kills the tree and cleans up.

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "linux/keeper/kernel.h"
#include "linux/keeper/namespaces.h"
#include "linux/keeper/network.h"
#include "linux/keeper/new_root.h"
#include "linux/keeper/own_filter.h"
#include "linux/keeper/payload.h"
#include "linux/keeper/private_directory.h"
#include "linux/keeper/program.h"
#include "linux/keeper/reception.h"
#include "linux/keeper/stamp.h"
#include "linux/keeper/sweeper.h"
#include "linux/keeper/terminal.h"
#include "linux/keeper/tree.h"

namespace bawn::keeper {
namespace {

constexpr int kControl = 0;  // the only file the keeper is born with
constexpr int kChildSignal = 17;
constexpr int kHangUpSignal = 1;
constexpr int kInterruptSignal = 2;
constexpr int kQuitSignal = 3;
constexpr int kTermSignal = 15;
constexpr int kContinueSignal = 18;
constexpr int kSuspendSignal = 20;
constexpr int kKillSignal = 9;
constexpr long kShortestPauseNs = 1'000'000;
constexpr long kLongestPauseNs = 100'000'000;
constexpr long kEinval = -22;
constexpr long kEnosys = -38;
constexpr long kEperm = -1;
constexpr long kEacces = -13;
constexpr long kE2big = -7;
constexpr std::int32_t kEintr = 4;
constexpr long kEsrch = -3;

class Keeper {
 public:
  [[noreturn]] void run(bool own_network) {
    fill_stdio();
    if (own_network) network_.begin();
    receive_first_text();
    isolate();
    watch();
    if (in_namespaces()) {
      NewRoot root(*received_.foundation, file(slot_landlock), report_.readback);
      lay_foundation(root);
      await_program();
      move_in(root);
    } else {
      inherit_orphans();
      make_private_place();
    }
    watch_tree();
    start();
    for (;;) serve();
  }

 private:
  void send(ReportKind kind) {
    prepare(kind);
    // Reports are few and the socket is large; a reader that is gone needs none.
    kernel(__NR_sendto, kControl, &report_, sizeof report_, MSG_NOSIGNAL | MSG_DONTWAIT, nullptr, 0);
  }

  void prepare(ReportKind kind) {
    report_.kind = kind;
    struct rusage usage = {};
    kernel(__NR_getrusage, RUSAGE_CHILDREN, &usage);
    report_.cpu_user_us = microseconds(usage.ru_utime);
    report_.cpu_system_us = microseconds(usage.ru_stime);
    report_.max_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  }

  static std::uint64_t microseconds(const struct timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000 + static_cast<std::uint64_t>(time.tv_usec);
  }

  // Nothing runs after a failed step: what was made is removed, and the report names the step.
  long require(Step step, long result) {
    if (result >= 0) return result;
    report_.step = step;
    report_.error = static_cast<std::int32_t>(-result);
    fail();
  }

  [[noreturn]] void fail() {
    remove_private_directory(private_);
    send(ReportKind::failed);
    leave(1);
  }

  // So that no file of ours lands on a number that the payload's stdio will overwrite.
  void fill_stdio() {
    for (int fd = 1; fd < 3; ++fd) {
      require(Step::receive_foundation, kernel(__NR_dup3, kControl, fd, O_CLOEXEC));
    }
  }

  [[nodiscard]] bool in_namespaces() const { return received_.foundation != nullptr; }
  [[nodiscard]] int file(Slot slot) const { return received_.files[slot]; }

  void receive_first_text() {
    require(Step::receive_foundation, receive_foundation(kControl, received_));
    const bool timing = in_namespaces() ? received_.foundation->timing : received_.program->timing;
    stamps_ = timing ? report_.stamps : nullptr;
    stamp(stamps_, in_namespaces() ? Step::receive_foundation : Step::receive_program);
  }

  // Whose place has been begun meanwhile.
  void await_program() {
    require(Step::receive_program, receive_program(kControl, received_));
    stamp(stamps_, Step::receive_program);
  }

  [[nodiscard]] const Program& program() const { return *received_.program; }

  // Out of reach of the terminal's signals and of ptrace.
  void isolate() {
    constexpr int kSetMask = 2;
    const std::uint64_t all = ~std::uint64_t{0};
    require(Step::own_session, kernel(__NR_rt_sigprocmask, kSetMask, &all, nullptr, sizeof all));
    // A caller that ignores SIGCHLD hands that down through exec, and then there would be nothing to wait for.
    require(Step::watch_children,
            kernel(__NR_rt_sigaction, kChildSignal, &kDefaultAction, nullptr, sizeof all));
    require(Step::own_session, kernel(__NR_setsid));
    hide_memory();
    kernel(__NR_prctl, PR_SET_NAME, "bawn-keeper", 0, 0, 0);
    self_ = static_cast<std::int32_t>(kernel(__NR_getpid));
    stamp(stamps_, Step::own_session);
  }

  void hide_memory() {
    require(Step::own_session, kernel(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0));
    report_.readback.dumpable_keeper =
        static_cast<std::int32_t>(kernel(__NR_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0));
    if (report_.readback.dumpable_keeper != 0) require(Step::own_session, kEinval);
  }

  // The first process of a pid namespace is the heir of every orphan in it; elsewhere that must be asked for.
  void inherit_orphans() {
    require(Step::become_subreaper, kernel(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    int subreaper = 0;
    require(Step::become_subreaper, kernel(__NR_prctl, PR_GET_CHILD_SUBREAPER, &subreaper, 0, 0, 0));
    report_.readback.subreaper = subreaper;
    if (subreaper != 1) require(Step::become_subreaper, kEinval);
    stamp(stamps_, Step::become_subreaper);
  }

  void watch() {
    // bawn's own handle on itself: whatever happens to its pid, this stays with it. Asking shows that it is one.
    parent_ = file(slot_parent);
    struct pollfd alive = {.fd = parent_, .events = POLLIN, .revents = 0};
    const struct timespec now = {};
    require(Step::watch_parent, kernel(__NR_ppoll, &alive, 1, &now, nullptr, 0));
    if (alive.revents != 0) require(Step::watch_parent, kEsrch);
    stamp(stamps_, Step::watch_parent);
    const std::uint64_t mask = std::uint64_t{1} << (kChildSignal - 1);
    children_ = static_cast<int>(require(
        Step::watch_children, kernel(__NR_signalfd4, -1, &mask, sizeof mask, O_CLOEXEC | O_NONBLOCK)));
    stamp(stamps_, Step::watch_children);
  }

  // Becomes who the command is to be, and begins to make the namespaces that bawn put this process into a place to live in.
  void lay_foundation(NewRoot& root) {
    const Foundation& foundation = *received_.foundation;
    kernel(__NR_umask, 022);
    const NamespaceOrder order = {
        .foundation = &foundation, .readback = &report_.readback, .stamps = stamps_};
    const NamespaceFailure troubled = furnish_namespaces(order);
    require(troubled.step, troubled.error);
    hide_memory();  // to become another user may have shown it again
    require(Step::make_root, root.begin());
    stamp(stamps_, Step::make_root);
    make_parts(root, Step::make_standing_part, foundation.standing, &foundation, 0);
  }

  // The foundation's and the program's are numbered as one list.
  void make_parts(NewRoot& root, Step step, const PartList& list, const void* text, std::uint32_t first) {
    const auto* parts = reinterpret_cast<const Part*>(static_cast<const char*>(text) + list.parts);
    for (std::uint32_t i = 0; i < list.count; ++i) {
      report_.index = static_cast<std::int32_t>(first + i);
      require(step, root.make(parts[i], text));
    }
    report_.index = 0;
    stamp(stamps_, step);
  }

  void move_in(NewRoot& root) {
    make_parts(root, Step::make_part, program().parts, received_.program,
               received_.foundation->standing.count);
    const RootFailure failure = root.enter(stamps_);
    require(failure.step, failure.error);
    received_.files[slot_cwd] = static_cast<int>(require(
        Step::open_cwd, open_known(text(program().cwd), program().cwd_identity, O_PATH | O_DIRECTORY)));
    stamp(stamps_, Step::open_cwd);
    received_.files[slot_executable] =
        static_cast<int>(require(Step::open_executable, open_known(text(program().executable),
                                                                   program().executable_identity, O_PATH)));
    stamp(stamps_, Step::open_executable);
    if (received_.foundation->own_network) enter_network();
    if (program().terminal.wanted) open_private_terminal();
  }

  void enter_network() {
    std::uint64_t& inode = report_.readback.namespaces[kNetworkNamespace];
    require(Step::own_network, network_.enter(inode));
    if (inode == received_.foundation->outer_namespaces[kNetworkNamespace])
      require(Step::own_network, kEsrch);
    stamp(stamps_, Step::own_network);
  }

  void open_private_terminal() {
    require(Step::open_terminal, open_terminal(program().terminal, terminal_));
    stamp(stamps_, Step::open_terminal);
    for (std::uint32_t fd = 0; fd < 3; ++fd) {
      if ((program().terminal.stdio & 1U << fd) != 0) received_.files[slot_stdin + fd] = terminal_.slave;
    }
  }

  [[nodiscard]] const char* text(std::uint32_t offset) const {
    return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(received_.program) + offset);
  }

  // Without a /proc of its own a run in namespaces can still be ended, but its processes cannot be looked at.
  void watch_tree() {
    if (in_namespaces() && report_.readback.fresh_proc < 0) return;
    proc_ = static_cast<int>(require(
        Step::open_proc, kernel(__NR_openat, AT_FDCWD, "/proc", O_PATH | O_DIRECTORY | O_CLOEXEC, 0)));
    // A /proc of another pid namespace has other processes under our numbers: the tree would not be found, and strangers
    // would be taken for it.
    char number[16] = {};
    const Decimal own(static_cast<std::uint64_t>(self_));
    require(Step::open_proc, kernel(__NR_readlinkat, proc_, "self", number, sizeof number - 1));
    for (std::size_t i = 0; i < sizeof number; ++i) {
      if (number[i] != own.text[i]) require(Step::open_proc, kEsrch);
      if (number[i] == 0) break;
    }
    // Without the lists of children the tree could not be ended: not a place to run anything.
    const int task = static_cast<int>(require(
        Step::open_proc, kernel(__NR_openat, proc_, "thread-self/children", O_RDONLY | O_CLOEXEC, 0)));
    kernel(__NR_close, task);
    stamp(stamps_, Step::open_proc);
  }

  void make_private_place() {
    if (file(slot_private_parent) < 0) return;
    require(Step::private_directory,
            make_private_directory(file(slot_private_parent), program().private_name, private_));
    stamp(stamps_, Step::private_directory);
    if (file(slot_landlock) < 0) return;
    const struct landlock_path_beneath_attr rule = {.allowed_access = program().private_access,
                                                    .parent_fd = private_.self};
    require(Step::private_directory,
            kernel(__NR_landlock_add_rule, file(slot_landlock), LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
  }

  // Shares memory with the child until it execs, so a failure is told by memory. Kept apart and never inlined: the child
  // runs on this stack, and what this frame holds must survive it.
  // In namespaces the last of them begins with the command: its cgroup is the root of what it sees. It begins where its
  // first process is at that moment, so a run with a cgroup of its own enters that first.
  [[gnu::noinline]] static long clone_payload(const Payload& payload) {
    const bool enters = payload.files[slot_entrance] >= 0;
    const long own = payload.foundation != nullptr && !enters ? CLONE_NEWCGROUP : 0;
    const long pid = kernel(__NR_clone, CLONE_VM | CLONE_VFORK | own | kChildSignal, 0, 0, 0, 0);
    if (pid == 0) become_payload(payload);
    return pid;
  }

  // To be born in a cgroup costs less than to go there. Kernels before 5.7 cannot, filters refuse clone3, and a keeper that
  // has become another user may not: then the command goes there itself, by what bawn has opened.
  [[gnu::noinline]] static long clone_payload_in_cgroup(const Payload& payload) {
    if (payload.files[slot_cgroup] < 0) return kEinval;
    struct clone_args arguments = {};
    arguments.flags = CLONE_VM | CLONE_VFORK | CLONE_INTO_CGROUP;
    arguments.exit_signal = kChildSignal;
    arguments.cgroup = static_cast<__u64>(payload.files[slot_cgroup]);
    payload.report->readback.born_in_cgroup = true;
    const long pid = kernel(__NR_clone3, &arguments, sizeof arguments);
    if (pid == 0) become_payload(payload);
    if (pid < 0) payload.report->readback.born_in_cgroup = false;
    return pid;
  }

  static long create_payload(const Payload& payload) {
    const long pid = clone_payload_in_cgroup(payload);
    const bool may_go_there =
        pid == kEinval || pid == kEnosys || pid == kEperm || pid == kEacces || pid == kE2big;
    return may_go_there ? clone_payload(payload) : pid;  // a cgroup that is full is an answer
  }

  void start() {
    const Payload payload = {.program = received_.program,
                             .foundation = received_.foundation,
                             .files = received_.files,
                             .cwd = program().cwd_is_private ? private_.work : file(slot_cwd),
                             .keeper = self_,
                             .terminal = terminal_.slave,
                             .report = &report_,
                             .stamps = stamps_};
    // Somebody may kill the child on its way to exec: until it says that it has arrived, it has not.
    report_.step = Step::clone_payload;
    report_.error = kEintr;
    report_.pid = payload_ = static_cast<std::int32_t>(require(Step::clone_payload, create_payload(payload)));
    if (report_.step != Step::none) {
      kernel(__NR_wait4, payload_, nullptr, 0, nullptr);
      fail();
    }
    stamp(stamps_, Step::execute);
    // The keeper must not hold the pipes open, or their reader would wait for it too.
    for (std::uint32_t slot = slot_stdin; slot <= slot_landlock; ++slot) {
      const int held = received_.files[slot];
      if (held >= 0 && held != terminal_.slave) kernel(__NR_close, held);
    }
    if (in_namespaces()) {
      // The command runs already: if this fails, that is its end, and no word of "nothing ran".
      if (give_up_capabilities() < 0 || confine_keeper() < 0) leave(1);
      stamp(stamps_, Step::drop_keeper);
    }
    if (terminal_.slave < 0) return send(ReportKind::started);
    prepare(ReportKind::started);
    send_with_file(kControl, report_, terminal_.master);
    kernel(__NR_close, terminal_.master);  // the terminal hangs up when bawn closes it
  }

  // Waits for the next thing to happen and handles it.
  void serve() {
    struct pollfd watched[3] = {{.fd = children_, .events = POLLIN, .revents = 0},
                                {.fd = orphaned_ ? -1 : parent_, .events = POLLIN, .revents = 0},
                                {.fd = orphaned_ ? -1 : kControl, .events = POLLIN, .revents = 0}};
    // What was born meanwhile, or could not be looked at because the machine is out of files or memory, is tried again:
    // at once, and then less and less often.
    struct timespec again = {.tv_sec = 0, .tv_nsec = pause_ns_};
    const long ready = kernel(__NR_ppoll, watched, 3, killing_ ? &again : nullptr, nullptr, 0);
    if (ready == 0) {
      if (pause_ns_ < kLongestPauseNs) pause_ns_ *= 2;
      kill_tree();
    }
    // A keeper that cannot wait cannot be told to end the run either: it ends it. In namespaces its own end is the end of
    // everything there; elsewhere the next round kills what this one has missed.
    if (ready < 0 && ready != -kEintr) {
      if (in_namespaces()) leave(1);
      kill_tree();
      reap();
    }
    if (ready <= 0) return;
    if (watched[2].revents != 0) obey();
    if (watched[1].revents != 0) abandon();
    if (watched[0].revents != 0) reap();
  }

  void obey() {
    Command command{};
    if (kernel(__NR_recvfrom, kControl, &command, sizeof command, MSG_DONTWAIT, nullptr, nullptr) <= 0) {
      abandon();
      return;
    }
    switch (command) {
      case Command::terminate:
        signal_everything(kTermSignal);
        signal_everything(kContinueSignal);  // a stopped process would never see the first one
        return;
      case Command::ask_cpu_time:
        answer_cpu_time();
        return;
      case Command::interrupt:
        return signal_command(kInterruptSignal);
      case Command::quit:
        return signal_command(kQuitSignal);
      case Command::suspend:
        return signal_command(kSuspendSignal);
      case Command::hang_up:
        signal_command(kHangUpSignal);
        return signal_command(kContinueSignal);
      case Command::continue_foreground:
        return continue_command(payload_);
      case Command::continue_background:
        return continue_command(self_);
      case Command::kill:
        break;
    }
    kill_tree();  // also for a byte that is no command
  }

  void signal_command(int signal) const {
    if (payload_ > 0) kernel(__NR_kill, -payload_, signal);
  }

  // A command that has ended meanwhile has no group to give the terminal to, and needs none.
  void continue_command(std::int32_t foreground) const {
    if (payload_ <= 0) return;
    static_cast<void>(set_foreground(terminal_.slave, foreground));
    signal_command(kContinueSignal);
  }

  void answer_cpu_time() {
    struct rusage usage = {};
    kernel(__NR_getrusage, RUSAGE_CHILDREN, &usage);
    report_.tree_cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime) +
                          (proc_ < 0 ? 0 : live_cpu_us(proc_, self_));
    send(ReportKind::cpu_time);
  }

  void abandon() {
    orphaned_ = true;
    kill_tree();
  }

  void kill_tree() {
    killing_ = true;
    kill_group();
    kill_cgroup();
    signal_everything(kKillSignal);
  }

  // In a pid namespace of its own, "everything but me" is the tree, in one stroke that no fork outruns.
  void signal_everything(int signal) const {
    if (in_namespaces()) {
      kernel(__NR_kill, -1, signal);
    } else {
      signal_tree(proc_, self_, signal);
    }
  }

  // All that stayed in the command's own group dies in one stroke, which no fork outruns and for which nothing has to be
  // opened. The number is the group's for certain only until the command has been waited for.
  void kill_group() const {
    if (payload_ > 0) kernel(__NR_kill, -payload_, kKillSignal);
  }

  // Wherever it has gone, and also in one stroke.
  void kill_cgroup() const {
    if (file(slot_cgroup_kill) >= 0) kernel(__NR_write, file(slot_cgroup_kill), "1", 1);
  }

  [[nodiscard]] bool payload_has_ended() const {
    siginfo_t info = {};
    if (payload_ <= 0) return false;
    return kernel(__NR_waitid, P_PID, payload_, &info, WEXITED | WNOHANG | WNOWAIT, nullptr) == 0 &&
           info.si_pid != 0;
  }

  void reap() {
    char discarded[128 * 8];
    kernel(__NR_read, children_, discarded, sizeof discarded);
    if (payload_has_ended()) kill_group();  // nothing outlives the command
    for (;;) {
      int status = 0;
      const int stops = terminal_.slave < 0 ? 0 : WUNTRACED;
      const long pid = kernel(__NR_wait4, -1, &status, WNOHANG | stops, nullptr);
      if (pid < 0) finish();
      if (pid == 0) break;
      if (WIFSTOPPED(status)) {
        report_stop(pid, status);
        continue;
      }
      pause_ns_ = kShortestPauseNs;
      if (pid != payload_) continue;
      report_.wait_status = status;
      send(ReportKind::payload_exited);
      killing_ = true;
      payload_ = 0;  // the number may be somebody else's from now on
    }
    // Orphans of what has just died have become ours.
    if (killing_) signal_everything(kKillSignal);
  }

  // What the command's own children do is between them and the command, as in any shell.
  void report_stop(long pid, int status) {
    if (pid != payload_) return;
    report_.wait_status = status;
    send(ReportKind::payload_stopped);
  }

  // The run's own file system is its root.
  static bool scratch_is_full() {
    struct statfs found = {};
    return kernel(__NR_statfs, "/", &found) == 0 && (found.f_bfree == 0 || found.f_ffree == 0);
  }

  // The report first: a command can leave more files than can be removed in the time an answer may take.
  [[noreturn]] void finish() {
    if (terminal_.slave >= 0) kernel(__NR_close, terminal_.slave);  // what was written to it ends here
    report_.scratch_full = in_namespaces() && received_.foundation->scratch_bytes != 0 && scratch_is_full();
    send(ReportKind::tree_gone);
    remove_private_directory(private_);
    leave(0);
  }

  Report report_{};
  Reception received_;
  std::uint64_t* stamps_ = nullptr;
  PrivateDirectory private_;
  OwnNetwork network_;
  Terminal terminal_;
  std::int32_t self_ = 0;
  std::int32_t payload_ = 0;
  int parent_ = -1;
  int children_ = -1;
  int proc_ = -1;
  bool killing_ = false;
  long pause_ns_ = kShortestPauseNs;
  bool orphaned_ = false;
};

}  // namespace

// `stack` is what the kernel put there: how many words the program was started with, then the words. With a second word,
// whatever it is, the keeper makes a network of its own; with more than that it is no keeper but a sweeper.
extern "C" [[noreturn, gnu::used]] void bawn_keeper_main(const long* stack) {
  if (stack[0] > 2) sweep(reinterpret_cast<const char* const*>(stack + 3));
  Keeper keeper;
  keeper.run(stack[0] > 1);
}

}  // namespace bawn::keeper
