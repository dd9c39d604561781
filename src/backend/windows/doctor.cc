#include "doctor/doctor.h"

#include <array>

#include "backend/windows/path_lookup.h"
#include "backend/windows/process/job.h"
#include "backend/windows/process/spawn.h"
#include "backend/windows/process/token.h"
#include "backend/windows/syntax/command_line.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn {
namespace {

using windows::Integrity;
using windows::Job;

// What was seen; an error with the same words if it does not work.
Result<std::string> seen(bool works, std::string evidence) {
  if (works) return evidence;
  return unsupported_error(std::move(evidence));
}

Result<std::string> ends_on_close() {
  BAWN_ASSIGN(const Job job, Job::create({}));
  windows::JobProof proof = windows::prove_end_on_close(job);
  return seen(proof.holds, std::move(proof.evidence));
}

Result<std::string> reads_limits_back() {
  constexpr std::uint64_t kMemory = 1 << 30;
  BAWN_ASSIGN(const Job job, Job::create({.processes = 2, .memory_bytes = kMemory}));
  const windows::JobReadback told = job.read_back();
  return seen(told.processes == 2 && told.job_memory == kMemory,
              concat("given 2 processes and ", kMemory, " bytes, the job says ", told.processes,
                     " and ", told.job_memory));
}

// Starts this program as a run starts its command, to print its version to NUL.
Result<std::string> start_self() {
  std::array<wchar_t, 32768> name{};
  const DWORD length = GetModuleFileNameW(nullptr, name.data(), name.size());
  BAWN_ASSIGN(const std::string path,
              windows::portable_path(windows::narrow({name.data(), length}), ""));
  const windows::WindowsLookup lookup(path);
  BAWN_ASSIGN(const windows::Handle null, windows::open_null(GENERIC_READ | GENERIC_WRITE));
  BAWN_ASSIGN(const Job job, Job::create({}));
  windows::SpawnOrder order{.program = lookup.locate(path),
                            .stdio = {null.get(), null.get(), null.get()}};
  BAWN_ASSIGN(order.directory, windows::native_path(lookup.trusted_path().front()));
  BAWN_ASSIGN(order.command_line,
              windows::command_line(std::vector<std::string>{"bawn", "--version"}));
  BAWN_TRY(windows::spawn(order, job));
  return std::string(
      "a process was started suspended, with a list of its handles, and put into a job");
}

Result<windows::TokenFacts> facts_of_token(Integrity integrity) {
  BAWN_ASSIGN(const windows::Handle token, windows::restricted_token(integrity));
  return windows::read_token(token.get());
}

Result<std::string> restricts_token() {
  BAWN_ASSIGN(const windows::TokenFacts facts, facts_of_token(Integrity::callers));
  return seen(facts.privileges == 0 && !facts.administrator,
              concat("a restricted token has ", facts.privileges, " privileges",
                     facts.administrator ? " and is an administrator's" : ""));
}

Result<std::string> lowers_integrity() {
  BAWN_ASSIGN(const windows::TokenFacts facts, facts_of_token(Integrity::low));
  return seen(facts.integrity == SECURITY_MANDATORY_LOW_RID,
              concat("a token that was lowered has integrity ", facts.integrity));
}

// Tier b needs it if `otherwise` is "".
CheckResult check(std::string_view name, std::string_view otherwise,
                  const Result<std::string>& result) {
  return {.name = std::string(name),
          .for_tier_b = otherwise.empty(),
          .otherwise = std::string(otherwise),
          .works = result.ok(),
          .evidence = result ? result.value() : result.error().message};
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
      check("job-object", "", ends_on_close()),
      check("handle-list", "", start_self()),
      check("job-limits", "a policy that limits them is refused, unless it calls them optional",
            reads_limits_back()),
      check("restricted-token", "the receipt says that the command kept its privileges",
            restricts_token()),
      check("low-integrity", "the receipt says that the command could write as the user can",
            lowers_integrity()),
      lacking("file-confinement", "Windows confines no program that was not made for it",
              "a read-only workspace, workspace.hide and workspace.protect are refused"),
      lacking("network-isolation", "Windows has no network of a process's own",
              "egress modes strict and block_all are refused"),
      lacking("process-isolation", "Windows has no process list of a run's own",
              "the receipt says so"),
  };
}

}  // namespace bawn
