#include "backend/macos/sandbox_profile.h"

#include <array>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"

namespace bawn {
namespace {

using Filters = std::vector<std::string>;

std::string filter(std::string_view kind, std::string_view argument) {
  return concat("(", kind, " ", argument, ")");
}

std::string quoted(std::string_view constant) { return concat("\"", constant, "\""); }

template <class Names>
Filters each(std::string_view kind, const Names& names) {
  Filters out;
  for (const std::string_view name : names) out.push_back(filter(kind, quoted(name)));
  return out;
}

// Sysctls that the C library, the loader and language runtimes read. None describes other
// processes.
constexpr std::array<std::string_view, 18> kSysctlNames = {
    "kern.argmax",           "kern.bootargs",  "kern.boottime",
    "kern.clockrate",        "kern.hostname",  "kern.maxfiles",
    "kern.maxfilesperproc",  "kern.maxproc",   "kern.ngroups",
    "kern.osproductversion", "kern.osrelease", "kern.ostype",
    "kern.osvariant_status", "kern.osversion", "kern.secure_kernel",
    "kern.usrstack64",       "kern.version",   "vm.loadavg"};
constexpr std::array<std::string_view, 3> kSysctlPrefixes = {"hw.", "machdep.cpu.", "sysctl."};

class SandboxProfileWriter {
 public:
  explicit SandboxProfileWriter(const Plan& plan)
      : plan_(plan), rules_(std::get<SandboxProfilePlan>(plan.by_boundary)) {}

  SandboxProfile run() && {
    add_default();
    add_process();
    add_places();
    add_files();
    add_terminal();
    add_unix_sockets();
    add_network();
    add_trust_service();
    add_exceptions();
    return std::move(profile_);
  }

 private:
  struct PathFilter {
    std::string filter;
    FileAccess access;
  };

  void comment(std::string_view text) { profile_.text += concat("\n; ", text, "\n"); }

  // A rule without a filter list applies to everything, so a rule whose filter list is empty is
  // left out.
  void rule(std::string_view verdict, std::string_view operations) {
    profile_.text += concat("(", verdict, " ", operations, ")\n");
  }
  void rule(std::string_view verdict, std::string_view operations, const Filters& filters) {
    if (filters.empty()) return;
    profile_.text += concat("(", verdict, " ", operations);
    for (const std::string& each : filters) profile_.text += concat("\n  ", each);
    profile_.text += ")\n";
  }

  // Adds a parameter for `path` and returns the expression that refers to it.
  std::string parameter(std::string_view kind, std::string_view path) {
    std::string name = concat(kind, "_", counts_[std::string(kind)]++);
    std::string expression = concat("(param ", quoted(name), ")");
    profile_.parameters.push_back({std::move(name), std::string(path)});
    return expression;
  }

  void add_default() {
    profile_.text = "(version 1)\n(deny default)\n";
    comment("These are not among the default.");
    rule("deny", "process-info*");
    rule("deny", "nvram*");
    rule("deny", "iokit-get-properties");
    rule("deny", "file-map-executable");
  }

  void add_process() {
    comment("The command, what it starts, and the names of users and groups.");
    rule("allow", "process-fork");
    rule("allow", "process-info* signal", {"(target same-sandbox)"});
    rule("allow", "ipc-posix-sem");
    Filters sysctls = each("sysctl-name", kSysctlNames);
    for (std::string& prefix : each("sysctl-name-prefix", kSysctlPrefixes))
      sysctls.push_back(std::move(prefix));
    rule("allow", "sysctl-read", sysctls);
    rule("allow", "mach-lookup", {"(global-name \"com.apple.system.opendirectoryd.libinfo\")"});
  }

  // A file is matched exactly; a directory with everything below it.
  void add_place(std::string_view kind, std::string_view path, FileAccess access,
                 bool is_directory) {
    path_filters_.push_back(
        {filter(is_directory ? "subpath" : "literal", parameter(kind, path)), access});
    add_ancestors(path);
  }

  void add_ancestors(std::string_view path) {
    for (std::size_t slash = path.find('/', 1); slash != std::string_view::npos;
         slash = path.find('/', slash + 1))
      ancestors_.emplace(path.substr(0, slash));
  }

  static std::string_view kind_of(FileAccess access) {
    switch (access) {
      case FileAccess::write:
        return "WRITE";
      case FileAccess::device:
        return "DEVICE";
      case FileAccess::read:
      case FileAccess::execute:  // no plan for this system has it
        break;
    }
    return "READ";
  }

  void add_places() {
    for (const FileGrant& grant : rules_.files) {
      add_place(kind_of(grant.access), grant.target.path, grant.access,
                grant.target.kind == FileKind::directory);
    }
    const std::string own = concat(plan_.private_parent.path, "/", plan_.private_name);
    if (plan_.private_home) add_place("PRIVATE", concat(own, "/home"), FileAccess::write, true);
    if (plan_.private_tmp) add_place("PRIVATE", concat(own, "/tmp"), FileAccess::write, true);
    if (plan_.private_workspace)
      add_place("PRIVATE", concat(own, "/work"), FileAccess::write, true);
  }

  [[nodiscard]] Filters path_filters(FileAccess access) const {
    Filters out;
    for (const PathFilter& path_filter : path_filters_) {
      if (path_filter.access == access) out.push_back(path_filter.filter);
    }
    return out;
  }

  void add_files() {
    comment(
        "The way to the files: the root, the links that lead to /private, and the directories "
        "above.");
    rule("allow", "file-read*", {"(literal \"/\")"});
    Filters above = {"(literal \"/etc\")", "(literal \"/tmp\")", "(literal \"/var\")"};
    for (const std::string& directory : ancestors_)
      above.push_back(filter("literal", parameter("ABOVE", directory)));
    rule("allow", "file-read-metadata", above);

    comment("What may be read and executed, what may be written besides, and devices.");
    rule("allow", "file-read* file-map-executable process-exec*", path_filters(FileAccess::read));
    rule("allow", "file-read* file-write* file-map-executable process-exec*",
         path_filters(FileAccess::write));
    rule("allow", "file-read* file-write-data", path_filters(FileAccess::device));
    rule("deny", "file-write-setugid");
  }

  // The terminal is inherited open. Other terminals of the user cannot be opened. TIOCSTI on this
  // one fails, because the command leads its own session.
  void add_terminal() {
    if (plan_.terminal.use != TerminalUse::the_callers) return;
    comment("The caller's terminal, which the command has open.");
    rule("allow", "file-ioctl", {"(regex #\"^/dev/ttys[0-9]+$\")"});
  }

  // To the sandbox a Unix socket is not a file: connecting is network-outbound. The command may
  // connect to sockets where it may write.
  void add_unix_sockets() {
    comment("Unix sockets, where the command may write.");
    rule("allow", "system-socket", {"(socket-domain AF_UNIX)"});
    Filters local;
    Filters remote;
    for (const std::string& path_filter : path_filters(FileAccess::write)) {
      local.push_back(filter("local unix-socket", path_filter));
      remote.push_back(filter("remote unix-socket", path_filter));
    }
    rule("allow", "network-bind network-inbound", local);
    rule("allow", "network-outbound", remote);
  }

  void add_network() {
    if (plan_.network.is_isolated()) {
      if (plan_.network.reach != NetworkReach::host_loopback) return;
      comment("No network but the loopback, which is the machine's.");
      return add_addresses("localhost:*");
    }
    comment("The network, and who tells addresses from names.");
    add_addresses("*:*");
    rule("allow", "network-outbound", {"(literal \"/private/var/run/mDNSResponder\")"});
    rule("allow", "mach-lookup",
         {"(global-name \"com.apple.SystemConfiguration.DNSConfiguration\")",
          "(global-name \"com.apple.SystemConfiguration.configd\")"});
  }

  void add_addresses(std::string_view addresses) {
    rule("allow", "network-bind network-inbound", {filter("local ip", quoted(addresses))});
    rule("allow", "network-outbound", {filter("remote ip", quoted(addresses))});
  }

  void add_trust_service() {
    if (!rules_.trust_service) return;
    comment("Certificates are checked by a service, which may use the network for it.");
    rule("allow", "mach-lookup",
         {"(global-name \"com.apple.trustd\")", "(global-name \"com.apple.trustd.agent\")"});
  }

  // Exceptions come last, because the last matching rule decides.
  void add_exceptions() {
    comment("What may not be written, not be seen, or not be moved away.");
    const Filters refused = below("PROTECT", rules_.write_refused);
    const Filters hidden = below("HIDE", rules_.hidden);
    rule("deny", "file-write*", refused);
    rule("deny", "network-bind", within("local unix-socket", refused));
    rule("deny", "file-read* file-write* file-map-executable process-exec*", hidden);
    rule("deny", "network-bind", within("local unix-socket", hidden));
    rule("deny", "network-outbound", within("remote unix-socket", hidden));
    Filters pinned;
    for (const std::string& directory : rules_.pinned)
      pinned.push_back(filter("literal", parameter("PIN", directory)));
    add_writable_roots(pinned);
    rule("deny", "file-write-unlink", pinned);
  }

  // If a workspace could be moved into another writable directory, its exceptions would no longer
  // match.
  void add_writable_roots(Filters& pinned) {
    for (const FileGrant& grant : rules_.files) {
      if (grant.access == FileAccess::write && grant.target.kind == FileKind::directory)
        pinned.push_back(filter("literal", parameter("PIN", grant.target.path)));
    }
  }

  Filters below(std::string_view kind, const std::vector<std::string>& paths) {
    Filters out;
    for (const std::string& path : paths) out.push_back(filter("subpath", parameter(kind, path)));
    return out;
  }

  static Filters within(std::string_view kind, const Filters& path_filters) {
    Filters out;
    for (const std::string& path_filter : path_filters) out.push_back(filter(kind, path_filter));
    return out;
  }

  const Plan& plan_;
  const SandboxProfilePlan& rules_;
  std::vector<PathFilter> path_filters_;
  std::set<std::string> ancestors_;
  std::map<std::string, int> counts_;
  SandboxProfile profile_;
};

}  // namespace

SandboxProfile make_sandbox_profile(const Plan& plan) { return SandboxProfileWriter(plan).run(); }

}  // namespace bawn
