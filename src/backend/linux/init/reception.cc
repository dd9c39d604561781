#include "backend/linux/init/reception.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

struct Message {
  char* bytes;
  std::size_t size;

  [[nodiscard]] const Head& head() const { return *reinterpret_cast<const Head*>(bytes); }
};

// The sender must not be able to change or shorten the file once it has been checked.
long verify_sealed(int file) {
  constexpr long kSeals = F_SEAL_WRITE | F_SEAL_SHRINK;
  const long seals = kernel(__NR_fcntl, file, F_GET_SEALS, 0);
  if (seals < 0) return seals;
  return (seals & kSeals) == kSeals ? 0 : kEinval;
}

long map_message(int file, Message& message) {
  if (const long error = verify_sealed(file); error < 0) return error;
  const long size = kernel(__NR_lseek, file, 0, SEEK_END);
  if (size < 0) return size;
  if (size < static_cast<long>(sizeof(Head))) return kEinval;
  const long mapped =
      kernel(__NR_mmap, nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapped < 0 && mapped > -4096) return mapped;
  message = {reinterpret_cast<char*>(mapped), static_cast<std::size_t>(size)};
  return 0;
}

// Each slot that the message names must have exactly one file, and no slot may be filled twice. The
// trees are the rest.
long sort_files(const Head& head, const int* received, std::size_t count, Reception& reception) {
  std::size_t taken = 0;
  for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
    if ((head.slots & 1U << slot) == 0) continue;
    if (taken == count || reception.files[slot] >= 0) return kEinval;
    reception.files[slot] = received[taken++];
  }
  if (count - taken != head.trees || head.trees > kMostTrees) return kEinval;
  for (std::uint32_t i = 0; i < head.trees; ++i) reception.trees[i] = received[taken++];
  return 0;
}

// Storage for messages that come as datagrams: a setup message and an exec message.
alignas(8) char rooms[2][kMostInMessage];

struct Datagram {
  long size;
  const int* files;
  std::size_t count;
};

// The message is the datagram itself, or the content of the first file.
long find_message(Datagram& datagram, char* room, Message& message) {
  if (datagram.size == 1 && datagram.count > 0) {
    if (const long error = map_message(datagram.files[0], message); error < 0) return error;
    kernel(__NR_close, datagram.files[0]);
    ++datagram.files;
    --datagram.count;
    return 0;
  }
  if (datagram.size < static_cast<long>(sizeof(Head))) return kEinval;
  message = {room, static_cast<std::size_t>(datagram.size)};
  return 0;
}

// Not decoded yet.
long receive_message(int control, char* room, Message& message, Reception& reception) {
  struct iovec place = {room, kMostInMessage};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int) * (slot_count + 1 + kMostTrees))];
  struct msghdr header = {};
  header.msg_iov = &place;
  header.msg_iovlen = 1;
  header.msg_control = space;
  header.msg_controllen = sizeof space;
  const long size = kernel(__NR_recvmsg, control, &header, MSG_CMSG_CLOEXEC);
  if (size < 0) return size;
  if ((header.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0) return kEinval;
  const auto* sent = reinterpret_cast<const struct cmsghdr*>(space);
  const bool has_files =
      header.msg_controllen >= CMSG_LEN(sizeof(int)) && sent->cmsg_type == SCM_RIGHTS;
  Datagram datagram = {.size = size,
                       .files = reinterpret_cast<const int*>(CMSG_DATA(sent)),
                       .count = has_files ? (sent->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0};
  if (const long error = find_message(datagram, room, message); error < 0) return error;
  return sort_files(message.head(), datagram.files, datagram.count, reception);
}

long take_exec(const Message& message, Reception& reception) {
  const ExecContext context = {.in_namespaces = reception.in_namespaces,
                               .sequence = reception.sequence + 1};
  if (!decode_exec(message.bytes, message.size, context, reception.exec)) return kEinval;
  reception.sequence = reception.exec.sequence;
  return 0;
}

}  // namespace

long receive_setup(int control, Reception& reception) {
  Message message = {};
  if (const long error = receive_message(control, rooms[0], message, reception); error < 0)
    return error;
  if (message.head().magic != kSetupMagic) return take_exec(message, reception);
  reception.in_namespaces = decode_setup(message.bytes, message.size, reception.setup);
  return reception.in_namespaces ? 0 : kEinval;
}

long receive_exec(int control, Reception& reception) {
  struct pollfd watched[2] = {{.fd = control, .events = POLLIN, .revents = 0},
                              {.fd = reception.files[slot_parent], .events = POLLIN, .revents = 0}};
  if (const long error = kernel(__NR_ppoll, watched, 2, nullptr, nullptr, 0); error < 0)
    return error;
  if (watched[1].revents != 0) return kEsrch;
  Message message = {};
  if (const long error = receive_message(control, rooms[1], message, reception); error < 0)
    return error;
  return take_exec(message, reception);
}

}  // namespace bawn::init
