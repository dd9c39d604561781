#include "validate/program/executable_list.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "policy/executables_policy.h"
#include "programs/program.h"
#include "validate/program/elf_interpreter.h"
#include "validate/program/executable_file.h"
#include "validate/program/executable_rules.h"
#include "validate/program/interpreter.h"
#include "validate/program/launcher.h"
#include "validate/program/program_name.h"
#include "validate/program/script.h"
#include "validate/validate.h"

namespace bawn {
namespace {

using Why = AllowedFile::Why;

// The row of a program, under the name that the list has or under the file's own.
const ProgramRow* row_of(const ExecutableFile& program) {
  const std::string_view canonical = base_name(program.file.path);
  for (const std::string& name : {program.name, program_family(program.name),
                                  std::string(canonical), program_family(canonical)}) {
    if (const ProgramRow* row = find_program(name)) return row;
  }
  return nullptr;
}

class Lister {
 public:
  Lister(const ExecutablesPolicy& policy, const Scope& scope, const PathLookup& lookup,
         Violations& violations)
      : policy_(policy),
        scope_(scope),
        lookup_(lookup),
        rules_(policy, lookup),
        violations_(violations) {}

  ExecutableList run(const Program& program) && {
    if (program.file.kind == FileKind::regular) {
      add({program.file, Why::program, ""});
      add_loader(program.file, lookup_.head(program.file, kElfStartBytes).value_or(""), "");
    }
    for (const std::string& entry : policy_.allow) add_entry(entry);
    return std::move(list_);
  }

 private:
  void add_entry(const std::string& entry) {
    const ExecutableFile program = find_executable(entry, "", lookup_);
    if (!may_be_listed(program)) return;
    add_started(program, Why::program, entry);
    const ProgramRow* row = row_of(program);
    if (row == nullptr) return;
    for (const std::string_view helper : row->files()) add_helper(helper, entry);
  }

  [[nodiscard]] bool may_be_listed(const ExecutableFile& program) const {
    return program.status == ExecutableFile::Status::found && may_be_listed(program.file) &&
           rules_.blocked_by(program).empty();
  }

  [[nodiscard]] bool may_be_listed(const Located& file) const {
    if (scope_.can_change(file)) return policy_.from_workspace;
    return scope_.writable_link(file).empty();
  }

  // Adds a program and whatever the kernel opens when it starts it.
  void add_started(const ExecutableFile& program, Why why, const std::string& entry) {
    if (!add({program.file, why, entry})) return;
    judge_digest(program, entry);
    std::string head = lookup_.head(program.file, kElfStartBytes).value_or("");
    const auto shebang = read_shebang(std::string_view(head).substr(0, kShebangBytes));
    if (!shebang) return add_loader(program.file, std::move(head), entry);
    // Without this key the validator refuses every script and every interpreter.
    if (policy_.interpreters) add_interpreter(*shebang, program, entry);
  }

  void add_interpreter(const Shebang& shebang, const ExecutableFile& script,
                       const std::string& entry) {
    const std::vector<std::string> words =
        interpreter_words(shebang, script.found_as, {script.name});
    add_named_by_script(words.front(), entry);
    const auto launch = read_launch(words.front(), std::span(words).subspan(1));
    if (!launch) return;
    for (const InnerCommand& inner : launch->commands)
      add_named_by_script(inner.words.front(), entry);
  }

  // As the validator has it: only what runs code, and `env`, needs no entry of its own.
  void add_named_by_script(const std::string& name, const std::string& entry) {
    const ExecutableFile program = find_executable(name, "", lookup_);
    const bool starts_code = program.name == "env" || find_interpreter(program.name) != nullptr;
    if (starts_code && may_be_listed(program)) add_started(program, Why::interpreter, entry);
  }

  void add_helper(std::string_view name, const std::string& entry) {
    if (name.ends_with('/')) {
      Located directory = lookup_.locate(name);
      if (directory.kind == FileKind::directory && may_be_listed(directory))
        add({std::move(directory), Why::helper, entry});
      return;
    }
    const ExecutableFile program = find_executable(name, "", lookup_);
    if (may_be_listed(program)) add_started(program, Why::helper, entry);
  }

  // Most programs have the same loader, which is looked up once.
  void add_loader(const Located& file, std::string head, const std::string& entry) {
    std::string path = loader_of(file, std::move(head));
    if (path.empty() || path == last_loader_) return;
    last_loader_ = path;
    Located loader = lookup_.locate(path);
    if (loader.kind == FileKind::regular && may_be_listed(loader))
      add({std::move(loader), Why::loader, entry});
  }

  [[nodiscard]] std::string loader_of(const Located& file, std::string head) const {
    ElfStart start = read_elf_start(head);
    // First the table of segments may lie further on, then the name.
    for (int reads = 0; reads < 2 && start.needs > head.size() && start.needs <= file.size;
         ++reads) {
      head = lookup_.head(file, start.needs).value_or("");
      start = read_elf_start(head);
    }
    return std::move(start.interpreter);
  }

  // False if the list has the file already.
  bool add(AllowedFile file) {
    const auto is_same = [&](const AllowedFile& other) { return same_file(other.file, file.file); };
    if (std::ranges::any_of(list_.files, is_same)) return false;
    list_.files.push_back(std::move(file));
    return true;
  }

  void judge_digest(const ExecutableFile& program, const std::string& entry) {
    if (policy_.sha256.empty()) return;
    const std::string pinned = rules_.pinned_digest(program);
    if (pinned.empty() || pinned == lookup_.sha256(program.file)) return;
    violations_.push_back({"executable.digest_mismatch", entry,
                           concat(quote(entry), ", which the policy lists, is not the pinned file"),
                           concat("executables.sha256 expects ", pinned)});
  }

  const ExecutablesPolicy& policy_;
  const Scope& scope_;
  const PathLookup& lookup_;
  const ExecutableRules rules_;
  Violations& violations_;
  ExecutableList list_;
  std::string last_loader_;
};

}  // namespace

std::string_view to_string(AllowedFile::Why why) {
  switch (why) {
    case Why::program:
      return "program";
    case Why::loader:
      return "loader";
    case Why::interpreter:
      return "interpreter";
    case Why::helper:
      return "helper";
  }
  return "unknown";
}

ExecutableList list_executables(const ExecutablesPolicy& policy, const Scope& scope,
                                const Program& program, const PathLookup& lookup,
                                Violations& violations) {
  return Lister(policy, scope, lookup, violations).run(program);
}

}  // namespace bawn
