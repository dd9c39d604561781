#include "sys/timer.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "sys/event_poll.h"

namespace bawn {
namespace {

using namespace std::chrono_literals;

// A timer in an epoll, as in the supervisor.
struct Watched {
  Fd epoll = sys::epoll_create().value();
  Fd timer = sys::timer_create().value();
  Watched() { EXPECT_TRUE(sys::epoll_add(epoll.get(), timer.get(), EPOLLIN, 42)); }

  bool wakes_within(int ms) {
    std::array<epoll_event, 2> events{};
    const std::size_t ready = sys::epoll_wait(epoll.get(), events, ms).value();
    return ready == 1 && events[0].data.u64 == 42;
  }
};

TEST(Timer, IsSilentUntilArmed) {
  Watched watched;
  EXPECT_FALSE(watched.wakes_within(20));
  EXPECT_FALSE(sys::timer_fired(watched.timer.get()).value());
}

TEST(Timer, FiresOnce) {
  Watched watched;
  ASSERT_TRUE(sys::timer_arm(watched.timer.get(), 10ms));
  EXPECT_TRUE(watched.wakes_within(5000));
  EXPECT_TRUE(sys::timer_fired(watched.timer.get()).value());
  EXPECT_FALSE(sys::timer_fired(watched.timer.get()).value());
  EXPECT_FALSE(watched.wakes_within(30));
}

TEST(Timer, FiresAtOnceForADelayThatIsOver) {
  for (const std::chrono::nanoseconds delay : {0ns, -5'000'000'000ns}) {
    Watched watched;
    ASSERT_TRUE(sys::timer_arm(watched.timer.get(), delay));
    EXPECT_TRUE(watched.wakes_within(5000));
  }
}

TEST(Timer, ForgetsTheOldTimeWhenArmedAgainOrDisarmed) {
  Watched watched;
  ASSERT_TRUE(sys::timer_arm(watched.timer.get(), 1ms));
  ASSERT_TRUE(sys::timer_arm(watched.timer.get(), 1h));
  EXPECT_FALSE(watched.wakes_within(30));
  ASSERT_TRUE(sys::timer_arm(watched.timer.get(), 1ms));
  ASSERT_TRUE(sys::timer_disarm(watched.timer.get()));
  EXPECT_FALSE(watched.wakes_within(30));
}

}  // namespace
}  // namespace bawn
