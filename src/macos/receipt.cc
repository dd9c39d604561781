#include "macos/receipt.h"

#include <string>
#include <string_view>

#include "base/text.h"
#include "posix/spawn.h"

namespace bawn::macos {
namespace {

class ReceiptWriter {
 public:
  ReceiptWriter(const Plan& plan, const SandboxProfile& profile, const std::vector<std::uint64_t>& limits,
                const posix::Supervised& supervised)
      : plan_(plan), profile_(profile), limits_(limits), supervised_(supervised) {}

  std::vector<Enforcement> run() && {
    add_process();
    add_terminal();
    if (plan_.tier == Tier::unconfined) {
      add("sandbox", LayerState::not_requested, "the policy asks for an unconfined run");
    } else if (plan_.boundary == Boundary::profile) {
      add_profile();
    } else {
      add_open_yard();
    }
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
  void absent(std::string layer, std::string evidence) {
    add(std::move(layer), LayerState::absent, std::move(evidence));
  }

  // No process of macOS owns the descendants of another, so this is never more than diligence.
  void add_process() {
    absent("process_tree",
           supervised_.run.tree_gone
               ? concat("best effort: the session, the process group and every descendant that was seen were "
                        "ended, ",
                        supervised_.processes_seen,
                        " at most at one time; what left all three unseen is not found")
               : "best effort: some of what was found was still alive when the answer was due");
    enforced("session", "setsid: session id is the command's pid");
    enforced("open_files", "executed with nothing open but stdin, stdout and stderr");
  }

  void add_terminal() {
    if (plan_.terminal.use == TerminalUse::none) {
      add("terminal", LayerState::not_requested, "the command is not given one");
    } else {
      absent("terminal", "the command has the caller's own, in a session whose terminal it is not");
    }
  }

  void add_profile() {
    enforced("profile",
             concat("sandbox-exec made way for the command, which it does inside its sandbox only; ",
                    profile_.parameters.size(), " parameters, ", profile_.text.size(), " bytes of rules"));
    enforced("files", concat(plan_.files.size(), " grants, ", plan_.profile.write_refused.size(),
                             " protected, ", plan_.profile.hidden.size(), " hidden"));
    enforced("unix_sockets", "only where the command may write");
    enforced("services", plan_.profile.trust_service ? "none but names of users and groups, and trustd"
                                                     : "none but names of users and groups");
    if (!plan_.refuse_network) {
      add("network", LayerState::not_requested, "the command's network is not isolated");
    } else {
      enforced("network", plan_.profile.loopback ? "nothing but the machine's own loopback"
                                                 : "no rule allows an address");
    }
  }

  void add_open_yard() {
    absent("files", "nothing looks at what the command reads and writes in tier b on macOS");
    absent("unix_sockets", "not looked at in tier b on macOS");
    absent("services", "not looked at in tier b on macOS");
    add("network", LayerState::not_requested, "the command's network is not isolated");
  }

  void add_limit(std::string_view name, std::string_view key, const Limit& limit, std::string evidence) {
    std::string layer = concat("limit.", name);
    for (const AbsentLimit& lacking : plan_.absent_limits) {
      if (lacking.name == key) return absent(std::move(layer), lacking.why);
    }
    if (limit) {
      enforced(std::move(layer), std::move(evidence));
    } else {
      add(std::move(layer), LayerState::not_requested, "unlimited");
    }
  }

  [[nodiscard]] std::string as_set(ProcessLimit wanted) const {
    for (std::size_t i = 0; i < plan_.process_limits.size() && i < limits_.size(); ++i) {
      if (plan_.process_limits[i].limit == wanted) return concat(posix::limit_name(wanted), "=", limits_[i]);
    }
    return "none";
  }

  void add_limits() {
    const Limits& limits = plan_.limits;
    add_limit("wall_time", "wall_time_ms", limits.wall_time_ms,
              concat("timer of ", limits.wall_time_ms.value_or(0), " ms"));
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms,
              concat("all that was found of the tree, by looking; backstop ",
                     as_set(ProcessLimit::cpu_seconds), " s per process"));
    add_limit("memory", "memory_bytes", limits.memory_bytes, as_set(ProcessLimit::memory_data));
    add_limit("processes", "processes", limits.processes,
              concat(as_set(ProcessLimit::processes), ", of which ", plan_.user_tasks,
                     " were taken by the user's other processes"));
    add_limit("open_files", "open_files", limits.open_files, as_set(ProcessLimit::open_files));
    add_limit("file_size", "file_bytes", limits.file_bytes, as_set(ProcessLimit::file_bytes));
    add_limit("output", "output_bytes", limits.output_bytes,
              concat("counted by the supervisor, ", limits.output_bytes.value_or(0), " bytes"));
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, "none");
    enforced("limit.core", as_set(ProcessLimit::core_bytes));
  }

  const Plan& plan_;
  const SandboxProfile& profile_;
  const std::vector<std::uint64_t>& limits_;
  const posix::Supervised& supervised_;
  std::vector<Enforcement> receipt_;
};

}  // namespace

std::vector<Enforcement> make_receipt(const Plan& plan, const SandboxProfile& profile,
                                      const std::vector<std::uint64_t>& limits,
                                      const posix::Supervised& supervised) {
  return ReceiptWriter(plan, profile, limits, supervised).run();
}

}  // namespace bawn::macos
