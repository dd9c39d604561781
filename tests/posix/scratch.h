// A directory of its own for one test, and small things that tests of processes need.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace bawn::posix {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const;  // its path; it need not exist

 private:
  std::string path_;  // canonical
};

void write_text(const std::string& path, std::string_view text);
[[nodiscard]] std::string read_text(const std::string& path);

// What a process may still be: alive, or ended and waited for by nobody.
[[nodiscard]] bool is_alive(pid_t pid);

// Waits until the file holds a whole line; the test's own time-out is the only limit.
[[nodiscard]] std::string wait_for_line(const std::string& path);

}  // namespace bawn::posix
