// What the keeper must do, and nothing it must decide.
//
// The keeper is the small process between bawn and the command: it owns the command's whole process tree. It is a
// freestanding program (no C library, see keeper/meson.build), so the link itself proves the rules of this folder: no
// allocation, no locks, no logging, no C++ library between clone and exec. This header is all that the two sides share:
// bawn writes a Program into a memfd and sends it with its files over a socket; the keeper answers with Reports.
// A step that is in the program is never optional: its failure ends the child, and the report names the step.
#pragma once

#include <cstdint>

namespace bawn::keeper {

inline constexpr std::uint32_t kMagic = 0x4e574142;  // "BAWN"

// The files that travel with the program, in this order. Optional ones at the end, as the program says.
enum Slot : std::uint32_t {
  slot_program,
  slot_stdin,
  slot_stdout,
  slot_stderr,
  slot_executable,
  slot_cwd,
  slot_landlock,        // a ruleset
  slot_private_parent,  // where the private directory is made
  slot_count,
};

// Every step that can fail, in the order in which they are taken. Names for people are in launch_steps.h.
enum class Step : std::uint32_t {
  none,
  receive_program,
  own_session,
  become_subreaper,
  watch_parent,
  watch_children,
  open_proc,
  private_directory,
  clone_payload,
  reset_signals,
  new_session,
  die_with_keeper,
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
  count,
};

struct Rlimit {
  std::uint32_t resource;
  std::uint32_t reserved;
  std::uint64_t value;  // soft and hard
};

inline constexpr std::uint32_t kMaxRlimits = 8;
inline constexpr std::uint32_t kMaxPrivateName = 64;

// Offsets count from the start of the Program; arrays of strings are arrays of such offsets, ended by 0.
struct Program {
  std::uint32_t magic;
  std::uint32_t size;   // of the whole text, this header included
  std::int32_t parent;  // bawn's pid
  std::uint32_t argv;
  std::uint32_t envp;
  std::uint32_t filter;  // struct sock_filter[]; every confined run has one
  std::uint32_t filter_length;
  std::uint32_t rlimit_count;
  Rlimit rlimits[kMaxRlimits];
  bool confine;  // false only for an unconfined run: no privileges are dropped then
  bool
      drop_bounding_set;  // bawn has CAP_SETPCAP; without it the set cannot be changed and no_new_privs must do
  bool has_landlock;
  bool root_is_granted;  // the policy grants "/", so the probe of Landlock may open it
  bool has_private_directory;
  bool cwd_is_private;           // start in <private>/work instead of slot_cwd
  std::uint64_t private_access;  // Landlock rights below the private directory
  char private_name[kMaxPrivateName];
};

// What the kernel said about the command's process just before exec. Read back, never assumed.
struct Readback {
  std::int32_t no_new_privs;
  std::int32_t seccomp_mode;
  std::int32_t dumpable_keeper;
  std::int32_t subreaper;
  std::int32_t session_is_own;
  std::int32_t keyring;  // serial of the fresh session keyring; negative errno if the kernel has none to give
  std::int32_t landlock_probe;  // errno of opening "/" for reading, which no policy grants; 0 if it opened
  std::uint64_t capabilities;   // effective | permitted | inheritable
  std::uint64_t bounding;       // of the first 64 capabilities
  std::uint64_t rlimits[kMaxRlimits];  // as the kernel reports them, in the program's order
};

enum class ReportKind : std::uint32_t {
  failed,          // nothing ran: step, error, index
  started,         // the command runs: pid, readback
  payload_exited,  // wait_status, usage of everything reaped so far
  tree_gone,       // no descendant is left; the keeper removes the private directory and exits after this
  cpu_time,        // answer to ask_cpu_time
};

struct Report {
  ReportKind kind;
  Step step;
  std::int32_t error;
  std::int32_t index;
  std::int32_t pid;
  std::int32_t wait_status;
  std::uint64_t cpu_user_us;
  std::uint64_t cpu_system_us;
  std::uint64_t max_rss_bytes;
  std::uint64_t tree_cpu_us;  // cpu_time only: of the whole tree, reaped and alive
  Readback readback;
};

// One byte each from bawn. The end of the stream, or the end of bawn itself, means kill.
enum class Command : std::uint8_t { terminate = 'T', kill = 'K', ask_cpu_time = 'C' };

}  // namespace bawn::keeper
