#include "windows/receipt.h"

#include "base/text.h"

namespace bawn::windows {
namespace {

class ReceiptWriter {
 public:
  ReceiptWriter(const Plan& plan, const LaunchReadback& readback) : plan_(plan), readback_(readback) {}

  std::vector<Enforcement> run() && {
    enforced("process_tree", concat("IsProcessInJob before it ran; ", readback_.end_on_close));
    enforced("open_files", "PROC_THREAD_ATTRIBUTE_HANDLE_LIST: stdin, stdout and stderr alone");
    if (plan_.tier == Tier::unconfined) {
      add("sandbox", LayerState::not_requested, "the policy asks for an unconfined run");
    } else {
      add_token();
      add_job();
      add_what_windows_lacks();
    }
    if (!plan_.private_name.empty())
      enforced("private_directory",
               "made for the user alone; bawn removes it, so it stays if bawn is killed");
    add_limits();
    return std::move(receipt_);
  }

 private:
  void add(std::string layer, LayerState state, std::string evidence) {
    receipt_.push_back({std::move(layer), state, std::move(evidence)});
  }
  void enforced(std::string layer, std::string evidence) {
    add(std::move(layer), LayerState::enforced, std::move(evidence));
  }
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
      add("integrity", LayerState::not_requested,
          concat(level, ", the caller's: its workspace is the user's own"));
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
    add("files", LayerState::absent,
        "the paths among the arguments were judged; what the command opens is looked at by Windows' "
        "permissions alone");
    add("network", LayerState::not_requested, "the command's network is not isolated");
    add("processes_of_the_user", LayerState::absent, "it sees the user's other processes");
    add("system_calls", LayerState::absent, "Windows has no filter for them");
  }

  void add_limit(std::string_view name, std::string_view key, const Limit& limit, std::string evidence) {
    const std::string layer = concat("limit.", name);
    for (const AbsentLimit& absent : plan_.absent_limits) {
      if (absent.name == key) return add(layer, LayerState::absent, absent.why);
    }
    if (limit) {
      enforced(layer, std::move(evidence));
    } else {
      add(layer, LayerState::not_requested, "unlimited");
    }
  }

  void add_limits() {
    const Limits& limits = plan_.limits;
    const JobReadback& job = readback_.job;
    add_limit("wall_time", "wall_time_ms", limits.wall_time_ms,
              concat("timer of ", limits.wall_time_ms.value_or(0), " ms"));
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms,
              concat("the job says ", job.cpu_time_ms, " ms; its accounts are read as well"));
    add_limit("memory", "memory_bytes", limits.memory_bytes,
              concat("the job says ", job.job_memory, " bytes for all processes, ", job.process_memory,
                     " for each"));
    add_limit("cpu_percent", "cpu_percent", limits.cpu_percent, "");
    add_limit("processes", "processes", limits.processes, concat("the job says ", job.processes));
    add_limit("open_files", "open_files", limits.open_files, "");
    add_limit("file_size", "file_bytes", limits.file_bytes, "");
    add_limit("output", "output_bytes", limits.output_bytes,
              concat("counted by the supervisor, ", limits.output_bytes.value_or(0), " bytes"));
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, "");
  }

  const Plan& plan_;
  const LaunchReadback& readback_;
  std::vector<Enforcement> receipt_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const LaunchReadback& readback) {
  return ReceiptWriter(plan, readback).run();
}

}  // namespace bawn::windows
