// Starts the real `bawn` program as a user would: arguments in, exit code and output back.
//
// Each Caller has a workspace and an environment that no other test shares, so tests can run at the
// same time. bawn starts in the workspace. Nothing here sleeps: every wait is for an event. A wait
// that takes longer than kPatience fails the test and kills bawn.
//
// Typical use:
//   const Caller caller;
//   const Answer answer = caller.run({"exit", "0"});
//   EXPECT_EQ(answer.exit_code, 0) << answer.err;
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

// Long enough for a loaded machine; only a test that is about to fail waits this long.
inline constexpr std::chrono::seconds kPatience{120};

using Words = std::vector<std::string>;

// The value of an environment variable that meson.build sets for the suite: BAWN_BINARY,
// BAWN_GUEST, BAWN_MALFORMED. Throws if it is not set.
[[nodiscard]] std::string named_by(const char* variable);
// The path of the program from tests/guest.
[[nodiscard]] std::string guest();

// How a call ended. Exactly one of exit_code and signal has a value.
struct Answer {
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string out;
  std::string err;
};

// The stdin and the descriptors that a process is started with.
struct Handed {
  std::string in;            // all of stdin, as text
  std::map<int, int> files;  // descriptor in bawn -> descriptor of this test, borrowed
  std::vector<int> closed;   // those of 0, 1 and 2 that bawn is started without
};

// A running bawn. The destructor kills and reaps it if it has not ended. Use it from one thread.
class Call {
 public:
  Call(pid_t pid, Fd in, Fd out, Fd err, std::string text);
  Call(Call&& other) noexcept;
  Call& operator=(Call&&) = delete;
  ~Call();

  // Reads stdout until it holds `text`. False if stdout was closed before that, or after kPatience.
  bool wait_for_output(std::string_view text);
  // Writes all of stdin and closes it.
  void write_input();
  void send_signal(int number) const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  // Closes the read end of stdout: bawn sees a pipe without a reader.
  void stop_reading_stdout() { out_.reset(); }

  // Writes the rest of stdin, reads stdout and stderr to their ends, and reaps bawn.
  Answer finish();
  // Only reaps bawn. Use it where another process still holds bawn's output open.
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

// A workspace, a directory outside of it, and an environment that holds nothing but PATH. The
// destructor removes both directories. The process ignores SIGPIPE from now on; bawn does not.
class Caller {
 public:
  Caller();
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  [[nodiscard]] const std::string& workspace() const { return workspace_; }
  // A directory beside the workspace that no policy grants.
  [[nodiscard]] const std::string& outside() const { return outside_; }

  // Sets a variable for every call that is started after this.
  void set_variable(const std::string& name, const std::string& value) {
    environment_[name] = value;
  }
  // Makes a file in the workspace and returns its path.
  std::string file(const std::string& name, std::string_view content) const;
  // Makes a file outside of the workspace. Policies go there: in tier b, bawn refuses a policy that
  // the command could change.
  std::string file_outside(const std::string& name, std::string_view content) const;

  // Starts `bawn WORDS...`. Throws if the process cannot be started.
  [[nodiscard]] Call start(const Words& words, const Handed& handed = {}) const;
  // Starts bawn with exactly this argv; argv[0] is the caller's to give or to leave out.
  [[nodiscard]] Call start_with_argv(const Words& argv, const Handed& handed = {}) const;
  // Starts another program than bawn, by its path.
  [[nodiscard]] Call start_program(const std::string& program, const Words& argv,
                                   const Handed& handed = {}) const;
  // start() and finish() in one step.
  [[nodiscard]] Answer call(const Words& words, const Handed& handed = {}) const;

  // "bawn run --tier b -- GUEST VERB...": the shortest command line that runs something.
  [[nodiscard]] Answer run(const Words& verb, const Handed& handed = {}) const;

 private:
  std::string root_;
  std::string workspace_;
  std::string outside_;
  std::map<std::string, std::string> environment_;
};

// A word that is unique to this test on the whole machine. Pass it to a command as an argument to
// find its processes again.
[[nodiscard]] std::string marker();
// How many processes on this machine have `marker` among their arguments.
[[nodiscard]] int processes_with_argument(const std::string& marker);

[[nodiscard]] Words joined(Words first, const Words& second);

}  // namespace bawn
