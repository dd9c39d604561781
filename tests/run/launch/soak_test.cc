// Thousands of runs from one process leave it as it was. BAWN_SOAK sets the number.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "observer.h"

namespace bawn {
namespace {

int runs_wanted() {
  const char* wish = std::getenv("BAWN_SOAK");
  return wish == nullptr ? 2000 : std::atoi(wish);
}

long resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
  }
  return 0;
}

TEST(Soak, LeavesFilesMemoryMountsAndChildrenAsTheyWere) {
  const Observer observer;
  const auto run = [&] {
    ASSERT_TRUE(observer.fixture().run(observer.policy(), {"exit", "0"}).success());
  };
  for (int i = 0; i < 50; ++i) run();  // so that one-time allocations are done
  const std::string traces = observer.traces();
  const int files = open_descriptors();
  const long resident = resident_kilobytes();
  for (int i = 0; i < runs_wanted(); ++i) run();
  EXPECT_EQ(observer.traces(), traces);
  EXPECT_EQ(open_descriptors(), files);
  EXPECT_LT(resident_kilobytes(), resident + 1024);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a child was left";
}

}  // namespace
}  // namespace bawn
