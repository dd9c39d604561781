#include "backend/linux/landlock/ruleset.h"

#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/linux/lookup/path_lookup.h"
#include "base/text.h"
#include "sys/call.h"

namespace bawn::linux_ {
namespace {

// The only rights that the kernel accepts in a rule for something other than a directory.
constexpr std::uint64_t kFileAccess = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | kAccessTruncate |
                                      kAccessIoctlDev;

std::uint64_t access_of(FileAccess access, const LandlockRights& rights) {
  switch (access) {
    case FileAccess::read:
      return rights.read;
    case FileAccess::write:
      return rights.write;
    case FileAccess::device:
      return rights.device;
    case FileAccess::execute:
      return rights.execute;
  }
  return 0;
}

Result<LandlockRuleset> create_ruleset(bool refuse_network, int abi, bool programs_listed) {
  if (abi == 0) return LandlockRuleset{};
  const RulesetAttributes attributes = ruleset_attributes(refuse_network, abi);
  BAWN_ASSIGN(const long fd, sys::checked("landlock_create_ruleset", [&] {
                return syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
              }));
  return LandlockRuleset{Fd(static_cast<int>(fd)), rights_of_run(abi, programs_listed)};
}

Result<void> add_rule(int ruleset, const FileGrant& grant, const LandlockRights& rights) {
  const bool directory = grant.target.kind == FileKind::directory;
  const landlock_path_beneath_attr rule = {
      .allowed_access =
          access_of(grant.access, rights) & (directory ? ~std::uint64_t{0} : kFileAccess),
      .parent_fd = fd_of(grant.target),
  };
  const auto added = sys::checked(concat("landlock_add_rule for ", quote(grant.target.path)), [&] {
    return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  });
  if (!added) return added.error();
  return {};
}

}  // namespace

// The seccomp filter refuses the network; refusing TCP here is a second layer.
Result<LandlockRuleset> make_ruleset_of_grants(const Plan& plan, int abi) {
  BAWN_ASSIGN(LandlockRuleset ruleset,
              create_ruleset(plan.network.is_isolated(), abi, plan.executables.has_value()));
  if (!ruleset.fd) return ruleset;
  for (const FileGrant& grant : plan.files())
    BAWN_TRY(add_rule(ruleset.fd.get(), grant, ruleset.rights));
  return ruleset;
}

// TCP is not refused: the loopback of a new network namespace may be used freely.
Result<LandlockRuleset> make_empty_ruleset(int abi) { return create_ruleset(false, abi, false); }

std::vector<LandlockGap> landlock_gaps(int abi) {
  // No version of Landlock refuses these yet.
  std::vector<LandlockGap> gaps = {
      {"landlock.metadata",
       "chmod, chown, utimensat and setxattr by path change the user's own files outside the scope "
       "too: Landlock has no right for metadata, and a seccomp filter sees no paths"},
      {"landlock.names", "names outside the scope that are known can be looked up and watched"},
      {"landlock.process_list",
       "command lines and states of other processes can be read under /proc"},
  };
  const auto gap = [&](int needed, std::string_view layer, std::string_view what) {
    if (abi < needed) gaps.push_back({concat("landlock.", layer), std::string(what), needed});
  };
  gap(kAbiTruncate, "truncate", "files outside the scope that the user may write can be truncated");
  gap(kAbiIoctl, "device_ioctl", "ioctl on devices that are open is not refused");
  gap(kAbiScope, "signals",
      "processes of the same user outside the run can be signalled, init among them: what a "
      "command started may then outlive the run");
  gap(kAbiScope, "abstract_sockets", "abstract Unix sockets outside the run can be reached");
  return gaps;
}

std::string describe_gap(const LandlockGap& gap) {
  return gap.needs_abi == 0 ? gap.why : concat(gap.why, "; needs Landlock ABI ", gap.needs_abi);
}

}  // namespace bawn::linux_
