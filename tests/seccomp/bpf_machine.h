// Evaluates a seccomp filter in user space, for calls that are made up. Nothing is executed.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>

namespace bawn::linux_::test {

// The filter's SECCOMP_RET_* with its data. Throws std::logic_error if evaluation reaches something
// that bawn's compiler must not emit: an unknown instruction, a jump out of the filter, an
// unaligned load or one from outside of the call, an end without an answer.
[[nodiscard]] std::uint32_t evaluate(std::span<const sock_filter> filter, const seccomp_data& call);

// Whether the filter allows the call without reading its arguments. The kernel keeps such calls in
// a bitmap and does not run the filter for them.
[[nodiscard]] bool always_allowed(std::span<const sock_filter> filter, const seccomp_data& call);

}  // namespace bawn::linux_::test
