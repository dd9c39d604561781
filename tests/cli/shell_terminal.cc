#include "shell_terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace bawn {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become_shell(const std::string& terminal, const std::string& directory,
                               const std::string& bawn, const std::string& program) {
  setsid();
  // A session leader without a terminal gets it as its controlling one.
  const int slave = open(terminal.c_str(), O_RDWR);
  ioctl(slave, TIOCSCTTY, 0);
  termios modes{};
  tcgetattr(slave, &modes);
  modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(slave, TCSANOW, &modes);
  for (int fd = 0; fd < 3; ++fd) dup2(slave, fd);
  if (slave > 2) close(slave);
  // The process that runs the tests may ignore some signals, and a shell keeps those ignored.
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  if (chdir(directory.c_str()) != 0) _exit(126);
  const std::string named = "BAWN=" + bawn;
  const std::string guest = "GUEST=" + program;
  const std::array<const char*, 5> argv = {"bash", "--norc", "--noprofile", "--noediting", "-i"};
  std::vector<char*> words;
  for (const char* word : argv) words.push_back(const_cast<char*>(word));
  words.push_back(nullptr);
  const std::array<const char*, 7> envp = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                           "PS1=",
                                           "PS2=",
                                           "TERM=dumb",
                                           named.c_str(),
                                           guest.c_str(),
                                           nullptr};
  execve("/bin/bash", words.data(), const_cast<char* const*>(envp.data()));
  _exit(127);
}

}  // namespace

ShellTerminal::ShellTerminal(const Caller& caller)
    : master_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  std::array<char, 64> name{};
  if (!master_ || grantpt(master_.get()) != 0 || unlockpt(master_.get()) != 0 ||
      ptsname_r(master_.get(), name.data(), name.size()) != 0) {
    throw std::runtime_error("no terminal for the test");
  }
  name_ = name.data();
  resize(30, 100);
  const std::string bawn = named_by("BAWN_BINARY");
  const std::string program = guest();
  shell_ = fork();
  if (shell_ == 0) become_shell(name_, caller.workspace(), bawn, program);
  type_line("echo shell-$((40+2))");
  wait_for("shell-42\r\n");
}

ShellTerminal::~ShellTerminal() {
  hang_up();
  kill(shell_, SIGKILL);
  waitpid(shell_, nullptr, 0);
}

void ShellTerminal::hang_up() { master_.reset(); }

void ShellTerminal::type(std::string_view keys) const {
  while (!keys.empty()) {
    const ssize_t put = write(master_.get(), keys.data(), keys.size());
    if (put <= 0) throw std::runtime_error("nobody takes what is typed");
    keys.remove_prefix(static_cast<std::size_t>(put));
  }
}

void ShellTerminal::type_line(std::string_view line) const { type(std::string(line) + "\n"); }

bool ShellTerminal::wait_for(std::string_view text) {
  static_cast<void>(read_until(text));
  return !testing::Test::HasFailure();
}

std::string ShellTerminal::read_until(std::string_view text) {
  if (testing::Test::HasFailure())
    return seen_;  // an earlier wait failed already, so this text will not come either
  const auto deadline = Clock::now() + kPatience;
  std::size_t searched = 0;
  for (;;) {
    const std::size_t at = seen_.find(text, searched);
    if (at != std::string::npos) {
      std::string before = seen_.substr(0, at);
      seen_.erase(0, at + text.size());
      return before;
    }
    searched = seen_.size() < text.size() ? 0 : seen_.size() - text.size() + 1;
    pollfd readable{master_.get(), POLLIN, 0};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    const int ready = poll(&readable, 1, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready == -1 && errno == EINTR) continue;
    std::array<char, 64 * 1024> block{};
    const ssize_t got = ready == 1 ? read(master_.get(), block.data(), block.size()) : 0;
    if (got <= 0) {
      ADD_FAILURE() << "'" << text << "' did not appear on the terminal, only: '"
                    << seen_.substr(0, 4000) << "'";
      return seen_;
    }
    seen_.append(block.data(), static_cast<std::size_t>(got));
  }
}

void ShellTerminal::resize(unsigned short rows, unsigned short columns) const {
  const winsize size{rows, columns, 0, 0};
  ioctl(master_.get(), TIOCSWINSZ, &size);
}

termios ShellTerminal::modes() const {
  termios modes{};
  tcgetattr(master_.get(), &modes);
  return modes;
}

void ShellTerminal::set_echo() const {
  termios now = modes();
  now.c_lflag |= ECHO;
  tcsetattr(master_.get(), TCSANOW, &now);
}

bool same_modes(const termios& left, const termios& right) {
  return std::tie(left.c_iflag, left.c_oflag, left.c_cflag, left.c_lflag) ==
             std::tie(right.c_iflag, right.c_oflag, right.c_cflag, right.c_lflag) &&
         std::memcmp(left.c_cc, right.c_cc, sizeof left.c_cc) == 0;
}

}  // namespace bawn
