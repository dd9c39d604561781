#include "backend/linux/init/tree.h"

#include <fcntl.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

struct Member {
  std::int32_t pid;
  std::int32_t parent;
};

// If there are more processes than this, the next round finds the rest: by then those of this round
// are dead.
constexpr std::uint32_t kMostMembers = 8192;
constexpr std::uint64_t kMicrosecondsPerTick = 10000;  // USER_HZ is 100 on every Linux we run on

struct Tree {
  Member members[kMostMembers];
  std::uint32_t count;

  void add(std::int32_t pid, std::int32_t parent) {
    if (count < kMostMembers) members[count++] = {pid, parent};
  }
};

Tree tree;  // static, because it is too large for the stack; init has one thread

// "task/TID/children"
struct ChildrenPath {
  char text[48];
  explicit ChildrenPath(const char* thread) {
    char* at = put(text, "task/");
    at = put(at, thread);
    *put(at, "/children") = 0;
  }
  static char* put(char* at, const char* part) {
    while (*part != 0) *at++ = *part++;
    return at;
  }
};

int open_below(int directory, const char* name, int flags) {
  return static_cast<int>(kernel(__NR_openat, directory, name, flags | O_CLOEXEC, 0));
}

// Each thread has a list of the children it forked: "12 34 ".
void add_children_of_thread(int process_fd, const char* thread, std::int32_t parent) {
  const int fd = open_below(process_fd, ChildrenPath(thread).text, O_RDONLY);
  if (fd < 0) return;
  char buffer[1024];
  std::int32_t pid = 0;
  for (;;) {
    const long got = kernel(__NR_read, fd, buffer, sizeof buffer);
    if (got <= 0) break;
    for (long i = 0; i < got; ++i) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        pid = pid * 10 + (buffer[i] - '0');
      } else if (pid != 0) {
        tree.add(pid, parent);
        pid = 0;
      }
    }
  }
  kernel(__NR_close, fd);
}

// `process_fd` is the process's directory under /proc.
void add_children(int process_fd, std::int32_t pid) {
  const int task_fd = open_below(process_fd, "task", O_RDONLY | O_DIRECTORY);
  if (task_fd < 0) return;
  DirectoryEntries threads(task_fd);
  while (const char* thread = threads.next()) add_children_of_thread(process_fd, thread, pid);
  kernel(__NR_close, task_fd);
}

struct Stat {
  bool known;
  std::int32_t parent;
  std::uint64_t cpu_us;  // of the process and of the children it has reaped
};

// /proc/PID/stat is "pid (name) state ppid ...". The name may contain anything, also ')', so the
// fields are counted from the last ')'.
Stat read_stat(int process_fd) {
  const int fd = open_below(process_fd, "stat", O_RDONLY);
  if (fd < 0) return {};
  char buffer[1024];
  const long got = kernel(__NR_read, fd, buffer, sizeof buffer);
  kernel(__NR_close, fd);

  long at = got - 1;
  while (at >= 0 && buffer[at] != ')') --at;
  if (at < 0) return {};
  constexpr int kState = 3, kParent = 4, kUserTime = 14, kReapedSystemTime = 17;
  int field = kState - 1;
  std::uint64_t number = 0;
  std::uint64_t ticks = 0;
  Stat stat{.known = true, .parent = 0, .cpu_us = 0};
  for (++at; at < got; ++at) {
    if (buffer[at] >= '0' && buffer[at] <= '9') {
      number = number * 10 + static_cast<std::uint64_t>(buffer[at] - '0');
      continue;
    }
    if (buffer[at] != ' ' && buffer[at] != '\n') continue;
    if (field == kParent) stat.parent = static_cast<std::int32_t>(number);
    if (field >= kUserTime && field <= kReapedSystemTime) ticks += number;
    number = 0;
    ++field;
  }
  stat.cpu_us = ticks * kMicrosecondsPerTick;
  return stat;
}

// A child of init keeps its pid until init waits for it, which does not happen during the walk. So
// a child is signalled by pid without a check. That reaches it even if /proc hides it (hidepid, for
// a process that is not dumpable).
//
// Any other pid may have been reused since it was listed. The open directory pins the process that
// has the pid now. That process belongs to the run if its parent is still the one under which it
// was listed, or is init because that parent has died.
void signal_member(int process_fd, std::int32_t self, const Member& member, int signal) {
  if (member.parent == self) {
    kernel(__NR_kill, member.pid, signal);
    return;
  }
  const Stat stat = read_stat(process_fd);
  if (stat.known && (stat.parent == member.parent || stat.parent == self)) {
    kernel(__NR_pidfd_send_signal, process_fd, signal, nullptr, 0);
  }
}

// Calls visit(process_fd, member) for every descendant, parents before their children. process_fd
// is negative if the process has ended or /proc hides it. A process is visited before its children
// are listed: one that the visit kills cannot fork any more, so the list is complete.
template <class Visit>
void walk(int proc_fd, std::int32_t self, Visit visit) {
  tree.count = 0;
  tree.add(self, 0);
  for (std::uint32_t i = 0; i < tree.count; ++i) {
    const Member member = tree.members[i];
    const int process_fd = open_below(proc_fd, Decimal(static_cast<std::uint64_t>(member.pid)).text,
                                      O_RDONLY | O_DIRECTORY);
    if (i != 0) visit(process_fd, member);
    if (process_fd < 0) continue;
    add_children(process_fd, member.pid);
    kernel(__NR_close, process_fd);
  }
}

}  // namespace

void signal_tree(int proc_fd, int self, int signal) {
  walk(proc_fd, self, [=](int process_fd, const Member& member) {
    signal_member(process_fd, self, member, signal);
  });
}

std::uint64_t live_cpu_us(int proc_fd, int self) {
  std::uint64_t total = 0;
  walk(proc_fd, self,
       [&](int process_fd, const Member&) { total += read_stat(process_fd).cpu_us; });
  return total;
}

}  // namespace bawn::init
