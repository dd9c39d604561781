// Checks everything that must hold in any run. For tests that break the launcher and ask what was
// left of the sandbox.

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstddef>

#include "guest.h"

namespace guest {
namespace {

bool has_capabilities() {
  FILE* status = std::fopen("/proc/self/status", "re");
  char line[256];
  bool any = status == nullptr;
  while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr) {
    const std::string_view text = line;
    const bool counts = text.starts_with("CapEff") || text.starts_with("CapPrm") ||
                        text.starts_with("CapInh") || text.starts_with("CapAmb") ||
                        text.starts_with("CapBnd");
    any |= counts && text.find("0000000000000000") == std::string_view::npos;
  }
  return any;
}

bool has_more_files() {
  for (int fd = 3; fd < 1024; ++fd) {
    if (fcntl(fd, F_GETFD) != -1) return true;
  }
  return false;
}

bool reaches_abstract(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return connect(socket(AF_UNIX, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&address), length) ==
         0;
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }
bool can_write(const std::string& path) { return open_file(path, O_WRONLY) != -1; }

// Whether /proc belongs to another pid namespace. In init's /proc a command that is pid 1 would
// have another pid.
bool has_another_proc() {
  char number[16] = {};
  return readlink("/proc/self", number, sizeof number - 1) < 0 ||
         std::to_string(getpid()) != number;
}

// Writes "sound" into the file of the first argument, or the names of what is missing. The second
// argument is a file outside, the third an abstract socket outside, the fourth a protected file.
// With a fifth argument the command must be pid 1.
int audit(const Arguments& arguments) {
  std::string faults;
  const auto expect_not = [&](bool holds, const char* fault) {
    if (holds) faults += std::string(fault) + " ";
  };
  expect_not(has_more_files(), "files");  // first, because the other checks open files
  const bool first = arguments.size() > 4;
  expect_not(getppid() != (first ? 0 : 1) || (getpid() == 1) != first, "pid-namespace");
  expect_not(has_another_proc(), "proc");
  expect_not(open_file("/proc/keys", O_RDONLY) != -1, "proc-not-hidden");
  expect_not(exists(arguments.at(1)), "root");
  expect_not(exists("/etc/machine-id") || exists("/boot") || exists("/sys/kernel"), "host-root");
  expect_not(can_write("/usr/bin/env") || mkdir("/usr/bawn", 0700) == 0, "system-writable");
  expect_not(can_write("/proc/sys/kernel/hostname") || can_write("/proc/self/oom_score_adj"),
             "proc-writable");
  expect_not(can_write(arguments.at(3)), "protected-writable");
  expect_not(reaches_abstract(arguments.at(2)), "network-namespace");
  expect_not(has_capabilities(), "capabilities");
  expect_not(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "no-new-privs");
  expect_not(prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2, "seccomp");
  expect_not(syscall(SYS_bpf, 0, 0, 0) != -1 || errno != EPERM, "filter");
  expect_not(getsid(0) != getpid(), "session");
  expect_not(std::getenv("BAWN_TEST_SECRET") != nullptr, "environment");
  const std::string verdict = faults.empty() ? "sound" : faults;
  const std::string part =
      arguments.at(0) + ".part";  // renamed when complete: the run may end at any moment
  const int observer = open_file(part, O_WRONLY | O_CREAT | O_TRUNC);
  return answer(write(observer, verdict.data(), verdict.size()) ==
                    static_cast<ssize_t>(verdict.size()) &&
                rename(part.c_str(), arguments.at(0).c_str()) == 0);
}

constexpr Verb kVerbs[] = {{"audit", audit}};

}  // namespace

const std::span<const Verb> kAuditVerbs = kVerbs;

}  // namespace guest
