// Base of each system's receipt: collects its lines, and writes those that are the same everywhere.
//
// A line says of one layer whether it is enforced, absent or not requested, and how that is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

class ReceiptLines {
 protected:
  // `plan` is borrowed and must outlive this.
  explicit ReceiptLines(const Plan& plan) : plan_(plan) {}

  // Each adds one line. `evidence` says how the state is known.
  void add(std::string layer, LayerState state, std::string evidence);
  void enforced(std::string layer, std::string evidence);
  void absent(std::string layer, std::string evidence);
  void not_requested(std::string layer, std::string evidence);

  // The lines of a run without a sandbox.
  void add_unconfined();

  // Adds "limit.NAME". `key` is the policy key, by which the plan lists absent and partial limits.
  void add_limit(std::string_view name, std::string_view key, const Limit& limit,
                 std::string evidence);
  // Limits that bawn itself enforces.
  void add_wall_time();
  void add_output();

  [[nodiscard]] const Plan& plan() const { return plan_; }
  // Moves the lines out; this is empty afterwards.
  [[nodiscard]] std::vector<Enforcement> take() { return std::move(lines_); }

 private:
  const Plan& plan_;
  std::vector<Enforcement> lines_;
};

}  // namespace bawn
