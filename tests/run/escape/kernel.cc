// The kernel's surface: each group of calls that the filter refuses, with arguments that would do
// no harm if it did not.

#include <sched.h>
#include <sys/syscall.h>

#include "attempt.h"

namespace bawn::escape {
namespace {

Attempt call(const char* name, long number, Words arguments, const char* answer) {
  Words words = {"call", std::to_string(number)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {name, std::move(words), answer, reaches(number)};
}

Attempt new_namespace(const char* name, long call_number, unsigned long flags) {
  return call(name, call_number, {std::to_string(flags)}, "EPERM");
}

const std::string kTiocsti = "0x5412";
const std::string kTioclinux = "0x541c";
constexpr unsigned long kChild = 17;
constexpr unsigned long kNewTime = 0x80;

}  // namespace

const std::vector<Attempt>& attempts_on_the_kernel() {
  static const std::vector<Attempt> kAttempts = {
    call("Mount", SYS_mount, {"none", "/tmp", "tmpfs", "0", "0"}, "EPERM"),
    call("BindOverTheWorkspace", SYS_mount, {"/tmp", "{workspace}", "none", "4096", "0"}, "EPERM"),
    call("RemountWritable", SYS_mount, {"none", "/usr", "none", "0x1020", "0"}, "EPERM"),
    call("Unmount", SYS_umount2, {"{workspace}/secrets", "2"}, "EPERM"),
    call("PivotRoot", SYS_pivot_root, {"/tmp", "/tmp"}, "EPERM"),
    call("Chroot", SYS_chroot, {"/tmp"}, "EPERM"),
    call("OpenTree", SYS_open_tree, {"-100", "/usr", "1"}, "EPERM"),
    call("MoveMount", SYS_move_mount, {"-100", "/usr", "-100", "/tmp", "0"}, "EPERM"),
    call("Fsopen", SYS_fsopen, {"tmpfs", "0"}, "EPERM"),
    call("Fsconfig", SYS_fsconfig, {"0", "6", "0", "0", "0"}, "EPERM"),
    call("Fsmount", SYS_fsmount, {"0", "0", "0"}, "EPERM"),
    call("Fspick", SYS_fspick, {"-100", "/usr", "0"}, "EPERM"),
    call("MountSetattr", SYS_mount_setattr, {"-100", "/usr", "0", "buffer", "32"}, "EPERM"),
    call("OpenTreeAttr", 467, {"-100", "/usr", "1", "buffer", "32"}, "EPERM"),
    call("Statmount", 457, {"buffer", "buffer", "0", "0"}, "ENOSYS"),
    call("Listmount", 458, {"buffer", "buffer", "0", "0"}, "ENOSYS"),
    new_namespace("UnshareUser", SYS_unshare, CLONE_NEWUSER),
    new_namespace("UnshareMount", SYS_unshare, CLONE_NEWNS),
    new_namespace("UnsharePid", SYS_unshare, CLONE_NEWPID),
    new_namespace("UnshareNet", SYS_unshare, CLONE_NEWNET),
    new_namespace("UnshareIpc", SYS_unshare, CLONE_NEWIPC),
    new_namespace("UnshareUts", SYS_unshare, CLONE_NEWUTS),
    new_namespace("UnshareCgroup", SYS_unshare, CLONE_NEWCGROUP),
    new_namespace("UnshareTime", SYS_unshare, kNewTime),
    new_namespace("CloneUser", SYS_clone, CLONE_NEWUSER | kChild),
    new_namespace("CloneMount", SYS_clone, CLONE_NEWNS | kChild),
    new_namespace("ClonePid", SYS_clone, CLONE_NEWPID | kChild),
    new_namespace("CloneNet", SYS_clone, CLONE_NEWNET | kChild),
    new_namespace("CloneIpc", SYS_clone, CLONE_NEWIPC | kChild),
    new_namespace("CloneUts", SYS_clone, CLONE_NEWUTS | kChild),
    new_namespace("CloneCgroup", SYS_clone, CLONE_NEWCGROUP | kChild),
    new_namespace("CloneWithHighBits", SYS_clone, 0x700000000UL | CLONE_NEWUSER | kChild),
    call("Clone3", SYS_clone3, {"buffer", "88"}, "ENOSYS"),
    call("Setns", SYS_setns, {"0", "0"}, "EPERM"),
    call("Bpf", SYS_bpf, {"0", "buffer", "0"}, "EPERM"),
    call("Perf", SYS_perf_event_open, {"buffer", "0", "-1", "-1", "0"}, "EPERM"),
    call("Userfaultfd", SYS_userfaultfd, {"1"}, "EPERM"),
    call("IoUringSetup", SYS_io_uring_setup, {"1", "buffer"}, "ENOSYS"),
    call("IoUringEnter", SYS_io_uring_enter, {"0", "0", "0", "0"}, "ENOSYS"),
    call("IoUringRegister", SYS_io_uring_register, {"0", "0", "0", "0"}, "ENOSYS"),
    call("Keyctl", SYS_keyctl, {"0", "-4", "0"}, "ENOSYS"),
    call("AddKey", SYS_add_key, {"user", "bawn", "x", "1", "-2"}, "ENOSYS"),
    call("RequestKey", SYS_request_key, {"user", "bawn", "0", "-2"}, "ENOSYS"),
    call("Kexec", SYS_kexec_load, {"0", "0", "0", "0xffff"}, "EPERM"),
    call("KexecFile", SYS_kexec_file_load, {"-1", "-1", "0", "0", "0xffff"}, "EPERM"),
    call("InitModule", SYS_init_module, {"0", "0", "0"}, "EPERM"),
    call("FinitModule", SYS_finit_module, {"-1", "0", "0"}, "EPERM"),
    call("DeleteModule", SYS_delete_module, {"bawn-none", "0"}, "EPERM"),
    call("Reboot", SYS_reboot, {"0", "0", "0", "0"}, "EPERM"),
    call("SetClock", SYS_clock_settime, {"9999", "0"}, "EPERM"),
    call("SetTimeOfDay", SYS_settimeofday, {"1", "0"}, "EPERM"),
    call("AdjustClock", SYS_adjtimex, {"1"}, "EPERM"),
    call("AdjustAnyClock", SYS_clock_adjtime, {"9999", "1"}, "EPERM"),
    call("Swapon", SYS_swapon, {"/bawn-none", "0"}, "EPERM"),
    call("Swapoff", SYS_swapoff, {"/bawn-none"}, "EPERM"),
    call("Accounting", SYS_acct, {"/bawn-none/none"}, "EPERM"),
    call("Quota", SYS_quotactl, {"0xffff", "0", "0", "0"}, "EPERM"),
    call("QuotaByFile", SYS_quotactl_fd, {"-1", "0xffff", "0", "0"}, "EPERM"),
    call("KernelLogCall", SYS_syslog, {"10", "0", "0"}, "EPERM"),
    call("HostName", SYS_sethostname, {"x", "9999"}, "EPERM"),
    call("DomainName", SYS_setdomainname, {"x", "9999"}, "EPERM"),
#if defined(__x86_64__)
    call("PortsOfTheMachine", SYS_iopl, {"9"}, "EPERM"),
    call("SomePorts", SYS_ioperm, {"0", "0", "0"}, "EPERM"),
    call("Segments", SYS_modify_ldt, {"0", "buffer", "0"}, "ENOSYS"),
#endif
    call("Hangup", SYS_vhangup, {}, "EPERM"),
    call("Fanotify", SYS_fanotify_init, {"0", "0"}, "EPERM"),
    call("MovePages", SYS_move_pages, {"1", "0", "0", "0", "0", "0"}, "EPERM"),
    call("MigratePages", SYS_migrate_pages, {"1", "0", "0", "0"}, "EPERM"),
    call("HandleOfName", SYS_name_to_handle_at, {"-100", "/usr", "buffer", "buffer", "0"}, "EPERM"),
    call("ReadImpliesExec", SYS_personality, {"0x400000"}, "EPERM"),
    call("PageZero", SYS_personality, {"0x100000"}, "EPERM"),
    call("RewriteOwnMap", SYS_prctl, {"35", "1", "0", "0", "0"}, "EPERM"),
    call("CoreScheduling", SYS_prctl, {"62", "1", "0", "0", "0"}, "EPERM"),
    call("TypeIntoTerminal", SYS_ioctl, {"0", kTiocsti, "x"}, "EPERM"),
    call("TypeIntoTerminalWithHighBits", SYS_ioctl, {"0", "0xdead00005412", "x"}, "EPERM"),
    call("PasteIntoConsole", SYS_ioctl, {"0", kTioclinux, "buffer"}, "EPERM"),
    call("PasteIntoConsoleWithHighBits", SYS_ioctl, {"0", "0x10000541c", "buffer"}, "EPERM"),
    call("OpenatTwo", SYS_openat2, {"-100", "/", "buffer", "24"}, "ENOSYS"),
    call("LeaveSecurityModule", 460, {"100", "buffer", "32", "0"}, "EPERM"),
    call("ACallOfTheFuture", 600, {}, "ENOSYS"),
#if defined(__x86_64__)
    // The control: a kernel with this entry answers the call; a kernel without it gives another
    // error.
    {"EntryOfI386", {"call-by-i386", "20"}, "SIGSYS", outside("ok|SIGSEGV|ENOSYS")},
    {"MountByI386", {"call-by-i386", "21"}, "SIGSYS", outside("ok|SIGSEGV|EFAULT|EPERM|ENOSYS")},
    {"EntryOfX32", {"call-by-x32", std::to_string(SYS_getpid)}, "SIGSYS", outside("ok|ENOSYS")},
    {"MountByX32", {"call-by-x32", std::to_string(SYS_mount)}, "SIGSYS", outside("EFAULT|ENOSYS")},
#endif
  };
  return kAttempts;
}

}  // namespace bawn::escape
