#include "plan/exec_probe.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "policy/filesystem_policy.h"
#include "validate/planted_link.h"
#include "validate/program/executable_file.h"
#include "validate/program/executable_list.h"
#include "validate/scope.h"

namespace bawn {
namespace {

bool is_listed(const Located& file, const ExecutableList& list) {
  return std::ranges::any_of(list.files, [&](const AllowedFile& allowed) {
    return same_file(allowed.file, file) || path_is_within(file.path, allowed.file.path);
  });
}

bool is_opened(const Located& file, const std::vector<Grant>& grants, const PathLookup& lookup) {
  return std::ranges::any_of(grants, [&](const Grant& grant) {
    return grant.exec && path_is_within(file.path, lookup.locate(grant.path).path);
  });
}

}  // namespace

std::string choose_exec_probe(const ExecutableList& list, const FilesystemPolicy& grants,
                              const PathLookup& lookup) {
  std::vector<std::string> candidates;
  for (const AllowedFile& allowed : list.files) {
    if (allowed.why == AllowedFile::Why::loader)
      candidates.push_back(concat(directory_of(allowed.file.path), "/libc.so.6"));
  }
  for (const std::string_view path : {"/bin/sh", "/usr/bin/env", "/bin/ls"})
    candidates.emplace_back(path);
  for (const std::string& path : candidates) {
    const Located file = lookup.locate(path);
    if (file.kind == FileKind::regular && file.executable && !is_listed(file, list) &&
        !is_opened(file, grants.read, lookup) && !is_opened(file, grants.write, lookup))
      return file.path;
  }
  return "";
}

}  // namespace bawn
