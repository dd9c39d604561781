#include "doctor/doctor.h"

#include <array>

#include "backend/windows/job.h"
#include "backend/windows/path_lookup.h"
#include "backend/windows/spawn.h"
#include "backend/windows/syntax/command_line.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "backend/windows/token.h"
#include "base/text.h"

namespace bawn {
namespace {

using windows::Integrity;
using windows::Job;

CheckResult check_job() {
  const auto job = Job::create({});
  CheckResult result{.name = "job-object", .for_tier_b = true};
  if (!job) {
    result.evidence = job.error().message;
    return result;
  }
  windows::JobProof proof = windows::prove_end_on_close(job.value());
  result.works = proof.holds;
  result.evidence = std::move(proof.evidence);
  return result;
}

CheckResult check_limits() {
  CheckResult result{
      .name = "job-limits",
      .otherwise = "a policy that limits them is refused, unless it calls them optional"};
  constexpr std::uint64_t kMemory = 1 << 30;
  const auto job = Job::create({.processes = 2, .memory_bytes = kMemory});
  if (!job) {
    result.evidence = job.error().message;
    return result;
  }
  const windows::JobReadback told = job.value().read_back();
  result.works = told.processes == 2 && told.job_memory == kMemory;
  result.evidence = concat("given 2 processes and ", kMemory, " bytes, the job says ",
                           told.processes, " and ", told.job_memory);
  return result;
}

// Starts this program as a run starts its command, to print its version to NUL.
Result<void> start_self() {
  std::array<wchar_t, 32768> name{};
  const DWORD length = GetModuleFileNameW(nullptr, name.data(), name.size());
  BAWN_ASSIGN(const std::string path,
              windows::portable_path(windows::narrow({name.data(), length}), ""));
  const windows::WindowsLookup lookup(path);
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  const windows::Handle null(CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE,
                                         FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable,
                                         OPEN_EXISTING, 0, nullptr));
  BAWN_ASSIGN(const Job job, Job::create({}));
  windows::SpawnOrder order{.program = lookup.locate(path),
                            .stdio = {null.get(), null.get(), null.get()}};
  BAWN_ASSIGN(order.directory, windows::native_path(lookup.trusted_path().front()));
  BAWN_ASSIGN(order.command_line,
              windows::command_line(std::vector<std::string>{"bawn", "--version"}));
  BAWN_TRY(windows::spawn(order, job));
  return {};
}

CheckResult check_handle_list() {
  const auto started = start_self();
  return {
      .name = "handle-list",
      .for_tier_b = true,
      .works = started.ok(),
      .evidence =
          started
              ? "a process was started suspended, with a list of its handles, and put into a job"
              : started.error().message};
}

CheckResult check_token() {
  CheckResult result{.name = "restricted-token",
                     .otherwise = "the receipt says that the command kept its privileges"};
  const auto token = windows::restricted_token(Integrity::callers);
  const auto facts = token ? windows::read_token(token.value().get()) : token.error();
  if (!facts) {
    result.evidence = facts.error().message;
    return result;
  }
  result.works = facts.value().privileges == 0 && !facts.value().administrator;
  result.evidence = concat("a restricted token has ", facts.value().privileges, " privileges",
                           facts.value().administrator ? " and is an administrator's" : "");
  return result;
}

CheckResult check_integrity() {
  CheckResult result{.name = "low-integrity",
                     .otherwise = "the receipt says that the command could write as the user can"};
  const auto token = windows::restricted_token(Integrity::low);
  const auto facts = token ? windows::read_token(token.value().get()) : token.error();
  if (!facts) {
    result.evidence = facts.error().message;
    return result;
  }
  result.works = facts.value().integrity == SECURITY_MANDATORY_LOW_RID;
  result.evidence = concat("a token that was lowered has integrity ", facts.value().integrity);
  return result;
}

// A feature that Windows has only for programs written for it.
CheckResult lacking(std::string_view name, std::string_view why, std::string_view otherwise) {
  return {.name = std::string(name),
          .for_tier_c = true,
          .otherwise = std::string(otherwise),
          .evidence = std::string(why)};
}

}  // namespace

CheckResults examine_host() {
  return {
      check_job(),
      check_handle_list(),
      check_limits(),
      check_token(),
      check_integrity(),
      lacking("file-confinement", "Windows confines no program that was not made for it",
              "a read-only workspace, workspace.hide and workspace.protect are refused"),
      lacking("network-isolation", "Windows has no network of a process's own",
              "egress modes strict and block_all are refused"),
      lacking("process-isolation", "Windows has no process list of a run's own",
              "the receipt says so"),
  };
}

}  // namespace bawn
