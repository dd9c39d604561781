#include "doctor/diagnosis.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/visible.h"
#include "json/print.h"

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNameWidth = 20;

struct PromiseRule {
  std::string_view text;
  std::vector<std::string_view> needs;
};

// Promises of tier c on Linux.
std::vector<PromiseRule> namespace_promises() {
  return {
      {"the command sees the workspace, the grants and a read-only system, and no other file",
       {"user-namespace", "mount-namespace", "mount-calls", "root-switch", "openat2"}},
      {"it has no network unless one is granted", {"user-namespace", "network-namespace"}},
      {"it sees and signals no process outside the run", {"user-namespace", "pid-namespace"}},
      {"nothing it starts outlives the run", {"user-namespace", "pid-namespace", "pidfd"}},
      {"it has no privileges, and dangerous system calls are refused",
       {"user-namespace", "seccomp"}},
      {"memory and processes are limited for everything it starts together", {"cgroup"}},
      {"it can have a private terminal", {"terminal"}},
  };
}

// Promises of tier c on macOS.
std::vector<PromiseRule> profile_promises() {
  return {
      {"paths and hosts among the arguments, programs and variables are judged before anything "
       "runs",
       {}},
      {"it gets stdin, stdout, stderr and a fresh environment, and nothing else", {"spawn"}},
      {"the command sees the workspace, the grants and a read-only system, and no other file",
       {"sandbox-exec", "file-profile"}},
      {"it has no network unless one is granted", {"sandbox-exec", "network-profile"}},
      {"what it is seen to start is ended with the run", {"spawn", "process-table"}},
      {"nothing it starts outlives the run", {"process-tree"}},
      {"memory and processes are limited for everything it starts together", {"tree-limits"}},
      {"it can have a private terminal", {"terminal"}},
  };
}

// Promises of tier b on Windows.
std::vector<PromiseRule> job_promises() {
  return {
      {"paths and hosts among the arguments, programs and variables are judged before anything "
       "runs",
       {}},
      {"it gets stdin, stdout, stderr and a fresh environment, and nothing else", {"handle-list"}},
      {"nothing it starts outlives the run", {"job-object"}},
      {"memory, processes and processor time are limited for everything it starts together",
       {"job-limits"}},
      {"it has no privileges, and not the power of an administrator", {"restricted-token"}},
      {"in a private workspace it can write nowhere else", {"low-integrity"}},
      {"the command sees the workspace, the grants and a read-only system, and no other file",
       {"file-confinement"}},
      {"it has no network unless one is granted", {"network-isolation"}},
      {"it sees and signals no process outside the run", {"process-isolation"}},
  };
}

bool is_among(const CheckResults& results, std::string_view name) {
  return std::ranges::find(results, name, &CheckResult::name) != results.end();
}

// Each system has checks that the others lack, so their names identify the system.
bool is_windows(const CheckResults& results) { return is_among(results, "job-object"); }
bool is_macos(const CheckResults& results) { return is_among(results, "sandbox-exec"); }

std::vector<PromiseRule> promises_of(const CheckResults& results) {
  if (is_windows(results)) return job_promises();
  return is_macos(results) ? profile_promises() : namespace_promises();
}

bool works(const CheckResults& results, std::string_view name) {
  return std::ranges::any_of(
      results, [&](const CheckResult& result) { return result.name == name && result.works; });
}

TierDiagnosis diagnose_tier(const CheckResults& results, bool CheckResult::*needed) {
  TierDiagnosis tier;
  bool any = false;
  for (const CheckResult& result : results) {
    if (!(result.*needed)) continue;
    any = true;
    if (!result.works) tier.missing.push_back(result.name);
  }
  tier.works = any && tier.missing.empty();
  return tier;
}

Promise judge(const PromiseRule& rule, const CheckResults& results) {
  Promise promise{.text = std::string(rule.text)};
  for (const std::string_view need : rule.needs) {
    if (!works(results, need)) promise.missing.emplace_back(need);
  }
  promise.holds = promise.missing.empty();
  return promise;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) out.resize(width, ' ');
  return out;
}

// Puts `label` before the first line of `text` and indents the other lines to the same width.
std::string block(std::string_view label, std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    out += concat("      ", out.empty() ? padded(label, 6) : padded("", 6), line, "\n");
  }
  return out;
}

std::string result_text(const CheckResult& result) {
  std::string out = concat(result.works ? "ok    " : "no    ", padded(result.name, kNameWidth),
                           result.evidence, "\n");
  if (result.works) return out;
  if (!result.otherwise.empty()) out += block("then", result.otherwise);
  if (!result.fix.empty()) out += block("fix", result.fix);
  return out;
}

std::string tier_text(std::string_view name, const TierDiagnosis& tier) {
  if (tier.works) return concat("tier ", name, " works\n");
  return concat("tier ", name, " does not work here: it needs ", enumerated(tier.missing), "\n");
}

std::string promise_text(const Promise& promise) {
  if (promise.holds) return concat("ok    ", promise.text, "\n");
  return concat("no    ", promise.text, ": needs ", enumerated(promise.missing), "\n");
}

Json tier_json(const TierDiagnosis& tier) {
  return {{"works", tier.works}, {"missing", tier.missing}};
}

Json result_json(const CheckResult& result) {
  Json tiers = Json::array();
  if (result.for_tier_b) tiers.push_back("b");
  if (result.for_tier_c) tiers.push_back("c");
  return {{"name", result.name},           {"works", result.works},
          {"needed_for_tiers", tiers},     {"evidence", result.evidence},
          {"otherwise", result.otherwise}, {"fix", result.fix}};
}

}  // namespace

Diagnosis diagnose(const CheckResults& results) {
  Diagnosis diagnosis{diagnose_tier(results, &CheckResult::for_tier_b),
                      diagnose_tier(results, &CheckResult::for_tier_c),
                      {}};
  for (const PromiseRule& rule : promises_of(results))
    diagnosis.promises.push_back(judge(rule, results));
  return diagnosis;
}

std::string diagnosis_text(const CheckResults& results) {
  const Diagnosis diagnosis = diagnose(results);
  std::string out;
  for (const CheckResult& result : results) out += result_text(result);
  out += concat("\n", tier_text("b", diagnosis.tier_b), tier_text("c", diagnosis.tier_c));
  out += concat("\nWhat tier ", is_windows(results) ? "b" : "c", " promises on this host:\n");
  for (const Promise& promise : diagnosis.promises) out += promise_text(promise);
  return visible(out, Layout::lines);
}

std::string diagnosis_json(const CheckResults& results) {
  const Diagnosis diagnosis = diagnose(results);
  Json out;
  out["schema"] = "bawn.doctor.v1";
  out["tiers"] = {{"b", tier_json(diagnosis.tier_b)}, {"c", tier_json(diagnosis.tier_c)}};
  out["promises"] = Json::array();
  for (const Promise& promise : diagnosis.promises) {
    out["promises"].push_back(
        {{"promise", promise.text}, {"holds", promise.holds}, {"missing", promise.missing}});
  }
  out["findings"] = Json::array();
  for (const CheckResult& result : results) out["findings"].push_back(result_json(result));
  return concat(json::visible_json(out), "\n");
}

}  // namespace bawn
