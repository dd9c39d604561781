// The kernel's side of a filter, in user space: what it answers to a call that nobody makes.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>

namespace bawn::test {

// SECCOMP_RET_* with its data. Throws std::logic_error on anything the kernel would not have
// loaded: an instruction it does not know, a jump out of the filter, a load that is not of a whole
// word, an end without an answer.
[[nodiscard]] std::uint32_t evaluate(std::span<const sock_filter> filter, const seccomp_data& call);

// Whether the kernel can know beforehand, from number and architecture alone, that the call is
// allowed. Such calls cost nothing: it keeps them in a bitmap.
[[nodiscard]] bool always_allowed(std::span<const sock_filter> filter, const seccomp_data& call);

}  // namespace bawn::test
