#include "capture/intake.h"

#include <algorithm>
#include <limits>

namespace bawn {
namespace {

// Grows in few large steps. Reserved memory that was never written costs nothing, but each buffer
// that was outgrown does: doubling up to the cap would leave about as much garbage in the heap
// again.
void make_room(std::string& kept, std::size_t more, std::size_t most) {
  const std::size_t needed = kept.size() + more;
  if (needed <= kept.capacity()) return;
  for (const std::size_t size : {kPumpChunk, 16 * kPumpChunk, most}) {
    if (needed <= size) return kept.reserve(std::min(size, std::max(needed, most)));
  }
}

}  // namespace

std::size_t OutputQuota::admit(std::size_t n) {
  const std::uint64_t before = written_;
  // Saturates. If the counter wrapped around to 0, the budget would be open again.
  written_ += std::min<std::uint64_t>(n, std::numeric_limits<std::uint64_t>::max() - before);
  if (!limit_) return n;
  const std::uint64_t room = *limit_ - std::min(before, *limit_);
  return static_cast<std::size_t>(std::min<std::uint64_t>(n, room));
}

OutputStock::OutputStock(Limit limit)
    : quota(limit),
      most(static_cast<std::size_t>(
          std::min<std::uint64_t>(limit.value_or(kMaxKeptBytes), kMaxKeptBytes))) {}

std::string_view Intake::admit(OutputStock& stock, std::string_view bytes) {
  result_.bytes += bytes.size();
  const std::size_t admitted = stock.quota.admit(bytes.size());
  if (admitted < bytes.size()) result_.truncated = true;
  return bytes.substr(0, admitted);
}

// A consumer has no cap: nothing is kept here.
void Intake::consume(std::string_view bytes) {
  if (bytes.empty() || result_.relay_errno != 0) return;
  if (const int error = consumer_(bytes); error != 0) lose(error);
}

void Intake::consume_kept() {
  consume(result_.kept);
  result_.kept.clear();
}

void Intake::keep(OutputStock& stock, std::string_view bytes) {
  if (bytes.empty()) return;
  if (consumer_) {
    if (filter_ == nullptr) return consume(bytes);
    filter_->feed(bytes, result_.kept);
    return consume_kept();
  }
  if (stock.room == 0) {
    result_.truncated = true;
    return;
  }
  const std::size_t before = result_.kept.size();
  make_room(result_.kept, std::min(bytes.size(), stock.room), stock.most);
  if (filter_ != nullptr) {
    filter_->feed(bytes, result_.kept);
  } else {
    // Append no more than fits: the rest would enlarge the buffer and then be cut off.
    result_.kept.append(bytes.substr(0, stock.room));
    if (bytes.size() > stock.room) result_.truncated = true;
  }
  fit(stock, before);
}

// A filter may append more than it was given (a marker longer than the secret), so the cap applies
// to its output.
void Intake::fit(OutputStock& stock, std::size_t size_before) {
  const std::size_t grown = result_.kept.size() - size_before;
  const std::size_t kept = std::min(grown, stock.room);
  if (kept < grown) {
    result_.kept.resize(size_before + kept);
    result_.truncated = true;
  }
  stock.room -= kept;
}

void Intake::count(OutputStock& stock, std::size_t bytes) {
  result_.bytes += bytes;
  if (stock.quota.admit(bytes) < bytes) result_.truncated = true;
}

void Intake::lose(int relay_errno) {
  if (relay_errno != 0) result_.relay_errno = relay_errno;
  result_.truncated = true;
}

void Intake::lose_unread(std::size_t bytes) {
  result_.unread += bytes;
  result_.truncated = true;
}

PumpedStream Intake::finish(OutputStock& stock) {
  if (filter_ != nullptr) {
    const std::size_t before = result_.kept.size();
    filter_->finish(result_.kept);
    consumer_ ? consume_kept() : fit(stock, before);
  }
  if (result_.kept.size() < result_.kept.capacity() / 2) result_.kept.shrink_to_fit();
  return std::exchange(result_, {});
}

}  // namespace bawn
