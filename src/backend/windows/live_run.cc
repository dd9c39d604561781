#include "backend/windows/live_run.h"

#include "backend/windows/system_text.h"

namespace bawn::windows {

// Waits for a running callback, which uses this object.
Watch::~Watch() {
  if (wait_ != nullptr) UnregisterWaitEx(wait_, INVALID_HANDLE_VALUE);
}

Result<void> Watch::begin(HANDLE object, HANDLE port, ULONG_PTR key) {
  port_ = port;
  key_ = key;
  if (RegisterWaitForSingleObject(&wait_, object, post, this, INFINITE, WT_EXECUTEONLYONCE) != 0)
    return {};
  wait_ = nullptr;
  return system_failure(GetLastError(), "wait for an object of the run");
}

void CALLBACK Watch::post(void* self, BOOLEAN /*timed_out*/) {
  const auto* watch = static_cast<const Watch*>(self);
  PostQueuedCompletionStatus(watch->port_, 0, watch->key_, nullptr);
}

Result<void> LiveRun::begin(Supervisor& supervisor) {
  HANDLE port = parts_.events->port();
  BAWN_TRY(process_watch_.begin(process_, port, kProcessKey));
  supervisor.started();
  parts_.pump->start();
  supervisor.output(parts_.pump->standing());
  return {};
}

void LiveRun::step(Supervisor& supervisor) {
  for (const Completion& each : parts_.events->take()) {
    if (!supervisor.finished()) handle(each, supervisor);
  }
}

void LiveRun::handle(const Completion& completion, Supervisor& supervisor) {
  if (completion.key == kJobKey) return take_report(completion.bytes, supervisor);
  if (completion.key == kProcessKey) return command_exited(supervisor);
  parts_.pump->step(completion.key, completion.bytes, completion.well);
  supervisor.output(parts_.pump->standing());
}

// A job's notification has its kind in the byte count.
void LiveRun::take_report(DWORD kind, Supervisor& supervisor) {
  switch (kind) {
    case JOB_OBJECT_MSG_END_OF_JOB_TIME:
    case JOB_OBJECT_MSG_END_OF_PROCESS_TIME:
      return supervisor.happen(RunEvent::cpu_exhausted);
    case JOB_OBJECT_MSG_ACTIVE_PROCESS_ZERO:
      return tree_gone(supervisor);
    case JOB_OBJECT_MSG_PROCESS_MEMORY_LIMIT:
    case JOB_OBJECT_MSG_JOB_MEMORY_LIMIT:
      ended_.memory_refused = true;
      return;
    case JOB_OBJECT_MSG_ACTIVE_PROCESS_LIMIT:
      ended_.processes_refused = true;
      return;
    default:
      return;
  }
}

void LiveRun::command_exited(Supervisor& supervisor) {
  DWORD code = 0;
  if (!ended_.exit_code && GetExitCodeProcess(process_, &code) != 0 &&
      supervisor.progress().ending == Ending::none)
    ended_.exit_code = code;
  supervisor.command_exited();
}

// The notification that the job is empty may arrive before the command's exit.
void LiveRun::tree_gone(Supervisor& supervisor) {
  if (supervisor.progress().ending == Ending::none) command_exited(supervisor);
  supervisor.tree_gone();
}

// Notifications of a job can be lost, so its process count is queried as well.
ProcessControl::Killed LiveRun::kill() {
  job_.terminate();
  return job_.is_empty() ? Killed::gone : Killed::alive;
}

Supervised LiveRun::end(const RunProgress& progress) {
  job_.terminate();
  ended_.run = progress;
  ended_.usage = job_.usage();
  return ended_;
}

}  // namespace bawn::windows
