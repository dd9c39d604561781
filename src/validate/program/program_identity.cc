#include "validate/program/program_identity.h"

#include <algorithm>

#include "programs/program.h"
#include "validate/program/executable_rules.h"
#include "validate/program/program_name.h"

namespace bawn {
namespace {

std::string reference_name(const Located& file, ConstantWords references,
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
  add(reference_name(program.file, words_of(WordList::privileged), lookup));
  if (disguises == Disguises::all)
    add(reference_name(program.file, words_of(WordList::code_runners), lookup));
  return names;
}

}  // namespace bawn
