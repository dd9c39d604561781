#include "macos/run_plan.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "macos/receipt.h"
#include "posix/private_directory.h"
#include "posix/spawn.h"

namespace bawn::macos {
namespace {

class PlanRunner {
 public:
  explicit PlanRunner(const RunOrder& order) : order_(order), plan_(*order.plan) {}

  Result<Ran> run() && {
    BAWN_ASSIGN(posix::PrivateDirectory directory, make_directory());
    if (plan_.boundary == Boundary::profile) profile_ = make_profile(plan_);
    BAWN_TRY(open_pump());
    BAWN_ASSIGN(posix::Spawned spawned, spawn());
    const std::vector<std::uint64_t> limits = spawned.limits;
    BAWN_ASSIGN(ran_.supervised, supervise(std::move(spawned)));
    if (pump_) ran_.output = pump_->finish();
    if (ran_.supervised.command_ran) {
      ran_.receipt = make_receipt(plan_, profile_, limits, ran_.supervised);
    } else {
      ran_.refusal = refusal();
    }
    remove(directory);
    return std::move(ran_);
  }

 private:
  [[nodiscard]] Result<posix::PrivateDirectory> make_directory() const {
    if (plan_.private_name.empty()) return posix::PrivateDirectory();
    return posix::PrivateDirectory::make(
        plan_.private_parent.path, plan_.private_name,
        {.home = plan_.private_home, .tmp = plan_.private_tmp, .work = plan_.private_workspace});
  }

  Result<void> open_pump() {
    if (!order_.pump) return {};
    BAWN_ASSIGN(posix::Pump pump, posix::Pump::create(*order_.pump));
    pump_.emplace(std::move(pump));
    return {};
  }

  Result<posix::Spawned> spawn() {
    const posix::ChildEnds ends = pump_ ? pump_->take_child_ends() : posix::ChildEnds{};
    const auto own_or = [](const Fd& end, int fd) { return end ? end.get() : fd; };
    posix::SpawnOrder spawn_order = plan_spawn(plan_, profile_, order_.sandbox_exec);
    spawn_order.stdin_fd = own_or(ends.stdin_read, STDIN_FILENO);
    spawn_order.stdout_fd = own_or(ends.stdout_write, STDOUT_FILENO);
    spawn_order.stderr_fd = own_or(ends.stderr_write, STDERR_FILENO);
    return posix::spawn(spawn_order);
  }

  Result<posix::Supervised> supervise(posix::Spawned spawned) {
    return posix::supervise(std::move(spawned), {.limits = plan_.limits,
                                                 .forerunner = forerunner(plan_, order_.sandbox_exec),
                                                 .cancel_fd = order_.cancel_fd,
                                                 .pump = pump_ ? &*pump_ : nullptr,
                                                 .stopwatch = order_.stopwatch});
  }

  // What sandbox-exec complained about, if its stderr was captured.
  [[nodiscard]] std::string refusal() const {
    std::string why = "sandbox-exec did not make way for the command";
    const std::optional<int> status = ran_.supervised.wait_status;
    if (status && WIFEXITED(*status)) why += concat("; it exited with ", WEXITSTATUS(*status));
    if (status && WIFSIGNALED(*status)) why += concat("; signal ", WTERMSIG(*status), " ended it");
    const std::string& said = ran_.output.stderr_stream.kept;
    if (!said.empty()) why += concat(": ", quote(said));
    return why;
  }

  void remove(posix::PrivateDirectory& directory) {
    if (directory.remove() || ran_.receipt.empty()) return;
    ran_.receipt.push_back({"private_directory", LayerState::absent, "not all of it could be removed"});
  }

  const RunOrder& order_;
  const Plan& plan_;
  SandboxProfile profile_;
  std::optional<posix::Pump> pump_;
  Ran ran_;
};

}  // namespace

Result<Ran> run_plan(const RunOrder& order) { return PlanRunner(order).run(); }

}  // namespace bawn::macos
