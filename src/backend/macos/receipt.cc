#include "backend/macos/receipt.h"

#include <string>
#include <utility>

#include "run/record/receipt_lines.h"
#include "run/unix/limits.h"

namespace bawn::macos {
namespace {

class ReceiptWriter : public ReceiptLines {
 public:
  ReceiptWriter(const Plan& plan, const SandboxProfile& profile,
                const std::vector<std::uint64_t>& limits, const posix::Supervised& supervised)
      : ReceiptLines(plan), profile_(profile), limits_(limits), supervised_(supervised) {}

 private:
  // macOS has no subreaper and no pid namespace, so ending the tree is best effort.
  void add_process() override {
    add("process_tree", LayerState::absent,
        {{"best_effort", true},
         {"processes_seen", supervised_.processes_seen},
         {"tree_gone", supervised_.run.tree_gone}});
    enforced("session", {{"own", true}, {"leader", "command"}});
    enforced("open_files", {{"inherited", {"stdin", "stdout", "stderr"}}});
    if (plan().terminal.use == TerminalUse::none)
      add("terminal", LayerState::not_requested, {{"given", "none"}});
    else
      add("terminal", LayerState::absent, {{"given", "callers"}, {"controlling", false}});
  }

  void add_confinement() override {
    if (const auto* rules = plan().part<SandboxProfilePlan>())
      add_sandbox_profile(*rules);
    else
      add_tier_b();
  }

  void add_sandbox_profile(const SandboxProfilePlan& rules) {
    enforced("profile", {{"entered_by", "sandbox-exec"},
                         {"parameters", profile_.parameters.size()},
                         {"rule_bytes", profile_.text.size()}});
    enforced("files", {{"grants", rules.files.size()},
                       {"protected", rules.write_refused.size()},
                       {"hidden", rules.hidden.size()}});
    enforced("unix_sockets", {{"by", "profile"}, {"allowed", "writable_paths"}});
    std::vector<std::string> services = {"users_and_groups"};
    if (rules.trust_service) services.emplace_back("trustd");
    enforced("services", {{"allowed", std::move(services)}});
    add_network("profile");
  }

  void add_tier_b() {
    absent("files", "nothing looks at what the command reads and writes in tier b on macOS");
    absent("unix_sockets", "not looked at in tier b on macOS");
    absent("services", "not looked at in tier b on macOS");
    add_open_network();
  }

  [[nodiscard]] Evidence as_set(ProcessLimit limit) const {
    return rlimit_evidence(plan(), limits_, limit);
  }

  void add_limits() override {
    const Limits& limits = plan().limits;
    add_wall_time();
    Evidence time = {EvidenceField("counted", "found"), EvidenceField("counted_by", "supervisor")};
    for (const EvidenceField& field : as_set(ProcessLimit::cpu_seconds)) time.push_back(field);
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms, std::move(time));
    add_limit("memory", "memory_bytes", limits.memory_bytes, as_set(ProcessLimit::memory_data));
    Evidence processes = as_set(ProcessLimit::processes);
    processes.emplace_back("other_tasks", plan().user_tasks);
    add_limit("processes", "processes", limits.processes, std::move(processes));
    add_limit("open_files", "open_files", limits.open_files, as_set(ProcessLimit::open_files));
    add_limit("file_size", "file_bytes", limits.file_bytes, as_set(ProcessLimit::file_bytes));
    add_output();
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, {});
    enforced("limit.core", as_set(ProcessLimit::core_bytes));
  }

  const SandboxProfile& profile_;
  const std::vector<std::uint64_t>& limits_;
  const posix::Supervised& supervised_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const SandboxProfile& profile,
                                      const std::vector<std::uint64_t>& limits,
                                      const posix::Supervised& supervised) {
  return ReceiptWriter(plan, profile, limits, supervised).write();
}

}  // namespace bawn::macos
