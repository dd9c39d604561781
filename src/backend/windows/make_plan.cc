#include <windows.h>

#include <utility>

#include "backend/windows/path_lookup.h"
#include "backend/windows/syntax/batch_file.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/syntax/words.h"
#include "backend/windows/system_text.h"
#include "backend/windows/windows_backend.h"
#include "base/text.h"
#include "policy/policy.h"
#include "validate/validate.h"

namespace bawn::windows {
namespace {

std::optional<std::string> process_variable(std::string_view name) {
  const auto wanted = wide(name);
  if (!wanted) return std::nullopt;
  std::wstring value(32768, L'\0');
  const DWORD length = GetEnvironmentVariableW(wanted.value().c_str(), value.data(),
                                               static_cast<DWORD>(value.size()));
  if (length == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
  return narrow({value.data(), length});
}

// A policy has a portable path; a caller of the library may give a native one.
std::string portable_workspace(const Policy& policy, const RunOptions& options) {
  std::string spelled = workspace_of(policy, options);
  if (spelled.empty() || spelled.starts_with('/')) return spelled;
  const auto portable = portable_path(spelled, "");
  return portable ? portable.value() : spelled;
}

// `path` is the caller's PATH: native directories separated by ';'.
std::vector<std::string> search_directories(std::string_view path, const PathLookup& lookup) {
  std::vector<std::string> portable;
  for (const std::string_view entry : split(path, ';')) {
    if (auto spelled = portable_path(entry, "")) portable.push_back(std::move(spelled).value());
  }
  return directories_among(std::vector<std::string_view>(portable.begin(), portable.end()), lookup,
                           Scope{}, "");
}

bool is_drive(char letter) {
  const DWORD drives = GetLogicalDrives();
  return letter >= 'a' && letter <= 'z' && (drives >> (letter - 'a') & 1U) != 0;
}

WordContext word_context(const std::string& directory, const PathLookup& lookup) {
  return {.directory = directory,
          .exists =
              [&lookup](std::string_view path) {
                return lookup.locate(path).kind != FileKind::missing;
              },
          .is_drive = is_drive};
}

// The validator follows `#!` lines, as Unix kernels do. Windows does not, so such a script is
// refused.
void refuse_script(const std::string& command, RunPlan& run_plan) {
  if (run_plan.plan.program.scripts.empty()) return;
  run_plan.refuse({{"executable.not_executable", command,
                    concat(quote(command), " is a script, which Windows does not start by itself"),
                    "call its interpreter with the script as argument"}});
}

}  // namespace

CallerVariable environment_of(const RunOptions& options) {
  return options.caller_env ? options.caller_env : process_variable;
}

// Everything is decided here before anything runs; files are looked up and not changed.
void WindowsBackend::make_plan(const RunInput& input, const RunIdentity& given, RunPlan& run_plan) {
  const auto& [policy, request, options, context_of_run] = input;
  RunIdentity identity = given;
  const CallerVariable caller_env = environment_of(options);
  identity.inputs = options.inputs;
  const std::string workspace = portable_workspace(policy, options);
  const std::string directory = workspace.empty() ? current_directory() : workspace;
  const WindowsLookup lookup(directory);
  const Tier tier = run_plan.tier.value_or(Tier::b);
  if (policy.executables.caller_path)
    identity.search = search_directories(caller_env("PATH").value_or(""), lookup);
  const Policy seen_policy = with_canonical_paths(policy, lookup);
  const Request seen = portable_request(request, word_context(directory, lookup));
  const ValidationContext context{.tier = tier,
                                  .lookup = &lookup,
                                  .workspace = workspace,
                                  .search = identity.search,
                                  .caller_env = caller_env};
  Verdict verdict = validate(seen_policy, seen, context);
  for (Violation& violation :
       judge_batch(policy.executables, tier, verdict.program.file.path, request.args))
    verdict.violations.push_back(std::move(violation));
  context_of_run.stopwatch().lap("validate");
  if (!run_plan.admits(verdict, policy)) return;
  run_plan.take(plan_run({.policy = seen_policy,
                          .request = seen,
                          .verdict = verdict,
                          .tier = tier,
                          .identity = identity,
                          .host = *run_plan.host,
                          .limits = {.cgroup_reason = run_plan.host->cgroup_reason},
                          .setup = run_plan.setup_or_null(),
                          .lookup = lookup}));
  refuse_script(request.command, run_plan);
  context_of_run.stopwatch().lap("plan");
}

}  // namespace bawn::windows
