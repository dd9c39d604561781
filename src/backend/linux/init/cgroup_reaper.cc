#include "backend/linux/init/cgroup_reaper.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <poll.h>
#include <time.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

constexpr int kPipe = 0;
constexpr int kBawn = 1;
constexpr long kShortestPauseNs = 1'000'000;
constexpr long kLongestPauseNs = 500'000'000;

void wait_for_the_end() {
  struct pollfd watched[2] = {{.fd = kPipe, .events = POLLIN, .revents = 0},
                              {.fd = kBawn, .events = POLLIN, .revents = 0}};
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = kShortestPauseNs};
  while (kernel(__NR_ppoll, watched, 2, nullptr, nullptr, 0) <= 0)
    kernel(__NR_nanosleep, &pause, nullptr);
}

// Only v2 has cgroup.kill. Elsewhere init alone kills the tree, as it always does when bawn ends.
void kill_inside(const char* directory) {
  const long opened = kernel(__NR_openat, AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  if (opened < 0) return;
  const long file = kernel(__NR_openat, opened, "cgroup.kill", O_WRONLY | O_CLOEXEC, 0);
  if (file >= 0) {
    kernel(__NR_write, file, "1", 1);
    kernel(__NR_close, file);
  }
  kernel(__NR_close, opened);
}

// EBUSY means that processes are left in the cgroup, so a retry can help. Any other error is final.
void remove(const char* directory) {
  struct timespec pause = {.tv_sec = 0, .tv_nsec = kShortestPauseNs};
  while (kernel(__NR_unlinkat, AT_FDCWD, directory, AT_REMOVEDIR) == kEbusy) {
    kill_inside(directory);
    kernel(__NR_nanosleep, &pause, nullptr);
    if (pause.tv_nsec < kLongestPauseNs) pause.tv_nsec *= 2;
  }
}

}  // namespace

void reap_cgroups(const char* const* directories) {
  kernel(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  kernel(__NR_prctl, PR_SET_NAME, "bawn-reaper", 0, 0, 0);
  wait_for_the_end();
  for (; *directories != nullptr; ++directories) remove(*directories);
  leave(0);
}

}  // namespace bawn::init
