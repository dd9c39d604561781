// Runs before the C library; early_init.cc lists the rules for such code.
#include "linux/early_setup.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "linux/encode_base_mounts.h"
#include "linux/init/kernel.h"
#include "linux/init/step_times.h"
#include "linux/landlock_rights.h"

namespace bawn {
namespace {

using init::kernel;

constexpr EncodedBaseMounts<false> kForUser;
constexpr EncodedBaseMounts<true> kForRoot;
static_assert(sizeof(init::SetupMessage) + kForRoot.bytes.size() <= init::kMostInMessage);

struct EncodedOps {
  const char* bytes;
  std::size_t size;
  init::MountOpList list;
};

EncodedOps base_mounts_for(bool host_root) {
  if (host_root) return {kForRoot.bytes.data(), kForRoot.bytes.size(), kForRoot.list};
  return {kForUser.bytes.data(), kForUser.bytes.size(), kForUser.list};
}

// A short line of text, built without allocation. There is no bounds check: the callers write paths
// below /proc/PID and id maps, which fit.
class Line {
 public:
  Line& add(const char* word) {
    while (*word != 0) text_[size_++] = *word++;
    return *this;
  }
  Line& add(long number) { return add(init::Decimal(static_cast<std::uint64_t>(number)).text); }
  [[nodiscard]] const char* text() const { return text_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  char text_[96] = {};
  std::size_t size_ = 0;
};

bool write_file(long process, const char* name, const Line& text) {
  Line path;
  path.add("/proc/").add(process).add("/").add(name);
  const long file = kernel(__NR_openat, AT_FDCWD, path.text(), O_WRONLY | O_CLOEXEC, 0);
  if (file < 0) return false;
  const bool written =
      kernel(__NR_write, file, text.text(), text.size()) == static_cast<long>(text.size());
  kernel(__NR_close, file);
  return written;
}

Line map_of(long id) {
  Line line;
  line.add(id).add(" ").add(id).add(" 1\n");
  return line;
}

// The same order as in host/id_mapping: without privileges, setgroups must be denied before gid_map
// can be written.
bool map_caller(long process, long uid, long gid) {
  if (uid != 0 && !write_file(process, "setgroups", Line().add("deny"))) return false;
  return write_file(process, "uid_map", map_of(uid)) && write_file(process, "gid_map", map_of(gid));
}

struct Files {
  long self = -1;
  long landlock = -1;  // -1 if the kernel has no Landlock
};

// Without Landlock it returns -1 and the rights stay 0; after a failure they are set.
long make_ruleset(init::SetupMessage& header) {
  constexpr unsigned kAskVersion = 1;
  const long abi = kernel(__NR_landlock_create_ruleset, nullptr, 0, kAskVersion);
  if (abi <= 0) return -1;
  const LandlockRights rights = landlock_rights(static_cast<int>(abi));
  header.read_access = rights.read;
  header.write_access = rights.write;
  header.device_access = rights.device;
  const RulesetAttributes attributes = ruleset_attributes(false, static_cast<int>(abi));
  return kernel(__NR_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

bool send(int control, const init::SetupMessage& header, const EncodedOps& base_mounts,
          const Files& files) {
  struct iovec pieces[] = {{const_cast<init::SetupMessage*>(&header), sizeof header},
                           {const_cast<char*>(base_mounts.bytes), base_mounts.size}};
  alignas(struct cmsghdr) char space[CMSG_SPACE(2 * sizeof(int))] = {};
  const std::size_t count = files.landlock >= 0 ? 2 : 1;
  struct msghdr message = {};
  message.msg_iov = pieces;
  message.msg_iovlen = 2;
  message.msg_control = space;
  message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  auto* control_header = reinterpret_cast<struct cmsghdr*>(space);
  control_header->cmsg_level = SOL_SOCKET;
  control_header->cmsg_type = SCM_RIGHTS;
  control_header->cmsg_len = CMSG_LEN(count * sizeof(int));
  auto* sent = reinterpret_cast<int*>(CMSG_DATA(control_header));
  sent[0] = static_cast<int>(files.self);
  if (count == 2) sent[1] = static_cast<int>(files.landlock);
  return kernel(__NR_sendmsg, control, &message, MSG_NOSIGNAL) ==
         static_cast<long>(header.head.size);
}

bool send_setup(const EarlyOrder& order, Files& files, init::SetupMessage& header) {
  const long uid = kernel(__NR_geteuid);
  const long gid = kernel(__NR_getegid);
  if (!map_caller(order.init, uid, gid)) return false;
  files.landlock = make_ruleset(header);
  if (files.landlock < 0 && header.read_access != 0) return false;
  files.self = kernel(__NR_pidfd_open, kernel(__NR_getpid), 0);
  if (files.self < 0) return false;
  const EncodedOps base_mounts = base_mounts_for(uid == 0);
  header.head.magic = init::kSetupMagic;
  header.head.size = static_cast<std::uint32_t>(sizeof header + base_mounts.size);
  header.head.slots =
      1U << init::slot_parent | (files.landlock >= 0 ? 1U << init::slot_landlock : 0U);
  header.timing = order.timing;
  header.new_netns = true;
  header.drop_groups = uid == 0;
  header.uid = static_cast<std::uint32_t>(uid);
  header.gid = static_cast<std::uint32_t>(gid);
  header.base_mounts = base_mounts.list;
  return send(order.control, header, base_mounts, files);
}

}  // namespace

void send_early(const EarlyOrder& order, EarlySetup& setup) {
  if (order.timing) setup.begun_ns = init::monotonic_ns();
  Files files;
  setup.state = send_setup(order, files, setup.header) ? EarlyState::sent : EarlyState::failed;
  for (const long file : {files.self, files.landlock}) {
    if (file >= 0) kernel(__NR_close, file);
  }
}

bool was_sent(const EarlySetup& setup, std::string_view message) {
  const EncodedOps base_mounts = base_mounts_for(setup.header.drop_groups);
  const char* header = reinterpret_cast<const char*>(&setup.header);
  if (setup.state != EarlyState::sent || message.size() != setup.header.head.size) return false;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const char sent =
        i < sizeof setup.header ? header[i] : base_mounts.bytes[i - sizeof setup.header];
    if (message[i] != sent) return false;
  }
  return true;
}

}  // namespace bawn
