#include "validate/program/program_identity.h"

#include <algorithm>
#include <array>
#include <span>

#include "validate/program/executable_rules.h"
#include "validate/program/program_name.h"

namespace bawn {
namespace {

// Programs that an attacker would hide under another name, as they are usually installed.
constexpr std::array<std::string_view, 38> kCodeRunners{
    // interpreters
    "sh", "bash", "dash", "zsh", "ksh", "fish", "python3", "python", "perl", "ruby", "node", "bun",
    "deno", "php", "lua", "lua5.4", "luajit", "tclsh", "mawk", "gawk", "awk", "make", "vim",
    "emacs", "gdb", "java", "Rscript",
    // launchers
    "env", "xargs", "find", "nice", "timeout", "nohup", "setsid", "stdbuf", "busybox", "toybox",
    "flock"};

constexpr std::array<std::string_view, 6> kPrivileged{"sudo",   "su",    "doas",
                                                      "pkexec", "pkill", "killall"};

std::string reference_name(const Located& file, std::span<const std::string_view> references,
                           const PathLookup& lookup) {
  for (const std::string_view name : references) {
    const ExecutableFile reference = find_executable(name, "", lookup);
    if (reference.status != ExecutableFile::Status::found) continue;
    if (same_file(reference.file, file) || is_copy_of(file, reference.file, lookup))
      return std::string(name);
  }
  return "";
}

}  // namespace

std::vector<std::string> names_of(const ExecutableFile& program, Disguises disguises,
                                  const PathLookup& lookup) {
  std::vector<std::string> names{program.name};
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  if (program.status != ExecutableFile::Status::found || is_multi_call(program.file)) return names;
  add(std::string(base_name(program.file.path)));
  add(std::string(base_name(host_path(program.file))));
  if (lies_on_trusted_path(program.file, lookup)) return names;
  add(reference_name(program.file, kPrivileged, lookup));
  if (disguises == Disguises::all) add(reference_name(program.file, kCodeRunners, lookup));
  return names;
}

}  // namespace bawn
