// Verbs that start another program, or map one, by themselves.

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdint>

#include "guest.h"

extern char** environ;

namespace guest {
namespace {

std::vector<char*> pointers_to(const Arguments& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Executes the words. NAME=value in front of them goes into the environment, which loses git's
// settings: those that bawn forces on git are another lock than the one that is tried here.
int execute(const Arguments& arguments) {
  unsetenv("GIT_CONFIG_COUNT");
  std::size_t first = 0;
  for (std::size_t at = 0; first < arguments.size(); ++first) {
    const std::string& word = arguments[first];
    at = word.find('=');
    if (at == std::string::npos || word.find('/') < at) break;
    setenv(word.substr(0, at).c_str(), word.c_str() + at + 1, 1);
  }
  const Arguments words(arguments.begin() + static_cast<std::ptrdiff_t>(first), arguments.end());
  execvp(words.at(0).c_str(), pointers_to(words).data());
  return answer(false);
}

bool copy_bytes(const std::string& from, int to) {
  const int source = open_file(from, O_RDONLY);
  struct stat found {};
  if (source < 0 || fstat(source, &found) != 0) return false;
  for (off_t left = found.st_size; left > 0;) {
    const ssize_t sent = sendfile(to, source, nullptr, static_cast<std::size_t>(left));
    if (sent <= 0) return false;
    left -= sent;
  }
  return true;
}

// Copies a program to a path and executes the copy: FROM TO ARGUMENT...
int execute_copy(const Arguments& arguments) {
  const int copy = open(arguments.at(1).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
  if (copy < 0 || !copy_bytes(arguments.at(0), copy) || close(copy) != 0) return answer(false);
  const Arguments words(arguments.begin() + 1, arguments.end());
  execv(words.at(0).c_str(), pointers_to(words).data());
  return answer(false);
}

int execute_descriptor(int fd, const Arguments& arguments) {
  const Arguments words(arguments.begin(), arguments.end());
  execveat(fd, "", pointers_to(words).data(), environ, AT_EMPTY_PATH);
  return answer(false);
}

// A copy in memory: FROM ARGUMENT...
int execute_in_memory(const Arguments& arguments) {
  const int file = memfd_create("copy", MFD_CLOEXEC);
  if (file < 0 || !copy_bytes(arguments.at(0), file)) return answer(false);
  return execute_descriptor(file, arguments);
}

// A copy that has no name: FROM DIRECTORY ARGUMENT...
int execute_nameless(const Arguments& arguments) {
  const int file = open(arguments.at(1).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0700);
  if (file < 0 || !copy_bytes(arguments.at(0), file)) return answer(false);
  const std::string self = "/proc/self/fd/" + std::to_string(file);
  const int again = open_file(self, O_PATH);
  close(file);
  if (again < 0) return answer(false);
  return execute_descriptor(again, {arguments.begin() + 1, arguments.end()});
}

int execute_opened(const Arguments& arguments) {
  const int file = open_file(arguments.at(0), O_PATH);
  return file < 0 ? answer(false) : execute_descriptor(file, arguments);
}

// Executes what a link leads to: TARGET LINK ARGUMENT...
int execute_link(const Arguments& arguments) {
  if (symlink(arguments.at(0).c_str(), arguments.at(1).c_str()) != 0) return answer(false);
  const Arguments words(arguments.begin() + 1, arguments.end());
  execv(words.at(0).c_str(), pointers_to(words).data());
  return answer(false);
}

// Maps a file as the loader maps a program or a library.
int map_as_code(const Arguments& arguments) {
  const int file = open_file(arguments.at(0), O_RDONLY);
  if (file < 0) return answer(false);
  return answer(mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED);
}

// Maps it as data first.
int turn_into_code(const Arguments& arguments) {
  const int file = open_file(arguments.at(0), O_RDONLY);
  if (file < 0) return answer(false);
  void* data = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  return answer(data != MAP_FAILED && mprotect(data, 4096, PROT_READ | PROT_EXEC) == 0);
}

constexpr Verb kVerbs[] = {
    {"execute", execute},
    {"execute-copy", execute_copy},
    {"execute-in-memory", execute_in_memory},
    {"execute-link", execute_link},
    {"execute-nameless", execute_nameless},
    {"execute-opened", execute_opened},
    {"map-as-code", map_as_code},
    {"turn-into-code", turn_into_code},
};

}  // namespace

const std::span<const Verb> kProgramVerbs = kVerbs;

}  // namespace guest
