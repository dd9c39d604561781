// What a caller allows: the whole policy as one plain value.
//
// A Policy comes from a preset, a file on top of a preset, and flags on top of both; it never comes
// from the workspace or from a Request. Whatever a source leaves out keeps the value of the preset
// below it, and the lowest preset of a file is `agent`, which allows nothing. "Unlimited" is
// therefore always something somebody wrote.
//
// Decisions taken from a Policy live in validate/ and plan/; this folder only knows its shape and
// its text forms.
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
  unconfined,  // no sandbox at all; only preset `disabled` or a policy that says so
  b,           // direct spawn, confined by what the kernel offers to a process without namespaces
  c,           // namespaces (Linux) or a sandbox profile (macOS)
};

enum class TierChoice { automatic, unconfined, b, c };

enum class WorkspaceMode {
  direct,       // the host's directory, writable
  read_only,    // the host's directory, readable
  private_dir,  // a fresh empty directory that is gone after the run; "private" in text
};

enum class Tmp { none, private_dir };

enum class EgressMode { allow_all, preflight, strict, block_all };

// A limit that is either a number or, explicitly, "unlimited" (empty).
using Limit = std::optional<std::uint64_t>;

struct Limits {
  Limit cpu_time_ms;  // of the whole tree
  Limit wall_time_ms;
  Limit memory_bytes;
  Limit processes;
  Limit open_files;     // per process
  Limit file_bytes;     // the largest file it may write
  Limit output_bytes;   // stdout and stderr together
  Limit tmp_bytes;      // size of the private temporary directory; empty where there is none
  Limit cpu_percent{};  // of one processor, the whole tree at any time: 150 is one and a half
  // Where the run's cgroup is made; "": wherever the caller may make one. Somebody who names it
  // insists on a cgroup.
  std::string cgroup_parent{};
  Limit total_memory_bytes{};  // of all runs below cgroup_parent together
  Limit total_processes{};     // likewise
  // Limits that a run may go without where the host cannot enforce them (kOptionalLimit names those
  // that there may be). The receipt then says that they were absent. Every other limit is enforced,
  // or nothing runs.
  std::vector<std::string> optional;

  bool operator==(const Limits&) const = default;
};

struct EgressHost {
  std::string name;        // lower case, no trailing dot; an IPv6 literal without brackets
  std::uint16_t port = 0;  // 0: any port

  bool operator==(const EgressHost&) const = default;
};

// Something of the host that a run sees beside its workspace.
struct Grant {
  std::string path;  // on the host; absolute
  std::string at;  // where the run sees it; "": where the host has it. Others than that need tier c
                   // on Linux

  Grant() = default;
  // A path alone is the usual grant: `policy.filesystem.read = {"/srv/data"}`.
  Grant(std::string source) : path(std::move(source)) {}  // NOLINT(google-explicit-constructor)
  Grant(const char* source) : path(source) {}             // NOLINT(google-explicit-constructor)
  Grant(std::string source, std::string shown_at)
      : path(std::move(source)), at(std::move(shown_at)) {}

  // As the policy spells it: links of the host are not followed.
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
    std::string root;  // absolute; "" means the caller names it (run: the current directory)
    WorkspaceMode mode = WorkspaceMode::direct;
    std::vector<std::string> hide;  // paths below root, relative to it or absolute
    std::vector<std::string> protect;
    bool operator==(const Workspace&) const = default;
  } workspace;

  struct Filesystem {
    std::vector<Grant> read;
    std::vector<Grant> write;  // and read
    Tmp tmp = Tmp::none;
    bool operator==(const Filesystem&) const = default;
  } filesystem;

  struct Executables {
    bool allow_all = false;          // "allow": "all"
    std::vector<std::string> allow;  // names on the trusted path, or absolute paths
    std::vector<std::string> block;  // wins over allow
    bool interpreters = false;       // programs that run code given to them
    bool from_workspace = false;     // programs that lie in a writable area
    bool caller_path = false;        // the caller's PATH, beside the system's directories
    std::map<std::string, std::string> sha256;  // name or path -> 64 lower-case hex digits
    bool operator==(const Executables&) const = default;
  } executables;

  struct Arguments {
    std::vector<std::string> refuse_paths;  // absolute prefixes no argument may name
    std::vector<std::string>
        refuse_patterns;  // texts refused wherever a string would reach a shell
    bool operator==(const Arguments&) const = default;
  } arguments;

  struct Environment {
    std::vector<std::string> pass;           // names copied from the caller
    std::map<std::string, std::string> set;  // wins over pass
    bool operator==(const Environment&) const = default;
  } environment;

  // Who the command is. It has no capability in any case.
  struct Identity {
    bool as_root = false;  // it sees itself as root
    std::optional<std::uint64_t>
        uid;  // whom the host takes it for; empty: the caller. Others need a caller that is root
    std::optional<std::uint64_t> gid;
    bool id_ranges = false;  // the caller's subordinate ids exist inside, too
    bool as_pid_1 =
        false;  // it is process 1 of the pid namespace it sees, as an init expects to be
    bool operator==(const Identity&) const = default;
  } identity;

  struct SystemCalls {
    std::string profile = "default";  // "default", "strict", or the absolute path of one's own
    bool operator==(const SystemCalls&) const = default;
  } system_calls;

  // What a sandbox profile opens besides. Other systems have no need of it: there, loopback is the
  // run's own, and no service of the system checks certificates.
  struct Macos {
    bool loopback = false;       // without network, the loopback addresses all the same
    bool trust_service = false;  // trustd
    bool operator==(const Macos&) const = default;
  } macos;

  struct Egress {
    EgressMode mode = EgressMode::strict;
    std::vector<EgressHost> hosts;
    std::vector<std::string>
        dns_suffixes;  // "example.org": the name itself and everything below it
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
    std::vector<std::string> secrets;  // literal texts to remove besides the known shapes
    bool operator==(const Redaction&) const = default;
  } redaction;

  bool operator==(const Policy&) const = default;
};

// Where each value came from: "limits.memory_bytes" -> "policy.json:4:21", "--memory" or "preset
// agent". A path that is not in the map has its preset's value. What a flag adds to the variables
// has a path of its own
// ("environment.pass[3]", "environment.set.CC"), and the others keep theirs.
using Origins = std::map<std::string, std::string, std::less<>>;

// A policy with its pedigree. This is what `bawn policy show` prints.
struct SourcedPolicy {
  Policy policy;
  std::string preset;  // the one everything else stands on
  Origins origins;
};

}  // namespace bawn
