#include "backend/linux/init/reception.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

// Turns an array of offsets, ended by 0, into an array of pointers, in place.
void to_pointers(ExecMessage* exec, std::uint32_t array) {
  const auto base = reinterpret_cast<std::uint64_t>(exec);
  for (auto* entry = reinterpret_cast<std::uint64_t*>(base + array); *entry != 0; ++entry)
    *entry += base;
}

std::uint32_t least_size(std::uint32_t magic) {
  if (magic == kSetupMagic) return sizeof(SetupMessage);
  return magic == kExecMagic ? sizeof(ExecMessage) : ~std::uint32_t{0};
}

long map_message(int file, Head*& message) {
  Head head;
  const long got = kernel(__NR_pread64, file, &head, sizeof head, 0);
  if (got < 0) return got;
  if (got != static_cast<long>(sizeof head) || head.size < least_size(head.magic)) return kEinval;
  const long mapped =
      kernel(__NR_mmap, nullptr, head.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapped < 0 && mapped > -4096) return mapped;
  message = reinterpret_cast<Head*>(mapped);
  return 0;
}

// Each slot that the message names must have exactly one file, and no slot may be filled twice.
long sort_files(const Head& head, const int* received, std::size_t count,
                int (&files)[slot_count]) {
  std::size_t taken = 0;
  for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
    if ((head.slots & 1U << slot) == 0) continue;
    if (taken == count || files[slot] >= 0) return kEinval;
    files[slot] = received[taken++];
  }
  return taken == count ? 0 : kEinval;
}

// Storage for messages that come as datagrams: a setup message and an exec message.
alignas(8) char rooms[2][kMostInMessage];

struct Datagram {
  long size;
  const int* files;
  std::size_t count;
};

// The message is the datagram itself, or the content of the first file.
long find_message(Datagram& datagram, char* room, Head*& message) {
  if (datagram.size == 1 && datagram.count > 0) {
    if (const long error = map_message(datagram.files[0], message); error < 0) return error;
    kernel(__NR_close, datagram.files[0]);
    ++datagram.files;
    --datagram.count;
    return 0;
  }
  if (datagram.size < static_cast<long>(sizeof(Head))) return kEinval;
  message = reinterpret_cast<Head*>(room);
  const bool is_whole = message->size == static_cast<std::uint32_t>(datagram.size) &&
                        message->size >= least_size(message->magic);
  return is_whole ? 0 : kEinval;
}

long receive_message(int control, char* room, Head*& message, int (&files)[slot_count]) {
  struct iovec place = {room, kMostInMessage};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int) * (slot_count + 1))] = {};
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
  return sort_files(*message, datagram.files, datagram.count, files);
}

void take_exec(Head* message, Reception& reception) {
  reception.exec = reinterpret_cast<ExecMessage*>(message);
  to_pointers(reception.exec, reception.exec->argv);
  to_pointers(reception.exec, reception.exec->envp);
}

}  // namespace

long receive_setup(int control, Reception& reception) {
  Head* message = nullptr;
  if (const long error = receive_message(control, rooms[0], message, reception.files); error < 0)
    return error;
  if (message->magic == kSetupMagic) {
    reception.setup = reinterpret_cast<SetupMessage*>(message);
  } else {
    take_exec(message, reception);
  }
  return reception.files[slot_parent] >= 0 ? 0 : kEinval;
}

long receive_exec(int control, Reception& reception) {
  struct pollfd watched[2] = {{.fd = control, .events = POLLIN, .revents = 0},
                              {.fd = reception.files[slot_parent], .events = POLLIN, .revents = 0}};
  if (const long error = kernel(__NR_ppoll, watched, 2, nullptr, nullptr, 0); error < 0)
    return error;
  if (watched[1].revents != 0) return kEsrch;
  Head* message = nullptr;
  if (const long error = receive_message(control, rooms[1], message, reception.files); error < 0)
    return error;
  if (message->magic != kExecMagic) return kEinval;
  take_exec(message, reception);
  return 0;
}

}  // namespace bawn::init
