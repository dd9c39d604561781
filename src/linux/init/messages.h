// What init must do, and nothing it must decide.
//
// Init is the small process between bawn and the command: it owns the command's whole process tree.
// It is a freestanding program (no C library, see init/meson.build), so the link itself proves the
// rules of this folder: no allocation, no locks, no logging, no C++ library between clone and exec.
// This header is all that the two sides share: bawn sends a message with its files over a socket;
// init answers with Reports. For a run in namespaces a SetupMessage comes first, with all that is
// known before the request has been judged; every run has an ExecMessage. A step that is in them is
// never optional: its failure ends the child, and the report names the step.
#pragma once

#include <cstdint>

namespace bawn::init {

// The start of every message.
struct Head {
  std::uint32_t magic;
  std::uint32_t size;   // of the whole message, this included
  std::uint32_t slots;  // bit i: a file for slot i has been sent with it
};
inline constexpr std::uint32_t kSetupMagic = 0x50544553;  // "SETP"
inline constexpr std::uint32_t kExecMagic = 0x43455845;   // "EXEC"

// A message up to this size is one datagram. A larger one is in a file, which is the first of the
// datagram's files; the datagram is a single byte then.
inline constexpr std::uint32_t kMostInMessage = 8192;

// The files that travel with a message, in this order. Those that its `slots` does not name are
// left out.
enum Slot : std::uint32_t {
  slot_parent,  // pidfd of bawn: when that ends, so does everything here
  slot_stdin,
  slot_stdout,
  slot_stderr,
  slot_executable,  // not in namespaces: there it is opened in the new root
  slot_cwd,         // likewise
  slot_cgroup,      // v2: the run's own, for the command to be born in
  slot_entrance,    // cgroup.procs of the run's own, in v1 one for each hierarchy
  slot_entrance_2,
  slot_entrance_3,
  slot_landlock,        // a ruleset
  slot_private_parent,  // where the private directory is made
  slot_cgroup_kill,     // cgroup.kill of the run's own
  slot_count,
};

// Every step that can fail, about in the order in which they are taken. Names for people are in
// launch_steps.h.
enum class Step : std::uint32_t {
  none,
  reset_signals,
  priority,
  own_session,
  receive_setup,  // only in namespaces
  receive_exec,
  become_subreaper,
  watch_parent,
  watch_children,
  open_proc,
  private_directory,
  few_privileges,  // from here to leave_old_root: only in namespaces
  read_namespaces,
  become_user,
  host_name,
  make_root,
  base_mount,
  mount,
  change_root,
  leave_old_root,
  open_cwd,
  open_executable,
  open_stdio,
  netns,
  open_terminal,
  clone_command,
  nested_pid_namespace,  // this and nested_proc: only for a command that is process 1
  nested_proc,
  enter_cgroup,
  new_session,
  join_terminal,
  die_with_init,
  reset_umask,
  reset_personality,
  new_keyring,
  connect_stdio,
  close_files,
  change_directory,
  limits,
  bounding_set,
  capabilities,
  no_new_privs,
  landlock,
  seccomp,
  execute,
  drop_init,
  count,
};

// A file that bawn has judged: whatever is opened by name later must be this one.
struct FileIdentity {
  std::uint64_t device;
  std::uint64_t inode;
};

// The new root is made by mount operations, in order; a later one may lie inside an earlier one.
// Below one that shows something of the host nothing is ever created: a place to mount something
// there must exist.
enum class MountOpKind : std::uint32_t {
  bind,    // `source`, a path of the host, which must have the given identity
  mirror,  // the same path as on the host: a link as a link, anything else bound; nothing if it is
           // missing there
  directory,  // of the run's own file system
  scratch,    // the same, writable
  link,       // symbolic link with text `source`
  file,       // `source_size` bytes at `source`
  proc,       // a new one for this pid namespace
  terminals,  // a new devpts
  hidden,     // an empty directory, or a file that cannot be opened, over whatever is there
};

enum MountOpFlag : std::uint32_t {
  mount_writable = 1,
  mount_device = 2,   // may be opened as a device
  mount_in_proc = 4,  // /proc or something below it: a pid namespace below this one has its own
};

struct MountOp {
  MountOpKind kind;
  std::uint32_t flags;
  std::uint32_t destination;  // offset of an absolute path
  std::uint32_t source;       // offset
  std::uint32_t source_size;
  std::uint32_t reserved;
  FileIdentity identity;
};

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

// A terminal of the run's own, from its own devpts. Init leads its session, not the command: the
// kernel stops a command on Ctrl-Z only if its parent is in the same session and could continue it.
// A command that is process 1 is not stopped by a terminal at all, and one that reads in the
// background would try for ever; so it leads the session itself and is in the foreground from the
// start.
struct TerminalOrder {
  bool wanted;
  bool foreground;  // false: the command is stopped when it first reads from the terminal or
                    // changes it
  bool has_modes;   // false: those of a new terminal
  bool led_by_command;
  std::uint8_t stdio;  // bit i: file i of the command is the terminal; its slot is not sent
  WindowSize size;
  TerminalModes modes;
};

inline constexpr std::int64_t kNoPosition = -1;

// A file of the command's stdio that the caller has under a name. It is not sent: an open file
// keeps the mount it was opened through, and by that the command could change the mode, owner,
// times and attributes of a file of the host.
enum class StdioOrigin : std::uint32_t {
  sent,    // by its slot, or it is the private terminal
  device,  // `name` in the directory `directory` of the new root; `identity.device` is the number
           // of the device
  host_file,  // a regular file as stdin: `name` in the directory `directory` of the host, through a
              // read-only clone of its mount
};
struct StdioFile {
  StdioOrigin origin;
  std::uint32_t access;     // O_RDONLY or O_WRONLY, of a device
  std::uint32_t directory;  // offset of an absolute path
  std::uint32_t name;       // offset
  std::int64_t position;    // of a host_file: where to begin
  FileIdentity identity;    // of a host_file
};
inline constexpr std::uint32_t kStdioCount = 3;

struct Rlimit {
  std::uint32_t resource;
  std::uint32_t reserved;
  std::uint64_t value;  // soft and hard
};

inline constexpr std::uint32_t kMaxRlimits = 8;
inline constexpr std::uint32_t kMaxPrivateName = 64;

// The order in which namespaces are listed. An array of arrays, not of pointers: those would need
// relocations.
inline constexpr char kNamespaces[][7] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
inline constexpr std::uint32_t kNamespaceCount = 7;
inline constexpr std::uint32_t kPidNamespace = 2;
inline constexpr std::uint32_t kNetworkNamespace = 3;
inline constexpr std::uint32_t kCgroupNamespace =
    6;  // the last one begins with the command, the others with init

// Offsets count from the start of the message.
struct MountOpList {
  std::uint32_t mounts;  // MountOp[]
  std::uint32_t count;
};

// The namespaces and the part of the root that do not depend on what is to run.
struct SetupMessage {
  Head head;
  bool timing;       // fill the report's step_times
  bool new_netns;    // which init makes unasked
  bool switch_user;  // to uid and gid, which are not those that bawn has
  bool drop_groups;  // the caller is root and may
  bool as_pid_1;     // the command is process 1 of a pid namespace below init's
  std::uint8_t reserved[3];
  std::uint32_t uid;  // inside
  std::uint32_t gid;
  MountOpList base_mounts;
  std::uint32_t reserved_2;
  std::uint64_t scratch_bytes;  // of the run's own file system; 0: as much as the kernel gives
  std::uint64_t read_access;    // Landlock rights for everything
  std::uint64_t write_access;   // for writable directories
  std::uint64_t device_access;
};

// The command. Arrays of strings are arrays of offsets, ended by 0.
struct ExecMessage {
  Head head;
  std::uint32_t argv;
  std::uint32_t envp;
  std::uint32_t filter;  // struct sock_filter[]; every confined run has one
  std::uint32_t filter_length;
  std::uint32_t rlimit_count;
  Rlimit rlimits[kMaxRlimits];
  bool confine;                  // false only for an unconfined run: no privileges are dropped then
  bool drop_bounding_set;        // bawn has CAP_SETPCAP; without it the set cannot be changed and
                                 // no_new_privs must do
  bool timing;                   // fill the report's step_times
  bool root_is_granted;          // the policy grants "/", so the probe of Landlock may open it
  bool cwd_is_private;           // start in <private>/work instead of slot_cwd
  std::uint64_t private_access;  // Landlock rights below the private directory
  std::uint64_t wall_ms;  // what the command may take; 0: any. Kept by bawn, and by init where that
                          // is stopped
  std::uint64_t cpu_ms;   // likewise
  char private_name[kMaxPrivateName];

  // The rest is for a run in namespaces.
  std::uint64_t outer_namespaces[kNamespaceCount];  // the caller's, which must not be the
                                                    // command's; 0: may be
  MountOpList mounts;                               // after those of the setup message
  std::uint32_t cwd;                                // paths in the new root
  std::uint32_t executable;
  FileIdentity cwd_identity;  // inode 0: a scratch directory, which nobody has seen before
  FileIdentity executable_identity;
  StdioFile stdio[kStdioCount];
  TerminalOrder terminal;  // also without namespaces
};

// What the kernel said about the command's process just before exec. Read back, never assumed.
struct Readback {
  std::int32_t no_new_privs;
  std::int32_t seccomp_mode;
  std::int32_t init_dumpable;
  std::int32_t subreaper;
  std::int32_t session_is_own;  // the command leads it, or in a private terminal init may
  std::int32_t terminal;        // 1: its session's controlling terminal is the private one
  std::int32_t keyring;  // serial of the fresh session keyring; negative errno if the kernel has
                         // none to give
  std::int32_t
      landlock_probe;  // errno of opening "/" for reading, which no policy grants; 0 if it opened
  std::uint64_t capabilities;          // effective | permitted | inheritable
  std::uint64_t bounding;              // of the first 64 capabilities
  std::uint64_t rlimits[kMaxRlimits];  // as the kernel reports them, in the exec message's order
  std::uint64_t namespaces[kNamespaceCount];  // inode numbers; 0 where there is no /proc to ask
  std::uint32_t uid, gid;                     // of the command, inside
  std::int32_t groups;                        // how many more it is in
  std::uint32_t mounts_made;                  // each with its mount flags read back
  std::uint32_t root_flags;                   // of "/", as statfs tells
  std::int32_t fresh_proc;                    // 1, or the negative errno for which there is none
  std::int32_t cgroups_entered;  // each held the command's process alone when it was asked
  bool cloned_into_cgroup;       // by clone3; otherwise it went there
  bool is_pid_1;                 // getpid said so, where that was asked for
};

enum class ReportKind : std::uint32_t {
  failed,   // nothing ran: step, error, index
  started,  // the command runs: pid, readback; the private terminal's other side comes with it
  command_stopped,  // only with a private terminal: wait_status
  command_exited,   // wait_status, usage of everything reaped so far; left out if nothing is left
                    // then
  tree_gone,  // no descendant is left; wait_status as above. Init removes the private directory and
              // exits
  cpu_time,   // answer to ask_cpu_time
};

inline constexpr std::int32_t kNoWaitStatus = -1;

struct Report {
  ReportKind kind;
  Step step;
  std::int32_t error;
  std::int32_t index;
  std::int32_t pid;
  std::int32_t wait_status = kNoWaitStatus;  // of the command
  std::uint64_t cpu_user_us;
  std::uint64_t cpu_system_us;
  std::uint64_t max_rss_bytes;
  std::uint64_t tree_cpu_us;  // cpu_time only: of the tree, what is alive or was waited for
  bool scratch_full;  // tree_gone only: nothing more would have fitted into the run's own file
                      // system
  bool wall_over;     // init has ended the run for this, because bawn did not
  bool cpu_over;      // likewise
  std::int64_t stdin_position =
      kNoPosition;  // tree_gone only: how far stdin was read, if it is a host_file
  Readback readback;
  // When each step ended by CLOCK_MONOTONIC in nanoseconds, by Step; 0 for one that was not taken,
  // or if nobody asked.
  std::uint64_t step_times[static_cast<std::uint32_t>(Step::count)];
};

// One byte each from bawn. The end of the stream, or the end of bawn itself, means kill.
enum class ControlCode : std::uint8_t {
  terminate = 'T',
  kill = 'K',
  ask_cpu_time = 'C',
  // Only with a private terminal, and for the command's own process group.
  interrupt = 'I',
  quit = 'Q',
  suspend = 'Z',
  hang_up = 'H',  // nobody will ever continue it in the foreground
  continue_foreground = 'F',
  continue_background = 'B',
};

}  // namespace bawn::init
