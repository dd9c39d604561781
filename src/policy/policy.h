// What a caller permits: the whole policy as one plain value.
//
// A Policy comes from a preset, a file on top of a preset, and flags on top of both. It never comes
// from the workspace or from a Request. A value that a source leaves out keeps the value of the
// preset below it. A file that names no preset builds on `agent`, which permits no program.
//
// A default-constructed Policy is not a safe preset: its limits are all unlimited. This folder
// knows only the shape of a policy and its text forms; validate/ and plan/ take the decisions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bawn {

enum class Tier {
  unconfined,  // no sandbox; only preset `disabled`, or a policy that says so
  b,           // a process without namespaces, confined by what the kernel offers to it
  c,           // namespaces (Linux) or a sandbox profile (macOS)
};

enum class TierChoice { automatic, unconfined, b, c };

enum class WorkspaceMode {
  direct,       // the host directory, writable
  read_only,    // the host directory, read-only
  private_dir,  // a fresh empty directory that is removed after the run; "private" in text
};

enum class Tmp { none, private_dir };

enum class EgressMode { allow_all, preflight, strict, block_all };

// A number, or empty for "unlimited".
using Limit = std::optional<std::uint64_t>;

struct Limits {
  Limit cpu_time_ms;  // of the whole process tree
  Limit wall_time_ms;
  Limit memory_bytes;
  Limit processes;
  Limit open_files;    // per process
  Limit file_bytes;    // the largest file that the command may write
  Limit output_bytes;  // stdout and stderr together
  Limit tmp_bytes;     // size of the private temporary directory; empty if there is none
  // Of one CPU, for the whole process tree at any time: 150 is one and a half CPUs.
  Limit cpu_percent{};
  // The cgroup below which the run's cgroup is created; "": wherever the caller may create one. If
  // it is set, a run without a cgroup is refused.
  std::string cgroup_parent{};
  Limit total_memory_bytes{};  // of all runs below cgroup_parent together
  Limit total_processes{};     // of all runs below cgroup_parent together
  // Limits that a run may do without if the host cannot enforce them; kOptionalLimit (text_rule.h)
  // lists the possible names. The receipt then reports them as absent. Every other limit is
  // enforced, or nothing runs.
  std::vector<std::string> optional;

  bool operator==(const Limits&) const = default;
};

// One allowed destination; parse_egress_host() makes it.
struct EgressHost {
  std::string name;        // lower case, no trailing dot; an IPv6 address without brackets
  std::uint16_t port = 0;  // 0: any port

  bool operator==(const EgressHost&) const = default;
};

// A host path that the command sees beside its workspace.
struct Grant {
  std::string path;  // host path, absolute
  // Guest path; "": the same as the host path. A different one needs tier c on Linux.
  std::string at;

  Grant() = default;
  // A path alone is the usual grant: `policy.filesystem.read = {"/srv/data"}`.
  Grant(std::string source) : path(std::move(source)) {}  // NOLINT(google-explicit-constructor)
  Grant(const char* source) : path(source) {}             // NOLINT(google-explicit-constructor)
  Grant(std::string source, std::string shown_at)
      : path(std::move(source)), at(std::move(shown_at)) {}

  // The guest path as the policy spells it: symbolic links of the host are not followed.
  [[nodiscard]] const std::string& place() const { return at.empty() ? path : at; }

  bool operator==(const Grant&) const = default;
};

struct Policy {
  struct Tiers {
    TierChoice use = TierChoice::automatic;
    Tier floor = Tier::b;
    bool operator==(const Tiers&) const = default;
  } tier;

  struct Workspace {
    std::string root;  // absolute; "": the caller chooses it (run: the current directory)
    WorkspaceMode mode = WorkspaceMode::direct;
    std::vector<std::string> hide;     // paths below root, relative to it or absolute
    std::vector<std::string> protect;  // likewise
    bool operator==(const Workspace&) const = default;
  } workspace;

  struct Filesystem {
    std::vector<Grant> read;
    std::vector<Grant> write;  // reading included
    Tmp tmp = Tmp::none;
    bool operator==(const Filesystem&) const = default;
  } filesystem;

  struct Executables {
    bool allow_all = false;          // "allow": "all"
    std::vector<std::string> allow;  // names on the trusted path, or absolute paths
    std::vector<std::string> block;  // wins over allow
    bool interpreters = false;       // programs that run code given to them
    bool from_workspace = false;     // programs in a writable area
    bool caller_path = false;        // search the caller's PATH beside the system's directories
    std::map<std::string, std::string> sha256;  // name or path -> 64 lower-case hex digits
    bool operator==(const Executables&) const = default;
  } executables;

  struct Arguments {
    std::vector<std::string> refuse_paths;  // absolute prefixes that no argument may name
    // Texts that are refused wherever a string would reach a shell.
    std::vector<std::string> refuse_patterns;
    bool operator==(const Arguments&) const = default;
  } arguments;

  struct Environment {
    std::vector<std::string> pass;           // names of variables copied from the caller
    std::map<std::string, std::string> set;  // wins over pass
    bool operator==(const Environment&) const = default;
  } environment;

  // The user and process ids of the command. It has no capability in any case.
  struct Identity {
    bool as_root = false;  // the command sees itself as root
    // The uid and gid that the host sees; empty: the caller's. Another one needs a caller that is
    // root.
    std::optional<std::uint64_t> uid;
    std::optional<std::uint64_t> gid;
    // The caller's subordinate ids (/etc/subuid, /etc/subgid) are mapped inside, too.
    bool id_ranges = false;
    // The command is process 1 of the pid namespace that it sees, as an init system expects.
    bool as_pid_1 = false;
    bool operator==(const Identity&) const = default;
  } identity;

  struct SystemCalls {
    std::string profile = "default";  // "default", "strict", or the absolute path of a profile
    bool operator==(const SystemCalls&) const = default;
  } system_calls;

  // What the macOS sandbox profile permits in addition. Other systems do not need it: there the run
  // has a separate loopback interface, and no system service checks certificates.
  struct Macos {
    bool loopback = false;       // without network, the loopback addresses all the same
    bool trust_service = false;  // trustd
    bool operator==(const Macos&) const = default;
  } macos;

  struct Egress {
    EgressMode mode = EgressMode::strict;
    std::vector<EgressHost> hosts;
    // "example.org" covers the name itself and everything below it.
    std::vector<std::string> dns_suffixes;
    bool operator==(const Egress&) const = default;
  } egress;

  Limits limits;

  struct Background {
    std::uint64_t processes = 0;  // how many background runs a session may have
    Limit lifetime_ms = 0;
    Limit output_bytes = 0;  // kept per background run
    bool operator==(const Background&) const = default;
  } background;

  struct Redaction {
    bool enabled = true;
    std::vector<std::string> secrets;  // literal texts to remove beside the known shapes
    bool operator==(const Redaction&) const = default;
  } redaction;

  bool operator==(const Policy&) const = default;
};

// The source of each value: "limits.memory_bytes" -> "policy.json:4:21", "--memory" or "preset
// agent". A path that is not in the map has the value of its preset. A flag that adds a variable
// gets a separate path ("environment.pass[3]", "environment.set.CC"); the other variables keep
// their origin.
using Origins = std::map<std::string, std::string, std::less<>>;

// A policy with the origin of its values. `bawn policy show` prints this.
struct SourcedPolicy {
  Policy policy;
  std::string preset;  // the preset below everything else
  Origins origins;
};

}  // namespace bawn
