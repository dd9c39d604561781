#include "backend/macos/receipt.h"

#include <string>
#include <string_view>

#include "base/text.h"
#include "run/receipt_lines.h"
#include "run/unix_limits.h"

namespace bawn::macos {
namespace {

class ReceiptWriter : ReceiptLines {
 public:
  ReceiptWriter(const Plan& plan, const SandboxProfile& profile,
                const std::vector<std::uint64_t>& limits, const posix::Supervised& supervised)
      : ReceiptLines(plan), profile_(profile), limits_(limits), supervised_(supervised) {}

  std::vector<Enforcement> run() && {
    add_process();
    add_terminal();
    if (plan().tier == Tier::unconfined) {
      add_unconfined();
    } else if (plan().boundary == Boundary::profile) {
      add_sandbox_profile();
    } else {
      add_tier_b();
    }
    add_limits();
    return take();
  }

 private:
  // macOS has no subreaper and no pid namespace, so ending the tree is best effort.
  void add_process() {
    absent("process_tree",
           supervised_.run.tree_gone
               ? concat("best effort: the session, the process group and every descendant that was "
                        "seen were ended, ",
                        supervised_.processes_seen,
                        " at most at one time; what left all three unseen is not found")
               : "best effort: some of the processes that were found were still alive when the "
                 "outcome was due");
    enforced("session", "setsid: session id is the command's pid");
    enforced("open_files", "executed with nothing open but stdin, stdout and stderr");
  }

  void add_terminal() {
    if (plan().terminal.use == TerminalUse::none) {
      not_requested("terminal", "the command is not given one");
    } else {
      absent("terminal", "the command has the caller's own, in a session whose terminal it is not");
    }
  }

  void add_sandbox_profile() {
    enforced("profile", concat("sandbox-exec executed the command, which it does only after it has "
                               "entered the sandbox; ",
                               profile_.parameters.size(), " parameters, ", profile_.text.size(),
                               " bytes of rules"));
    enforced("files",
             concat(plan().files.size(), " grants, ", plan().sandbox_profile.write_refused.size(),
                    " protected, ", plan().sandbox_profile.hidden.size(), " hidden"));
    enforced("unix_sockets", "only where the command may write");
    enforced("services", plan().sandbox_profile.trust_service
                             ? "none but names of users and groups, and trustd"
                             : "none but names of users and groups");
    if (!plan().refuse_network) {
      not_requested("network", "the command's network is not isolated");
    } else {
      enforced("network", plan().sandbox_profile.loopback ? "nothing but the machine's own loopback"
                                                          : "no rule allows an address");
    }
  }

  void add_tier_b() {
    absent("files", "nothing looks at what the command reads and writes in tier b on macOS");
    absent("unix_sockets", "not looked at in tier b on macOS");
    absent("services", "not looked at in tier b on macOS");
    not_requested("network", "the command's network is not isolated");
  }

  [[nodiscard]] std::string as_set(ProcessLimit limit) const {
    return rlimit_as_set(plan(), limits_, limit);
  }

  void add_limits() {
    const Limits& limits = plan().limits;
    add_wall_time();
    add_limit("cpu_time", "cpu_time_ms", limits.cpu_time_ms,
              concat("all that was found of the tree, by looking; backstop ",
                     as_set(ProcessLimit::cpu_seconds), " s per process"));
    add_limit("memory", "memory_bytes", limits.memory_bytes, as_set(ProcessLimit::memory_data));
    add_limit("processes", "processes", limits.processes,
              concat(as_set(ProcessLimit::processes), ", of which ", plan().user_tasks,
                     " were taken by the user's other processes"));
    add_limit("open_files", "open_files", limits.open_files, as_set(ProcessLimit::open_files));
    add_limit("file_size", "file_bytes", limits.file_bytes, as_set(ProcessLimit::file_bytes));
    add_output();
    add_limit("tmp", "tmp_bytes", limits.tmp_bytes, "none");
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
  return ReceiptWriter(plan, profile, limits, supervised).run();
}

}  // namespace bawn::macos
