#include "linux/keeper/reception.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "linux/keeper/kernel.h"

namespace bawn::keeper {
namespace {

// Turns an array of offsets, ended by 0, into an array of addresses.
void to_pointers(Program* program, std::uint32_t array) {
  const auto base = reinterpret_cast<std::uint64_t>(program);
  for (auto* entry = reinterpret_cast<std::uint64_t*>(base + array); *entry != 0; ++entry) *entry += base;
}

std::uint32_t least_size(std::uint32_t magic) {
  if (magic == kFoundationMagic) return sizeof(Foundation);
  return magic == kProgramMagic ? sizeof(Program) : ~std::uint32_t{0};
}

long map_text(int file, Head*& text) {
  Head head;
  const long got = kernel(__NR_pread64, file, &head, sizeof head, 0);
  if (got < 0) return got;
  if (got != static_cast<long>(sizeof head) || head.size < least_size(head.magic)) return kEinval;
  const long mapped = kernel(__NR_mmap, nullptr, head.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapped < 0 && mapped > -4096) return mapped;
  text = reinterpret_cast<Head*>(mapped);
  return 0;
}

// One file for each slot that the text names, no more and no fewer, and none twice.
long sort_files(const Head& head, const int* received, std::size_t count, int (&files)[slot_count]) {
  std::size_t taken = 0;
  for (std::uint32_t slot = slot_text + 1; slot < slot_count; ++slot) {
    if ((head.slots & 1U << slot) == 0) continue;
    if (taken == count || files[slot] >= 0) return kEinval;
    files[slot] = received[taken++];
  }
  return taken == count ? 0 : kEinval;
}

long receive_text(int control, Head*& text, int (&files)[slot_count]) {
  char byte = 0;
  struct iovec place = {&byte, 1};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int) * slot_count)] = {};
  struct msghdr message = {};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (const long error = kernel(__NR_recvmsg, control, &message, MSG_CMSG_CLOEXEC); error < 0) return error;
  const auto* header = reinterpret_cast<const struct cmsghdr*>(space);
  if ((message.msg_flags & MSG_CTRUNC) != 0 || message.msg_controllen < CMSG_LEN(sizeof(int)) ||
      header->cmsg_type != SCM_RIGHTS) {
    return kEinval;
  }
  const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  const int* received = reinterpret_cast<const int*>(CMSG_DATA(header));
  if (const long error = map_text(received[0], text); error < 0) return error;
  kernel(__NR_close, received[0]);
  return sort_files(*text, received + 1, count - 1, files);
}

void take_program(Head* text, Reception& reception) {
  reception.program = reinterpret_cast<Program*>(text);
  to_pointers(reception.program, reception.program->argv);
  to_pointers(reception.program, reception.program->envp);
}

}  // namespace

long receive_foundation(int control, Reception& reception) {
  Head* text = nullptr;
  if (const long error = receive_text(control, text, reception.files); error < 0) return error;
  if (text->magic == kFoundationMagic) {
    reception.foundation = reinterpret_cast<Foundation*>(text);
  } else {
    take_program(text, reception);
  }
  return reception.files[slot_parent] >= 0 ? 0 : kEinval;
}

long receive_program(int control, Reception& reception) {
  struct pollfd watched[2] = {{.fd = control, .events = POLLIN, .revents = 0},
                              {.fd = reception.files[slot_parent], .events = POLLIN, .revents = 0}};
  if (const long error = kernel(__NR_ppoll, watched, 2, nullptr, nullptr, 0); error < 0) return error;
  if (watched[1].revents != 0) return kEsrch;
  Head* text = nullptr;
  if (const long error = receive_text(control, text, reception.files); error < 0) return error;
  if (text->magic != kProgramMagic) return kEinval;
  take_program(text, reception);
  return 0;
}

}  // namespace bawn::keeper
