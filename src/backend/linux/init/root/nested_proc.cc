#include "backend/linux/init/root/nested_proc.h"

#include <fcntl.h>

#include "backend/linux/init/kernel.h"
#include "backend/linux/init/root/namespaces.h"
#include "backend/linux/init/root/new_root.h"

namespace bawn::init {
namespace {

// Whether the destination is /proc or below it.
bool is_in_proc(const MountOp& op) {
  const char* path = op.destination;
  constexpr char kProc[] = "/proc";
  for (std::size_t i = 0; i + 1 < sizeof kProc; ++i) {
    if (path[i] != kProc[i]) return false;
  }
  const char next = path[sizeof kProc - 1];
  return next == 0 || next == '/';
}

// The index of /proc itself: its op comes before those of the mounts below it.
std::int32_t proc_op(const Setup& setup) {
  std::uint32_t i = 0;
  while (i < setup.base_mounts.count && !is_in_proc(setup.base_mounts.at[i])) ++i;
  return static_cast<std::int32_t>(i);
}

// These mounts replace those that went with init's /proc and were counted then, so the count is
// restored.
long make_mounts(const Setup& setup, Readback& readback, std::int32_t& op) {
  const std::uint32_t counted = readback.mounts_made;
  NewRoot root(setup, -1, readback, nullptr);
  if (const long error = root.reopen(); error < 0) return error;
  for (std::uint32_t i = 0; i < setup.base_mounts.count; ++i) {
    const MountOp& mount = setup.base_mounts.at[i];
    if (!is_in_proc(mount)) continue;
    op = static_cast<std::int32_t>(i);
    if (const long error = root.make(mount); error < 0) return error;
  }
  readback.mounts_made = counted;
  return 0;
}

// The new /proc shows this process as 1; init's /proc would show its pid in init's namespace.
long expect_own_number() {
  char number[8];
  const long length = kernel(__NR_readlinkat, AT_FDCWD, "/proc/self", number, sizeof number);
  if (length < 0) return length;
  return length == 1 && number[0] == '1' ? 0 : kEsrch;
}

}  // namespace

// Never inlined: a NewRoot is large, and inlining would add it to the stack frame of every
// command's start.
[[gnu::noinline]] long exchange_proc(const Setup& setup, const Exec& exec, Readback& readback,
                                     std::int32_t& op) {
  std::uint64_t& shown = readback.namespaces[kPidNamespace];
  const std::uint64_t of_init = shown;
  shown = 0;
  if (readback.fresh_proc != 1) return 0;
  op = proc_op(setup);
  if (const long error = make_mounts(setup, readback, op); error < 0) return error;
  op = proc_op(setup);
  if (const long error = expect_own_number(); error < 0) return error;
  if (const long error = read_namespace(AT_FDCWD, "/proc/self/ns/pid", shown); error < 0)
    return error;
  const bool is_new = shown != of_init && shown != exec.outer_namespaces[kPidNamespace];
  return is_new ? 0 : kEsrch;
}

}  // namespace bawn::init
