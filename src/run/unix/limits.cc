#include "run/unix/limits.h"

#include <sys/resource.h>

namespace bawn {
namespace {

struct Rlimit {
  int resource;
  std::string_view name;
};

Rlimit rlimit_of(ProcessLimit limit) {
  switch (limit) {
    case ProcessLimit::cpu_seconds:
      return {RLIMIT_CPU, "RLIMIT_CPU"};
    // RLIMIT_DATA counts private writable memory, not address space, so programs that reserve
    // terabytes of address space still run.
    case ProcessLimit::memory_data:
      return {RLIMIT_DATA, "RLIMIT_DATA"};
    case ProcessLimit::processes:
      return {RLIMIT_NPROC, "RLIMIT_NPROC"};
    case ProcessLimit::open_files:
      return {RLIMIT_NOFILE, "RLIMIT_NOFILE"};
    case ProcessLimit::file_bytes:
      return {RLIMIT_FSIZE, "RLIMIT_FSIZE"};
    case ProcessLimit::core_bytes:
      break;
  }
  return {RLIMIT_CORE, "RLIMIT_CORE"};
}

}  // namespace

int rlimit_resource(ProcessLimit limit) { return rlimit_of(limit).resource; }

std::string_view rlimit_name(ProcessLimit limit) { return rlimit_of(limit).name; }

Evidence rlimit_evidence(const Plan& plan, std::span<const std::uint64_t> told,
                         ProcessLimit limit) {
  Limit value;
  for (std::size_t i = 0; i < plan.process_limits.size() && i < told.size() && !value; ++i) {
    if (plan.process_limits[i].limit == limit) value = told[i];
  }
  return {{"rlimit", rlimit_name(limit)}, {"value", value}};
}

}  // namespace bawn
