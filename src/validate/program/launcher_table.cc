#include "validate/program/launcher_table.h"

#include <algorithm>
#include <array>

namespace bawn {
namespace {

constexpr OptionGrammar kPersonalityOptions{
    "BFILRSTXZv3",
    "32bit fdpic-funcptrs short-inode addr-compat-layout addr-no-randomize whole-seconds "
    "sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb uname-2.6 verbose list"};

constexpr OptionGrammar kNoOptions{"", ""};

// Sorted by name.
constexpr std::array kLaunchers{
    Launcher{.name = "aa-exec",
             .options = {"p:n:idv", "profile: namespace: immediate debug verbose"}},
    Launcher{.name = "builtin", .options = kNoOptions},
    Launcher{.name = "bwrap", .options = kNoOptions, .tail = Tail::other_root},
    Launcher{.name = "caffeinate", .options = {"disumt:w:", ""}},
    Launcher{.name = "ccache", .options = kNoOptions},
    Launcher{.name = "cgexec", .options = {"g:", "sticky"}},
    Launcher{.name = "choom", .options = {"n:p:", "adjust: pid:"}, .no_command = "p pid"},
    Launcher{.name = "chpst", .options = {"u:U:b:e:/:n:l:L:m:d:o:p:f:c:r:t:vP012", ""}},
    Launcher{.name = "chronic", .options = {"ve", ""}},
    Launcher{.name = "chroot", .options = kNoOptions, .tail = Tail::other_root},
    Launcher{.name = "chrt",
             .options = {"abdfiormpvRT:P:D:",
                         "all-tasks batch deadline fifo idle other rr max pid verbose "
                         "reset-on-fork sched-runtime: sched-period: sched-deadline:"},
             .operands = 1,
             .optional_number = true,
             .no_command = "p pid m max"},
    Launcher{.name = "command", .options = {"pvV", ""}, .no_command = "v V"},
    Launcher{
        .name = "cpulimit",
        .options = {"l:c:p:e:P:bfkmqrsvzi", "limit: pid: exe: path: lazy foreground quiet verbose"},
        .no_command = "p pid e exe P path"},
    Launcher{.name = "dbus-run-session", .options = {"", "config-file: dbus-daemon:"}},
    Launcher{.name = "distcc", .options = kNoOptions},
    Launcher{.name = "dumb-init", .options = {"cr:v", "single-child rewrite: verbose"}},
    Launcher{.name = "eatmydata", .options = kNoOptions},
    Launcher{.name = "entr", .options = {"acdnprz", ""}},
    Launcher{.name = "envdir", .options = kNoOptions, .operands = 1},
    Launcher{.name = "envuidgid", .options = kNoOptions, .operands = 1},
    Launcher{.name = "exec", .options = {"cla:", ""}},
    Launcher{.name = "fakeroot", .options = {"l:s:i:ub:", "lib: faked: unknown-is-real fd-base:"}},
    Launcher{.name = "faketime", .options = {"mf", ""}, .operands = 1},
    Launcher{.name = "firejail", .options = kNoOptions, .tail = Tail::other_root},
    Launcher{.name = "flock",
             .options = {"sexnuow:E:FvV",
                         "shared exclusive unlock nonblock nb timeout: wait: conflict-exit-code: "
                         "close no-fork verbose"},
             .operands = 1},
    Launcher{.name = "i386", .options = kPersonalityOptions, .shell_without_command = true},
    Launcher{.name = "ifne", .options = {"n", ""}},
    Launcher{.name = "ionice",
             .options = {"c:n:p:P:u:t", "class: classdata: pid: pgid: uid: ignore"},
             .no_command = "p pid P pgid u uid"},
    Launcher{.name = "lckdo", .options = {"wW:esxEqQ", ""}, .operands = 1},
    Launcher{.name = "linux32", .options = kPersonalityOptions, .shell_without_command = true},
    Launcher{.name = "linux64", .options = kPersonalityOptions, .shell_without_command = true},
    Launcher{.name = "ltrace", .options = {"a:A:bcCD:e:fF:hiLl:n:o:p:rs:StTu:Vw:x:", ""}},
    Launcher{.name = "nice", .options = {"n:0123456789", "adjustment:"}},
    Launcher{.name = "nohup", .options = kNoOptions},
    Launcher{.name = "nsenter", .options = kNoOptions, .tail = Tail::other_root},
    Launcher{.name = "numactl",
             .options = {"i:p:C:N:m:alsH",
                         "interleave: preferred: physcpubind: cpunodebind: membind: all localalloc "
                         "show hardware"}},
    // Without words, parallel reads commands from standard input and passes each to a shell.
    Launcher{.name = "parallel",
             .options = {"j:kmXN:n:L:a:d:I:0tvuq",
                         "jobs: keep-order dry-run bar eta halt: delay: colsep: will-cite ungroup "
                         "line-buffer tag verbose null arg-file: max-args: timeout: retries:"},
             .tail = Tail::shell_words,
             .shell_without_command = true},
    Launcher{.name = "prlimit",
             .options = {"c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::p:o:",
                         "core:: data:: nice:: fsize:: sigpending:: memlock:: rss:: nofile:: "
                         "msgqueue:: rtprio:: stack:: cpu:: nproc:: as:: locks:: rttime:: pid: "
                         "output: noheadings raw verbose"},
             .no_command = "p pid"},
    Launcher{.name = "proot", .options = kNoOptions, .tail = Tail::other_root},
    Launcher{.name = "proxychains", .options = {"qf:", ""}},
    Launcher{.name = "run-one", .options = kNoOptions},
    Launcher{.name = "sccache", .options = kNoOptions},
    Launcher{.name = "script",
             .options = {"aefqc:t::O:I:B:E:T:m:o:",
                         "append echo: flush quiet command: timing:: log-out: log-in: log-io: "
                         "log-timing: logging-format: output-limit: return force"},
             .operands = 1,
             .code_options = "c command",
             .shell_without_command = true},
    Launcher{.name = "setarch",
             .options = kPersonalityOptions,
             .no_command = "list",
             .shell_without_command = true},
    Launcher{.name = "setlock", .options = {"nNxX", ""}, .operands = 1},
    Launcher{
        .name = "setpriv",
        .options =
            {"d",
             "ambient-caps: inh-caps: bounding-set: securebits: selinux-label: apparmor-profile: "
             "regid: rgid: egid: reuid: ruid: euid: groups: pdeathsig: clear-groups keep-groups "
             "init-groups nnp no-new-privs reset-env list-caps dump"}},
    Launcher{.name = "setsid", .options = {"cfw", "ctty fork wait"}},
    Launcher{.name = "setuidgid", .options = kNoOptions, .operands = 1},
    Launcher{.name = "softlimit", .options = {"a:c:d:f:l:m:o:p:r:s:t:", ""}},
    Launcher{.name = "ssh-agent", .options = {"a:t:E:O:P:cdDksx", ""}, .no_command = "k"},
    Launcher{.name = "sshpass", .options = {"p:f:d:P:veh", ""}},
    Launcher{.name = "stdbuf", .options = {"i:o:e:", "input: output: error:"}},
    Launcher{.name = "strace",
             .options = {"a:Ab:cCdDe:fFhiI:knNo:O:p:P:qrs:S:tTu:U:vVwxX:yYzZ",
                         "attach: trace: output: follow-forks summary summary-only string-limit: "
                         "quiet:: seccomp-bpf absolute-timestamps:: relative-timestamps:: "
                         "decode-fds:: signal: status: inject: fault: daemonize:: detach-on: "
                         "trace-path: columns: output-append-mode output-separately tips::"}},
    Launcher{
        .name = "systemd-cat",
        .options = {"t:p:", "identifier: priority: stderr-priority: level-prefix: namespace:"}},
    Launcher{.name = "systemd-inhibit",
             .options = {"", "what: who: why: mode: list no-pager no-legend"},
             .no_command = "list"},
    Launcher{.name = "systemd-nspawn", .options = kNoOptions, .tail = Tail::other_root},
    Launcher{.name = "taskset",
             .options = {"apc", "all-tasks pid cpu-list"},
             .operands = 1,
             .no_command = "p pid"},
    Launcher{.name = "time",
             .options = {"af:o:pqv", "append format: output: portability quiet verbose"}},
    Launcher{.name = "timeout",
             .options = {"k:s:vfp", "kill-after: signal: preserve-status foreground verbose"},
             .operands = 1},
    Launcher{.name = "tini", .options = {"p:vwgse:l", ""}},
    Launcher{.name = "torsocks",
             .options = {"a:P:u:p:di", "address: port: user: pass: debug isolate"}},
    Launcher{.name = "unshare",
             .options = {"imnpuCTUfrcS:G:R:w:",
                         "ipc:: mount:: net:: pid:: uts:: user:: cgroup:: time:: fork map-user: "
                         "map-group: map-root-user map-current-user map-auto map-users: "
                         "map-groups: kill-child:: mount-proc:: propagation: setgroups: keep-caps "
                         "root: wd: setuid: setgid: monotonic: boottime:"},
             .new_directory = "w wd",
             .new_root = "R root",
             .shell_without_command = true},
    Launcher{.name = "valgrind", .options = {"vqd", "verbose quiet"}},
    Launcher{.name = "watch",
             .options = {"bcCd::en:ptghwrq:s:x",
                         "beep color no-color differences:: errexit interval: precise no-title "
                         "chgexit no-wrap equexit: no-rerun shotsdir: exec"},
             .tail = Tail::shell_words,
             .no_shell = "x exec"},
    Launcher{.name = "x86_64", .options = kPersonalityOptions, .shell_without_command = true},
};
static_assert(std::is_sorted(kLaunchers.begin(), kLaunchers.end(),
                             [](const Launcher& a, const Launcher& b) { return a.name < b.name; }));

}  // namespace

const Launcher* find_launcher(std::string_view name) {
  const auto at =
      std::lower_bound(kLaunchers.begin(), kLaunchers.end(), name,
                       [](const Launcher& a, std::string_view b) { return a.name < b; });
  return at != kLaunchers.end() && at->name == name ? &*at : nullptr;
}

}  // namespace bawn
