// The wire format between bawn and init: what init must do, and nothing it must decide.
//
// Init is the small process between bawn and the command; it owns the command's whole process tree.
// It is a freestanding program (see init/meson.build). It links without a C or C++ library, so it
// cannot call an allocator, a mutex or a logger of theirs.
//
// Who sends what, over one AF_UNIX SOCK_SEQPACKET socket, which is init's descriptor 0:
//  1. bawn -> init: a SetupMessage, only for a run in namespaces (tier c). It holds what is known
//     before the request has been checked, so init builds the root while bawn still validates.
//  2. bawn -> init: an ExecMessage, in every run. It names the command and the remaining mounts.
//  3. init -> bawn: a Report of kind `started` or `failed` first, then Reports until `tree_gone`.
//     If init dies, the socket ends instead.
//  4. bawn -> init, after the ExecMessage: single bytes, each a ControlCode. Init reads them from
//     `started` to `tree_gone`.
//
// Layout: a message is a SetupMessage or an ExecMessage, then its parts: arrays and strings. It
// lies in memory at an address divisible by 8. Each part begins at the next multiple of 8 behind
// the part before it; the bytes between are 0. The parts come in the order of their fields, and the
// strings of an array's elements directly behind the array. So there is one way to write a message,
// no two parts overlap, and every byte is accounted for. A string ends with a zero byte and has no
// other. An offset of 0 means that there is no such part. Numbers have the byte order of the host.
// There is no version: init is embedded in the bawn that starts it.
//
// Init trusts nothing in a message: decode.h checks every field and replaces offsets by pointers. A
// malformed message is EINVAL at the step receive_setup or receive_exec.
//
// Failure: a step that fails ends the run. Two refusals are accepted and reported in Readback: of a
// session keyring (`keyring`) and of a new procfs (`fresh_proc`). If a step fails before the
// command's exec, init removes the private directory (in tier b, the one that it made for the run),
// sends `failed` with the step, and exits; the command has not run. An init that dies later sends
// nothing more. In tier c the kernel then kills every process of the pid namespace; in tier b the
// command dies by PR_SET_PDEATHSIG and its other processes are no longer supervised.
#pragma once

#include <cstdint>

#include "plan/root/mount_op_of.h"

struct sock_filter;  // <linux/filter.h>

namespace bawn::init {

// The start of every message.
struct Head {
  std::uint32_t magic;
  std::uint32_t size;   // of the whole message, this included
  std::uint32_t slots;  // bit i: a file for slot i comes with the message
  std::uint32_t trees;  // number of mount trees that come after these files; an ExecMessage only
};
inline constexpr std::uint32_t kSetupMagic = 0x50544553;  // "SETP"
inline constexpr std::uint32_t kExecMagic = 0x43455845;   // "EXEC"

// The largest message that is sent as the datagram itself. A larger one, or one that the host's
// socket buffers refuse (EMSGSIZE), is sent in a sealed memfd: that is the first of the datagram's
// files, before those of the slots, and the datagram is a single byte.
inline constexpr std::uint32_t kMostInMessage = 8192;

// The files that come with a message by SCM_RIGHTS, in this order. A slot whose bit is not set in
// Head::slots is skipped. A slot is filled by one message only: a second file for it is EINVAL.
// slot_parent and slot_landlock come with the first message: the SetupMessage in tier c, the
// ExecMessage in tier b. All others come with the ExecMessage.
// Init owns the files it receives; all of them are close-on-exec.
//
// After them come mount trees: detached copies of the host's mounts, made by open_tree, which bawn
// has restricted and idmapped. MountOp::tree is the number of the one that a bind attaches.
enum Slot : std::uint32_t {
  slot_parent,  // pidfd of bawn, with the first message: when bawn ends, init ends the run
  slot_stdin,
  slot_stdout,
  slot_stderr,
  slot_executable,  // not in namespaces: there init opens it by path in the new root
  slot_cwd,         // likewise
  slot_cgroup,      // v2: the directory of the run's cgroup, for CLONE_INTO_CGROUP
  slot_entrance,    // cgroup.procs of the run's cgroup; in v1 one for each hierarchy
  slot_entrance_2,
  slot_entrance_3,
  slot_landlock,        // a ruleset; in namespaces an empty one, to which init adds the rules
  slot_private_parent,  // the directory in which init makes the private directory
  slot_cgroup_kill,     // cgroup.kill of the run's cgroup (v2, Linux 5.14)
  slot_count,
};

// Every step that can fail; steps.inc lists them with what they do. A `failed` report names one of
// them. launch_steps.h has their descriptions for people.
enum class Step : std::uint32_t {
#define BAWN_STEP(name, what, hint) name,
#include "backend/linux/wire/steps.inc"
#undef BAWN_STEP
  count,
};

// A file that bawn has checked. When init opens it by name later, it must still be this file
// (ESTALE otherwise). `device` is major << 32 | minor; an inode of 0 accepts any file.
struct FileIdentity {
  std::uint64_t device;
  std::uint64_t inode;
};

// The two forms of a message. Both have the same fields, of the same size: a reference to a part is
// an offset from the start of the message, or after decoding a pointer.
struct Offsets {
  template <class T>
  using To = std::uint64_t;
};
struct Pointers {
  template <class T>
  using To = T*;
};

template <class Form>
using TextOf = typename Form::template To<const char>;

template <class Form, class T>
struct ListOf {
  typename Form::template To<T> at;  // T[count]
  std::uint64_t count;
};

// Strings for exec: the array has one element more than `count`, a 0 at its end.
template <class Form>
using StringsOf = ListOf<Form, TextOf<Form>>;

// A file that bawn has checked, and that init opens by its path.
template <class Form>
struct KnownFileOf {
  TextOf<Form> path;  // absolute
  FileIdentity identity;
};

// plan/root/mount_op_of.h describes the operations. `content` is there for a file and a link, and
// `source` for a bind and a program.
template <class Form>
using MountOpIn = MountOpOf<TextOf<Form>, KnownFileOf<Form>>;

// As the kernel's ioctls take them: struct winsize, and the struct termios of <asm/termbits.h>.
struct WindowSize {
  std::uint16_t rows;
  std::uint16_t columns;
  std::uint16_t x_pixels;
  std::uint16_t y_pixels;
};
struct TerminalModes {
  std::uint32_t input;
  std::uint32_t output;
  std::uint32_t control;
  std::uint32_t local;
  std::uint8_t line_discipline;
  std::uint8_t characters[19];
};

// A private terminal: a new pty, in namespaces from the run's own devpts.
//
// Normally init leads the terminal's session. The kernel stops a command on Ctrl-Z only if its
// parent is in the same session and so could continue it. A command that is pid 1 is different: the
// terminal's signals never stop it, and a read from the background would be retried for ever. So
// that command leads the session itself and is in the foreground from the start.
struct TerminalOrder {
  bool wanted;
  bool foreground;  // false: the kernel stops the command when it first reads from the terminal or
                    // changes its modes
  bool has_modes;   // false: the modes of a new terminal
  bool led_by_command;  // the command is pid 1
  std::uint8_t stdio;   // bit i: file i of the command is the terminal, and its slot is not sent
  std::uint8_t reserved[3];
  WindowSize size;
  TerminalModes modes;
};

inline constexpr std::int64_t kNoPosition = -1;

// Where a file of the command's stdio comes from. In namespaces a file that has a path is not sent.
// An open file keeps the mount through which it was opened: through a sent one the command could
// change the mode, owner, times and attributes of a host file. So init opens it again.
enum class StdioOrigin : std::uint32_t {
  sent,       // in its slot, or it is the private terminal
  device,     // init opens it in the new root; `identity.device` is the device's own number (rdev)
  host_file,  // a regular file as stdin: init opens it through a read-only clone of its host mount
  opened,     // the same, opened by bawn and sent in its slot; directory and name are not used
};
template <class Form>
struct StdioFileOf {
  StdioOrigin origin;
  std::uint32_t access;    // O_RDONLY or O_WRONLY, for a device
  TextOf<Form> directory;  // absolute: guest path for a device, else host path; none if `sent`
  TextOf<Form> name;       // the file's name in that directory
  std::int64_t position;   // of a host_file: the offset at which the command starts to read
  FileIdentity identity;   // host_file: st_dev and inode; device: st_rdev, inode not used
};
inline constexpr std::uint32_t kStdioCount = 3;

struct Rlimit {
  std::uint32_t resource;
  std::uint32_t reserved;
  std::uint64_t value;  // soft and hard
};

inline constexpr std::uint32_t kMaxRlimits = 8;
inline constexpr std::uint32_t kMaxPrivateName = 64;
inline constexpr std::uint32_t kMaxFilterLength = 4096;  // BPF_MAXINSNS
// 34 years, far above what a policy can say. Init computes in nanoseconds, in 64 bits.
inline constexpr std::uint64_t kMaxMilliseconds = std::uint64_t{1} << 40;

// The order in which arrays list the namespaces. The names are an array of arrays: an array of
// pointers would need relocations, and init has no loader to apply them.
inline constexpr char kNamespaces[][7] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
inline constexpr std::uint32_t kNamespaceCount = 7;
inline constexpr std::uint32_t kPidNamespace = 2;
inline constexpr std::uint32_t kNetworkNamespace = 3;
// Must be the last: the command's process makes it. Init is in all the others (with as_pid_1 the
// command is in a nested pid namespace besides).
inline constexpr std::uint32_t kCgroupNamespace = 6;

// How to build the sandbox, as far as it does not depend on the command. bawn sends it before the
// request has been checked. Its one part is the list of mounts.
template <class Form>
struct SetupMessageOf {
  Head head;
  bool timing;       // fill the report's step_times
  bool new_netns;    // init enters the network namespace that it has been making since its start
  bool switch_user;  // to uid and gid: they are not bawn's
  bool drop_groups;  // bawn has CAP_SETGID, so setgroups may work
  bool as_pid_1;     // the command is pid 1 of a pid namespace nested in init's
  bool noexec_root;  // programs are listed: nothing in the run's own tmpfs can be executed, but for
                     // the mounts that say otherwise
  std::uint8_t reserved[2];
  std::uint32_t uid;  // as seen inside the user namespace
  std::uint32_t gid;
  std::uint64_t scratch_bytes;  // size of the run's tmpfs; 0: the kernel's default
  std::uint64_t read_access;    // Landlock rights for the whole root; the kernel checks the bits
  std::uint64_t write_access;   // Landlock rights for writable mounts
  std::uint64_t device_access;  // Landlock rights for mounts with `device`
  // Landlock rights for what has MountExec::execute; 0 if the whole root has them
  std::uint64_t execute_access;
  ListOf<Form, MountOpIn<Form>> base_mounts;
};

// What to execute. Its parts are argv, envp, the filter and, in namespaces, the mounts, the paths
// of cwd and executable, and the paths of stdio.
template <class Form>
struct ExecMessageOf {
  Head head;
  // The first ExecMessage has number 1, each further one the next number. Reports carry it.
  std::uint32_t sequence;
  std::uint32_t rlimit_count;
  StringsOf<Form> argv;  // at least one
  StringsOf<Form> envp;
  ListOf<Form, ::sock_filter> filter;  // every confined run has one, an unconfined run has none
  bool confine;            // false only for an unconfined run: no privileges are dropped then
  bool drop_bounding_set;  // the process has CAP_SETPCAP: bawn had it, or the run is in namespaces.
                           // Without it the set cannot be changed; no_new_privs protects instead
  bool timing;             // fill the report's step_times
  bool root_is_granted;    // the policy grants "/", so the Landlock probe may succeed in opening it
  std::uint8_t reserved_2[4];
  Rlimit rlimits[kMaxRlimits];
  std::uint64_t private_access;  // Landlock rights below the private directory
  // 0: no limit. bawn enforces it. If bawn has not done so after one more second, init does.
  std::uint64_t wall_ms;
  // 0: no limit. bawn enforces it. Init does while job control has stopped the command, because
  // bawn may be stopped with it.
  std::uint64_t cpu_ms;
  char private_name[kMaxPrivateName];  // of slot_private_parent; empty if that is not sent
  TerminalOrder terminal;
  bool cwd_is_private;  // start in <private>/work instead of slot_cwd
  bool trial;           // do everything but the exec, and exit with 0 instead
  std::uint8_t reserved[2];

  // The rest is for a run in namespaces.
  std::uint64_t outer_namespaces[kNamespaceCount];  // the caller's inode numbers, from which the
                                                    // command's must differ; 0: shared
  ListOf<Form, MountOpIn<Form>> mounts;             // made after those of the setup message
  KnownFileOf<Form> cwd;  // inode 0: a scratch directory, which did not exist when bawn checked
  KnownFileOf<Form> executable;
  StdioFileOf<Form> stdio[kStdioCount];

  // A file that the kernel must refuse to execute, absolute; 0: none. In every tier.
  TextOf<Form> exec_probe;
};

// As they are sent. What init uses is in decode.h.
using SetupMessage = SetupMessageOf<Offsets>;
using ExecMessage = ExecMessageOf<Offsets>;

// What the kernel answered about init, the root and the command's process before exec: read back,
// never assumed. The receipt is made from it. A field is 0 if its step was not taken. In
// landlock_probe 0 also means that the call succeeded: see root_is_granted, and whether a ruleset
// was sent.
struct Readback {
  std::int32_t no_new_privs;
  std::int32_t seccomp_mode;
  std::int32_t init_dumpable;
  std::int32_t subreaper;
  std::int32_t session_is_own;  // 1: the command leads its session, or init does for a private
                                // terminal
  std::int32_t terminal;        // 1: its session's controlling terminal is the private one
  std::int32_t keyring;  // serial of the new session keyring, or a negative errno if there is none
  std::int32_t landlock_probe;  // errno of a call that Landlock must refuse, 0 if it succeeded:
                                // opening "/" for reading, in namespaces making a device node
  std::int32_t exec_probe;      // likewise of a check whether the command may execute the file of
                                // that name; EINVAL: this kernel cannot check without executing
  std::uint32_t noexec_mounts;  // of mounts_made
  std::uint64_t capabilities;   // effective | permitted | inheritable
  std::uint64_t bounding;       // of the first 64 capabilities
  std::uint64_t rlimits[kMaxRlimits];         // hard limits, in the exec message's order
  std::uint64_t namespaces[kNamespaceCount];  // inode numbers; 0 where no /proc shows them
  std::uint32_t uid, gid;                     // of the command, inside the user namespace
  std::int32_t groups;                        // number of supplementary groups other than gid
  std::uint32_t mounts_made;                  // the flags of each were read back
  std::uint32_t trees_owned;                  // mount trees whose root shows as the command's own
  std::uint32_t root_flags;                   // f_flags of "/" (statfs)
  std::int32_t fresh_proc;       // 1, or the negative errno with which procfs was refused
  std::int32_t cgroups_entered;  // each listed the command's process and no other
  bool cloned_by_clone3;         // the command; false: by clone, because clone3 was refused
  bool cloned_into_cgroup;       // by CLONE_INTO_CGROUP; false: it wrote itself to cgroup.procs
  bool is_pid_1;                 // getpid() was 1, if as_pid_1 asked for that
};

enum class ReportKind : std::uint32_t {
  failed,   // nothing ran: step, error, index. Init exits.
  started,  // the command runs: pid, readback. The private terminal's master comes by SCM_RIGHTS.
  command_stopped,  // wait_status; only with a private terminal
  command_exited,  // wait_status, usage of all processes reaped so far. Not sent if the command was
                   // the last process: then tree_gone says it all.
  tree_gone,  // no descendant is left; wait_status is the command's. Then init removes the private
              // directory and exits.
  cpu_time,   // the answer to ask_cpu_time
};

inline constexpr std::int32_t kNoWaitStatus = -1;

// Sent as one datagram with MSG_DONTWAIT: if the socket buffer is full, the report is lost. Fields
// keep their value from one report to the next.
struct Report {
  ReportKind kind;
  Step step;               // the step that failed, or none
  std::uint32_t sequence;  // of the exec message that it is about; 0 before there is one
  std::int32_t error;      // a positive errno
  std::int32_t index;      // which of several: the mount, stdio file, rlimit, signal, ...
  std::int32_t pid;        // the command's, in init's pid namespace
  std::int32_t wait_status = kNoWaitStatus;  // of the command
  std::uint64_t cpu_user_us;                 // of all processes reaped so far, as cpu_system_us
  std::uint64_t cpu_system_us;
  std::uint64_t max_rss_bytes;  // of the largest process reaped so far
  std::uint64_t tree_cpu_us;    // cpu_time only: of all processes, alive or reaped
  bool scratch_full;  // tree_gone only: the run's tmpfs has no free block or no free inode
  bool wall_over;     // init ended the run for this limit, because bawn had not
  bool cpu_over;      // likewise
  // tree_gone only: how far stdin was read, if it is a host_file.
  std::int64_t stdin_position = kNoPosition;
  Readback readback;
  // When each step ended, by Step: CLOCK_MONOTONIC in nanoseconds. 0 for a step that was not taken,
  // and for all steps if no message had `timing`.
  std::uint64_t step_times[static_cast<std::uint32_t>(Step::count)];
};

// A datagram of one byte from bawn. Any other byte means kill, and so does the end of bawn's socket
// or of bawn itself.
enum class ControlCode : std::uint8_t {
  terminate = 'T',  // SIGTERM and SIGCONT to all processes
  kill = 'K',
  ask_cpu_time = 'C',
  // The rest is for a private terminal, and is for the command's process group.
  interrupt = 'I',
  quit = 'Q',
  suspend = 'Z',
  hang_up = 'H',  // SIGHUP and SIGCONT: the command will never get the foreground again
  continue_foreground = 'F',
  continue_background = 'B',
};

}  // namespace bawn::init
