#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "policy/credential_name.h"
#include "policy/text/names.h"
#include "policy/text/policy_json.h"
#include "policy/text/text_rule.h"
#include "programs/program.h"

namespace bawn {
namespace {

using LintWarnings = std::vector<std::string>;

// Variables that make a harmless program load or run other code.
constexpr std::string_view kInjectingNames[] = {
    "BASH_ENV",          "EDITOR",         "ENV",
    "GCONV_PATH",        "GIT_ASKPASS",    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF", "GIT_PAGER",      "GIT_SSH",
    "GIT_SSH_COMMAND",   "GLIBC_TUNABLES", "IFS",
    "JAVA_TOOL_OPTIONS", "LESSOPEN",       "MAKEFLAGS",
    "NODE_OPTIONS",      "PAGER",          "PERL5LIB",
    "PERL5OPT",          "PROMPT_COMMAND", "PYTHONHOME",
    "PYTHONPATH",        "PYTHONSTARTUP",  "RUBYLIB",
    "RUBYOPT",           "RUSTC_WRAPPER",  "VISUAL",
};

// Write access to these changes what other programs on the host do.
constexpr std::string_view kSystemDirectories[] = {
    "/",     "/bin",  "/boot", "/dev",  "/etc", "/lib", "/lib64", "/opt",
    "/proc", "/root", "/run",  "/sbin", "/sys", "/usr", "/var",
};

template <class Range>
bool contains(const Range& range, std::string_view item) {
  return std::ranges::find(range, item) != std::end(range);
}

std::string_view base_name(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

// "python3.11" -> "python".
std::string_view without_version(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789.-");
  return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

// Only for advice: the validator judges the resolved file.
bool runs_given_code(std::string_view program) {
  const ProgramRow* row = find_program(without_version(base_name(program)));
  return row != nullptr && row->interpreter != InterpreterKind::none;
}

bool is_injecting(std::string_view name) {
  return contains(kInjectingNames, name) || name.starts_with("DYLD_") || name.starts_with("LD_");
}

void lint_tier(const Policy& policy, LintWarnings& out) {
  if (policy.tier.use == TierChoice::unconfined) {
    out.emplace_back("tier.use is 'unconfined': the command runs without any sandbox");
  } else if (policy.tier.floor == Tier::unconfined) {
    out.emplace_back(
        "tier.floor is 'unconfined': on a host without sandbox support the command runs without "
        "one");
  }
}

void lint_workspace(const Policy& policy, LintWarnings& out) {
  if (policy.workspace.mode == WorkspaceMode::read_only && !policy.workspace.protect.empty()) {
    out.emplace_back("workspace.protect has no effect: the whole workspace is read-only");
  }
  for (const std::string& path : policy.workspace.protect) {
    if (!contains(policy.workspace.hide, path)) continue;
    out.push_back(concat("workspace.protect: ", quote(path), " is hidden anyway"));
  }
}

void lint_exec(const Grant& grant, std::string_view key, const Policy& policy, LintWarnings& out) {
  if (!grant.exec || !policy.executables.allow_all) return;
  out.push_back(concat(key, ": 'exec' of ", quoted(grant),
                       " changes nothing, because executables.allow is \"all\""));
}

void lint_place(const Grant& grant, std::string_view key, const Policy& policy, LintWarnings& out) {
  if (grant.at.empty()) return;
  if (policy.tier.use != TierChoice::c && policy.tier.floor != Tier::c) {
    out.push_back(concat(key, ": ", quoted(grant),
                         " needs tier c: where a host has none, every request is denied"));
  }
  const std::string& root = policy.workspace.root;
  if (root.empty()) return;
  if (lies_below(grant.at, root)) {
    out.push_back(concat(key, ": ", quoted(grant), " covers what the workspace has there"));
  } else if (lies_below(root, grant.at)) {
    out.push_back(concat(key, ": ", quoted(grant), " is around the workspace ", quote(root),
                         ", which needs a directory to lie on there"));
  }
}

void lint_filesystem(const Policy& policy, LintWarnings& out) {
  for (const Grant& grant : policy.filesystem.write) {
    lint_place(grant, "filesystem.write", policy, out);
    lint_exec(grant, "filesystem.write", policy, out);
    if (!contains(kSystemDirectories, grant.path)) continue;
    out.push_back(concat("filesystem.write: ", quoted(grant),
                         " belongs to the system; what is written there, other programs obey"));
  }
  for (const Grant& grant : policy.filesystem.read) {
    lint_place(grant, "filesystem.read", policy, out);
    lint_exec(grant, "filesystem.read", policy, out);
    if (grant.path == "/")
      out.emplace_back("filesystem.read: '/' shows the command every file of the caller");
    for (const Grant& writable : policy.filesystem.write) {
      if (grant.path != writable.path && !lies_below(grant.path, writable.path)) continue;
      out.push_back(concat("filesystem.read: ", quoted(grant), " is writable already, through ",
                           quoted(writable)));
    }
  }
}

void lint_allow(const ExecutablesPolicy& executables, LintWarnings& out) {
  if (executables.allow_all && !executables.allow.empty()) {
    out.emplace_back("executables.allow: the list has no effect beside \"all\"");
  }
  if (!executables.allow_all && executables.allow.empty()) {
    out.emplace_back("executables.allow is empty: no command can run");
  }
  for (const std::string& program : executables.allow) {
    if (program == "all") {
      out.emplace_back(
          "executables.allow: 'all' in a list is a program of this name; to allow every program "
          "write \"allow\": \"all\"");
    }
    if (contains(executables.block, program)) {
      out.push_back(concat("executables.allow: ", quote(program), " is blocked, and block wins"));
    }
    if (!executables.interpreters && runs_given_code(program)) {
      out.push_back(concat(
          "executables.allow: ", quote(program),
          " runs code given to it and stays refused while executables.interpreters is false"));
    }
  }
}

void lint_pins(const ExecutablesPolicy& executables, LintWarnings& out) {
  for (const auto& [program, digest] : executables.sha256) {
    if (contains(executables.block, program)) {
      out.push_back(concat("executables.sha256: ", quote(program),
                           " is blocked, so its digest is never looked at"));
    } else if (!executables.allow_all && !contains(executables.allow, program)) {
      out.push_back(concat("executables.sha256: ", quote(program),
                           " is not on executables.allow under this name"));
    }
  }
}

void lint_variable(std::string_view key, const std::string& name, LintWarnings& out) {
  if (is_injecting(name))
    out.push_back(concat(key, ": ", quote(name), " can make a harmless program run other code"));
  if (looks_like_credential(name)) {
    out.push_back(
        concat(key, ": ", quote(name), " looks like a credential; the command can read it"));
  }
}

void lint_environment(const Policy& policy, LintWarnings& out) {
  for (const std::string& name : policy.environment.pass) {
    lint_variable("environment.pass", name, out);
    if (policy.environment.set.contains(name)) {
      out.push_back(
          concat("environment.pass: ", quote(name), " has no effect, environment.set wins"));
    }
  }
  for (const auto& [name, value] : policy.environment.set)
    lint_variable("environment.set", name, out);
}

void lint_egress(const Policy& policy, LintWarnings& out) {
  const bool lists = !policy.egress.hosts.empty() || !policy.egress.dns_suffixes.empty();
  if (policy.egress.mode == EgressMode::preflight) {
    out.emplace_back(
        "egress.mode 'preflight' checks the request only: the command itself can connect anywhere");
  }
  if (policy.egress.mode == EgressMode::strict && lists) {
    out.emplace_back(
        "egress.mode 'strict' with hosts cannot be enforced by this version, so every request will "
        "be denied; 'preflight' takes hosts and does not isolate the network");
  }
  for (const EgressHost& host : policy.egress.hosts) {
    if (host.name.starts_with("169.254.") || host.name.starts_with("fe80:")) {
      out.push_back(concat("egress.hosts: ", quote(host.name),
                           " is link-local, where clouds keep credentials"));
    }
    for (const std::string& suffix : policy.egress.dns_suffixes) {
      if (host.name != suffix && !host.name.ends_with(concat(".", suffix))) continue;
      out.push_back(concat("egress.hosts: ", quote(to_string(host)), " is covered by the suffix ",
                           quote(suffix)));
    }
  }
  for (const std::string& suffix : policy.egress.dns_suffixes) {
    if (suffix.find('.') != std::string::npos) continue;
    out.push_back(
        concat("egress.dns_suffixes: ", quote(suffix), " covers a whole top-level domain"));
  }
}

void lint_limits(const Policy& policy, LintWarnings& out) {
  const Limits& limits = policy.limits;
  if (policy.filesystem.tmp == Tmp::private_dir && limits.memory_bytes &&
      (!limits.tmp_bytes || *limits.tmp_bytes > *limits.memory_bytes)) {
    out.emplace_back(
        "limits.tmp_bytes is above limits.memory_bytes: filling the temporary directory ends the "
        "run");
  }
}

void lint_redaction(const Policy& policy, LintWarnings& out) {
  if (policy.redaction.enabled) return;
  out.emplace_back(
      policy.redaction.secrets.empty()
          ? "redaction.enabled is false: secrets that the command prints reach the outcome"
          : "redaction.secrets has no effect while redaction.enabled is false");
}

}  // namespace

std::vector<std::string> lint_policy(const Policy& policy) {
  LintWarnings out;
  lint_tier(policy, out);
  lint_workspace(policy, out);
  lint_filesystem(policy, out);
  lint_allow(policy.executables, out);
  lint_pins(policy.executables, out);
  lint_environment(policy, out);
  lint_egress(policy, out);
  lint_limits(policy, out);
  lint_redaction(policy, out);
  return out;
}

}  // namespace bawn
