// One budget for everything a run prints, stdout and stderr together.
//
// It counts all that was written, also what no longer fits, so that a record can say how much there
// was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "policy/policy.h"

namespace bawn {

class OutputQuota {
 public:
  // An empty limit admits everything; a limit of 0 nothing.
  explicit OutputQuota(Limit limit) : limit_(limit) {}

  // Counts `n` more bytes and returns how many of them, from the first on, are within the budget.
  [[nodiscard]] std::size_t admit(std::size_t n);

  [[nodiscard]] bool is_unlimited() const { return !limit_; }
  [[nodiscard]] std::uint64_t written() const { return written_; }
  // The budget may be used up to its last byte; one more exceeds it.
  [[nodiscard]] bool exceeded() const { return limit_ && written_ > *limit_; }

 private:
  Limit limit_;
  std::uint64_t written_ = 0;
};

}  // namespace bawn
