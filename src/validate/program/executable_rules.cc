#include "validate/program/executable_rules.h"

#include <algorithm>

#include "programs/program.h"
#include "validate/program/program_name.h"

namespace bawn {
namespace {

bool is_bare(std::string_view entry) { return entry.find('/') == std::string_view::npos; }

// Versions and variants of a blocked name: python3.11 of python, mkfs.ext4 of mkfs, bash-static of
// bash.
bool is_variant_of(std::string_view name, std::string_view entry) {
  if (program_family(name) == entry) return true;
  if (!name.starts_with(entry)) return false;
  const std::string_view rest = name.substr(entry.size());
  return rest.empty() || rest.front() == '.' ||
         rest.find_first_not_of("0123456789.-") == std::string_view::npos;
}

bool same_family(std::string_view a, std::string_view b) {
  return program_family(a) == program_family(b);
}

// Both are the same file: whether the program behaves like the entry's. In doubt the answer is no,
// because a file with two unrelated names may be a multi-call program that bawn does not know.
bool names_agree(const ExecutableFile& entry, const ExecutableFile& program) {
  if (entry.name == program.name) return true;
  if (is_multi_call(program.file) || is_multi_call(entry.file)) return false;
  const std::string_view canonical = base_name(program.file.path);
  const bool hard_link = entry.file.path != program.file.path;
  if (!hard_link && (program.name == canonical || entry.name == canonical)) return true;
  return same_family(entry.name, program.name);
}

}  // namespace

bool is_multi_call(const Located& file) {
  const auto is_known = [](std::string_view name) {
    return name.starts_with("busybox") || name.starts_with("toybox") ||
           program_is(name, Trait::multi_call);
  };
  return is_known(base_name(file.path)) || is_known(base_name(host_path(file)));
}

bool is_copy_of(const Located& file, const Located& original, const PathLookup& lookup) {
  if (original.kind != FileKind::regular || file.size != original.size || file.size == 0)
    return false;
  const std::string digest = lookup.sha256(file);
  return !digest.empty() && digest == lookup.sha256(original);
}

ExecutableRules::ExecutableRules(const ExecutablesPolicy& policy, const PathLookup& lookup)
    : policy_(policy), lookup_(lookup) {
  for (const std::string& entry : policy.block) {
    blocked_.push_back({&entry, find(entry)});
    if (has_other_names()) blocked_.push_back({&entry, find_executable(entry, "", lookup.host())});
  }
}

ExecutableFile ExecutableRules::find(const std::string& entry) const {
  return find_executable(entry, "", lookup_);
}

bool ExecutableRules::is_allowed_by(const std::string& entry, const ExecutableFile& program) const {
  const ExecutableFile allowed = find(entry);
  return same_file(allowed.file, program.file) && names_agree(allowed, program);
}

bool ExecutableRules::allows(const ExecutableFile& program) const {
  if (policy_.allow_all) return true;
  if (program.status != ExecutableFile::Status::found) return false;
  // The entry of the same name nearly always decides, so it is tried first; each entry costs a
  // look-up.
  const auto same_name = [&](const std::string& entry) { return base_name(entry) == program.name; };
  const auto allowed_by = [&](const std::string& entry) { return is_allowed_by(entry, program); };
  return std::any_of(
             policy_.allow.begin(), policy_.allow.end(),
             [&](const std::string& entry) { return same_name(entry) && allowed_by(entry); }) ||
         std::any_of(policy_.allow.begin(), policy_.allow.end(), [&](const std::string& entry) {
           return !same_name(entry) && allowed_by(entry);
         });
}

std::string ExecutableRules::blocked_by(const ExecutableFile& program) const {
  const bool outside = !lies_on_trusted_path(program.file, lookup_);
  const std::string_view canonical = base_name(program.file.path);
  const std::string_view on_host = base_name(host_path(program.file));
  for (const auto& [pointer, blocked] : blocked_) {
    const std::string& entry = *pointer;
    if (is_bare(entry) && (is_variant_of(program.name, entry) || is_variant_of(canonical, entry) ||
                           is_variant_of(on_host, entry)))
      return entry;
    if (program.status != ExecutableFile::Status::found) continue;
    const bool is_same = same_file(blocked.file, program.file) ||
                         (outside && is_copy_of(program.file, blocked.file, lookup_));
    const bool other_applet = is_multi_call(blocked.file) && blocked.name != program.name;
    if (is_same && !other_applet) return entry;
  }
  return "";
}

std::string ExecutableRules::pinned_digest(const ExecutableFile& program) const {
  for (const auto& [entry, digest] : policy_.sha256) {
    if (same_file(find(entry).file, program.file)) return digest;
    if (has_other_names() &&
        same_file(find_executable(entry, "", lookup_.host()).file, program.file))
      return digest;
  }
  return "";
}

bool ExecutableRules::allows_applet(std::string_view name) const {
  if (policy_.allow_all) return true;
  return std::any_of(policy_.allow.begin(), policy_.allow.end(),
                     [&](const std::string& entry) { return base_name(entry) == name; });
}

std::string ExecutableRules::applet_blocked_by(std::string_view name) const {
  for (const std::string& entry : policy_.block) {
    if (is_variant_of(name, base_name(entry))) return entry;
  }
  return "";
}

}  // namespace bawn
