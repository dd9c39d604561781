// One output budget for a run: stdout and stderr together.
//
// It counts all bytes that were written, also those beyond the budget, so that the outcome can
// report the total. It stops nothing by itself; the supervisor ends the run when exceeded() is
// true. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "policy/limit.h"

namespace bawn {

class OutputQuota {
 public:
  // An empty limit admits everything; a limit of 0 admits nothing.
  explicit OutputQuota(Limit limit) : limit_(limit) {}

  // Counts `n` more bytes and returns how many of them, from the first on, are within the budget.
  [[nodiscard]] std::size_t admit(std::size_t n);

  [[nodiscard]] bool is_unlimited() const { return !limit_; }
  // The total, within the budget or not.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  // The budget may be used to its last byte; only one byte more exceeds it.
  [[nodiscard]] bool exceeded() const { return limit_ && written_ > *limit_; }

 private:
  Limit limit_;
  std::uint64_t written_ = 0;
};

}  // namespace bawn
