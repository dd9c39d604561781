#include "backend/linux/cgroup/reaper.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>

#include "backend/linux/init/role.h"
#include "backend/linux/spawn/init_image.h"
#include "backend/linux/spawn/signals_held.h"
#include "sys/call.h"
#include "sys/event_poll.h"
#include "sys/open.h"
#include "sys/write_signals.h"

namespace bawn::linux_ {
namespace {

struct ReaperStart {
  int pipe;
  int self;
  int image;
  char* const* words;
  int error;
};

// Runs in the child, on a separate stack, in our memory: system calls only. The new session keeps
// signals for the terminal or the process group from ending the reaper together with us. All
// signals stay blocked: it needs none.
int exec_reaper(void* argument) {
  auto* start = static_cast<ReaperStart*>(argument);
  const char* envp[] = {nullptr};
  const bool placed = syscall(SYS_setsid) != -1 && syscall(SYS_dup3, start->pipe, 0, 0) == 0 &&
                      syscall(SYS_dup3, start->self, 1, 0) == 1 &&
                      syscall(SYS_dup3, start->image, 2, O_CLOEXEC) == 2 &&
                      syscall(SYS_close_range, 3, ~0U, 0) == 0;
  if (placed) syscall(SYS_execveat, 2, "", start->words, envp, AT_EMPTY_PATH);
  start->error = errno;
  syscall(SYS_exit_group, 127);
  return 127;
}

Result<Fd> clone_reaper(ReaperStart& start) {
  constexpr std::size_t kStackBytes = 64 * 1024;
  const auto stack = std::make_unique<std::byte[]>(kStackBytes);
  const auto top =
      reinterpret_cast<std::uintptr_t>(stack.get() + kStackBytes) & ~std::uintptr_t{15};
  const SignalsHeld held;
  int pidfd = -1;
  const int result = clone(exec_reaper, reinterpret_cast<void*>(top),
                           CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &pidfd);
  if (result == -1) return system_error(errno, "clone of the cgroup reaper");
  return Fd(pidfd);
}

void reap(int process, int options) {
  siginfo_t ignored{};
  sys::retried([&] {
    return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process), &ignored,
                  WEXITED | options);
  });
}

}  // namespace

Result<CgroupReaper> CgroupReaper::start(const std::vector<std::string>& directories) {
  std::vector<std::string> texts = {"bawn-reaper", init::kReapCgroups};
  texts.insert(texts.end(), directories.begin(), directories.end());
  std::vector<char*> words;
  words.reserve(texts.size() + 1);
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);

  std::array<int, 2> ends{-1, -1};
  BAWN_TRY(sys::checked("pipe2", [&] { return pipe2(ends.data(), O_CLOEXEC); }));
  Fd ours(ends[1]);
  // The child moves the next three to 0, 1 and 2, so they must be above 2 here.
  BAWN_ASSIGN(const Fd theirs, sys::above_stdio(Fd(ends[0])));
  BAWN_ASSIGN(Fd opened, sys::open_own_process());
  BAWN_ASSIGN(const Fd self, sys::above_stdio(std::move(opened)));
  BAWN_ASSIGN(Fd made, make_init_image());
  BAWN_ASSIGN(const Fd image, sys::above_stdio(std::move(made)));
  ReaperStart start = {theirs.get(), self.get(), image.get(), words.data(), 0};
  BAWN_ASSIGN(Fd process, clone_reaper(start));
  if (start.error == 0) return CgroupReaper(directories, std::move(ours), std::move(process));
  reap(process.get(), 0);
  return system_error(start.error, "exec of the cgroup reaper");
}

bool CgroupReaper::is_needed() const {
  return std::ranges::any_of(directories_, [](const std::string& directory) {
    return access(directory.c_str(), F_OK) == 0 || errno != ENOENT;
  });
}

CgroupReaper::~CgroupReaper() {
  if (!process_) return;
  {
    const sys::WriteSignalBlock no_signals;
    // Closing is not enough: a child that the caller forked meanwhile may hold the pipe open.
    const ssize_t woken = write(pipe_.get(), "", 1);
    static_cast<void>(woken);  // a reaper that has ended needs no waking
    pipe_.reset();
  }
  if (!is_needed()) {
    // It would end by itself, but later.
    syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
    reap(process_.get(), 0);
    return;
  }
  constexpr std::chrono::milliseconds kPatience{50};  // the outcome is due
  if (sys::becomes_readable(process_.get(), kPatience)) reap(process_.get(), WNOHANG);
}

}  // namespace bawn::linux_
