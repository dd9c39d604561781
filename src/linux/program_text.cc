#include "linux/program_text.h"

#include <linux/filter.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "linux/seccomp_filter.h"

namespace bawn {
namespace {

class Writer {
 public:
  explicit Writer(std::string& text) : text_(text) {}

  std::uint32_t add(const void* bytes, std::size_t size) {
    text_.resize((text_.size() + 7) / 8 * 8);
    const auto at = static_cast<std::uint32_t>(text_.size());
    text_.append(static_cast<const char*>(bytes), size);
    return at;
  }

  // The strings first, then the array of their offsets with a 0 at its end.
  std::uint32_t add_strings(const std::vector<std::string>& strings) {
    std::vector<std::uint64_t> offsets;
    offsets.reserve(strings.size() + 1);
    for (const std::string& string : strings) offsets.push_back(add(string.c_str(), string.size() + 1));
    offsets.push_back(0);
    return add(offsets.data(), offsets.size() * sizeof offsets[0]);
  }

 private:
  std::string& text_;
};

// A hard limit that is already lower stays: it cannot be raised, and it is the stricter one.
std::uint64_t reachable(unsigned resource, std::uint64_t wanted) {
  struct rlimit now {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0 || now.rlim_max == RLIM_INFINITY)
    return wanted;
  return std::min<std::uint64_t>(wanted, now.rlim_max);
}

void put_limits(const Plan& plan, keeper::Program& program) {
  for (const PlannedLimit& limit : plan.process_limits) {
    const unsigned resource = rlimit_resource(limit.limit);
    program.rlimits[program.rlimit_count++] = {resource, 0, reachable(resource, limit.value)};
  }
}

bool grants_root(const Plan& plan) {
  return std::any_of(plan.files.begin(), plan.files.end(),
                     [](const FileGrant& grant) { return grant.target.path == "/"; });
}

}  // namespace

unsigned rlimit_resource(ProcessLimit limit) {
  switch (limit) {
    case ProcessLimit::cpu_seconds:
      return RLIMIT_CPU;
    // Counts private writable memory, not address space: programs that reserve terabytes still run.
    case ProcessLimit::memory_data:
      return RLIMIT_DATA;
    case ProcessLimit::processes:
      return RLIMIT_NPROC;
    case ProcessLimit::open_files:
      return RLIMIT_NOFILE;
    case ProcessLimit::file_bytes:
      return RLIMIT_FSIZE;
    case ProcessLimit::core_bytes:
      return RLIMIT_CORE;
  }
  return RLIMIT_CORE;
}

std::string program_text(const Plan& plan, const ProgramFacts& facts) {
  std::string text(sizeof(keeper::Program), '\0');
  Writer writer(text);
  keeper::Program program{};
  program.magic = keeper::kMagic;
  program.parent = facts.parent_pid;
  program.argv = writer.add_strings(plan.program.argv);
  program.envp = writer.add_strings(plan.environment);
  program.confine = plan.tier != Tier::unconfined;
  program.drop_bounding_set = facts.may_drop_bounding_set;
  program.has_landlock = program.confine;
  program.root_is_granted = grants_root(plan);
  if (program.confine) {
    const auto filter = plan.refuse_network ? no_network_filter() : fence_filter();
    program.filter = writer.add(filter.data(), filter.size_bytes());
    program.filter_length = static_cast<std::uint32_t>(filter.size());
  }
  put_limits(plan, program);
  program.has_private_directory = !plan.private_name.empty();
  program.cwd_is_private = plan.private_workspace;
  program.private_access = facts.private_access;
  plan.private_name.copy(program.private_name, keeper::kMaxPrivateName - 1);
  program.size = static_cast<std::uint32_t>(text.size());
  std::memcpy(text.data(), &program, sizeof program);
  return text;
}

}  // namespace bawn
