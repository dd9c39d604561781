#include "plan/program_files.h"

#include <cstddef>

#include "base/text.h"
#include "policy/text/hint.h"

namespace bawn {

std::vector<NamedFile> files_of(const Program& program, const Scope& scope) {
  std::vector<NamedFile> files;
  bool by_the_run = false;
  const auto add = [&](const Located& file) {
    by_the_run = by_the_run || !scope.writable_link(file).empty();
    files.push_back({&file, by_the_run});
    by_the_run = by_the_run || scope.can_change(file);
  };
  // The caller named the last script. Each script names the one before it, and the first one names
  // program.file.
  for (std::size_t i = program.scripts.size(); i-- > 0;) add(program.scripts[i]);
  add(program.file);
  return files;
}

Violation choice_of_the_run(const Located& file) {
  return {"path.outside_scope", file.path,
          concat("a link or a script that the command can change leads to the program ",
                 quote(file.path), ", which the policy does not show"),
          try_option("filesystem.read", file.path)};
}

}  // namespace bawn
