#include "windows/prepare.h"

#include <windows.h>

#include <iterator>
#include <variant>

#include "base/text.h"
#include "host/probe.h"
#include "policy/policy_check.h"
#include "validate/validate.h"
#include "windows/path_lookup.h"
#include "windows/spelling/batch_rules.h"
#include "windows/spelling/path.h"
#include "windows/spelling/words.h"
#include "windows/system_text.h"

namespace bawn::windows {
namespace {

std::optional<std::string> process_variable(std::string_view name) {
  const auto wanted = wide(name);
  if (!wanted) return std::nullopt;
  std::wstring value(32768, L'\0');
  const DWORD length =
      GetEnvironmentVariableW(wanted.value().c_str(), value.data(), static_cast<DWORD>(value.size()));
  if (length == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
  return narrow({value.data(), length});
}

void append(Violations& to, Violations from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Violations as_violations(const std::string& code, const std::vector<json::Problem>& problems) {
  Violations out;
  for (const json::Problem& problem : problems)
    out.push_back({code, problem.where, problem.message, problem.hint});
  return out;
}

std::string workspace_of(const Policy& policy, const RunOptions& options) {
  if (policy.workspace.mode == WorkspaceMode::private_dir) return "";
  return policy.workspace.root.empty() ? options.workspace : policy.workspace.root;
}

// The caller's PATH: native, with ';' between its directories.
std::vector<std::string> search_directories(std::string_view path, const PathLookup& lookup) {
  std::vector<std::string> out;
  for (const std::string_view entry : split(path, ';')) {
    const auto portable = portable_path(entry, "");
    if (!portable) continue;
    Located located = lookup.locate(portable.value());
    if (located.kind == FileKind::directory) out.push_back(std::move(located.path));
  }
  return out;
}

// The same paths as the look-up tells them, so that a prefix is met in whatever case it was written.
Policy with_canonical_paths(Policy policy, const PathLookup& lookup) {
  for (std::string& path : policy.arguments.refuse_paths) {
    const Located located = lookup.locate(path);
    if (located.trouble.empty()) path = located.path;
  }
  return policy;
}

bool is_drive(char letter) {
  const DWORD drives = GetLogicalDrives();
  return letter >= 'a' && letter <= 'z' && (drives >> (letter - 'a') & 1U) != 0;
}

WordContext word_context(const std::string& directory, const PathLookup& lookup) {
  return {
      .directory = directory,
      .exists = [&lookup](std::string_view path) { return lookup.locate(path).kind != FileKind::missing; },
      .is_drive = is_drive};
}

class Preparation {
 public:
  Preparation(const Policy& policy, Request& request, const RunOptions& options)
      : policy_(policy), request_(request), options_(options) {}

  Prepared run(RunIdentity identity, Stopwatch& stopwatch) && {
    out_.repairs = normalise_request(request_);
    out_.violations = as_violations("policy.invalid", check_policy(policy_));
    append(out_.violations, as_violations("request.invalid", check_request(request_, options_.source)));
    if (!out_.violations.empty()) return std::move(out_);
    out_.host = probe_host();
    stopwatch.lap("probe");
    const auto tier = choose_tier(policy_, out_.host);
    if (const auto* unavailable = std::get_if<Violation>(&tier)) out_.violations.push_back(*unavailable);
    // The rest is checked all the same, so that the caller sees everything at once.
    if (std::holds_alternative<Tier>(tier)) out_.tier = std::get<Tier>(tier);
    judge(std::move(identity), stopwatch);
    return std::move(out_);
  }

 private:
  void judge(RunIdentity identity, Stopwatch& stopwatch) {
    const std::string workspace = workspace_of(policy_, options_);
    const std::string directory = workspace.empty() ? current_directory() : workspace;
    const WindowsLookup lookup(directory);
    const Tier tier = out_.tier.value_or(Tier::b);
    if (policy_.executables.caller_path)
      identity.search = search_directories(caller_variable(options_, "PATH").value_or(""), lookup);
    const Policy policy = with_canonical_paths(policy_, lookup);
    const Request seen = portable_request(request_, word_context(directory, lookup));
    const auto caller_env = [this](std::string_view name) { return caller_variable(options_, name); };
    const ValidationContext context{.tier = tier,
                                    .lookup = &lookup,
                                    .workspace = workspace,
                                    .search = identity.search,
                                    .caller_env = caller_env};
    Verdict verdict = validate(policy, seen, context);
    append(verdict.violations, judge_batch(policy_, tier, verdict.program.file.path, request_.args));
    stopwatch.lap("validate");
    const bool allowed = verdict.allowed();
    append(out_.violations, verdict.violations);
    if (!allowed) out_.tier.reset();
    if (!out_.tier) return;
    Planned planned = plan_run(policy, seen, verdict, tier, identity, out_.host, lookup);
    append(out_.violations, std::move(planned.violations));
    out_.plan = std::move(planned.plan);
    refuse_script();
    stopwatch.lap("plan");
  }

  // The validator follows `#!` lines, as Unix kernels do; Windows does not.
  void refuse_script() {
    if (out_.plan.program.scripts.empty()) return;
    out_.violations.push_back(
        {"executable.not_executable", request_.command,
         concat(quote(request_.command), " is a script, which Windows does not start by itself"),
         "call its interpreter with the script as argument"});
  }

  const Policy& policy_;
  Request& request_;
  const RunOptions& options_;
  Prepared out_;
};

}  // namespace

std::optional<std::string> caller_variable(const RunOptions& options, std::string_view name) {
  return options.caller_env ? options.caller_env(name) : process_variable(name);
}

Prepared prepare(const Policy& policy, Request& request, RunIdentity identity, const RunOptions& options,
                 Stopwatch& stopwatch) {
  return Preparation(policy, request, options).run(std::move(identity), stopwatch);
}

}  // namespace bawn::windows
