// Other processes: those outside, and init, which is pid 1 and has the command's user.

#include <dirent.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <functional>

#include "guest.h"

namespace guest {
namespace {

pid_t process(const Arguments& arguments) { return static_cast<pid_t>(number(arguments.at(0))); }

int open_process(const Arguments& arguments) {
  return answer(syscall(SYS_pidfd_open, process(arguments), 0) >= 0);
}
int copy_memory(const Arguments& arguments) {
  char byte = 0;
  const iovec here = {&byte, 1};
  const iovec there = {&byte, 1};
  return answer(process_vm_readv(process(arguments), &here, 1, &there, 1, 0) == 1);
}
int write_memory(const Arguments& arguments) {
  char byte = 0;
  const iovec here = {&byte, 1};
  return answer(process_vm_writev(process(arguments), &here, 1, &here, 1, 0) == 1);
}
int queue_signal(const Arguments& arguments) {
  return answer(sigqueue(process(arguments), SIGCONT, sigval{}) == 0);
}
int signal_thread(const Arguments& arguments) {
  return answer(syscall(SYS_tgkill, process(arguments), process(arguments), 0) == 0);
}
int signal_all(const Arguments& /*arguments*/) { return answer(kill(-1, 0) == 0); }
int find_session(const Arguments& arguments) { return answer(getsid(process(arguments)) != -1); }
int find_group(const Arguments& arguments) { return answer(getpgid(process(arguments)) != -1); }
int pin_to_processors(const Arguments& arguments) {
  cpu_set_t all;
  return answer(sched_getaffinity(0, sizeof all, &all) == 0 &&
                sched_setaffinity(process(arguments), sizeof all, &all) == 0);
}
// Pins the process to one of the CPUs that this process may use.
int pin_to_one(const Arguments& arguments) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return answer(false);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  return answer(sched_setaffinity(process(arguments), sizeof one, &one) == 0);
}
// As pthread_setaffinity_np() does, which passes a thread id.
int pin_by_own_number(const Arguments& /*arguments*/) {
  return pin_to_processors({std::to_string(syscall(SYS_gettid))});
}
int lower_priority(const Arguments& arguments) {
  const auto who = static_cast<id_t>(process(arguments));
  return answer(setpriority(PRIO_PROCESS, who, getpriority(PRIO_PROCESS, 0)) == 0);
}
int lower_io_priority(const Arguments& arguments) {
  constexpr int kProcess = 1, kIdle = 3 << 13;
  return answer(syscall(SYS_ioprio_set, kProcess, process(arguments), kIdle) == 0);
}
int advise_memory(const Arguments& arguments) {
  constexpr int kCold = 20;
  char byte = 0;
  const iovec there = {&byte, 1};
  const long process_fd = syscall(SYS_pidfd_open, process(arguments), 0);
  return answer(process_fd != -1 &&
                syscall(SYS_process_madvise, process_fd, &there, 1, kCold, 0) != -1);
}
int make_idle(const Arguments& arguments) {
  const sched_param none{};
  return answer(sched_setscheduler(process(arguments), SCHED_IDLE, &none) == 0);
}
int take_files(const Arguments& arguments) {
  const struct rlimit none = {0, 0};
  return answer(prlimit(process(arguments), RLIMIT_NOFILE, &none, nullptr) == 0);
}
int take_cpu_time(const Arguments& arguments) {
  const struct rlimit none = {0, 0};
  return answer(prlimit(process(arguments), RLIMIT_CPU, &none, nullptr) == 0);
}
int steal_file(const Arguments& arguments) {
  const auto there = static_cast<int>(syscall(SYS_pidfd_open, process(arguments), 0));
  return answer(there != -1 && syscall(SYS_pidfd_getfd, there, 0, 0) != -1);
}
int trace(const Arguments& arguments) {
  return answer(ptrace(PTRACE_SEIZE, process(arguments), nullptr, nullptr) == 0);
}

int raise_capabilities(const Arguments& /*arguments*/) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct all[2] = {{~0U, ~0U, ~0U}, {~0U, ~0U, ~0U}};
  return answer(syscall(SYS_capset, &header, all) == 0);
}

// Sends every signal. The verb then reports whether the process is still there.
void shower(pid_t target) {
  for (int signal = 1; signal <= 64; ++signal) kill(target, signal);
}
int shower_init(const Arguments& /*arguments*/) {
  shower(1);
  for (int i = 0; i < 20000; ++i) kill(1, SIGCHLD);
  return answer(getppid() == 1);
}

// Runs another verb of this file against a child of this process, where everything is allowed.
int do_to_child(const Arguments& words) {
  const pid_t child = fork();
  if (child == 0) sleep_forever();
  Arguments deed = words;
  deed.push_back(std::to_string(child));
  const int result = act(deed);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return result;
}
int shower_process(const Arguments& arguments) {
  shower(process(arguments));
  int status = 0;
  return answer(waitpid(process(arguments), &status, 0) == process(arguments) &&
                WIFSIGNALED(status));
}

// Leaves a process that should outlive its parent. The process reports through a pipe that it
// lives, so the test knows that there was something to end.
int leave_behind(const std::function<void(int)>& leave) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return answer(false);
  leave(pipe_ends[1]);
  close(pipe_ends[1]);
  char byte = 0;
  return answer(read(pipe_ends[0], &byte, 1) == 1);
}
void say_alive(int fd) { (void)!write(fd, "x", 1); }
[[noreturn]] void live_on(int fd) {
  say_alive(fd);
  sleep_forever();
}
int leave_sibling(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) live_on(fd);
  });
}
int leave_stopped(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    if (fork() != 0) return;
    setsid();
    say_alive(fd);
    for (;;) raise(SIGSTOP);
  });
}
int leave_traced(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    if (fork() != 0) return;
    const pid_t traced = fork();
    if (traced == 0) sleep_forever();
    ptrace(PTRACE_ATTACH, traced, nullptr, nullptr);
    live_on(fd);
  });
}
int leave_waiting_for_vfork(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    if (fork() == 0 && vfork() == 0) live_on(fd);
  });
}
int leave_orphans_of_orphans(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    for (int depth = 0; depth < 5; ++depth) {
      if (fork() != 0) {
        if (depth != 0) _exit(0);
        return;
      }
      setsid();
    }
    live_on(fd);
  });
}
int leave_undumpable(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    if (fork() != 0) return;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NAME, "x) Z 0 (");
    live_on(fd);
  });
}
int leave_reviving(const Arguments& /*arguments*/) {
  return leave_behind([](int fd) {
    if (fork() != 0) return;
    setsid();
    say_alive(fd);
    for (;;) {
      const pid_t next = fork();
      if (next > 0) _exit(0);
    }
  });
}

int print_personality(const Arguments& /*arguments*/) {
  std::printf("0x%lx\n", static_cast<unsigned long>(syscall(SYS_personality, 0xffffffff)));
  return 0;
}
int print_names(const Arguments& /*arguments*/) {
  utsname names{};
  uname(&names);
  std::printf("%s %s\n", names.nodename, names.domainname);
  return 0;
}
int take_files_and_spin(const Arguments& /*arguments*/) {
  const struct rlimit none = {0, 0};
  prlimit(1, RLIMIT_NOFILE, &none, nullptr);
  fork();
  for (;;) asm volatile("");
}

std::string link_text(const std::string& path) {
  char text[256];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  return length < 0 ? strerrorname_np(errno) : std::string(text, static_cast<size_t>(length));
}
int print_link(const Arguments& arguments) {
  return std::puts(link_text(arguments.at(0)).c_str()) < 0 ? 1 : 0;
}

// How many of the mounts that it sees have this type.
int count_mounts(const Arguments& arguments) {
  const std::string type = " - " + arguments.at(0) + " ";
  FILE* mounts = std::fopen("/proc/self/mountinfo", "re");
  char line[4096];
  int count = 0;
  while (mounts != nullptr && std::fgets(line, sizeof line, mounts) != nullptr) {
    if (std::string_view(line).find(type) != std::string_view::npos) ++count;
  }
  std::printf("%d\n", count);
  return 0;
}

// Its pid, its parent's, the pid that /proc/self shows, and all pids in /proc.
int print_numbers(const Arguments& /*arguments*/) {
  std::printf("pid %d\nparent %d\nself %s\nsees", getpid(), getppid(),
              link_text("/proc/self").c_str());
  std::vector<long> seen;
  DIR* processes = opendir("/proc");
  while (const dirent* entry = processes == nullptr ? nullptr : readdir(processes)) {
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') seen.push_back(number(entry->d_name));
  }
  std::sort(seen.begin(), seen.end());
  for (const long pid : seen) std::printf(" %ld", pid);
  std::puts("");
  return 0;
}

// Reaps an orphaned grandchild, which only a subreaper or pid 1 can.
int reap_orphan(const Arguments& /*arguments*/) {
  const pid_t child = fork();
  if (child == 0) _exit(fork() < 0 ? 1 : 0);
  return answer(waitpid(child, nullptr, 0) == child && waitpid(-1, nullptr, 0) > 0);
}

// Handles no signal.
int sleep_on(const Arguments& /*arguments*/) { sleep_forever(); }

int spin_until_told(const Arguments& /*arguments*/) {
  ::signal(SIGTERM, [](int) { _exit(7); });
  for (;;) asm volatile("");
}

constexpr Verb kVerbs[] = {
    {"print-link", print_link},
    {"count-mounts", count_mounts},
    {"print-numbers", print_numbers},
    {"reap-orphan", reap_orphan},
    {"sleep", sleep_on},
    {"spin-until-told", spin_until_told},
    {"print-personality", print_personality},
    {"print-names", print_names},
    {"take-files-and-spin", take_files_and_spin},
    {"open-process", open_process},
    {"copy-memory", copy_memory},
    {"write-memory", write_memory},
    {"queue-signal", queue_signal},
    {"signal-thread", signal_thread},
    {"signal-all", signal_all},
    {"find-session", find_session},
    {"find-group", find_group},
    {"pin", pin_to_processors},
    {"pin-to-one", pin_to_one},
    {"pin-by-own-number", pin_by_own_number},
    {"advise-memory", advise_memory},
    {"lower-priority", lower_priority},
    {"lower-io-priority", lower_io_priority},
    {"make-idle", make_idle},
    {"take-files", take_files},
    {"take-cpu-time", take_cpu_time},
    {"steal-file", steal_file},
    {"trace-process", trace},
    {"raise-capabilities", raise_capabilities},
    {"shower-init", shower_init},
    {"shower-process", shower_process},
    {"do-to-child", do_to_child},
    {"leave-sibling", leave_sibling},
    {"leave-stopped", leave_stopped},
    {"leave-traced", leave_traced},
    {"leave-waiting-for-vfork", leave_waiting_for_vfork},
    {"leave-orphans-of-orphans", leave_orphans_of_orphans},
    {"leave-undumpable", leave_undumpable},
    {"leave-reviving", leave_reviving},
};

}  // namespace

const std::span<const Verb> kProcessVerbs = kVerbs;

}  // namespace guest
