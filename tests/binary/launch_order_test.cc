// The build puts the code of a run side by side (packaging/launch_order). Only the memory of a run
// shows that it did: a script can be linked in and name nothing that is there.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

namespace bawn {
namespace {

// bwrap takes 1704 to 1936 KiB. In the linker's own order a run of bawn takes about 3000 KiB.
constexpr long kMostKiB = 1700;
constexpr int kRuns = 8;

struct Ending {
  int status = 0;
  long peak_kib = 0;
};

// Forks: posix_spawn() would count all memory of this program as the child's.
Ending ending_of(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  Ending out;
  rusage usage{};
  EXPECT_EQ(wait4(child, &out.status, 0, &usage), child);
  out.peak_kib = usage.ru_maxrss;
  return out;
}

// A variable that meson.build sets. Without it nothing can be measured, which is a failure.
std::string named_by(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) throw std::runtime_error(std::string(variable) + " is not set");
  return value;
}

// Stdin, stdout and stderr are this program's own.
Ending run_true() {
  std::string workspace = std::filesystem::temp_directory_path() / "bawn-launch-XXXXXX";
  EXPECT_NE(mkdtemp(workspace.data()), nullptr);
  const std::string bawn = named_by("BAWN_BINARY");
  const Ending out = ending_of([&] {
    // Meson sets it: malloc() then writes to memory that a program leaves untouched.
    unsetenv("MALLOC_PERTURB_");
    if (chdir(workspace.c_str()) == 0)
      execl(bawn.c_str(), bawn.c_str(), "run", "--", "/bin/true", nullptr);
    return 125;
  });
  std::filesystem::remove(workspace);
  return out;
}

std::string first_line(const std::string& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The first run brings the file into memory. A run that is held up now and then takes another way
// through the code, and one page of that brings its neighbours along.
TEST(Launch, TakesLessMemoryThanBwrap) {
  const std::string launch_order = named_by("BAWN_LAUNCH_ORDER");
  const Ending traced = ending_of([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); });
  if (traced.status != 0) GTEST_SKIP() << "this host refuses ptrace";
  ASSERT_LT(traced.peak_kib, kMostKiB) << "a process that executes nothing is too large already";
  long least = traced.peak_kib + kMostKiB;
  for (int i = 0; i < kRuns; ++i) {
    const Ending run = run_true();
    ASSERT_EQ(run.status, 0) << "nothing can run, so nothing can be measured";
    least = std::min(least, run.peak_kib);
  }
  EXPECT_LE(least, kMostKiB) << "launch_order.ld begins with: " << first_line(launch_order);
}

}  // namespace
}  // namespace bawn
