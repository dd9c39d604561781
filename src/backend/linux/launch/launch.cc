#include "backend/linux/launch/launch.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "backend/linux/landlock/ruleset.h"
#include "backend/linux/lookup/path_lookup.h"
#include "backend/linux/wire/encode_message.h"
#include "backend/linux/wire/messages.h"
#include "base/text.h"
#include "host/id_mapping.h"
#include "host/setup_error.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

// The files for init and the set of their slots. Add them in the order of the slots: init assigns
// them in that order.
class SlottedFiles {
 public:
  void add(init::Slot slot, int fd) {
    files_.push_back(fd);
    slots_ |= 1U << slot;
  }
  // After all slots.
  void add_trees(std::span<const Fd> trees) {
    for (const Fd& tree : trees) files_.push_back(tree.get());
  }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  [[nodiscard]] const std::vector<int>& files() const { return files_; }

 private:
  std::vector<int> files_;
  std::uint32_t slots_ = 0;
};

Result<void> send_datagram(int control, std::string_view message, const std::vector<int>& files) {
  iovec place = {const_cast<char*>(message.data()), message.size()};
  constexpr std::size_t kMostFiles = init::slot_count + 1 + kMostTrees;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostFiles)> space{};
  msghdr header{};
  header.msg_iov = &place;
  header.msg_iovlen = 1;
  if (!files.empty()) {
    header.msg_control = space.data();
    header.msg_controllen = CMSG_SPACE(sizeof(int) * files.size());
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
    std::memcpy(CMSG_DATA(rights), files.data(), sizeof(int) * files.size());
  }
  const auto sent =
      sys::checked("sendmsg", [&] { return sendmsg(control, &header, MSG_NOSIGNAL); });
  if (sent) return {};
  // Init that has ended has sent a report that says why, so this is no error here. The kernel says
  // ECONNRESET if init never read the last message.
  const int reason = sent.error().sys_errno;
  if (reason == EPIPE || reason == ECONNRESET) return {};
  return sent.error();
}

Result<void> send_as_file(int control, std::string_view message, const std::vector<int>& files) {
  BAWN_ASSIGN(const Fd file, sys::sealed_memory_file("bawn-message", message));
  std::vector<int> with_message = {file.get()};
  with_message.insert(with_message.end(), files.begin(), files.end());
  return send_datagram(control, std::string_view("\0", 1), with_message);
}

Result<void> send_message(int control, std::string_view message, const SlottedFiles& files) {
  if (message.size() > init::kMostInMessage) return send_as_file(control, message, files.files());
  const auto sent = send_datagram(control, message, files.files());
  // EMSGSIZE: net.core.wmem_default is small on this host.
  const bool too_long = !sent && sent.error().sys_errno == EMSGSIZE;
  return too_long ? send_as_file(control, message, files.files()) : sent;
}

void add_stdio(SlottedFiles& files, const Stdio& stdio) {
  for (std::uint32_t i = 0; i < init::kStdioCount; ++i) {
    if (stdio.files[i] >= 0)
      files.add(static_cast<init::Slot>(init::slot_stdin + i), stdio.files[i]);
  }
}

// In v2 the command is cloned into the one directory. In v1, and where that clone is refused, it
// enters through each cgroup.procs.
void add_cgroup(SlottedFiles& files, const RunCgroup& cgroup) {
  if (cgroup.version == CgroupVersion::v2)
    files.add(init::slot_cgroup, cgroup.directories.front().directory());
  std::uint32_t slot = init::slot_entrance;
  for (const Fd& entrance : cgroup.entrances)
    files.add(static_cast<init::Slot>(slot++), entrance.get());
}

// Reads the link again to get the errno. A missing file stays missing; every other error may be
// gone the next time.
Error unknown_namespace(const std::string& link) {
  char ignored = 0;
  const int reason = readlink(link.c_str(), &ignored, sizeof ignored) == -1 ? errno : EAGAIN;
  return judged(system_error(reason, concat(link, " cannot be read; is /proc mounted?")),
                reason == ENOENT ? SetupError::impossible : judge_setup_error(reason));
}

// Init checks that its namespaces differ from the caller's. Compared with an unknown one (0), every
// namespace would look new.
Result<void> require_known(const NamespaceInodes& namespaces) {
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    if (namespaces[i] == 0) return unknown_namespace(concat("/proc/self/ns/", kNamespaceNames[i]));
  }
  return {};
}

}  // namespace

Result<void> map_own_ids(const InitProcess& init, const RunUser& user) {
  const auto mapped = write_id_maps(init.pid(), {.users = {{user.uid, user.host_uid, 1}},
                                                 .groups = {{user.gid, user.host_gid, 1}}});
  if (mapped) return {};
  return judged(mapped.error(), judge_setup_error(mapped.error().sys_errno));
}

Result<void> send_setup(const InitProcess& init, const SetupPlan& setup_plan, const HostFacts& host,
                        Stopwatch& stopwatch) {
  const std::string message = encode_setup(
      setup_plan, host, {.landlock_abi = host.landlock_abi, .timing = stopwatch.running()});
  BAWN_ASSIGN(const LandlockRuleset ruleset, make_empty_ruleset(host.landlock_abi));
  // Init sees the end of this process by this pidfd, from any namespace and even if the pid is
  // reused.
  BAWN_ASSIGN(const Fd self, sys::open_own_process());
  SlottedFiles files;
  files.add(init::slot_parent, self.get());
  if (ruleset.fd) files.add(init::slot_landlock, ruleset.fd.get());
  stopwatch.lap("setup");
  return send_message(init.control(), message, files);
}

Result<Launched> launch(const Plan& plan, const RunFilter& filter, const LaunchFacts& facts,
                        const Stdio& stdio, const RunCgroup* cgroup, InitProcess init,
                        Stopwatch& stopwatch) {
  if (plan.tier == Tier::c) BAWN_TRY(require_known(facts.callers_namespaces));
  SlottedFiles files;
  Fd self;
  if (plan.tier != Tier::c) {
    BAWN_ASSIGN(self, sys::open_own_process());
    files.add(init::slot_parent, self.get());
  }
  add_stdio(files, stdio);
  if (plan.tier != Tier::c) {
    files.add(init::slot_executable, fd_of(plan.program.file));
    if (!plan.private_workspace) files.add(init::slot_cwd, fd_of(plan.cwd));
  }
  if (cgroup != nullptr) add_cgroup(files, *cgroup);
  LandlockRuleset ruleset;
  if (plan.tier == Tier::b) {
    BAWN_ASSIGN(ruleset, make_ruleset_of_grants(plan, facts.landlock_abi));
    stopwatch.lap("ruleset");
    if (ruleset.fd) files.add(init::slot_landlock, ruleset.fd.get());
  }
  if (!plan.private_name.empty()) files.add(init::slot_private_parent, fd_of(plan.private_parent));
  if (cgroup != nullptr && cgroup->kill) files.add(init::slot_cgroup_kill, cgroup->kill.get());
  files.add_trees(facts.trees);

  const ExecFacts exec_facts{.slots = files.slots(),
                             .trees = static_cast<std::uint32_t>(facts.trees.size()),
                             .may_drop_bounding_set = facts.may_drop_bounding_set,
                             .filter = filter.code(),
                             .rights = ruleset.rights,
                             .stdio = stdio.openings,
                             .terminal = stdio.terminal,
                             .timing = stopwatch.running(),
                             .outer_namespaces = facts.callers_namespaces};
  const std::string message = encode_exec(plan, exec_facts);
  BAWN_TRY(init.arrive());
  stopwatch.lap("encode_exec");
  BAWN_TRY(send_message(init.control(), message, files));
  return Launched{init.take_control(), init.take_handle(), plan.tier == Tier::c};
}

void reap_init(int init_pidfd) {
  siginfo_t ignored{};
  waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(init_pidfd), &ignored,
         WEXITED | WNOHANG);
}

}  // namespace bawn::linux_
