#include "backend/linux/terminal/terminal_session.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sys/call.h"
#include "sys/event_poll.h"

namespace bawn::linux_ {
namespace {

constexpr std::size_t kMostKeys = 4096;  // size of a line discipline's buffer

enum class Ready : std::uint64_t { keys, master };

// In a pipeline another process may be the one that talks to the user: `git log | less`.
bool in_pipeline() {
  for (int fd = 0; fd < 3; ++fd) {
    struct stat facts {};
    if (fstat(fd, &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode))) return true;
  }
  return false;
}

bool asks_for_terminal(int signal) { return signal == SIGTTIN || signal == SIGTTOU; }

}  // namespace

TerminalSession::TerminalSession(CallerTerminal terminal, const SuspendProcess& suspend,
                                 const TerminalPlan& plan)
    : terminal_(std::move(terminal)),
      suspend_(&suspend),
      plan_(plan),
      wanted_(plan.led_by_command || !in_pipeline()),
      starts_with_it_(wanted_ && terminal_.is_ours()) {}

Result<TerminalSession> TerminalSession::open(const TerminalPlan& plan,
                                              const SuspendProcess& suspend) {
  BAWN_ASSIGN(CallerTerminal terminal, CallerTerminal::open(plan.stdio));
  TerminalSession session(std::move(terminal), suspend, plan);
  BAWN_ASSIGN(session.epoll_, sys::epoll_create());
  return session;
}

init::TerminalOrder TerminalSession::order() const {
  init::TerminalOrder order{.wanted = true,
                            .foreground = starts_with_it_,
                            .has_modes = false,
                            .led_by_command = plan_.led_by_command,
                            .stdio = static_cast<std::uint8_t>(plan_.stdio),
                            .size = terminal_.size(),
                            .modes = {}};
  // In the background the modes are those that the foreground process has set, for example a shell
  // that edits its command line.
  const auto modes = terminal_.is_ours() ? terminal_.modes() : std::nullopt;
  order.has_modes = modes.has_value();
  if (modes) order.modes = *modes;
  return order;
}

Result<void> TerminalSession::connect(Fd master) {
  master_ = std::move(master);
  if (starts_with_it_) BAWN_TRY(terminal_.take());
  resize();  // the size may have changed since order()
  return watch_what_is_needed();
}

Result<void> TerminalSession::step() {
  std::array<epoll_event, 2> events{};
  BAWN_ASSIGN(const std::size_t count, sys::epoll_wait(epoll_.get(), events, 0));
  for (std::size_t i = 0; i < count; ++i) {
    switch (static_cast<Ready>(events[i].data.u64)) {
      case Ready::keys:
        read_keys();
        // A terminal that has hung up gives no more keys, and epoll would report it over and over.
        if ((events[i].events & (EPOLLHUP | EPOLLERR)) != 0) no_more_keys_ = true;
        break;
      case Ready::master:
        write_keys();
        break;
    }
  }
  return watch_what_is_needed();
}

// Called only when keys are ready. In raw mode (VMIN 0) an empty terminal returns 0 and does not
// wait.
void TerminalSession::read_keys() {
  if (!terminal_.taken()) return;
  keys_.resize(kMostKeys);
  const ssize_t got =
      sys::retried([&] { return read(terminal_.fd(), keys_.data(), keys_.size()); });
  if (got == -1 && errno != EAGAIN) no_more_keys_ = true;
  keys_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  write_keys();
}

void TerminalSession::write_keys() {
  while (!keys_.empty()) {
    const ssize_t put =
        sys::retried([&] { return write(master_.get(), keys_.data(), keys_.size()); });
    if (put == -1 && errno == EAGAIN) return;
    if (put <= 0) {
      no_more_keys_ = true;  // no process has the private terminal open
      keys_.clear();
      return;
    }
    keys_.erase(0, static_cast<std::size_t>(put));
  }
}

Result<std::optional<init::ControlCode>> TerminalSession::take_signal(JobSignal signal) {
  switch (signal) {
    case JobSignal::resized:
      resize();
      return std::optional<init::ControlCode>();
    case JobSignal::continued:
      return continued();
    case JobSignal::suspend:
      return stop();
    case JobSignal::interrupt:
      return std::optional(init::ControlCode::interrupt);
    case JobSignal::quit:
      return std::optional(init::ControlCode::quit);
  }
  return std::optional<init::ControlCode>();
}

// A command that leads its session (pid 1) cannot be stopped, so only this process stops. Any other
// command is stopped first, and this process follows.
Result<std::optional<init::ControlCode>> TerminalSession::stop() {
  if (!plan_.led_by_command) return std::optional(init::ControlCode::suspend);
  BAWN_ASSIGN(const init::ControlCode next, follow_stop(SIGTSTP));
  return std::optional(next);
}

// This process was stopped by SIGSTOP, which cannot be caught, and continues now, in the foreground
// or in the background.
Result<std::optional<init::ControlCode>> TerminalSession::continued() {
  const bool had_it = terminal_.taken();
  const bool has_it = wanted_ && terminal_.is_ours() && master_;
  resize();
  if (has_it) BAWN_TRY(terminal_.take());
  if (had_it && !has_it) terminal_.lose();
  BAWN_TRY(watch_what_is_needed());
  if (had_it == has_it) return std::optional<init::ControlCode>();
  return std::optional(has_it ? init::ControlCode::continue_foreground
                              : init::ControlCode::continue_background);
}

Result<init::ControlCode> TerminalSession::follow_stop(int signal) {
  if (asks_for_terminal(signal)) wanted_ = true;
  const bool stops_us = !asks_for_terminal(signal) || !terminal_.is_ours();
  bool stopped = false;
  if (stops_us) {
    terminal_.give_back();
    stopped = *suspend_ && (*suspend_)(asks_for_terminal(signal) ? signal : SIGTSTP);
  }
  resize();
  const bool has_it = wanted_ && terminal_.is_ours();
  if (has_it) BAWN_TRY(terminal_.take());
  BAWN_TRY(watch_what_is_needed());
  if (has_it) return init::ControlCode::continue_foreground;
  // A command continued in the background would ask again at once. If bawn was not stopped, there
  // is no shell that could ever give it the terminal, so the command is hung up.
  if (asks_for_terminal(signal) && !stopped) return init::ControlCode::hang_up;
  return init::ControlCode::continue_background;
}

Result<void> TerminalSession::hang_up() {
  no_more_keys_ = true;
  keys_.clear();
  BAWN_TRY(watch_what_is_needed());
  master_.reset();
  return {};
}

// The kernel sends SIGWINCH to the foreground of the private terminal.
void TerminalSession::resize() const {
  if (!master_) return;
  const init::WindowSize size = terminal_.size();
  ioctl(master_.get(), TIOCSWINSZ, &size);
}

Result<void> TerminalSession::watch_what_is_needed() {
  if (!keys_.empty()) return watch(Watch::master);
  return watch(terminal_.taken() && !no_more_keys_ ? Watch::keys : Watch::nothing);
}

Result<void> TerminalSession::watch(Watch wanted) {
  if (wanted == watched_) return {};
  if (watched_ == Watch::keys) BAWN_TRY(sys::epoll_remove(epoll_.get(), terminal_.fd()));
  if (watched_ == Watch::master) BAWN_TRY(sys::epoll_remove(epoll_.get(), master_.get()));
  watched_ = Watch::nothing;
  if (wanted == Watch::keys)
    BAWN_TRY(sys::epoll_add(epoll_.get(), terminal_.fd(), EPOLLIN,
                            static_cast<std::uint64_t>(Ready::keys)));
  if (wanted == Watch::master)
    BAWN_TRY(sys::epoll_add(epoll_.get(), master_.get(), EPOLLOUT,
                            static_cast<std::uint64_t>(Ready::master)));
  watched_ = wanted;
  return {};
}

}  // namespace bawn::linux_
