// The lines of an enforcement receipt, and those that are the same on every system. Each system's
// receipt derives from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

class ReceiptLines {
 protected:
  // `plan` is borrowed.
  explicit ReceiptLines(const Plan& plan) : plan_(plan) {}

  void add(std::string layer, LayerState state, std::string evidence);
  void enforced(std::string layer, std::string evidence);
  void absent(std::string layer, std::string evidence);
  void not_requested(std::string layer, std::string evidence);

  void add_unconfined();

  // "limit.NAME"; `key` is the policy's word for it, by which the plan knows that it is absent or
  // partial.
  void add_limit(std::string_view name, std::string_view key, const Limit& limit,
                 std::string evidence);
  // Those that bawn itself enforces.
  void add_wall_time();
  void add_output();

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] std::vector<Enforcement> take() { return std::move(lines_); }

 private:
  const Plan& plan_;
  std::vector<Enforcement> lines_;
};

}  // namespace bawn
