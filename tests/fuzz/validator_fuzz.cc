// For any request the validator gives a verdict, gives the same one twice, explains each violation,
// and never accepts what the policy cannot allow.
//
// The first byte chooses policy, tier and form. The rest is a request as JSON, or one argument a
// line. The second form lets the fuzzer reach the arguments without valid JSON.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "base/text.h"
#include "policy/policy.h"
#include "policy/preset.h"
#include "request/request.h"
#include "validate/fake_lookup.h"
#include "validate/validate.h"

namespace {

using bawn::FakeLookup;
using bawn::Policy;
using bawn::Request;
using bawn::Tier;
using bawn::Verdict;

void require(bool property) {
  if (!property) __builtin_trap();
}

const FakeLookup& tree() {
  static const FakeLookup lookup{{"/usr/bin/ls", "exe"},
                                 {"/usr/bin/cat", "exe"},
                                 {"/usr/bin/env", "exe"},
                                 {"/usr/bin/xargs", "exe"},
                                 {"/usr/bin/find", "exe"},
                                 {"/usr/bin/timeout", "exe"},
                                 {"/usr/bin/git", "exe"},
                                 {"/usr/bin/tar", "exe"},
                                 {"/usr/bin/sed", "exe"},
                                 {"/usr/bin/rm", "exe"},
                                 {"/usr/bin/bash", "exe"},
                                 {"/usr/bin/sh", "link:bash"},
                                 {"/usr/bin/python3", "exe"},
                                 {"/usr/bin/sudo", "setuid"},
                                 {"/usr/bin/busybox", "exe"},
                                 {"/bin", "link:usr/bin"},
                                 {"/etc/passwd", "file"},
                                 {"/work/script", "script:#!/usr/bin/env python3"},
                                 {"/work/copy", "copy:/usr/bin/bash"},
                                 {"/work/out", "link:/etc"},
                                 {"/work/loop", "link:loop"},
                                 {"/work/a", "file"}};
  return lookup;
}

// A policy as a careful person writes it: a few programs and nothing else.
Policy few_programs() {
  Policy policy = *bawn::preset("agent");
  policy.executables.allow = {"ls", "cat", "env", "timeout", "xargs", "find", "git", "tar", "sed"};
  return policy;
}

Policy choose_policy(unsigned choice) {
  const auto names = bawn::preset_names();
  return choice < names.size() ? *bawn::preset(names[choice]) : few_programs();
}

std::optional<Request> read_json(std::string_view text) {
  auto parsed = bawn::parse_request(std::string(text));
  if (auto* request = std::get_if<Request>(&parsed)) return *request;
  return std::nullopt;
}

std::optional<Request> read_lines(std::string_view text) {
  Request request;
  for (const std::string_view line : bawn::split(text, '\n')) request.args.emplace_back(line);
  request.command = request.args.front();
  request.args.erase(request.args.begin());
  if (!bawn::check_request(request, bawn::RequestSource::model).empty()) return std::nullopt;
  return request;
}

Verdict judge(const Policy& policy, const Request& request, Tier tier) {
  bawn::ValidationContext context;
  context.tier = tier;
  context.lookup = &tree();
  context.workspace = policy.workspace.mode == bawn::WorkspaceMode::private_dir ? "" : "/work";
  return bawn::validate(policy, request, context);
}

void require_explained(const Verdict& verdict) {
  for (const bawn::Violation& violation : verdict.violations) {
    require(violation.code.find('.') != std::string::npos);
    require(!violation.message.empty() && !violation.hint.empty());
  }
}

void require_sound(const Verdict& verdict, const Policy& policy, Tier tier) {
  if (!verdict.allowed()) return;
  require(verdict.program.file.kind == bawn::FileKind::regular && verdict.program.file.executable);
  require(!verdict.program.argv.empty());
  if (tier == Tier::unconfined) return;
  const std::string& path = verdict.program.file.path;
  require(path != "/usr/bin/sudo");
  if (policy.executables.allow_all) return;
  const std::set<std::string> allowed(policy.executables.allow.begin(),
                                      policy.executables.allow.end());
  require(path.starts_with("/usr/bin/") && allowed.contains(path.substr(9)));
}

// A policy that allows more has no new violations. A policy that blocks more allows nothing new.
void require_monotonic(const Verdict& verdict, const Policy& policy, const Request& request,
                       Tier tier) {
  Policy wider = policy;
  wider.executables.allow_all = true;
  wider.executables.interpreters = true;
  wider.executables.from_workspace = true;
  if (verdict.allowed()) require(judge(wider, request, tier).allowed());
  Policy narrower = policy;
  narrower.executables.block.emplace_back("cat");
  if (!verdict.allowed()) require(!judge(narrower, request, tier).allowed());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto request = (choice & 8) != 0 ? read_lines(text) : read_json(text);
  if (!request) return 0;
  const Policy policy = choose_policy(choice & 7);
  const std::array<Tier, 4> tiers{Tier::b, Tier::c, Tier::b, Tier::unconfined};
  const Tier tier = tiers[choice >> 4 & 3];

  const Verdict verdict = judge(policy, *request, tier);
  require(verdict.violations == judge(policy, *request, tier).violations);
  require_explained(verdict);
  require_sound(verdict, policy, tier);
  require_monotonic(verdict, policy, *request, tier);
  if (tier != Tier::unconfined) require(!judge(*bawn::preset("agent"), *request, tier).allowed());
  return 0;
}
