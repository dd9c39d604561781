#include "plan/yard_plan.h"

#include <array>
#include <string>
#include <string_view>

#include "base/text.h"

namespace bawn {
namespace {

void add_system(const HostFacts& host, std::vector<RootPart>& parts) {
  const auto mirror = [&](const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      parts.push_back({.kind = RootPartKind::mirror, .destination = path, .origin = "system"});
  };
  mirror(host.root_system_paths);
  // What the host's files would tell about its users and its network is written anew.
  parts.push_back(file_part("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"));
  parts.push_back(file_part("/etc/hosts", "127.0.0.1 localhost bawn\n::1 localhost bawn\n"));
  mirror(host.root_setting_paths);
}

void add_devices(const HostFacts& host, std::vector<RootPart>& parts) {
  const auto add = [&](RootPartKind kind, std::string_view path) {
    parts.push_back({.kind = kind, .destination = std::string(path), .origin = "system", .device = true});
  };
  for (const std::string& path : host.device_paths) add(RootPartKind::mirror, path);
  add(RootPartKind::mirror, "/dev/tty");
  add(RootPartKind::terminals, "/dev/pts");
  static constexpr std::array<std::array<std::string_view, 2>, 5> kLinks = {{
      {"/dev/ptmx", "pts/ptmx"},
      {"/dev/fd", "/proc/self/fd"},
      {"/dev/stdin", "/proc/self/fd/0"},
      {"/dev/stdout", "/proc/self/fd/1"},
      {"/dev/stderr", "/proc/self/fd/2"},
  }};
  for (const auto& [path, target] : kLinks) parts.push_back(link_part(path, target, "system"));
  parts.push_back(scratch_part("/dev/shm", "filesystem.tmp"));
}

// Some of /proc is not of the run but of the machine or of the user: the names of the user's keys, the timers and the
// memory of the kernel. The latter two only the host's root may open, whoever is root inside.
void add_proc(const RunUser& user, std::vector<RootPart>& parts) {
  const auto hide = [&](const char* file) {
    parts.push_back({.kind = RootPartKind::hidden, .destination = file, .origin = "system"});
  };
  parts.push_back({.kind = RootPartKind::proc, .destination = "/proc", .origin = "system"});
  for (const char* file : {"/proc/key-users", "/proc/keys"}) hide(file);
  if (user.host_uid != 0) return;
  for (const char* file : {"/proc/kcore", "/proc/timer_list"}) hide(file);
}

Violation not_to_become(const RunUser& user, const HostFacts& host) {
  return {"identity.unavailable", "identity",
          concat("only root can run a command as somebody else: the policy asks for ", user.host_uid, ":",
                 user.host_gid, ", the caller is ", host.uid, ":", host.gid),
          "set identity.uid and identity.gid to \"caller\""};
}

Violation no_ranges(std::string_view why, std::string fix) {
  return {"identity.unavailable", "identity.id_ranges", concat("no ranges of ids can be had: ", why),
          std::move(fix)};
}

}  // namespace

RunUser plan_user(const Policy::Identity& identity, const HostFacts& host) {
  RunUser user;
  user.host_uid = static_cast<std::uint32_t>(identity.uid.value_or(host.uid));
  user.host_gid = static_cast<std::uint32_t>(identity.gid.value_or(host.gid));
  user.uid = identity.as_root ? 0 : user.host_uid;
  user.gid = identity.as_root ? 0 : user.host_gid;
  if (identity.id_ranges) {
    user.maps = {.users = plan_id_map({user.uid, user.host_uid}, host.id_ranges.users),
                 .groups = plan_id_map({user.gid, user.host_gid}, host.id_ranges.groups)};
  }
  return user;
}

std::optional<Violation> objection_to(const RunUser& user, const Policy::Identity& identity,
                                      const HostFacts& host) {
  const bool is_caller = user.host_uid == host.uid && user.host_gid == host.gid;
  if (!is_caller && host.uid != 0) return not_to_become(user, host);
  if (!identity.id_ranges) return std::nullopt;
  if (!is_caller) {
    return no_ranges(
        "newuidmap gives ranges to the caller alone, and the policy asks for somebody else in identity.uid "
        "or "
        "identity.gid",
        "run bawn as that user, or take identity.id_ranges out of the policy");
  }
  if (!host.id_ranges.lack.empty()) return no_ranges(host.id_ranges.lack, host.id_ranges.fix);
  if (!fits_kernel(user.maps->users) || !fits_kernel(user.maps->groups)) {
    return no_ranges(
        "/etc/subuid or /etc/subgid gives the caller more ranges than the kernel takes in one map",
        "join ranges that lie beside each other into one line");
  }
  return std::nullopt;
}

bool refuses_network(const Policy::Egress& egress) {
  const bool strict = egress.mode == EgressMode::strict || egress.mode == EgressMode::block_all;
  return strict && egress.hosts.empty() && egress.dns_suffixes.empty();
}

YardPlan plan_yard(const Policy& policy, const HostFacts& host) {
  YardPlan yard{.user = plan_user(policy.identity, host),
                .own_network = refuses_network(policy.egress),
                .as_pid_1 = policy.identity.as_pid_1,
                .scratch_bytes = policy.limits.tmp_bytes};
  yard.parts.reserve(64);
  add_system(host, yard.parts);
  add_devices(host, yard.parts);
  add_proc(yard.user, yard.parts);
  yard.parts.push_back({.kind = RootPartKind::directory, .destination = "/run", .origin = "system"});
  if (policy.filesystem.tmp == Tmp::private_dir) {
    for (const char* place : {"/tmp", "/var/tmp"})
      yard.parts.push_back(scratch_part(place, "filesystem.tmp"));
  }
  return yard;
}

}  // namespace bawn
