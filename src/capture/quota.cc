#include "capture/quota.h"

#include <algorithm>
#include <limits>

namespace bawn {

std::size_t OutputQuota::admit(std::size_t n) {
  const std::uint64_t before = written_;
  // Saturates. If the counter wrapped around to 0, the budget would be open again.
  written_ += std::min<std::uint64_t>(n, std::numeric_limits<std::uint64_t>::max() - before);
  if (!limit_) return n;
  const std::uint64_t room = *limit_ - std::min(before, *limit_);
  return static_cast<std::size_t>(std::min<std::uint64_t>(n, room));
}

}  // namespace bawn
