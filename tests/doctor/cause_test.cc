#include "doctor/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

NamespaceRefusal user_refusal(int sys_errno, bool at_clone = true,
                              std::optional<long> limit = 1000) {
  return {.sys_errno = sys_errno,
          .at_clone = at_clone,
          .limit_name = "user.max_user_namespaces",
          .limit = limit};
}

TEST(Cause, OfALimitOfZeroIsTheSysctl) {
  const Cause cause = diagnose_namespace(user_refusal(ENOSPC, true, 0), {});
  EXPECT_EQ(cause.reason, "sysctl user.max_user_namespaces is 0");
  EXPECT_THAT(cause.fix, AllOf(HasSubstr("sudo sysctl -w user.max_user_namespaces=10000\n"),
                               HasSubstr("/etc/sysctl.d/60-bawn.conf")));
}

TEST(Cause, OfALimitThatIsUsedUpNamesItAndRaisesIt) {
  const Cause cause = diagnose_namespace(user_refusal(ENOSPC, true, 100), {});
  EXPECT_THAT(cause.reason, HasSubstr("sysctl user.max_user_namespaces (100)"));
  EXPECT_THAT(cause.fix, HasSubstr("user.max_user_namespaces=200"));
}

// A shortage says nothing about what the host allows, and is no reason for a weaker tier. doctor
// says the same as a run.
TEST(Cause, OfAShortageIsTemporary) {
  for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM}) {
    for (const Cause& cause : {diagnose_namespace(user_refusal(error), {.seccomp_mode = 2}),
                               diagnose_call(error, "Linux 1", {.seccomp_mode = 2})}) {
      EXPECT_THAT(cause.reason, AllOf(HasSubstr("lacks a resource"), HasSubstr("weaker tier")));
      EXPECT_THAT(cause.fix, HasSubstr("try again"));
    }
  }
  EXPECT_THAT(diagnose_namespace(user_refusal(ENOSPC, true, 100), {}).reason,
              HasSubstr("weaker tier"));
}

TEST(Cause, OfTheDistributionsSwitchIsForOrdinaryUsersOnly) {
  const HostRestrictions user = {.unprivileged_userns_clone = 0};
  EXPECT_EQ(diagnose_namespace(user_refusal(EPERM), user).reason,
            "sysctl kernel.unprivileged_userns_clone is 0");
  EXPECT_THAT(diagnose_namespace(user_refusal(EPERM), user).fix,
              HasSubstr("sudo sysctl -w kernel.unprivileged_userns_clone=1"));
  const HostRestrictions root = {
      .root = true, .capabilities = kAllCapabilities, .unprivileged_userns_clone = 0};
  EXPECT_THAT(diagnose_namespace(user_refusal(EPERM), root).reason,
              Not(HasSubstr("unprivileged_userns_clone")));
  const HostRestrictions on = {.unprivileged_userns_clone = 1};
  EXPECT_THAT(diagnose_namespace(user_refusal(EPERM), on).reason,
              Not(HasSubstr("unprivileged_userns_clone")));
}

// Ubuntu lets the namespace be made and refuses what is done in it.
TEST(Cause, OfAppArmorComesWithAProfileForThisProgram) {
  const HostRestrictions restrictions = {
      .unprivileged_userns_clone = 1, .apparmor_restricts_userns = 1, .program = "/opt/bawn"};
  for (const bool at_clone : {true, false}) {
    const Cause cause = diagnose_namespace(user_refusal(EPERM, at_clone), restrictions);
    EXPECT_THAT(cause.reason, HasSubstr("kernel.apparmor_restrict_unprivileged_userns is 1"));
    EXPECT_THAT(cause.fix,
                AllOf(HasSubstr("/etc/apparmor.d/bawn"), HasSubstr("profile bawn /opt/bawn "),
                      HasSubstr("userns,"), HasSubstr("apparmor_parser -r")));
  }
  EXPECT_THAT(diagnose_call(EACCES, "Linux 1", restrictions).reason, HasSubstr("AppArmor"));
}

TEST(Cause, OfAContainersFilterIsSeenByTheModeOfThisProcess) {
  const HostRestrictions restrictions = {
      .root = true, .capabilities = kAllCapabilities, .seccomp_mode = 2};
  EXPECT_THAT(diagnose_namespace(user_refusal(ENOSYS), restrictions).reason,
              HasSubstr("a seccomp filter around this process"));
  EXPECT_THAT(diagnose_namespace(user_refusal(EPERM), restrictions).fix,
              HasSubstr("--security-opt seccomp="));
  EXPECT_THAT(diagnose_call(ENOSYS, "Linux 5.9", restrictions).reason,
              HasSubstr("a seccomp filter"));
}

// Landlock answers every mount with EPERM, and so does a container's filter.
TEST(Cause, OfARefusalUnderAFilterIsNotTheFiltersAlone) {
  const HostRestrictions restrictions = {
      .root = true, .capabilities = kAllCapabilities, .seccomp_mode = 2};
  for (const Cause& cause : {diagnose_namespace(user_refusal(EPERM), restrictions),
                             diagnose_call(EACCES, "Linux 5.12", restrictions)}) {
    EXPECT_THAT(
        cause.reason,
        HasSubstr(
            "a seccomp filter or a security module (Landlock, AppArmor) around bawn answers "));
    EXPECT_THAT(cause.fix, AllOf(HasSubstr("--security-opt seccomp="), HasSubstr("journalctl")));
  }
}

// When Landlock refused a write to /proc/self/setgroups, the message once blamed the filter.
TEST(Cause, OfAFileThatMayNotBeWrittenIsNoFilters) {
  NamespaceRefusal refusal = user_refusal(EACCES, false);
  refusal.on_file = true;
  const Cause cause = diagnose_namespace(
      refusal, {.root = true, .capabilities = kAllCapabilities, .seccomp_mode = 2});
  EXPECT_THAT(cause.reason, AllOf(HasSubstr("a security module"), Not(HasSubstr("seccomp"))));
}

TEST(Cause, OfAnUnmappedUserIsTheIdMap) {
  const Cause cause =
      diagnose_namespace(user_refusal(EPERM), {.seccomp_mode = 2, .unmapped = "uid 65534"});
  EXPECT_THAT(cause.reason, HasSubstr("its uid 65534 is not mapped"));
  EXPECT_THAT(cause.fix, HasSubstr("--map-current-user"));
}

TEST(Cause, OfNothingKnownSaysWhatIsLeft) {
  const Cause cause = diagnose_namespace(user_refusal(EPERM), {.unprivileged_userns_clone = 1});
  EXPECT_THAT(cause.reason, AllOf(HasSubstr("chroot"), HasSubstr("security module")));
  EXPECT_THAT(cause.fix, HasSubstr("journalctl"));
}

TEST(Cause, OfAKernelWithoutTheThingNamesOneThatHasIt) {
  EXPECT_THAT(diagnose_namespace(user_refusal(EINVAL), {}).reason, HasSubstr("built without"));
  EXPECT_EQ(diagnose_call(ENOSYS, "Linux 5.9", {}).fix, "use Linux 5.9 or newer");
}

TEST(Cause, OfAnErrorThatIsNoRefusalIsNotGuessed) {
  EXPECT_THAT(diagnose_call(EIO, "Linux 5.9", {}).reason, IsEmpty());
  EXPECT_THAT(diagnose_namespace(user_refusal(EIO), {}).reason, HasSubstr("EIO"));
}

TEST(Cause, OfProgramsInMemoryIsTheSysctlOnlyWhereItForbids) {
  EXPECT_EQ(diagnose_memfd(EACCES, {.memfd_noexec = 2}).reason, "sysctl vm.memfd_noexec is 2");
  EXPECT_THAT(diagnose_memfd(EACCES, {.memfd_noexec = 1}).reason, Not(HasSubstr("memfd_noexec")));
}

TEST(CgroupFix, DependsOnTheVersion) {
  EXPECT_THAT(cgroup_fix(true), HasSubstr("systemd-run --user --scope"));
  EXPECT_THAT(cgroup_fix(false), HasSubstr("as root"));
}

TEST(Cause, OfTheDistributionsSwitchIsForRootWithoutCapabilitiesToo) {
  const HostRestrictions root = {.root = true, .unprivileged_userns_clone = 0};
  EXPECT_EQ(diagnose_namespace(user_refusal(EPERM), root).reason,
            "sysctl kernel.unprivileged_userns_clone is 0");
}

TEST(Cause, OfAMapThatIsNotWrittenIsASecurityModuleOrALackingCapability) {
  NamespaceRefusal refusal = user_refusal(EACCES, false);
  refusal.on_file = true;
  EXPECT_THAT(diagnose_namespace(refusal, {}).reason, HasSubstr("security module"));
  refusal.sys_errno = EPERM;
  EXPECT_THAT(diagnose_namespace(refusal, {.root = true}).reason, HasSubstr("CAP_SETFCAP"));
  for (const HostRestrictions& other :
       {HostRestrictions{}, HostRestrictions{.root = true, .capabilities = kAllCapabilities}})
    EXPECT_THAT(diagnose_namespace(refusal, other).reason, Not(HasSubstr("CAP_SETFCAP")));
}

}  // namespace
}  // namespace bawn
