// A launch moves its processes between CPUs to be faster. The command must still be allowed the
// same CPUs as its caller.

#include <gtest/gtest.h>
#include <sched.h>

#include "caller.h"

namespace bawn {
namespace {

// The CPU affinity of this thread, which its children inherit. The destructor restores it.
class AllowedProcessors {
 public:
  AllowedProcessors() { EXPECT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0); }
  ~AllowedProcessors() { EXPECT_EQ(sched_setaffinity(0, sizeof before_, &before_), 0); }
  AllowedProcessors(const AllowedProcessors&) = delete;
  AllowedProcessors& operator=(const AllowedProcessors&) = delete;

  [[nodiscard]] int count() const { return CPU_COUNT(&before_); }

  void leave_one() const {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first(), &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  }

 private:
  [[nodiscard]] std::size_t first() const {
    std::size_t processor = 0;
    while (!CPU_ISSET(processor, &before_)) ++processor;
    return processor;
  }

  cpu_set_t before_{};
};

Answer ask(const Words& command) {
  const Caller caller;
  return caller.call(joined({"run", "--"}, command));
}

// Prints "Cpus_allowed_list:  0-1": the same line for this thread and for the command.
const Words kAsk = {"/bin/grep", "Cpus_allowed_list", "/proc/self/status"};

Answer ask_directly() {
  const Caller caller;
  return caller.start_program(kAsk.front(), kAsk).finish();
}

TEST(Processors, AreTheCallers) {
  const Answer answer = ask(kAsk);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, ask_directly().out);
}

TEST(Processors, AreTheCallersIfItHasOnlyOne) {
  const AllowedProcessors allowed;
  const std::string all = ask_directly().out;
  allowed.leave_one();
  const Answer answer = ask(kAsk);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, ask_directly().out);
  if (allowed.count() > 1) {
    EXPECT_NE(answer.out, all);
  }
}

}  // namespace
}  // namespace bawn
