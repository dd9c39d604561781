#include "backend/linux/launch/launch_steps.h"

#include <cerrno>
#include <iterator>

#include "host/setup_error.h"

namespace bawn::linux_ {
namespace {

using init::Step;

constexpr StepDescription kDescriptions[] = {
#define BAWN_STEP(name, what, hint) {#name, what, hint},
#include "backend/linux/wire/steps.inc"
#undef BAWN_STEP
};
static_assert(Step::none == Step{} && std::size(kDescriptions) == static_cast<int>(Step::count));

// In steps that make a namespace, ENOSPC is the limit on namespaces; elsewhere it is a full file
// system or the limit on ptys. EAGAIN in clone_command is the limit on processes, for which that
// step has its own hint.
bool is_shortage(Step step, int error) {
  if (error == ENOSPC)
    return step == Step::netns || step == Step::clone_command || step == Step::enter_cgroup;
  return !(step == Step::clone_command && error == EAGAIN) && !shortage_hint(error).empty();
}

}  // namespace

const StepDescription& describe_step(Step step) {
  const auto index = static_cast<std::size_t>(step);
  return kDescriptions[index < std::size(kDescriptions) ? index : 0];
}

std::string_view step_hint(Step step, int error) {
  const bool makes_root =
      step == Step::make_root || step == Step::base_mount || step == Step::mount;
  if (makes_root && error == ENOSPC) {
    return "the new root itself takes some of the run's temporary space: try --tmp-size 16M "
           "(policy key: limits.tmp_bytes)";
  }
  const bool enters_cwd = step == Step::open_cwd || step == Step::change_directory;
  if (enters_cwd && error == EACCES)
    return "you may not enter it: add the permission (chmod u+x), or name another directory";
  if (is_shortage(step, error)) return shortage_hint(error);
  if (error != ENOSYS) return describe_step(step).hint;
  return "the kernel is too old, or a filter around bawn refuses the call: 'bawn doctor' tells "
         "which and what helps";
}

void add_init_steps(const init::Report& report, Stopwatch& stopwatch) {
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(Step::count); ++i) {
    if (report.step_times[i] != 0)
      stopwatch.add(describe_step(static_cast<Step>(i)).name, report.step_times[i]);
  }
}

}  // namespace bawn::linux_
