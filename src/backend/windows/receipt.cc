#include "backend/windows/receipt.h"

#include "base/text.h"
#include "run/receipt_lines.h"

namespace bawn::windows {
namespace {

class ReceiptWriter : ReceiptLines {
 public:
  ReceiptWriter(const Plan& plan, const LaunchReadback& readback)
      : ReceiptLines(plan), readback_(readback) {}

  std::vector<Enforcement> run() && {
    enforced("process_tree", concat("IsProcessInJob before it ran; ", readback_.end_on_close));
    enforced("open_files", "PROC_THREAD_ATTRIBUTE_HANDLE_LIST: stdin, stdout and stderr alone");
    if (plan().tier == Tier::unconfined) {
      add_unconfined();
    } else {
      add_token();
      add_job();
      add_what_windows_lacks();
    }
    if (!plan().private_name.empty())
      enforced("private_directory",
               "made for the user alone; bawn removes it, so it stays if bawn is killed");
    add_limits();
    return take();
  }

 private:
  void add_if(bool holds, std::string layer, std::string evidence) {
    add(std::move(layer), holds ? LayerState::enforced : LayerState::absent, std::move(evidence));
  }

  void add_token() {
    const TokenFacts& token = readback_.token;
    add_if(token.privileges == 0, "privileges",
           concat("the process's token has ", token.privileges, " privileges"));
    add_if(!token.administrator, "administrators",
           token.administrator ? "the administrators' group is enabled in the process's token"
                               : "the administrators' group is not enabled in the process's token");
    const std::string level = concat("the process's integrity is ", token.integrity);
    if (readback_.integrity == Integrity::callers) {
      not_requested("integrity", concat(level, ", the caller's: its workspace is the user's own"));
    } else {
      add_if(token.integrity == SECURITY_MANDATORY_LOW_RID, "integrity", level);
    }
  }

  void add_job() {
    const JobReadback& job = readback_.job;
    const bool tells = job.limit_flags != 0;
    add_if(tells && job.ui_restrictions == kUiRestrictions, "windows_of_the_user",
           tells ? concat("UI restrictions ", job.ui_restrictions)
                 : "this system does not tell a job's restrictions");
    add_if((job.limit_flags & JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION) != 0, "crash_dialog",
           concat("limit flags ", job.limit_flags));
    add_if((job.limit_flags & JOB_OBJECT_LIMIT_PRIORITY_CLASS) != 0, "priority",
           concat("priority class ", job.priority_class));
  }

  void add_what_windows_lacks() {
    absent("files",
           "the paths among the arguments were judged; what the command opens is looked at by "
           "Windows' permissions alone");
    not_requested("network", "the command's network is not isolated");
    absent("processes_of_the_user", "it sees the user's other processes");
    absent("system_calls", "Windows has no filter for them");
  }

  void add_limits() {
    const Limits& limits = plan().limits;
    const JobReadback& job = readback_.job;
    add_wall_time();
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms,
              concat("the job says ", job.cpu_time_ms, " ms; its accounts are read as well"));
    add_limit("memory", "memory_bytes", limits.memory_bytes,
              concat("the job says ", job.job_memory, " bytes for all processes, ",
                     job.process_memory, " for each"));
    add_limit("cpu_percent", "cpu_percent", limits.cpu_percent, "");
    add_limit("processes", "processes", limits.processes, concat("the job says ", job.processes));
    add_limit("open_files", "open_files", limits.open_files, "");
    add_limit("file_size", "file_bytes", limits.file_bytes, "");
    add_output();
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, "");
  }

  const LaunchReadback& readback_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const LaunchReadback& readback) {
  return ReceiptWriter(plan, readback).run();
}

}  // namespace bawn::windows
