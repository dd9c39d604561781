#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "base/text.h"
#include "doctor/checks.h"
#include "doctor/libcap.h"
#include "host/capability_probe.h"

namespace bawn {
namespace {

// As libcap writes it: "cap_sys_admin=ep", "=ep cap_sys_resource-ep"; "" for none.
std::string text_of(const CapabilityState& state) {
  const CapabilityText text(state ? cap_to_text(state.get(), nullptr) : nullptr);
  const std::string_view written = text ? text.get() : "";
  return written == "=" ? "" : std::string(written);
}

// ---- The caller ---------------------------------------------------------------------------------

// The decisions that depend on them. host/ and plan/ take them by CapabilitySet::has().
std::vector<std::string> effects_of(CapabilitySet own) {
  const bool groups = own.has(Capability::setgid);
  std::vector<std::string> effects;
  effects.emplace_back(groups && own.has(Capability::setuid)
                           ? "identity.uid and identity.gid may name another user"
                           : "a command runs only as the caller");
  effects.emplace_back(groups ? "tier c drops the caller's supplementary groups"
                              : "tier c keeps the caller's supplementary groups");
  effects.emplace_back(own.has(Capability::setpcap)
                           ? "tier b empties the bounding set"
                           : "tier b keeps the bounding set, of which no_new_privs lets nothing be "
                             "gained");
  return effects;
}

CheckAnswer check_capabilities(const HostRestrictions& restrictions) {
  const CapabilityState own(cap_get_proc());
  if (!own) {
    const Trial trial = failed_at("cap_get_proc");
    return refused(trial, diagnose_call(trial.sys_errno, "Linux 2.2", restrictions));
  }
  const std::string held = text_of(own);
  return {
      true,
      concat(held.empty() ? "the caller has none" : concat("the caller has ", held),
             "; a command has none; therefore ", enumerated(effects_of(restrictions.capabilities))),
      ""};
}

// ---- The file of bawn ---------------------------------------------------------------------------

// Privileges in the mode and the attributes of a file.
struct FilePrivileges {
  std::vector<std::string> names;
  std::string removal;  // commands, one per line
};

FilePrivileges privileges_of(const struct stat& status, const std::string& capabilities,
                             const std::string& path) {
  FilePrivileges found;
  const bool set_user = (status.st_mode & S_ISUID) != 0;
  const bool set_group = (status.st_mode & S_ISGID) != 0;
  if (set_user) found.names.push_back(concat("set-user-id of ", status.st_uid));
  if (set_group) found.names.push_back(concat("set-group-id of ", status.st_gid));
  if (set_user || set_group) found.removal = concat("sudo chmod u-s,g-s ", quote(path));
  if (!capabilities.empty()) {
    found.names.push_back(concat("file capabilities ", capabilities));
    if (!found.removal.empty()) found.removal += '\n';
    found.removal += concat("sudo setcap -r ", quote(path));
  }
  return found;
}

CheckAnswer check_program_file(const HostRestrictions& restrictions) {
  constexpr const char* kProgram = "/proc/self/exe";
  struct stat status {};
  if (stat(kProgram, &status) != 0) return refused(failed_at("stat /proc/self/exe"), {});
  const CapabilityState capabilities(cap_get_file(kProgram));
  if (!capabilities && errno != ENODATA && errno != EOPNOTSUPP)
    return refused(failed_at("read the file capabilities of /proc/self/exe"), {});
  const FilePrivileges found = privileges_of(status, text_of(capabilities), restrictions.program);
  if (found.names.empty()) {
    if (!is_given_file_privileges())
      return {true, concat(restrictions.program, " gives no privileges"), ""};
    return {false,
            concat(restrictions.program,
                   " gives no privileges, but the program that started it left "
                   "it an id or a capability that the caller does not have"),
            "start bawn from a shell of the user, without a set-user-id program between them"};
  }
  const std::string what = concat(restrictions.program, " has ", enumerated(found.names));
  if (!is_given_file_privileges())
    return {true, concat(what, ", which gives this caller nothing; others cannot use this bawn"),
            ""};
  return {false,
          concat(what,
                 ": bawn would read files and make mounts with privileges of which the caller "
                 "has none"),
          found.removal};
}

constexpr Check kPrivilegeChecks[] = {
    {"program-file", For::both, "",
     "bawn gives the privileges up; only doctor, help and --version work", check_program_file},
    {"capabilities", For::neither, "", "bawn takes the caller for one without any",
     check_capabilities},
};

}  // namespace

std::span<const Check> privilege_checks() { return kPrivilegeChecks; }

}  // namespace bawn
