#include "run/receipt_lines.h"

#include <utility>

#include "base/text.h"

namespace bawn {

void ReceiptLines::add(std::string layer, LayerState state, std::string evidence) {
  lines_.push_back({std::move(layer), state, std::move(evidence)});
}

void ReceiptLines::enforced(std::string layer, std::string evidence) {
  add(std::move(layer), LayerState::enforced, std::move(evidence));
}

void ReceiptLines::absent(std::string layer, std::string evidence) {
  add(std::move(layer), LayerState::absent, std::move(evidence));
}

void ReceiptLines::not_requested(std::string layer, std::string evidence) {
  add(std::move(layer), LayerState::not_requested, std::move(evidence));
}

void ReceiptLines::add_unconfined() {
  not_requested("sandbox", "the policy asks for a run without a sandbox");
}

void ReceiptLines::add_limit(std::string_view name, std::string_view key, const Limit& limit,
                             std::string evidence) {
  std::string layer = concat("limit.", name);
  for (const AbsentLimit& lacking : plan_.absent_limits) {
    if (lacking.name == key) return absent(std::move(layer), lacking.why);
  }
  if (!limit) return not_requested(std::move(layer), "unlimited");
  for (const PartialLimit& partial : plan_.partial_limits) {
    if (partial.name == key)
      return add(std::move(layer), LayerState::partial,
                 concat(evidence, "; ", partial.what_escapes));
  }
  enforced(std::move(layer), std::move(evidence));
}

void ReceiptLines::add_wall_time() {
  const Limit& limit = plan_.limits.wall_time_ms;
  add_limit("wall_time", "wall_time_ms", limit, concat("timer of ", limit.value_or(0), " ms"));
}

void ReceiptLines::add_output() {
  const Limit& limit = plan_.limits.output_bytes;
  add_limit("output", "output_bytes", limit,
            concat("counted by the supervisor, ", limit.value_or(0), " bytes"));
}

}  // namespace bawn
