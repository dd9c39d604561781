// The program that misbehaves on purpose: what its files share.
//
// Its first argument is a verb; each verb tries one thing and prints what came of it: "ok", the
// name of the errno, or what it found. A class of deeds is a file with a table of its verbs;
// guest.cc knows the tables.
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

// Does what the words say; 2 if there is no such verb.
int act(const Arguments& words);

inline int answer(bool worked) {
  std::puts(worked ? "ok" : strerrorname_np(errno));
  return worked ? 0 : 1;
}

inline long number(const std::string& text) { return std::strtol(text.c_str(), nullptr, 10); }

inline int open_file(const std::string& path, int flags) {
  return open(path.c_str(), flags | O_CLOEXEC, 0600);
}

[[noreturn]] inline void sleep_forever() {
  for (;;) pause();
}

}  // namespace guest
