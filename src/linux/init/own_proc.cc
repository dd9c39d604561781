#include "linux/init/own_proc.h"

#include <fcntl.h>

#include "linux/init/kernel.h"
#include "linux/init/namespaces.h"
#include "linux/init/new_root.h"

namespace bawn::init {
namespace {

const Part* standing_parts(const SetupMessage& setup) {
  return reinterpret_cast<const Part*>(reinterpret_cast<std::uintptr_t>(&setup) +
                                       setup.standing.parts);
}

// /proc itself stands before what is below it.
std::int32_t proc_part(const SetupMessage& setup) {
  std::uint32_t i = 0;
  while (i < setup.standing.count && (standing_parts(setup)[i].flags & part_in_proc) == 0) ++i;
  return static_cast<std::int32_t>(i);
}

// They take the places of those that went with init's /proc, and are counted already.
long make_parts(const SetupMessage& setup, Readback& readback, std::int32_t& part) {
  const std::uint32_t counted = readback.parts_made;
  NewRoot root(setup, -1, readback);
  if (const long error = root.reopen(); error < 0) return error;
  const Part* parts = standing_parts(setup);
  for (std::uint32_t i = 0; i < setup.standing.count; ++i) {
    if ((parts[i].flags & part_in_proc) == 0) continue;
    part = static_cast<std::int32_t>(i);
    if (const long error = root.make(parts[i], &setup); error < 0) return error;
  }
  readback.parts_made = counted;
  return 0;
}

// Init's /proc has another number for this process.
long expect_own_number() {
  char number[8];
  const long length = kernel(__NR_readlinkat, AT_FDCWD, "/proc/self", number, sizeof number);
  if (length < 0) return length;
  return length == 1 && number[0] == '1' ? 0 : kEsrch;
}

}  // namespace

// Never inlined: a NewRoot is large, and its caller is on the way of every command.
[[gnu::noinline]] long exchange_proc(const SetupMessage& setup, const ExecMessage& exec, Readback& readback,
                                     std::int32_t& part) {
  std::uint64_t& shown = readback.namespaces[kPidNamespace];
  const std::uint64_t of_init = shown;
  shown = 0;
  if (readback.fresh_proc != 1) return 0;
  part = proc_part(setup);
  if (const long error = make_parts(setup, readback, part); error < 0) return error;
  part = proc_part(setup);
  if (const long error = expect_own_number(); error < 0) return error;
  if (const long error = read_namespace(AT_FDCWD, "/proc/self/ns/pid", shown); error < 0) return error;
  const bool is_new = shown != of_init && shown != exec.outer_namespaces[kPidNamespace];
  return is_new ? 0 : kEsrch;
}

}  // namespace bawn::init
