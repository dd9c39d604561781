#include "backend/linux/wire/encode_message.h"

#include <linux/filter.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstring>

#include "backend/linux/seccomp/filter.h"
#include "host/rlimit.h"

namespace bawn::linux_ {
namespace {

using init::Offsets;

// Appends the parts of a message; each begins at a multiple of 8.
class Writer {
 public:
  explicit Writer(std::string& message) : message_(message) {}

  std::uint64_t add(const void* bytes, std::size_t size) {
    const std::uint64_t at = reserve(0);
    message_.append(static_cast<const char*>(bytes), size);
    return at;
  }

  std::uint64_t add(std::string_view string) {
    const std::uint64_t at = add(string.data(), string.size());
    message_.push_back('\0');
    return at;
  }

  // Space for an array whose strings follow it; put() fills it.
  std::uint64_t reserve(std::size_t size) {
    const std::size_t at = (message_.size() + 7) / 8 * 8;
    message_.resize(at + size);
    return at;
  }
  template <class T>
  void put(std::uint64_t at, const T& value) {
    std::memcpy(message_.data() + at, &value, sizeof value);
  }

  init::StringsOf<Offsets> add_strings(const std::vector<std::string>& strings) {
    const std::uint64_t array = reserve((strings.size() + 1) * sizeof(std::uint64_t));
    for (std::size_t i = 0; i < strings.size(); ++i)
      put(array + i * sizeof(std::uint64_t), add(strings[i]));
    return {array, strings.size()};
  }

 private:
  std::string& message_;
};

void put_limits(const Plan& plan, init::ExecMessage& exec) {
  for (const LimitPlan& limit : plan.process_limits) {
    const auto resource = static_cast<std::uint32_t>(rlimit_resource(limit.limit));
    exec.rlimits[exec.rlimit_count++] = {resource, 0, limit.value};
  }
}

bool grants_root(const Plan& plan) {
  return std::ranges::any_of(plan.files(),
                             [](const FileGrant& grant) { return grant.target.path == "/"; });
}

bool private_exec(const Plan& plan) {
  const auto* landlock = plan.part<LandlockPlan>();
  return landlock != nullptr && landlock->private_exec;
}

init::FileIdentity identity_of(const Located& file) {
  return {(std::uint64_t{major(file.device)} << 32) | minor(file.device), file.inode};
}

constexpr bool names_agree() {
  for (std::size_t i = 0; i < kNamespaceNames.size(); ++i) {
    if (kNamespaceNames[i] != std::string_view(init::kNamespaces[i])) return false;
  }
  return kNamespaceNames.size() == init::kNamespaceCount &&
         kNamespaceNames[init::kPidNamespace] == "pid" &&
         kNamespaceNames[init::kNetworkNamespace] == "net" &&
         kNamespaceNames[init::kCgroupNamespace] == "cgroup";
}
static_assert(names_agree(), "bawn and init list namespaces in one order");

using SentMountOp = init::MountOpIn<Offsets>;

// A kind has only the strings that it needs; init refuses any other.
SentMountOp encode_mount_op(const MountOp& op, Writer& writer) {
  SentMountOp sent{.kind = op.kind,
                   .writable = op.writable,
                   .device = op.device,
                   .exec = op.exec,
                   .tree = op.tree};
  sent.destination = writer.add(op.destination);
  if (has_content(op.kind)) sent.content = writer.add(op.content);
  if (has_source(op.kind)) sent.source = {writer.add(op.source.path), identity_of(op.source)};
  return sent;
}

init::ListOf<Offsets, SentMountOp> encode_mount_ops(std::span<const MountOp> ops, Writer& writer) {
  if (ops.empty()) return {};
  const std::uint64_t array = writer.reserve(ops.size() * sizeof(SentMountOp));
  for (std::size_t i = 0; i < ops.size(); ++i)
    writer.put(array + i * sizeof(SentMountOp), encode_mount_op(ops[i], writer));
  return {array, ops.size()};
}

init::StdioFileOf<Offsets> put_stdio(const StdioOpening& opening, Writer& writer) {
  if (opening.origin == init::StdioOrigin::sent) return {};
  if (opening.origin == init::StdioOrigin::opened)
    return {.origin = opening.origin, .position = opening.position, .identity = opening.identity};
  return {.origin = opening.origin,
          .access = opening.access,
          .directory = writer.add(opening.directory),
          .name = writer.add(opening.name),
          .position = opening.position,
          .identity = opening.identity};
}

void put_root(const Plan& plan, const RootPlan& root, const ExecFacts& facts, Writer& writer,
              init::ExecMessage& exec) {
  for (std::uint32_t i = 0; i < init::kNamespaceCount; ++i) {
    const bool shared = i == init::kNetworkNamespace && !plan.network.is_isolated();
    exec.outer_namespaces[i] = shared ? 0 : facts.outer_namespaces[i];
  }
  exec.mounts = encode_mount_ops(std::span(root.mounts).subspan(root.base_mount_count), writer);
  exec.cwd.path = writer.add(root.cwd);
  exec.cwd.identity = plan.private_workspace ? init::FileIdentity{} : identity_of(plan.cwd);
  exec.executable.path = writer.add(plan.program.file.path);
  exec.executable.identity = identity_of(plan.program.file);
  for (std::size_t i = 0; i < facts.stdio.size(); ++i)
    exec.stdio[i] = put_stdio(facts.stdio[i], writer);
}

// Writes the header to the front, where space was left for it.
template <class Header>
std::string with_header(std::string message, Header header, std::uint32_t magic,
                        std::uint32_t slots, std::uint32_t trees) {
  header.head = {magic, static_cast<std::uint32_t>(message.size()), slots, trees};
  std::memcpy(message.data(), &header, sizeof header);
  return message;
}

}  // namespace

std::string encode_exec(const Plan& plan, const ExecFacts& facts) {
  std::string message(sizeof(init::ExecMessage), '\0');
  Writer writer(message);
  init::ExecMessage exec{};
  exec.sequence = facts.sequence;
  exec.argv = writer.add_strings(plan.program.argv);
  exec.envp = writer.add_strings(plan.environment);
  exec.confine = plan.tier != Tier::unconfined;
  exec.timing = facts.timing;
  exec.trial = plan.trial;
  exec.drop_bounding_set = facts.may_drop_bounding_set || plan.tier == Tier::c;
  exec.root_is_granted = grants_root(plan);
  if (exec.confine) {
    const std::span<const sock_filter> filter = facts.filter;
    exec.filter = {writer.add(filter.data(), filter.size_bytes()), filter.size()};
  }
  put_limits(plan, exec);
  exec.wall_ms = plan.limits.wall_time_ms.value_or(0);
  exec.cpu_ms = plan.limits.cpu_time_ms.value_or(0);
  exec.cwd_is_private = plan.private_workspace && plan.tier != Tier::c;
  exec.private_access = facts.rights.write | (private_exec(plan) ? facts.rights.execute : 0);
  plan.private_name.copy(exec.private_name, init::kMaxPrivateName - 1);
  exec.terminal = facts.terminal;
  if (const auto* namespaces = plan.part<NamespacesPlan>())
    put_root(plan, namespaces->root, facts, writer, exec);
  if (!plan.exec_probe.empty()) exec.exec_probe = writer.add(plan.exec_probe);
  return with_header(std::move(message), exec, init::kExecMagic, facts.slots, facts.trees);
}

std::string encode_setup(const SetupPlan& setup_plan, const HostFacts& host,
                         const SetupFacts& facts) {
  std::string message(sizeof(init::SetupMessage), '\0');
  Writer writer(message);
  std::uint32_t slots = 1U << init::slot_parent;
  init::SetupMessage setup{};
  setup.timing = facts.timing;
  setup.new_netns = setup_plan.new_netns;
  setup.as_pid_1 = setup_plan.as_pid_1;
  setup.noexec_root = setup_plan.programs_listed;
  setup.uid = setup_plan.user.uid;
  setup.gid = setup_plan.user.gid;
  setup.drop_groups = host.capabilities.has(Capability::setgid);
  setup.switch_user = setup_plan.user.host_uid != host.uid || setup_plan.user.host_gid != host.gid;
  setup.scratch_bytes = setup_plan.scratch_bytes.value_or(0);
  if (facts.landlock_abi != 0) {
    const LandlockRights rights = rights_of_run(facts.landlock_abi, setup_plan.programs_listed);
    setup.read_access = rights.read;
    setup.write_access = rights.write;
    setup.device_access = rights.device;
    setup.execute_access = rights.execute;
    slots |= 1U << init::slot_landlock;
  }
  setup.base_mounts = encode_mount_ops(setup_plan.mounts, writer);
  return with_header(std::move(message), setup, init::kSetupMagic, slots, 0);
}

}  // namespace bawn::linux_
