// Asks the kernel about single layers of the sandbox: mounts, the session keyring, the parent-death
// signal. One verb waits until a test has removed one of two layers.

#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "guest.h"

namespace guest {
namespace {

const char* yes_or(bool holds, const char* yes, const char* no) { return holds ? yes : no; }

// One line for each mount: its mount point, its flags from mountinfo, and its flags from statvfs().
int list_mounts(const Arguments& /*arguments*/) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string skipped, place, options;
    fields >> skipped >> skipped >> skipped >> skipped >> place >> options;
    struct statvfs found {};
    if (statvfs(place.c_str(), &found) != 0) return answer(false);
    std::printf("%s %s %s,%s,%s\n", place.c_str(), options.c_str(),
                yes_or((found.f_flag & ST_RDONLY) != 0, "ro", "rw"),
                yes_or((found.f_flag & ST_NOSUID) != 0, "nosuid", "suid"),
                yes_or((found.f_flag & ST_NODEV) != 0, "nodev", "dev"));
  }
  return 0;
}

// Runs the other words as a verb, once a process has opened the FIFO in the first word for writing.
int once_opened(const Arguments& words) {
  if (open_file(words.at(0), O_RDONLY) == -1) return answer(false);
  return act(Arguments(words.begin() + 1, words.end()));
}

int print_session_keyring(const Arguments& /*arguments*/) {
  constexpr long kGetKeyringId = 0, kSessionKeyring = -3;
  const long serial = syscall(SYS_keyctl, kGetKeyringId, kSessionKeyring, 0);
  if (serial < 0) return answer(false);
  std::printf("%ld\n", serial);
  return 0;
}

int print_death_signal(const Arguments& /*arguments*/) {
  int signal = 0;
  if (prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0) != 0) return answer(false);
  std::printf("%d\n", signal);
  return 0;
}

// A stopped process sees SIGTERM only after it was continued.
int stop_and_tell_of_term(const Arguments& /*arguments*/) {
  ::signal(SIGTERM, [](int) { _exit(write(1, "asked\n", 6) == 6 ? 0 : 1); });
  raise(SIGSTOP);
  sleep_forever();
}

constexpr Verb kVerbs[] = {
    {"list-mounts", list_mounts},
    {"once-opened", once_opened},
    {"print-session-keyring", print_session_keyring},
    {"print-death-signal", print_death_signal},
    {"stop-and-tell-of-term", stop_and_tell_of_term},
};

}  // namespace

const std::span<const Verb> kLockVerbs = kVerbs;

}  // namespace guest
