#include "backend/windows/launch.h"

#include "backend/windows/live_run.h"
#include "backend/windows/path_lookup.h"
#include "backend/windows/syntax/batch_file.h"
#include "backend/windows/syntax/command_line.h"
#include "backend/windows/syntax/path.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

Limit limit_in_plan(const Plan& plan, ProcessLimit wanted) {
  for (const LimitPlan& limit : plan.process_limits) {
    if (limit.limit == wanted) return limit.value;
  }
  return std::nullopt;
}

JobLimits job_limits(const Plan& plan) {
  return {.processes = limit_in_plan(plan, ProcessLimit::processes),
          .memory_bytes = limit_in_plan(plan, ProcessLimit::memory_data),
          .cpu_time_ms =
              limit_in_plan(plan, ProcessLimit::cpu_seconds) ? plan.limits.cpu_time_ms : Limit()};
}

Result<void> compare(std::string_view what, const Limit& wanted, std::uint64_t found) {
  if (!wanted || *wanted == found) return {};
  return unsupported_error(
      concat("the job was given ", *wanted, " as its limit of ", what, " and says ", found));
}

Result<void> verify_job(const JobLimits& limits, const JobReadback& told) {
  BAWN_TRY(compare("processes", limits.processes, told.processes));
  BAWN_TRY(compare("memory for each process", limits.memory_bytes, told.process_memory));
  BAWN_TRY(compare("memory", limits.memory_bytes, told.job_memory));
  BAWN_TRY(compare("processor time", limits.cpu_time_ms, told.cpu_time_ms));
  const bool tells = told.limit_flags != 0;
  if (tells && (told.limit_flags & kAlwaysLimited) != kAlwaysLimited)
    return unsupported_error("the job does not have the limits that every run has");
  if (tells && told.ui_restrictions != kUiRestrictions)
    return unsupported_error("the job does not keep from the user's windows");
  return {};
}

// A run that writes only to its private directory needs no write access elsewhere.
Integrity integrity_for(const Plan& plan) {
  return plan.private_workspace && plan.tier != Tier::unconfined ? Integrity::low
                                                                 : Integrity::callers;
}

std::string private_path(const Plan& plan) {
  return concat(plan.private_parent.path, "/", plan.private_name);
}

// A batch file is run by the system's cmd.exe; ComSpec is ignored, because the caller could set it.
Result<void> choose_program(const Plan& plan, const std::vector<std::string>& words,
                            SpawnOrder& order) {
  order.program = plan.program.file;
  BAWN_ASSIGN(const std::string native, native_path(plan.program.file.path));
  std::vector<std::string> line{native};
  line.insert(line.end(), words.begin() + 1, words.end());
  if (!is_batch_file(native)) {
    BAWN_ASSIGN(order.command_line, command_line(line));
    return {};
  }
  const WindowsLookup lookup(plan.program.file.path);
  order.program = lookup.locate(concat(lookup.trusted_path().front(), "/cmd.exe"));
  if (order.program.kind != FileKind::regular)
    return unsupported_error("there is no cmd.exe to run a batch file");
  BAWN_ASSIGN(const std::string processor, native_path(order.program.path));
  BAWN_ASSIGN(order.command_line, batch_command_line(processor, line));
  return {};
}

Result<SpawnOrder> spawn_order(const Plan& plan, const std::vector<std::string>& words,
                               const CallerVariable& caller, const Stdio& stdio) {
  SpawnOrder order{.environment = native_environment(plan.environment, caller), .stdio = stdio};
  BAWN_TRY(choose_program(plan, words, order));
  BAWN_ASSIGN(
      order.directory,
      native_path(plan.private_workspace ? concat(private_path(plan), "/work") : plan.cwd.path));
  return order;
}

}  // namespace

Result<Launched> launch(const Plan& plan, const std::vector<std::string>& words,
                        const CallerVariable& caller, const Stdio& stdio, HANDLE port) {
  LaunchReadback readback{.integrity = integrity_for(plan)};
  const JobLimits limits = job_limits(plan);
  BAWN_ASSIGN(Job job, Job::create(limits));
  readback.job = job.read_back();
  BAWN_TRY(verify_job(limits, readback.job));
  const JobProof proof = prove_end_on_close(job);
  if (!proof.holds)
    return unsupported_error(concat("the run could outlive bawn: ", proof.evidence));
  BAWN_TRY(job.report_to(port, kJobKey));

  std::optional<PrivateDirectory> directory;
  if (!plan.private_name.empty()) {
    BAWN_ASSIGN(PrivateDirectory made,
                PrivateDirectory::create(private_path(plan), readback.integrity));
    directory.emplace(std::move(made));
  }
  BAWN_ASSIGN(SpawnOrder order, spawn_order(plan, words, caller, stdio));
  Handle token;
  if (plan.tier != Tier::unconfined) {
    BAWN_ASSIGN(token, restricted_token(readback.integrity));
    order.token = token.get();
  }
  BAWN_ASSIGN(Spawned process, spawn(order, job));
  readback.token = process.token;
  return Launched{std::move(job), std::move(process), readback, std::move(directory)};
}

}  // namespace bawn::windows
