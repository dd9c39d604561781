#include "linux/keeper/reception.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "linux/keeper/kernel.h"

namespace bawn::keeper {
namespace {

constexpr long kEinval = -22;

// Turns an array of offsets, ended by 0, into an array of addresses.
void to_pointers(Program* program, std::uint32_t array) {
  const auto base = reinterpret_cast<std::uint64_t>(program);
  for (auto* entry = reinterpret_cast<std::uint64_t*>(base + array); *entry != 0; ++entry) *entry += base;
}

long map_program(int file, Program*& program) {
  Program header;
  const long got = kernel(__NR_pread64, file, &header, sizeof header, 0);
  if (got < 0) return got;
  if (got != static_cast<long>(sizeof header) || header.magic != kMagic || header.size < sizeof header) {
    return kEinval;
  }
  const long mapped = kernel(__NR_mmap, nullptr, header.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapped < 0 && mapped > -4096) return mapped;
  program = reinterpret_cast<Program*>(mapped);
  to_pointers(program, program->argv);
  to_pointers(program, program->envp);
  return 0;
}

// One file for each slot that the program names, no more and no fewer.
long sort_files(const Program& program, const int* received, std::size_t count, int (&files)[slot_count]) {
  std::size_t taken = 0;
  for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
    const bool named = (program.slots & 1U << slot) != 0;
    if (named && taken == count) return kEinval;
    files[slot] = named ? received[taken++] : -1;
  }
  return taken == count ? 0 : kEinval;
}

}  // namespace

long receive_program(int control, Program*& program, int (&files)[slot_count]) {
  char byte = 0;
  struct iovec text = {&byte, 1};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int) * slot_count)] = {};
  struct msghdr message = {};
  message.msg_iov = &text;
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
  if (const long error = map_program(received[0], program); error < 0) return error;
  return sort_files(*program, received, count, files);
}

}  // namespace bawn::keeper
