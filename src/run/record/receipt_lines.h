// Base of each system's receipt: the order of its parts, and the lines that are the same
// everywhere.
//
// A line says of one layer whether it is enforced, partial, absent or not requested, and how that
// is known. outcome/evidence_text.cc has the words for each field of the evidence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

class ReceiptLines {
 public:
  ReceiptLines(const ReceiptLines&) = delete;
  ReceiptLines& operator=(const ReceiptLines&) = delete;
  virtual ~ReceiptLines() = default;

  // All lines. An unconfined run has none of add_confinement().
  [[nodiscard]] std::vector<Enforcement> write() &&;

 protected:
  // `plan` is borrowed and must outlive this.
  explicit ReceiptLines(const Plan& plan) : plan_(plan) {}

  virtual void add_process() = 0;
  virtual void add_confinement() = 0;
  virtual void add_limits() = 0;

  // Each adds one line. `evidence` says how the state is known.
  void add(std::string layer, LayerState state, Evidence evidence);
  void enforced(std::string layer, Evidence evidence);
  // `reason` is free text for people.
  void absent(std::string layer, std::string reason);
  void not_requested(std::string layer, std::string reason);

  // `by` is what isolates the network where the plan asks for that.
  void add_network(std::string_view by);
  // For a network that the command shares with the host.
  void add_open_network();

  // Adds "limit.NAME". `key` is the policy key, by which the plan lists absent and partial limits.
  void add_limit(std::string_view name, std::string_view key, const Limit& limit,
                 Evidence evidence);
  // Limits that bawn itself enforces.
  void add_wall_time();
  void add_output();

  [[nodiscard]] const Plan& plan() const { return plan_; }

 private:
  void add_git_hooks();

  const Plan& plan_;
  std::vector<Enforcement> lines_;
};

}  // namespace bawn
