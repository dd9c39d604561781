// The guest: the program that tests run inside a sandbox and that misbehaves on purpose.
//
// Its first argument is a verb. A verb tries one thing and prints one line: "ok", the name of the
// errno, or what it found. It decides nothing about right or wrong; the test compares the line. To
// add a verb, write a function, add it to the table of its file, and prefer a word such as
// "connect-unix" to a number. A new file adds its table here and in guest.cc. The guest is static
// and links no library of bawn.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace guest {

using Arguments = std::vector<std::string>;

// A name on the command line and its function. `act` returns the guest's exit code.
struct Verb {
  std::string_view name;
  int (*act)(const Arguments& arguments);
};

extern const std::span<const Verb> kAuditVerbs;
extern const std::span<const Verb> kDescriptorVerbs;
extern const std::span<const Verb> kFileVerbs;
extern const std::span<const Verb> kKernelVerbs;
extern const std::span<const Verb> kLockVerbs;
extern const std::span<const Verb> kNetworkVerbs;
extern const std::span<const Verb> kProcessVerbs;
extern const std::span<const Verb> kProgramVerbs;

// Runs the verb in words[0] with the other words as its arguments. Returns its exit code; 2 if
// there is no such verb.
int act(const Arguments& words);

// Prints "ok" or the name of errno, and returns the exit code for it. Call it at once: nothing may
// change errno in between.
inline int answer(bool worked) {
  std::puts(worked ? "ok" : strerrorname_np(errno));
  return worked ? 0 : 1;
}

inline long number(const std::string& text) { return std::strtol(text.c_str(), nullptr, 10); }

// The descriptor, or -1 with errno set. The caller does not have to close it: the guest is
// short-lived.
inline int open_file(const std::string& path, int flags) {
  return open(path.c_str(), flags | O_CLOEXEC, 0600);
}

[[noreturn]] inline void sleep_forever() {
  for (;;) pause();
}

}  // namespace guest
