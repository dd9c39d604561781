#include "sys/event_poll.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

namespace bawn::sys {
namespace {

// A timer that interrupts this process every millisecond, as a profiler does.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, &before_);
    const itimerval often = {.it_interval = {.tv_sec = 0, .tv_usec = 1000},
                             .it_value = {.tv_sec = 0, .tv_usec = 1000}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Interruptions() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

 private:
  struct sigaction before_ {};
};

TEST(BecomesReadable, EndsInTimeWhateverSignalsCome) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  const Fd reader(ends[0]);
  const Fd writer(ends[1]);
  {
    const Interruptions often;
    EXPECT_FALSE(becomes_readable(reader.get(), std::chrono::milliseconds(50)));
  }
  ASSERT_EQ(write(writer.get(), "x", 1), 1);
  EXPECT_TRUE(becomes_readable(reader.get(), std::chrono::milliseconds(50)));
}

}  // namespace
}  // namespace bawn::sys
