#include "backend/windows/receipt.h"

#include <string>
#include <utility>

#include "run/record/receipt_lines.h"

namespace bawn::windows {
namespace {

class ReceiptWriter : public ReceiptLines {
 public:
  ReceiptWriter(const Plan& plan, const LaunchReadback& readback)
      : ReceiptLines(plan), readback_(readback) {}

 private:
  // If the job could outlive bawn, the launch would have failed (prove_end_on_close()).
  void add_process() override {
    const bool queried = (readback_.job.limit_flags & JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE) != 0;
    enforced("process_tree", {{"in_job", true}, {"end_on_close", queried ? "queried" : "tried"}});
    enforced("open_files", {{"by", "PROC_THREAD_ATTRIBUTE_HANDLE_LIST"},
                            {"inherited", {"stdin", "stdout", "stderr"}}});
    if (!plan().private_name.empty())
      enforced("private_directory", {{"for_user_alone", true}, {"removed_by", "bawn"}});
  }

  void add_confinement() override {
    add_token();
    add_job();
    add_what_windows_lacks();
  }

  void add_if(bool holds, std::string layer, Evidence evidence) {
    add(std::move(layer), holds ? LayerState::enforced : LayerState::absent, std::move(evidence));
  }

  void add_token() {
    const TokenFacts& token = readback_.token;
    add_if(token.privileges == 0, "privileges", {{"count", token.privileges}});
    add_if(!token.administrator, "administrators", {{"enabled", token.administrator}});
    if (readback_.integrity == Integrity::callers) {
      add("integrity", LayerState::not_requested,
          {{"level", token.integrity}, {"requested", "callers"}});
    } else {
      add_if(token.integrity == SECURITY_MANDATORY_LOW_RID, "integrity",
             {{"level", token.integrity}, {"requested", "low"}});
    }
  }

  void add_job() {
    const JobReadback& job = readback_.job;
    const bool tells = job.limit_flags != 0;
    add_if(tells && job.ui_restrictions == kUiRestrictions, "windows_of_the_user",
           {{"ui_restrictions", tells ? Limit(job.ui_restrictions) : Limit()}});
    add_if((job.limit_flags & JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION) != 0, "crash_dialog",
           {{"limit_flags", job.limit_flags}});
    add_if((job.limit_flags & JOB_OBJECT_LIMIT_PRIORITY_CLASS) != 0, "priority",
           {{"priority_class", job.priority_class}});
  }

  void add_what_windows_lacks() {
    absent("files",
           "the paths among the arguments were judged; what the command opens is looked at by "
           "Windows' permissions alone");
    add_open_network();
    absent("processes_of_the_user", "it sees the user's other processes");
    absent("system_calls", "Windows has no filter for them");
  }

  void add_limits() override {
    const Limits& limits = plan().limits;
    const JobReadback& job = readback_.job;
    add_wall_time();
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms,
              {{"job_ms", job.cpu_time_ms}, {"counted_by", "job"}});
    add_limit("memory", "memory_bytes", limits.memory_bytes,
              {{"job_bytes", job.job_memory}, {"process_bytes", job.process_memory}});
    add_limit("cpu_percent", "cpu_percent", limits.cpu_percent, {});
    add_limit("processes", "processes", limits.processes, {{"job_processes", job.processes}});
    add_limit("open_files", "open_files", limits.open_files, {});
    add_limit("file_size", "file_bytes", limits.file_bytes, {});
    add_output();
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, {});
  }

  const LaunchReadback& readback_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const LaunchReadback& readback) {
  return ReceiptWriter(plan, readback).write();
}

}  // namespace bawn::windows
