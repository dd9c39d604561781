// doctor examines the host in a process that was restricted first: by a seccomp filter, as in a
// container, by a sysctl of a user namespace, or by a mount over /proc. The control is the
// unrestricted host.

#include "doctor/doctor.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>

#include "../become_root_of.h"
#include "../cover_proc.h"
#include "base/text.h"
#include "doctor/diagnosis.h"
#include "sys/control_file.h"
#include "sys/pipe.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The results of doctor by name, in a process that `cripple` has restricted. Empty if that failed.
class Examined {
 public:
  explicit Examined(const std::function<bool()>& cripple) {
    auto pipe = sys::pipe();
    const pid_t child = fork();
    if (child == 0) {
      if (!cripple()) _exit(1);
      const std::string text = diagnosis_json(examine_host());
      _exit(write(pipe.value().write.get(), text.data(), text.size()) == std::ssize(text) ? 0 : 1);
    }
    pipe.value().write.reset();
    std::string text;
    char piece[4096];
    for (ssize_t got = 0; (got = read(pipe.value().read.get(), piece, sizeof piece)) > 0;) {
      text.append(piece, static_cast<std::size_t>(got));
    }
    waitpid(child, nullptr, 0);
    json_ = nlohmann::json::parse(text, nullptr, false);
  }

  [[nodiscard]] bool tier_works(const char* tier) const {
    return json_.at("tiers").at(tier).at("works").get<bool>();
  }
  [[nodiscard]] nlohmann::json result(std::string_view name) const {
    for (const auto& result : json_.at("findings")) {
      if (result.at("name") == name) return result;
    }
    ADD_FAILURE() << "no finding " << name;
    return {};
  }
  [[nodiscard]] bool works(std::string_view name) const {
    return result(name).at("works").get<bool>();
  }
  [[nodiscard]] std::string text(std::string_view name, const char* field) const {
    return result(name).at(field).get<std::string>();
  }

 private:
  nlohmann::json json_;
};

const Examined& whole_host() {
  static const Examined examined([] { return true; });
  return examined;
}

struct Refusal {
  const char* result;
  unsigned call;
  int sys_errno;
  std::uint32_t argument_bits = 0;  // of the first argument: only calls that have all of these bits
  bool tier_b = true;
  bool tier_c = true;
};

bool install(const Refusal& refusal) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refusal.call, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, refusal.argument_bits),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refusal.argument_bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(refusal.sys_errno)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

class DoctorUnderAFilter : public testing::TestWithParam<Refusal> {};

TEST_P(DoctorUnderAFilter, FindsWhatIsRefusedAndWhoRefusesIt) {
  const Refusal& refusal = GetParam();
  ASSERT_TRUE(whole_host().works(refusal.result)) << whole_host().text(refusal.result, "evidence");
  const Examined examined([&] { return install(refusal); });
  EXPECT_FALSE(examined.works(refusal.result));
  EXPECT_THAT(examined.text(refusal.result, "evidence"),
              AllOf(HasSubstr(errno_text(refusal.sys_errno)), HasSubstr("a seccomp filter ")));
  EXPECT_THAT(examined.text(refusal.result, "fix"), HasSubstr("--security-opt seccomp="));
  EXPECT_EQ(examined.tier_works("b"), refusal.tier_b);
  EXPECT_EQ(examined.tier_works("c"), refusal.tier_c);
}

INSTANTIATE_TEST_SUITE_P(
    Call, DoctorUnderAFilter,
    testing::Values(
        Refusal{"user-namespace", SYS_clone, EPERM, CLONE_NEWUSER, true, false},
        Refusal{"user-namespace", SYS_unshare, EPERM, CLONE_NEWUTS, true, false},
        Refusal{"mount-namespace", SYS_mount, EPERM, 0, true, false},
        Refusal{"mount-namespace", SYS_clone, EPERM, CLONE_NEWNS, true, false},
        Refusal{"mount-calls", SYS_fsopen, ENOSYS, 0, true, false},
        Refusal{"mount-calls", SYS_mount_setattr, ENOSYS, 0, true, false},
        Refusal{"mount-calls", SYS_open_tree, EPERM, 0, true, false},
        Refusal{"mount-calls", SYS_move_mount, EPERM, 0, true, false},
        Refusal{"root-switch", SYS_pivot_root, EPERM, 0, true, false},
        Refusal{"root-switch", SYS_umount2, EPERM, 0, true, false},
        Refusal{"pid-namespace", SYS_clone, EPERM, CLONE_NEWPID, true, false},
        Refusal{"network-namespace", SYS_clone, EPERM, CLONE_NEWNET, true, false},
        Refusal{"ipc-uts-namespaces", SYS_sethostname, EPERM, 0, true, false},
        // A run sets both names, enters its network namespace, and marks files. doctor once said
        // "tier c works" where every run failed.
        Refusal{"ipc-uts-namespaces", SYS_setdomainname, EPERM, 0, true, false},
        Refusal{"network-namespace", SYS_setns, EPERM, 0, true, false},
        Refusal{"launch-calls", SYS_capset, EPERM, 0, true, false},
        Refusal{"launch-calls", SYS_signalfd4, ENOSYS, 0, true, false},
        Refusal{"launch-calls", SYS_personality, EPERM, 0, true, false},
        Refusal{"cgroup-namespace", SYS_clone, EPERM, CLONE_NEWCGROUP, true, false},
        Refusal{"pidfd", SYS_pidfd_open, ENOSYS, 0, false, false},
        Refusal{"pidfd", SYS_pidfd_send_signal, ENOSYS, 0, false, false},
        Refusal{"close-range", SYS_close_range, ENOSYS, 0, false, false},
        Refusal{"memory-executable", SYS_memfd_create, EPERM, 0, false, false},
        Refusal{"memory-executable", SYS_execveat, EPERM, 0, false, false},
        Refusal{"seccomp", SYS_seccomp, EPERM, 0, false, false},
        Refusal{"landlock", SYS_landlock_create_ruleset, ENOSYS, 0, false, true},
        Refusal{"landlock", SYS_landlock_restrict_self, EPERM, 0, false, false},
        Refusal{"landlock-or-none", SYS_landlock_add_rule, EPERM, 0, false, false},
        Refusal{"landlock-or-none", SYS_landlock_create_ruleset, EPERM, 0, false, false},
        Refusal{"clone3", SYS_clone3, ENOSYS, 0, true, true},
        // Init opens nothing without it. doctor once said "tier c works" where every run failed.
        Refusal{"openat2", SYS_openat2, ENOSYS, 0, true, false},
        Refusal{"statx", SYS_statx, ENOSYS, 0, true, false}),
    [](const auto& refusal) {
      std::string name = concat(std::string_view(refusal.param.result), "_", refusal.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Doctor, FindsTheHostAsTheOtherTestsNeedIt) {
  EXPECT_TRUE(whole_host().tier_works("b"));
  EXPECT_TRUE(whole_host().tier_works("c"));
}

TEST(Doctor, NamesTheSysctlThatAllowsNoUserNamespace) {
  const auto limit_to = [](const char* most) {
    return [most] {
      return become_root_of(0) &&
             sys::write_control(AT_FDCWD, "/proc/sys/user/max_user_namespaces", most).ok();
    };
  };
  const Examined none(limit_to("0"));
  EXPECT_FALSE(none.tier_works("c"));
  EXPECT_THAT(none.text("user-namespace", "evidence"),
              HasSubstr("sysctl user.max_user_namespaces is 0"));
  EXPECT_THAT(none.text("user-namespace", "fix"), HasSubstr("sysctl -w user.max_user_namespaces="));
  EXPECT_THAT(none.text("mount-namespace", "evidence"),
              HasSubstr("not tried: it needs user-namespace"));
  EXPECT_TRUE(Examined(limit_to("100")).works("user-namespace"));
}

TEST(Doctor, NamesTheSysctlThatAllowsNoNetworkNamespace) {
  const Examined none([] {
    return become_root_of(0) &&
           sys::write_control(AT_FDCWD, "/proc/sys/user/max_net_namespaces", "0").ok();
  });
  EXPECT_FALSE(none.tier_works("c"));
  EXPECT_TRUE(none.works("pid-namespace"));
  EXPECT_THAT(none.text("network-namespace", "evidence"),
              HasSubstr("sysctl user.max_net_namespaces is 0"));
}

// A container covers parts of /proc. The kernel then refuses a new /proc, and tier c works without
// one.
TEST(Doctor, FindsThatANewProcIsRefusedWhereTheOldOneIsCovered) {
  const Examined covered([] { return become_root_of(CLONE_NEWNS) && cover_in_proc("irq"); });
  EXPECT_FALSE(covered.works("fresh-proc"));
  EXPECT_THAT(covered.text("fresh-proc", "evidence"), HasSubstr("parts of /proc are covered"));
  EXPECT_THAT(covered.text("fresh-proc", "fix"), HasSubstr("systempaths=unconfined"));
  EXPECT_THAT(covered.text("fresh-proc", "otherwise"), HasSubstr("/proc is empty"));
  EXPECT_TRUE(covered.tier_works("c"));
  const auto elsewhere = [] {
    return become_root_of(CLONE_NEWNS) && mount("cover", "/mnt", "tmpfs", 0, nullptr) == 0;
  };
  EXPECT_TRUE(Examined(elsewhere).works("fresh-proc"));
}

// doctor once said "tier b works" where runs could not make their directory.
TEST(Doctor, FindsThatThePrivateDirectoryCannotBeMade) {
  const Examined closed([] {
    return become_root_of(CLONE_NEWNS) && mount("closed", "/tmp", "tmpfs", MS_RDONLY, nullptr) == 0;
  });
  EXPECT_FALSE(closed.works("private-directory"));
  EXPECT_THAT(closed.text("private-directory", "evidence"),
              AllOf(HasSubstr("EROFS"), HasSubstr("in /tmp")));
  EXPECT_FALSE(closed.tier_works("b"));
  EXPECT_TRUE(whole_host().works("private-directory"));
}

// An image with one static program: no /usr, no /tmp, no shell. doctor must not ask for what a run
// does not need.
TEST(Doctor, NeedsNoDirectoryOfTheHostButProc) {
  const Examined bare([] {
    return become_root_of(CLONE_NEWNS) && mount("bare", "/tmp", "tmpfs", 0, nullptr) == 0 &&
           mkdir("/tmp/proc", 0755) == 0 &&
           mount("/proc", "/tmp/proc", "", MS_BIND | MS_REC, nullptr) == 0 && chdir("/tmp") == 0 &&
           syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 &&
           chdir("/") == 0 && access("/usr", F_OK) != 0;
  });
  for (const char* name : {"mount-calls", "root-switch", "openat2", "launch-calls"})
    EXPECT_TRUE(bare.works(name)) << bare.text(name, "evidence");
  EXPECT_TRUE(bare.tier_works("c"));
}

TEST(Doctor, NamesTheMapThatLacksThisUser) {
  const Examined unmapped([] { return unshare(CLONE_NEWUSER) == 0; });
  EXPECT_FALSE(unmapped.works("user-namespace"));
  EXPECT_THAT(unmapped.text("user-namespace", "evidence"), HasSubstr("is not mapped"));
  EXPECT_THAT(unmapped.text("user-namespace", "fix"), HasSubstr("--map-current-user"));
}

// The control is root, which has some.
TEST(Doctor, TellsWhichCapabilitiesTheCallerHasAndWhatTheyChange) {
  const Examined none([] {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
    return syscall(SYS_capset, &header, sets) == 0;
  });
  EXPECT_THAT(none.text("capabilities", "evidence"),
              AllOf(HasSubstr("the caller has none"), HasSubstr("only as the caller"),
                    HasSubstr("keeps the bounding set")));
  EXPECT_TRUE(none.works("program-file"));
  if (getuid() != 0) return;
  EXPECT_THAT(whole_host().text("capabilities", "evidence"),
              AllOf(HasSubstr("the caller has ="), HasSubstr("may name another user"),
                    HasSubstr("empties the bounding set")));
}

}  // namespace
}  // namespace bawn
