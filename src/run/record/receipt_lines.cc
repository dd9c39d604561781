#include "run/record/receipt_lines.h"

#include <utility>

#include "base/text.h"

namespace bawn {

std::vector<Enforcement> ReceiptLines::write() && {
  add_process();
  if (plan_.tier == Tier::unconfined) {
    not_requested("sandbox", "the policy asks for a run without a sandbox");
  } else {
    add_confinement();
  }
  add_git_hooks();
  add_limits();
  return std::move(lines_);
}

namespace {

LayerState state_of(const GitHooksPlan& hooks) {
  if (!hooks.open.empty()) return LayerState::not_requested;
  if (hooks.protect.empty() && hooks.still_missing.empty()) return LayerState::absent;
  const bool holds = hooks.unprotected.empty() && hooks.still_missing.empty();
  return holds ? LayerState::enforced : LayerState::partial;
}

Evidence evidence_of(const GitHooksPlan& hooks) {
  std::vector<std::string> read_only;
  for (const ProtectedInput& each : hooks.protect) read_only.push_back(each.file.path);
  std::vector<std::string> writable = hooks.open;
  for (const UnprotectedHooks& each : hooks.unprotected) writable.push_back(each.path);
  Evidence evidence;
  const auto add = [&](std::string_view name, const std::vector<std::string>& paths) {
    if (!paths.empty()) evidence.emplace_back(name, paths);
  };
  add("read_only", read_only);
  add("watched", hooks.still_missing);
  add("writable", writable);
  if (!hooks.unprotected.empty()) evidence.emplace_back("reason", hooks.unprotected.front().why);
  return evidence;
}

}  // namespace

// Without a repository that the command can write to there is nothing to say.
void ReceiptLines::add_git_hooks() {
  Evidence evidence = evidence_of(plan_.git_hooks);
  if (!evidence.empty()) add("git_hooks", state_of(plan_.git_hooks), std::move(evidence));
}

void ReceiptLines::add(std::string layer, LayerState state, Evidence evidence) {
  lines_.push_back({std::move(layer), state, std::move(evidence)});
}

void ReceiptLines::enforced(std::string layer, Evidence evidence) {
  add(std::move(layer), LayerState::enforced, std::move(evidence));
}

void ReceiptLines::absent(std::string layer, std::string reason) {
  add(std::move(layer), LayerState::absent, {{"reason", std::move(reason)}});
}

void ReceiptLines::not_requested(std::string layer, std::string reason) {
  add(std::move(layer), LayerState::not_requested, {{"reason", std::move(reason)}});
}

void ReceiptLines::add_network(std::string_view by) {
  if (!plan_.network.is_isolated()) return add_open_network();
  enforced("network",
           {{"isolated", true}, {"by", by}, {"reachable", to_string(plan_.network.reach)}});
}

void ReceiptLines::add_open_network() {
  add("network", LayerState::not_requested, {{"isolated", false}});
}

void ReceiptLines::add_limit(std::string_view name, std::string_view key, const Limit& limit,
                             Evidence evidence) {
  std::string layer = concat("limit.", name);
  for (const AbsentLimit& lacking : plan_.absent_limits) {
    if (lacking.name == key) return absent(std::move(layer), lacking.why);
  }
  if (!limit) return add(std::move(layer), LayerState::not_requested, {{"unlimited", true}});
  for (const PartialLimit& partial : plan_.partial_limits) {
    if (partial.name != key) continue;
    evidence.emplace_back("escapes", partial.what_escapes);
    return add(std::move(layer), LayerState::partial, std::move(evidence));
  }
  enforced(std::move(layer), std::move(evidence));
}

void ReceiptLines::add_wall_time() {
  const Limit& limit = plan_.limits.wall_time_ms;
  add_limit("wall_time", "wall_time_ms", limit, {{"timer_ms", limit}});
}

void ReceiptLines::add_output() {
  const Limit& limit = plan_.limits.output_bytes;
  add_limit("output", "output_bytes", limit, {{"supervisor_bytes", limit}});
}

}  // namespace bawn
