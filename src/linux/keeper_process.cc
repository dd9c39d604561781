#include "linux/keeper_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "host/setup_error.h"
#include "linux/early_keeper.h"
#include "linux/keeper_image_file.h"
#include "linux/signals_held.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn {
namespace {

struct Ends {
  Fd ours;
  Fd keepers;
};

Result<Ends> make_control() {
  std::array<int, 2> pair{-1, -1};
  BAWN_TRY(sys::checked("socketpair",
                        [&] { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()); }));
  Fd ours(pair[0]);
  BAWN_ASSIGN(Fd keepers, sys::above_stdio(Fd(pair[1])));  // the child puts it on 0, so it must not be there
  return Ends{std::move(ours), std::move(keepers)};
}

// The kinds are those that begin_birth() asks for.
Error clone_error(KeeperPlace place, int reason) {
  if (place == KeeperPlace::host) return system_error(reason, "clone");
  return judged(system_error(reason, "clone with new namespaces"),
                judge_new_namespaces(reason, read_namespace_limits(), {"user", "mnt", "pid", "ipc", "uts"}));
}

}  // namespace

Result<KeeperProcess> KeeperProcess::start(KeeperPlace place) {
  if (early_keeper.pid != 0) {
    KeeperProcess early = adopt_early();
    if (early.birth_->place == place && early_keeper.foundation.word != EarlyWord::spoilt) return early;
  }
  BAWN_ASSIGN(Fd unplaced_image, make_keeper_image());
  BAWN_ASSIGN(const Fd image, sys::above_stdio(std::move(unplaced_image)));
  BAWN_ASSIGN(Ends control, make_control());
  KeeperProcess keeper;
  keeper.birth_.reset(
      new KeeperBirth{.control = control.keepers.get(), .image = image.get(), .place = place});
  int pidfd = -1;
  const long pid = [&] {
    const SignalsHeld held;
    return begin_birth(*keeper.birth_, pidfd);
  }();
  if (pid < 0) return clone_error(place, static_cast<int>(-pid));
  keeper.pid_ = static_cast<pid_t>(pid);
  keeper.control_ = std::move(control.ours);
  keeper.handle_ = Fd(pidfd);
  return keeper;
}

KeeperProcess KeeperProcess::adopt_early() {
  KeeperProcess keeper;
  keeper.birth_.reset(&early_keeper.birth);
  keeper.pid_ = static_cast<pid_t>(early_keeper.pid);
  keeper.control_ = Fd(early_keeper.control);
  keeper.handle_ = Fd(early_keeper.pidfd);
  if (early_keeper.foundation.word == EarlyWord::said) keeper.told_ = &early_keeper.foundation;
  early_keeper.pid = 0;
  return keeper;
}

void KeeperProcess::end_early() {
  if (early_keeper.pid != 0) adopt_early();
}

void KeeperProcess::EndOfBirth::operator()(KeeperBirth* birth) const {
  end_birth(*birth);
  if (birth != &early_keeper.birth) delete birth;
}

// The first one ends before the second one is made: there may not be namespaces enough for both.
Result<void> KeeperProcess::start_again() {
  const KeeperPlace place = birth_->place;
  *this = KeeperProcess();
  BAWN_ASSIGN(*this, start(place));
  return {};
}

// What this one was ends with `other`.
KeeperProcess& KeeperProcess::operator=(KeeperProcess&& other) noexcept {
  std::swap(birth_, other.birth_);
  std::swap(control_, other.control_);
  std::swap(handle_, other.handle_);
  std::swap(told_, other.told_);
  std::swap(pid_, other.pid_);
  return *this;
}

Result<void> KeeperProcess::arrive() {
  end_birth(*birth_);
  const int error = birth_->error;
  birth_.reset();
  if (error != 0) return system_error(error, "exec of the keeper");
  return {};
}

KeeperProcess::~KeeperProcess() {
  if (!handle_) return;
  siginfo_t ignored{};
  syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
  sys::retried([&] {
    return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle_.get()), &ignored, WEXITED);
  });
}

}  // namespace bawn
