#include "doctor/doctor.h"

#include <string_view>

#include "base/text.h"
#include "doctor/checks.h"

namespace bawn {
namespace {

enum class For { tier_b, tier_c, both, neither };

struct Check {
  std::string_view name;
  For needed;
  std::string_view above;      // if this check fails, the row's check is skipped; "" for none
  std::string_view otherwise;  // what bawn does if the feature is missing
  CheckFunction check;
};

constexpr std::string_view kUser = "user-namespace";

constexpr Check kChecks[] = {
    {kUser, For::tier_c, "", "", check_user_namespace},
    {"mount-namespace", For::tier_c, kUser, "", check_mount_namespace},
    {"mount-calls", For::tier_c, "mount-namespace", "", check_mount_calls},
    {"root-switch", For::tier_c, "mount-calls", "", check_root_switch},
    {"pid-namespace", For::tier_c, kUser, "", check_pid_namespace},
    {"fresh-proc", For::neither, "pid-namespace",
     "/proc is empty: the command sees no process, and programs that read /proc fail",
     check_fresh_proc},
    {"network-namespace", For::tier_c, kUser, "", check_network_namespace},
    {"ipc-uts-namespaces", For::tier_c, kUser, "", check_ipc_uts_namespaces},
    {"cgroup-namespace", For::tier_c, kUser, "", check_cgroup_namespace},
    {"launch-calls", For::tier_c, kUser, "", check_launch_calls},
    {"seccomp", For::both, "", "", check_seccomp},
    {"pidfd", For::both, "", "", check_pidfd},
    {"close-range", For::both, "", "", check_close_range},
    {"memory-executable", For::both, "", "", check_memory_executable},
    {"landlock", For::tier_b, "", "tier c runs without Landlock behind its mounts", check_landlock},
    {"landlock-or-none", For::tier_c, "", "", check_landlock_or_none},
    {"cgroup", For::neither, "",
     "memory is limited for each process alone, and processes by RLIMIT_NPROC", check_cgroup},
    {"terminal", For::neither, "", "the command cannot have a private terminal", check_terminal},
    {"clone3", For::neither, "", "clone is used, and cgroups are entered after the clone",
     check_clone3},
    {"openat2", For::tier_c, "", "in tier b, paths are walked one component at a time",
     check_openat2},
    {"statx", For::tier_c, "", "", check_statx},
    {"private-directory", For::tier_b, "",
     "tier c keeps the run's private directories in memory; tier b only runs policies that need "
     "none",
     check_private_directory},
    {"id-ranges", For::neither, kUser,
     "one user and one group exist inside, which is the default anyway; --id-ranges is refused",
     check_id_ranges},
};

bool works(const CheckResults& results, std::string_view name) {
  for (const CheckResult& result : results) {
    if (result.name == name) return result.works;
  }
  return false;
}

CheckResult examine(const Check& check, const CheckResults& before,
                    const HostRestrictions& restrictions) {
  CheckResult result{.name = std::string(check.name),
                     .for_tier_b = check.needed == For::tier_b || check.needed == For::both,
                     .for_tier_c = check.needed == For::tier_c || check.needed == For::both,
                     .otherwise = std::string(check.otherwise)};
  if (!check.above.empty() && !works(before, check.above)) {
    result.evidence = concat("not tried: it needs ", check.above);
    return result;
  }
  CheckAnswer answer = check.check(restrictions);
  result.works = answer.works;
  result.evidence = std::move(answer.evidence);
  result.fix = std::move(answer.fix);
  return result;
}

}  // namespace

CheckAnswer refused(const Trial& trial, const Cause& cause) {
  return {false, concat(describe(trial), cause.reason.empty() ? "" : ": ", cause.reason),
          cause.fix};
}

CheckResults examine_host() {
  const HostRestrictions restrictions = probe_restrictions();
  CheckResults results;
  for (const Check& check : kChecks) results.push_back(examine(check, results, restrictions));
  return results;
}

}  // namespace bawn
