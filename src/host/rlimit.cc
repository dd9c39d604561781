#include "host/rlimit.h"

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

}  // namespace bawn
