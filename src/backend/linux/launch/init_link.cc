#include "backend/linux/launch/init_link.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "backend/linux/wire/report.h"
#include "sys/call.h"
#include "sys/event_poll.h"

namespace bawn::linux_ {

InitLink::~InitLink() {
  shut_down();
  static_cast<void>(has_ended());
}

std::optional<InitLink::Received> InitLink::receive(End& end) const {
  std::array<char, sizeof(init::Report) + 1> bytes{};  // a longer datagram shows by its size
  iovec place = {bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = CMSG_LEN(sizeof(int));  // CMSG_SPACE would have room for two files
  const ssize_t got =
      sys::retried([&] { return recvmsg(control(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC); });
  end = got == -1 && errno == EAGAIN ? End::none : End::closed;
  if (got <= 0) return std::nullopt;
  Received received;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    int file = -1;
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
    received.file = Fd(file);
  }
  const auto report = decode_report({bytes.data(), static_cast<std::size_t>(got)});
  end = End::malformed;
  if (!report) return std::nullopt;
  received.report = *report;
  return received;
}

void InitLink::send(init::ControlCode code) const {
  sys::retried([&] { return ::send(control(), &code, sizeof code, MSG_NOSIGNAL | MSG_DONTWAIT); });
}

// Closing is not enough: a child that the caller forked meanwhile may hold the socket too.
void InitLink::shut_down() {
  if (!launched_.control) return;
  shutdown(launched_.control.get(), SHUT_RDWR);
  launched_.control.reset();
}

void InitLink::kill_namespace() const {
  if (is_pid_1()) syscall(SYS_pidfd_send_signal, pidfd(), SIGKILL, nullptr, 0);
}

bool InitLink::has_ended() {
  if (has_ended_) return true;
  has_ended_ = sys::becomes_readable(pidfd(), std::chrono::milliseconds(0));
  if (has_ended_) reap_init(pidfd());
  return has_ended_;
}

}  // namespace bawn::linux_
