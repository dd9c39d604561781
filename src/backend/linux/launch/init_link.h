// bawn's end of the socket to a launched init, and the process behind it.
//
// Reports come in, control codes go out; nothing here waits. Init kills the whole tree when the
// socket is shut down, so an InitLink that is destroyed ends the run. One thread at a time.
#pragma once

#include <optional>

#include "backend/linux/launch/launch.h"
#include "backend/linux/wire/messages.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class InitLink {
 public:
  explicit InitLink(Launched launched) : launched_(std::move(launched)) {}
  InitLink(const InitLink&) = delete;
  InitLink& operator=(const InitLink&) = delete;
  // Shuts the socket down and reaps init if it has ended.
  ~InitLink();

  [[nodiscard]] int control() const { return launched_.control.get(); }  // borrowed; -1 if closed
  [[nodiscard]] int pidfd() const { return launched_.init.get(); }       // borrowed
  // Init is pid 1 of a pid namespace: the kernel kills everything in it when init ends.
  [[nodiscard]] bool is_pid_1() const { return launched_.is_init; }

  struct Received {
    init::Report report{};
    Fd file;  // the master side of the private terminal, which comes with `started`
  };
  enum class End {
    none,       // there is no report now
    closed,     // init has closed its end
    malformed,  // init sent something that is no report: it is not to be relied on
  };
  // The next report; if there is none, `end` says why.
  [[nodiscard]] std::optional<Received> receive(End& end) const;

  // If this fails, init is gone, and its pidfd becomes readable.
  void send(init::ControlCode code) const;

  // After this init kills the tree, removes the private directory and exits.
  void shut_down();

  // Works even if the command has made init unresponsive: when pid 1 of a pid namespace dies, the
  // kernel kills all its other processes, and pid 1 is seen to end only after them.
  void kill_namespace() const;

  // Whether init has ended; reaps it then.
  [[nodiscard]] bool has_ended();

 private:
  Launched launched_;
  bool has_ended_ = false;
};

}  // namespace bawn::linux_
