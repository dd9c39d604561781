// Somebody who calls the real `bawn` program: words in, exit code and output back.
//
// Each Caller has a workspace of its own, in which bawn is started, and an environment of its own,
// so that tests can run at the same time. Nothing here sleeps: every wait is for an event, and one
// that does not come within kPatience fails the test and kills the process.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sys/fd.h"

namespace bawn {

inline constexpr std::chrono::seconds kPatience{120};

using Words = std::vector<std::string>;

// What the environment of the test names: BAWN_BINARY, BAWN_GUEST, BAWN_MALFORMED.
[[nodiscard]] std::string named_by(const char* variable);
[[nodiscard]] std::string guest();

// How a call ended. Exactly one of the two numbers is there.
struct Answer {
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string out;
  std::string err;
};

// What the process gets besides its words.
struct Handed {
  std::string in;            // all of its stdin
  std::map<int, int> files;  // number in bawn -> open file of this test, lent
  std::vector<int> closed;   // of 0, 1 and 2: not open at all
};

// One bawn that runs. Destroying it kills bawn if it has not ended yet.
class Call {
 public:
  Call(pid_t pid, Fd in, Fd out, Fd err, std::string text);
  Call(Call&& other) noexcept;
  Call& operator=(Call&&) = delete;
  ~Call();

  // Reads stdout until it holds `text`; false if it ended before.
  bool wait_for_output(std::string_view text);
  // Writes all of stdin and closes it.
  void write_input();
  void send_signal(int number) const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  void stop_reading_stdout() { out_.reset(); }

  // Writes the rest of stdin, reads everything there is, and waits for the end.
  Answer finish();
  // Only waits for bawn itself, whoever else still holds its output.
  Answer finish_process();

 private:
  bool step(std::chrono::steady_clock::time_point deadline);
  void reap(std::chrono::steady_clock::time_point deadline);

  pid_t pid_;
  Fd in_;
  Fd out_;
  Fd err_;
  std::string text_;
  Answer answer_;
};

class Caller {
 public:
  Caller();
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  [[nodiscard]] const std::string& workspace() const { return workspace_; }
  // A directory beside the workspace that no policy grants.
  [[nodiscard]] const std::string& outside() const { return outside_; }

  void set_variable(const std::string& name, const std::string& value) {
    environment_[name] = value;
  }
  // Makes a file in the workspace and returns its path.
  std::string file(const std::string& name, std::string_view content) const;
  // The same beside it: a policy never comes from the workspace.
  std::string file_outside(const std::string& name, std::string_view content) const;

  [[nodiscard]] Call start(const Words& words, const Handed& handed = {}) const;
  // `argv` as it is, bawn's own name included or not.
  [[nodiscard]] Call start_with_argv(const Words& argv, const Handed& handed = {}) const;
  // Another program than bawn itself, by its path.
  [[nodiscard]] Call start_program(const std::string& program, const Words& argv,
                                   const Handed& handed = {}) const;
  [[nodiscard]] Answer call(const Words& words, const Handed& handed = {}) const;

  // "run --tier b -- GUEST VERB...": the shortest line that runs something.
  [[nodiscard]] Answer run(const Words& verb, const Handed& handed = {}) const;

 private:
  std::string root_;
  std::string workspace_;
  std::string outside_;
  std::map<std::string, std::string> environment_;
};

// An argument that names this test's processes on the whole machine.
[[nodiscard]] std::string marker();
// How many processes on this machine have `marker` among their arguments.
[[nodiscard]] int processes_with_argument(const std::string& marker);

[[nodiscard]] Words joined(Words first, const Words& second);

}  // namespace bawn
