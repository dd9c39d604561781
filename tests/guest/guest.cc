// The program that misbehaves on purpose. Its first argument is a verb. Each verb tries one thing
// and prints the result: "ok", the name of the errno, or what it found. Static and small, so that
// it needs nothing from the sandbox.

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "guest.h"

extern char** environ;

namespace guest {
namespace {

void ignore_polite_signals() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
}

int exit_with(const Arguments& arguments) { return static_cast<int>(number(arguments.at(0))); }

int raise_signal(const Arguments& arguments) {
  raise(static_cast<int>(number(arguments.at(0))));
  return 1;
}

int print(const Arguments& arguments) {
  for (const std::string& argument : arguments) std::puts(argument.c_str());
  return 0;
}

int print_to_both(const Arguments& arguments) {
  std::fputs(arguments.at(0).c_str(), stdout);
  std::fputs(arguments.at(1).c_str(), stderr);
  return 0;
}

int copy_stdin(const Arguments& /*arguments*/) {
  char block[4096];
  for (ssize_t got = 0; (got = read(0, block, sizeof block)) > 0;) {
    if (write(1, block, static_cast<size_t>(got)) != got) return 1;
  }
  return 0;
}

int list_open_files(const Arguments& /*arguments*/) {
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) != -1) std::printf("%d\n", fd);
  }
  return 0;
}

int list_environment(const Arguments& /*arguments*/) {
  for (char** entry = environ; *entry != nullptr; ++entry) std::puts(*entry);
  return 0;
}

int list_ignored_or_blocked_signals(const Arguments& /*arguments*/) {
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  for (int signal = 1; signal < 64; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      std::printf("ignored %d\n", signal);
    if (sigismember(&blocked, signal) == 1) std::printf("blocked %d\n", signal);
  }
  return 0;
}

int print_process_state(const Arguments& /*arguments*/) {
  const mode_t mask = umask(0);
  std::printf("umask %03o\nsession %d\nno_new_privs %d\nseccomp %d\nterminal %s\n",
              static_cast<unsigned>(mask), getsid(0) == getpid() ? 1 : 0,
              prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_SECCOMP, 0, 0, 0, 0),
              open("/dev/tty", O_RDWR) == -1 ? "none" : "controlling");
  return 0;
}

int print_priority(const Arguments& /*arguments*/) {
  char score[16] = {};
  const int file = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
  if (read(file, score, sizeof score - 1) <= 0) return 1;
  struct rlimit real_time {};
  struct rlimit niceness {};
  getrlimit(RLIMIT_RTPRIO, &real_time);
  getrlimit(RLIMIT_NICE, &niceness);
  std::printf("policy %d nice %d disks %ld raise %lu %lu oom %s", sched_getscheduler(0),
              getpriority(PRIO_PROCESS, 0), syscall(SYS_ioprio_get, 1, 0) >> 13, real_time.rlim_max,
              niceness.rlim_max, score);
  return 0;
}

int print_capabilities(const Arguments& /*arguments*/) {
  FILE* status = std::fopen("/proc/self/status", "re");
  char line[256];
  while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr) {
    if (std::strncmp(line, "Cap", 3) == 0) std::fputs(line, stdout);
  }
  return 0;
}

int print_limit(const Arguments& arguments) {
  struct rlimit limit {};
  getrlimit(static_cast<__rlimit_resource>(number(arguments.at(0))), &limit);
  std::printf("%llu %llu\n", static_cast<unsigned long long>(limit.rlim_cur),
              static_cast<unsigned long long>(limit.rlim_max));
  return 0;
}

int print_directory(const Arguments& /*arguments*/) {
  char path[4096];
  return std::puts(getcwd(path, sizeof path)) < 0 ? 1 : 0;
}

int read_file(const Arguments& arguments) {
  char byte = 0;
  const int fd = open_file(arguments.at(0), O_RDONLY);
  return answer(fd != -1 && read(fd, &byte, 1) >= 0);
}
int list_directory(const Arguments& arguments) {
  return answer(opendir(arguments.at(0).c_str()) != nullptr);
}
// In alphabetical order; prints nothing if the directory cannot be listed.
int list_names(const Arguments& arguments) {
  dirent** names = nullptr;
  const int count = scandir(arguments.at(0).c_str(), &names, nullptr, alphasort);
  for (int i = 0; i < count; ++i) {
    if (names[i]->d_name[0] != '.') std::puts(names[i]->d_name);
  }
  return 0;
}
int write_file(const Arguments& arguments) {
  return answer(open_file(arguments.at(0), O_WRONLY) != -1);
}
int create_file(const Arguments& arguments) {
  return answer(open_file(arguments.at(0), O_WRONLY | O_CREAT) != -1);
}
int truncate_file(const Arguments& arguments) {
  return answer(truncate(arguments.at(0).c_str(), 0) == 0);
}
int open_truncating(const Arguments& arguments) {
  return answer(open_file(arguments.at(0), O_RDONLY | O_TRUNC) != -1);
}
int remove_file(const Arguments& arguments) { return answer(unlink(arguments.at(0).c_str()) == 0); }
int rename_file(const Arguments& arguments) {
  return answer(rename(arguments.at(0).c_str(), arguments.at(1).c_str()) == 0);
}
int link_file(const Arguments& arguments) {
  return answer(link(arguments.at(0).c_str(), arguments.at(1).c_str()) == 0);
}
int symlink_file(const Arguments& arguments) {
  return answer(symlink(arguments.at(0).c_str(), arguments.at(1).c_str()) == 0);
}
int make_device(const Arguments& arguments) {
  return answer(mknod(arguments.at(0).c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0);
}

int grow_file(const Arguments& arguments) {
  const int fd = open_file(arguments.at(0), O_WRONLY | O_CREAT);
  const std::string block(65536, 'x');
  for (long left = number(arguments.at(1)); left > 0; left -= static_cast<long>(block.size())) {
    if (write(fd, block.data(), block.size()) < 0) return answer(false);
  }
  return answer(true);
}

// Makes more names than can be removed while a caller waits.
int litter(const Arguments& arguments) {
  const std::string first = std::string(std::getenv("TMPDIR")) + "/0";
  bool made = open_file(first, O_WRONLY | O_CREAT) != -1;
  for (long i = 1; made && i < number(arguments.at(0)); ++i)
    made = link(first.c_str(), (first + std::to_string(i)).c_str()) == 0;
  return answer(made);
}

int make_socket(const Arguments& arguments) {
  return answer(socket(static_cast<int>(number(arguments.at(0))), SOCK_STREAM, 0) != -1);
}

// The kernel looks only at the low 32 bits of the family. A filter that compares 64 bits must
// refuse the call.
int make_socket_with_high_bits(const Arguments& arguments) {
  return answer(syscall(SYS_socket, 0x100000000L | number(arguments.at(0)), SOCK_STREAM, 0) != -1);
}

int make_socket_pair(const Arguments& arguments) {
  int pair[2];
  return answer(socketpair(static_cast<int>(number(arguments.at(0))), SOCK_STREAM, 0, pair) == 0);
}

// One half of a pair of datagram sockets can be connected again, to any socket with a name.
int connect_datagram_pair(const Arguments& arguments) {
  int pair[2];
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  arguments.at(0).copy(address.sun_path, sizeof address.sun_path - 1);
  return answer(
      socketpair(AF_UNIX, static_cast<int>(number(arguments.at(1))) | SOCK_CLOEXEC, 0, pair) == 0 &&
      connect(pair[0], reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      send(pair[0], "out", 3, 0) == 3);
}

int set_up_io_uring(const Arguments& /*arguments*/) {
  char parameters[120] = {};
  return answer(syscall(SYS_io_uring_setup, 1, parameters) >= 0);
}

int connect_tcp(const Arguments& arguments) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(number(arguments.at(0))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return answer(fd != -1 &&
                connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

// A name that starts with '@' is abstract.
int connect_unix(const Arguments& arguments) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& name = arguments.at(0);
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  return answer(fd != -1 && connect(fd, reinterpret_cast<sockaddr*>(&address), length) == 0);
}

int signal_process(const Arguments& arguments) {
  return answer(kill(static_cast<pid_t>(number(arguments.at(0))),
                     static_cast<int>(number(arguments.at(1)))) == 0);
}
int signal_init(const Arguments& /*arguments*/) { return answer(kill(getppid(), SIGKILL) == 0); }
int trace_process(const Arguments& arguments) {
  return answer(
      ptrace(PTRACE_SEIZE, static_cast<pid_t>(number(arguments.at(0))), nullptr, nullptr) == 0);
}
int limit_process(pid_t process, __rlimit_resource resource) {
  const struct rlimit three = {3, 3};
  return prlimit(process, resource, &three, nullptr);
}
int limit_itself(const Arguments& /*arguments*/) {
  return answer(limit_process(0, RLIMIT_NOFILE) == 0);
}
int limit_init(const Arguments& /*arguments*/) {
  return answer(limit_process(getppid(), RLIMIT_CORE) == 0);
}
int print_limit_of_init(const Arguments& /*arguments*/) {
  struct rlimit limit {};
  return answer(prlimit(getppid(), RLIMIT_NOFILE, nullptr, &limit) == 0);
}
int slow_down_itself(const Arguments& /*arguments*/) {
  const sched_param none{};
  return answer(setpriority(PRIO_PROCESS, 0, 19) == 0 &&
                sched_setscheduler(0, SCHED_BATCH, &none) == 0);
}
int make_init_idle(const Arguments& /*arguments*/) {
  const sched_param none{};
  return answer(sched_setscheduler(getppid(), SCHED_IDLE, &none) == 0);
}
int slow_down_user(const Arguments& /*arguments*/) {
  return answer(setpriority(PRIO_USER, 0, 1) == 0);
}
int slow_down_group(const Arguments& /*arguments*/) {
  return answer(setpriority(PRIO_PGRP, 0, 1) == 0);
}
int read_memory_of_init(const Arguments& /*arguments*/) {
  return answer(open_file("/proc/" + std::to_string(getppid()) + "/mem", O_RDONLY) != -1);
}
int inject_terminal_input(const Arguments& /*arguments*/) {
  constexpr unsigned long kInject = 0x5412;  // TIOCSTI
  return answer(syscall(SYS_ioctl, 0, kInject, "x") == 0);
}
// The kernel looks only at the low 32 bits of the request.
int inject_with_high_bits(const Arguments& /*arguments*/) {
  constexpr unsigned long kInject = 0x100005412;
  return answer(syscall(SYS_ioctl, 0, kInject, "x") == 0);
}
int find_user_keyring(const Arguments& /*arguments*/) {
  constexpr long kGetKeyringId = 0, kUserKeyring = -4;
  return answer(syscall(SYS_keyctl, kGetKeyringId, kUserKeyring, 1) >= 0);
}
int add_key(const Arguments& /*arguments*/) {
  constexpr long kProcessKeyring = -2;
  return answer(syscall(SYS_add_key, "user", "bawn-test", "x", 1, kProcessKeyring) >= 0);
}
int share_memory(const Arguments& /*arguments*/) {
  const int id = shmget(IPC_PRIVATE, 4096, 0600);
  const bool made = answer(id != -1) == 0;
  if (made) shmctl(id, IPC_RMID, nullptr);
  return made ? 0 : 1;
}
// The kernel wants the name without a slash.
int make_message_queue(const Arguments& /*arguments*/) {
  const std::string name = "bawn-test-" + std::to_string(getpid());
  const long queue = syscall(SYS_mq_open, name.c_str(), O_CREAT | O_RDWR, 0600, nullptr);
  const bool made = answer(queue != -1) == 0;
  if (made) syscall(SYS_mq_unlink, name.c_str());
  return made ? 0 : 1;
}
int become_root(const Arguments& /*arguments*/) { return answer(setuid(0) == 0 && setgid(0) == 0); }
int change_owner(const Arguments& arguments) {
  return answer(chown(arguments.at(0).c_str(), 12345, 12345) == 0);
}
int change_mode(const Arguments& arguments) {
  return answer(chmod(arguments.at(0).c_str(), 0777) == 0);
}
int read_command_line(const Arguments& arguments) {
  return answer(open_file("/proc/" + arguments.at(0) + "/cmdline", O_RDONLY) != -1);
}
int raise_file_limit(const Arguments& /*arguments*/) {
  const struct rlimit more = {1 << 20, 1 << 20};
  return answer(setrlimit(RLIMIT_NOFILE, &more) == 0);
}

int spin(const Arguments& /*arguments*/) {
  for (;;) asm volatile("");
}

int spin_in_children(const Arguments& arguments) {
  for (long i = 0; i < number(arguments.at(0)); ++i) {
    if (fork() == 0) spin({});
  }
  sleep_forever();
}

// One child after the other uses a little CPU time. SIGCHLD is ignored, so the kernel reaps each
// child and adds its time to no parent.
int spin_in_unwaited_children(const Arguments& /*arguments*/) {
  ::signal(SIGCHLD, SIG_IGN);
  for (;;) {
    if (fork() == 0) {
      while (clock() < CLOCKS_PER_SEC / 10) {
      }
      _exit(0);
    }
    wait(nullptr);  // fails when no child is left
  }
}

int allocate(const Arguments& arguments) {
  const auto size = static_cast<size_t>(number(arguments.at(0)));
  char* memory = static_cast<char*>(std::malloc(size));
  if (memory == nullptr) return answer(false);
  for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
  return answer(memory[size / 2] >= 0);
}

// The same with shared memory.
int allocate_shared(const Arguments& arguments) {
  const auto size = static_cast<size_t>(number(arguments.at(0)));
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return answer(false);
  for (size_t at = 0; at < size; at += 4096) static_cast<char*>(memory)[at] = 1;
  return answer(true);
}

// Several children that hold this much memory at the same time. Fails if one of them dies before it
// has its memory.
int allocate_in_children(const Arguments& arguments) {
  const long count = number(arguments.at(0));
  int ready[2];
  if (pipe(ready) != 0) return answer(false);
  // The death of a child does not close the pipe, because the other children hold its end. So
  // SIGCHLD reports it.
  ::signal(SIGCHLD, [](int) { _exit(1); });
  for (long i = 0; i < count; ++i) {
    if (fork() != 0) continue;
    const bool has = allocate({arguments.at(1)}) == 0 && write(ready[1], "x", 1) == 1;
    if (has) sleep_forever();
    _exit(1);
  }
  char byte = 0;
  for (long i = 0; i < count; ++i) {
    if (read(ready[0], &byte, 1) != 1) return 1;
  }
  return 0;
}

// As Go, Java and Node do: reserves far more address space than is ever used.
int reserve_address_space(const Arguments& arguments) {
  return answer(mmap(nullptr, static_cast<size_t>(number(arguments.at(0))), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
}

int fork_many(const Arguments& arguments) {
  long made = 0;
  for (; made < number(arguments.at(0)); ++made) {
    const pid_t child = fork();
    if (child == 0) sleep_forever();
    if (child == -1) break;
  }
  std::printf("%ld\n", made);
  return 0;
}

// Fails unless it can have this many children.
int need_processes(const Arguments& arguments) {
  for (long made = 0; made < number(arguments.at(0)); ++made) {
    const pid_t child = fork();
    if (child == 0) sleep_forever();
    if (child == -1) return answer(false);
  }
  return answer(true);
}

// The same; then creates the file in the second argument, and keeps the children.
int hold_processes(const Arguments& arguments) {
  if (need_processes({arguments.at(0)}) != 0 ||
      open_file(arguments.at(1), O_WRONLY | O_CREAT) == -1)
    return 1;
  sleep_forever();
}

int open_many(const Arguments& arguments) {
  long made = 0;
  while (made < number(arguments.at(0)) && open_file("/dev/null", O_RDONLY) != -1) ++made;
  std::printf("%ld\n", made);
  return 0;
}

int flood(const Arguments& arguments) {
  const std::string block(65536, 'f');
  for (long left = number(arguments.at(0)); left > 0; left -= static_cast<long>(block.size())) {
    if (write(1, block.data(), block.size()) < 0 || write(2, block.data(), block.size()) < 0)
      return 1;
  }
  return 0;
}

int ignore_and_sleep(const Arguments& /*arguments*/) {
  ignore_polite_signals();
  std::puts("ready");
  std::fflush(stdout);
  sleep_forever();
}

int stop_itself(const Arguments& /*arguments*/) {
  raise(SIGSTOP);
  sleep_forever();
}

// A grandchild in another session that ignores every signal that can be ignored, and keeps the
// caller's pipes open.
void leave_daemon() {
  if (fork() == 0) {
    setsid();
    ignore_polite_signals();
    if (fork() != 0) _exit(0);
    sleep_forever();
  }
  wait(nullptr);
}

int leave_hidden_daemon(const Arguments& /*arguments*/) {
  prctl(PR_SET_DUMPABLE, 0);
  leave_daemon();
  return 0;
}

int leave_daemon_and_exit(const Arguments& /*arguments*/) {
  leave_daemon();
  std::puts("left");
  return 0;
}

int leave_daemon_and_sleep(const Arguments& arguments) {
  leave_daemon();
  return ignore_and_sleep(arguments);
}

// An init that cannot open a file cannot read from /proc which processes are left.
int blind_init_and_leave_daemon(const Arguments& /*arguments*/) {
  limit_process(getppid(), RLIMIT_NOFILE);
  leave_daemon();
  return 0;
}

int fork_forever(const Arguments& /*arguments*/) {
  ignore_polite_signals();
  for (;;) fork();
}

// The same, but each process has its own session, is not dumpable, is a subreaper, and has a name
// that fakes its state in /proc/PID/stat.
int fork_sessions_forever(const Arguments& /*arguments*/) {
  ignore_polite_signals();
  ::signal(SIGCHLD, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  for (;;) {
    if (fork() != 0) continue;
    setsid();
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "a) Z 1 (");
  }
}

// Everything at once: descriptors, sessions, ignored signals, floods, and a pipe held open.
int do_everything(const Arguments& /*arguments*/) {
  ignore_polite_signals();
  for (int i = 0; i < 50; ++i) open_file("/dev/null", O_RDONLY);
  for (int i = 0; i < 5; ++i) leave_daemon();
  flood({"1073741824"});
  sleep_forever();
}

constexpr Verb kVerbs[] = {
    {"exit", exit_with},
    {"raise", raise_signal},
    {"print", print},
    {"print-to-both", print_to_both},
    {"copy-stdin", copy_stdin},
    {"list-open-files", list_open_files},
    {"list-environment", list_environment},
    {"list-odd-signals", list_ignored_or_blocked_signals},
    {"print-process-state", print_process_state},
    {"print-priority", print_priority},
    {"print-capabilities", print_capabilities},
    {"print-limit", print_limit},
    {"print-directory", print_directory},
    {"read", read_file},
    {"list", list_directory},
    {"list-names", list_names},
    {"write", write_file},
    {"create", create_file},
    {"truncate", truncate_file},
    {"open-truncating", open_truncating},
    {"remove", remove_file},
    {"rename", rename_file},
    {"link", link_file},
    {"symlink", symlink_file},
    {"make-device", make_device},
    {"litter", litter},
    {"grow-file", grow_file},
    {"socket", make_socket},
    {"socket-with-high-bits", make_socket_with_high_bits},
    {"socket-pair", make_socket_pair},
    {"connect-datagram-pair", connect_datagram_pair},
    {"io-uring", set_up_io_uring},
    {"connect-tcp", connect_tcp},
    {"connect-unix", connect_unix},
    {"signal", signal_process},
    {"signal-init", signal_init},
    {"trace", trace_process},
    {"limit-itself", limit_itself},
    {"limit-init", limit_init},
    {"print-limit-of-init", print_limit_of_init},
    {"slow-down-itself", slow_down_itself},
    {"make-init-idle", make_init_idle},
    {"slow-down-user", slow_down_user},
    {"slow-down-group", slow_down_group},
    {"blind-init", blind_init_and_leave_daemon},
    {"read-memory-of-init", read_memory_of_init},
    {"inject-terminal-input", inject_terminal_input},
    {"inject-with-high-bits", inject_with_high_bits},
    {"find-user-keyring", find_user_keyring},
    {"add-key", add_key},
    {"share-memory", share_memory},
    {"make-message-queue", make_message_queue},
    {"become-root", become_root},
    {"change-owner", change_owner},
    {"change-mode", change_mode},
    {"read-command-line", read_command_line},
    {"raise-file-limit", raise_file_limit},
    {"spin", spin},
    {"spin-in-children", spin_in_children},
    {"spin-in-unwaited-children", spin_in_unwaited_children},
    {"allocate", allocate},
    {"allocate-shared", allocate_shared},
    {"allocate-in-children", allocate_in_children},
    {"reserve", reserve_address_space},
    {"fork-many", fork_many},
    {"need-processes", need_processes},
    {"hold-processes", hold_processes},
    {"open-many", open_many},
    {"flood", flood},
    {"ignore-and-sleep", ignore_and_sleep},
    {"stop-itself", stop_itself},
    {"leave-daemon", leave_daemon_and_exit},
    {"leave-daemon-and-sleep", leave_daemon_and_sleep},
    {"leave-hidden-daemon", leave_hidden_daemon},
    {"fork-forever", fork_forever},
    {"fork-sessions-forever", fork_sessions_forever},
    {"do-everything", do_everything},
};

}  // namespace

int act(const Arguments& words) {
  const std::string wanted = words.empty() ? "" : words.front();
  for (const std::span<const Verb> verbs :
       {std::span<const Verb>(kVerbs), kAuditVerbs, kDescriptorVerbs, kFileVerbs, kKernelVerbs,
        kLockVerbs, kNetworkVerbs, kProcessVerbs, kProgramVerbs}) {
    for (const Verb& verb : verbs) {
      if (verb.name == wanted) return verb.act(Arguments(words.begin() + 1, words.end()));
    }
  }
  std::fprintf(stderr, "no such verb\n");
  return 2;
}

namespace {

// One word a line. For verbs whose arguments the validator must not see.
Arguments words_from_stdin() {
  Arguments words;
  char line[4096];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    line[std::strcspn(line, "\n")] = '\0';
    words.emplace_back(line);
  }
  return words;
}

}  // namespace
}  // namespace guest

int main(int argc, char** argv) {
  using guest::act;
  const guest::Arguments words(argv + 1, argv + argc);
  if (words.size() == 1 && words.front() == "from-stdin") return act(guest::words_from_stdin());
  return act(words);
}
