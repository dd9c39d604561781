#include "validate/program/executable.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "policy/policy.h"
#include "policy/text/hint.h"
#include "validate/environment.h"
#include "validate/program/command_argument.h"
#include "validate/program/executable_file.h"
#include "validate/program/executable_rules.h"
#include "validate/program/forbidden_program.h"
#include "validate/program/interpreter.h"
#include "validate/program/judged_command.h"
#include "validate/program/launcher.h"
#include "validate/program/program_identity.h"
#include "validate/program/program_name.h"
#include "validate/program/script.h"
#include "validate/shell/command_words.h"
#include "validate/shell/shell_words.h"

namespace bawn {
namespace {

using Status = ExecutableFile::Status;

constexpr int kDeepestChain = 8;           // programs that start one another
constexpr std::size_t kMostFindings = 64;  // the run is refused anyway; more would only cost time
constexpr std::string_view kInterpretersHint =
    "try --allow-interpreters (policy key: executables.interpreters)";

class Judge {
 public:
  Judge(const Policy& policy, const Request& request, const Scope& scope, const Located& cwd,
        const ValidationContext& context, Violations& violations)
      : policy_(policy),
        request_(request),
        scope_(scope),
        cwd_(cwd),
        confined_(context.tier != Tier::unconfined),
        search_(context.search),
        disguises_(policy.executables.interpreters ? Disguises::privileged : Disguises::all),
        lookup_(*context.lookup),
        rules_(policy.executables, lookup_),
        violations_(violations) {}

  Program judge_request() {
    std::vector<std::string> words{request_.command};
    words.insert(words.end(), request_.args.begin(), request_.args.end());
    return judge({.words = std::move(words), .subject = request_.command});
  }

 private:
  Program judge(const JudgedCommand& command) {
    if (!is_tellable(command)) return {};
    ExecutableFile program = resolve(command);
    const std::vector<std::string> names = names_of(program, disguises_, lookup_);
    if (is_never_allowed(command, names)) return {};
    const bool blocked = judge_block(command, program);
    if (!command.in_shell_code) {
      if (!judge_existence(command, program, blocked)) return {};
      if (!blocked) judge_allow(command, program, names);
      judge_place(command, program);
      judge_digest(command, program);
      const auto head = read_head(command, program);
      if (!head) return {};
      if (const auto shebang = read_script(command, *head)) {
        judge_launch(command, names);
        return judge_script(command, program, *shebang);
      }
    }
    judge_interpreter(command, names);
    judge_launch(command, names);
    judge_argument_commands(command, names);
    return {std::move(program.file), command.words};
  }

  // --- which file ---

  bool is_tellable(const JudgedCommand& command) {
    const std::string& name = command.words.front();
    if (command.depth > kDeepestChain) {
      refuse_launcher(command, "too many programs start one another");
      return false;
    }
    const bool relative = !name.starts_with('/') && name.find('/') != std::string::npos;
    if (!command.applet &&
        ((command.depth > 0 && is_unknown(name)) || (command.other_directory && relative))) {
      refuse_launcher(command, "the command to start is only known when it runs");
      return false;
    }
    return true;
  }

  ExecutableFile resolve(const JudgedCommand& command) const {
    if (!command.applet) return find_executable(command.words.front(), cwd_.path, lookup_, search_);
    ExecutableFile applet;
    applet.name = command.words.front();
    return applet;
  }

  bool judge_existence(const JudgedCommand& command, const ExecutableFile& program, bool blocked) {
    if (command.applet || program.status == Status::found) return true;
    if (blocked) return false;
    const std::string name = command.shown();
    if (program.status == Status::not_executable) {
      report(command, "executable.not_executable",
             concat(name, " cannot be executed: ", program.error),
             program.file.path == command.words.front()
                 ? "name a program that may be executed"
                 : concat("it leads to ", quote(program.file.path)));
    } else if (program.status == Status::unknown) {
      // A bare name was looked for in the other directories too, so it is not found. A path names
      // one file.
      const bool by_path = command.words.front().find('/') != std::string::npos;
      report(command, by_path ? "executable.not_executable" : "executable.not_found",
             concat(name, " cannot be looked up: ", program.error),
             "name a program in a place that you may enter, and without a loop of links");
    } else {
      report(command, "executable.not_found", concat("there is no program ", name),
             not_found_hint(command));
    }
    return false;
  }

  [[nodiscard]] std::string not_found_hint(const JudgedCommand& command) const {
    if (command.words.front().find('/') != std::string::npos) {
      return "a path is taken from the working directory of the request";
    }
    const std::string_view close = nearest_allowed(command.words.front());
    if (!close.empty()) return concat("did you mean ", quote(close), "?");
    return concat("a bare name is looked for in ", joined_search_path(), " only");
  }

  [[nodiscard]] std::string joined_search_path() const {
    std::vector<std::string> directories;
    const auto add = [&](const auto& path) {
      for (const auto& directory : path) {
        if (std::find(directories.begin(), directories.end(), directory) == directories.end())
          directories.emplace_back(directory);
      }
    };
    add(search_);
    add(lookup_.trusted_path());
    return joined_words(directories);
  }

  [[nodiscard]] std::string_view nearest_allowed(std::string_view name) const {
    const std::vector<std::string_view> names(policy_.executables.allow.begin(),
                                              policy_.executables.allow.end());
    return nearest(name, names);
  }

  // --- whether it may run ---

  bool is_never_allowed(const JudgedCommand& command, const std::vector<std::string>& names) {
    if (!confined_) return false;
    for (const std::string& name : names) {
      if (raises_privilege(name)) {
        report(command, "executable.privilege_escalation",
               concat(command.shown(), " raises privileges or runs commands outside of this run"),
               "run the command itself; no policy with a sandbox allows this");
        return true;
      }
      if (kills_by_name(name, command.args())) {
        report(command, "executable.kill_by_name",
               concat(command.shown(),
                      " chooses the processes it kills by name, so it may hit others"),
               "kill by process id: kill PID");
        return true;
      }
    }
    return false;
  }

  bool judge_block(const JudgedCommand& command, const ExecutableFile& program) {
    const std::string entry =
        command.applet ? rules_.applet_blocked_by(program.name) : rules_.blocked_by(program);
    if (entry.empty()) return false;
    report(command, "executable.blocked",
           concat(command.shown(), " is blocked by the policy's entry ", quote(entry)),
           "executables.block wins over executables.allow; only removing the entry would allow it");
    return true;
  }

  void judge_allow(const JudgedCommand& command, const ExecutableFile& program,
                   const std::vector<std::string>& names) {
    if (!confined_) return;
    if (command.applet ? rules_.allows_applet(program.name) : rules_.allows(program)) return;
    if (command.named_by_script && policy_.executables.interpreters && starts_code(names)) return;
    std::string hint = try_option("executables.allow", command.words.front());
    if (policy_.executables.allow.empty()) {
      hint += "; the list is empty, so nothing may run";
    } else if (const std::string_view close = nearest_allowed(program.name); !close.empty()) {
      hint += concat("; ", quote(close), " is on the list");
    }
    report(command, "executable.not_allowed",
           concat(command.shown(), " is not on the policy's list of programs"), std::move(hint));
  }

  // Interpreters, and `env`, because many scripts begin with #!/usr/bin/env.
  static bool starts_code(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return find_interpreter(name) != nullptr || name == "env";
    });
  }

  void judge_place(const JudgedCommand& command, const ExecutableFile& program) {
    if (!confined_ || command.applet || policy_.executables.from_workspace) return;
    if (!scope_.can_change(program.file)) return;
    report(command, "executable.from_workspace",
           concat(command.shown(), " lies where the run can write: ", quote(program.file.path)),
           "set executables.from_workspace to true in the policy, which allows programs from "
           "writable directories");
  }

  void judge_digest(const JudgedCommand& command, const ExecutableFile& program) {
    if (command.applet) return;
    const std::string pinned = rules_.pinned_digest(program);
    if (pinned.empty()) return;
    const std::string actual = lookup_.sha256(program.file);
    if (actual == pinned) return;
    report(command, "executable.digest_mismatch",
           concat(command.shown(), " is not the pinned file: its SHA-256 is ",
                  actual.empty() ? "not readable" : actual),
           concat("executables.sha256 expects ", pinned));
  }

  // --- scripts ---

  // A file that the caller cannot read may be a script, which the kernel reads all the same, or a
  // copy of an interpreter. An earlier run can have removed the read permission on purpose. Only a
  // file of root belongs to the system, and its name can be believed.
  std::optional<std::string> read_head(const JudgedCommand& command,
                                       const ExecutableFile& program) {
    if (command.applet) return "";
    auto head = lookup_.head(program.file, kShebangBytes);
    if (head || !confined_ || program.file.owned_by_root) return head.value_or("");
    report(command, "executable.unreadable",
           concat(command.shown(), " cannot be read, so bawn cannot tell what it would run"),
           concat("make it readable: chmod u+r ", quote(program.file.path)));
    return std::nullopt;
  }

  static std::optional<Shebang> read_script(const JudgedCommand& command, std::string_view head) {
    // The kernel answers ENOEXEC for such a file, and execvp() in the outer program then passes it
    // to a shell.
    if (command.depth > 0 && is_text_without_shebang(head)) return Shebang{"/bin/sh", ""};
    return read_shebang(head);
  }

  Program judge_script(const JudgedCommand& command, const ExecutableFile& program,
                       const Shebang& shebang) {
    if (shebang.interpreter.empty() || command.scripts >= kMostNestedScripts) {
      report(command, "executable.not_executable",
             concat(command.shown(),
                    shebang.interpreter.empty()
                        ? " is a script whose first line names no interpreter"
                        : " is a script for a script for a script, deeper than the system goes"),
             "the first line of a script is #!/path/to/interpreter");
      return {};
    }
    const std::string& spelled = command.words.front();
    JudgedCommand next = command;
    next.words = interpreter_words(
        shebang, spelled.find('/') == std::string::npos ? program.found_as : spelled,
        command.words);
    // The kernel resolves a bare interpreter name from the working directory and searches no PATH.
    if (shebang.interpreter.find('/') == std::string::npos) next.words.front().insert(0, "./");
    next.origin = concat(" (named by the script ", quote(spelled), ")");
    next.scripts += 1;
    next.named_by_script = true;
    next.other_directory = false;
    Program interpreter = judge(next);
    interpreter.scripts.push_back(program.file);
    return interpreter;
  }

  // --- code ---

  void judge_interpreter(const JudgedCommand& command, const std::vector<std::string>& names) {
    const ProgramRow* interpreter = nullptr;
    for (const std::string& name : names) {
      if (interpreter == nullptr) interpreter = find_interpreter(name);
    }
    if (command.in_shell_code && command.words.front() == "eval") {
      judge_shell_code(command, joined_words(command.args()));
    }
    if (command.in_shell_code && command.words.front() == "trap" && command.words.size() > 1) {
      judge_shell_code(command, command.words[1]);
    }
    if (interpreter == nullptr) return;
    const CodeUse use = find_code(*interpreter, command.args());
    refuse_interpreter(command, names, use.inline_code);
    if (interpreter->interpreter != InterpreterKind::shell) return;
    if (!command.in_shell_code) judge_patterns(command, whole_command_line(), "");
    if (use.inline_code) judge_shell_code(command, use.code);
    if (use.reads_stdin && !command.in_shell_code && request_.stdin_text) {
      judge_shell_code(command, *request_.stdin_text);
    }
  }

  void refuse_interpreter(const JudgedCommand& command, const std::vector<std::string>& names,
                          bool inline_code) {
    if (!restricts_code(command)) return;
    const std::string known =
        names.back() == command.words.front() || find_interpreter(names.front())
            ? ""
            : concat(", as ", quote(names.back()), " under another name");
    if (inline_code) {
      report(command, "executable.inline_code",
             concat(command.shown(), known, " is given code in its arguments"),
             std::string(kInterpretersHint));
    } else {
      report(command, "executable.interpreter",
             concat(command.shown(), known, " runs code given to it"),
             std::string(kInterpretersHint));
    }
  }

  [[nodiscard]] bool restricts_code(const JudgedCommand& command) const {
    return confined_ && !command.in_shell_code && !policy_.executables.interpreters;
  }

  void refuse_code(const JudgedCommand& command, const std::string& argument,
                   std::string_view what) {
    if (!restricts_code(command)) return;
    JudgedCommand about = command;
    about.subject = argument;
    report(about, "executable.inline_code",
           concat("the argument ", quote(argument), " makes ", command.shown(), " ", what),
           std::string(kInterpretersHint));
  }

  void judge_shell_code(const JudgedCommand& command, const std::string& code) {
    const ShellCode read = read_shell(code);
    judge_patterns(command, code, read.rendered);
    for (const std::vector<std::string>& words : read.commands) {
      if (violations_.size() >= kMostFindings) return;
      if (is_unknown(words.front()) || words.front().empty()) continue;
      if (!seen_in_shell_.insert(joined_words(words)).second) continue;
      JudgedCommand inner = started_by(command, words, " (in shell code)");
      inner.in_shell_code = true;
      if (inner.depth <= kDeepestChain) judge(inner);
    }
  }

  void judge_patterns(const JudgedCommand& command, std::string_view code,
                      std::string_view rendered) {
    for (const std::string& pattern : policy_.arguments.refuse_patterns) {
      if (!shell_code_contains(code, rendered, pattern)) continue;
      JudgedCommand about = command;
      about.subject = pattern;
      report(about, "executable.shell_pattern",
             concat("the text ", quote(pattern), " may not reach the shell ", command.shown()),
             "arguments.refuse_patterns lists it; call the program directly instead of through a "
             "shell");
    }
  }

  // --- commands that a command starts ---

  void judge_launch(const JudgedCommand& command, const std::vector<std::string>& names) {
    std::optional<Launch> launch;
    for (const std::string& name : names) {
      if (!launch) launch = read_launch(name, command.args());
    }
    if (!launch) return;
    if (!launch->uncertain.empty()) refuse_launcher(command, launch->uncertain);
    judge_assignments(command, launch->assignments);
    if (launch->injects_code) refuse_code(command, joined_words(command.args()), "load code");
    if (launch->starts_shell && restricts_code(command)) {
      report(command, "executable.interpreter",
             concat(command.shown(), " starts a shell if no command is named"),
             std::string(kInterpretersHint));
    }
    for (const std::string& code : launch->shell_code) {
      refuse_code(command, code, "give it to a shell");
      judge_patterns(command, whole_command_line(), "");
      judge_shell_code(command, code);
    }
    if (command.more_words && launch->commands.empty() && launch->shell_code.empty()) {
      refuse_launcher(command, "the command to start comes from standard input");
    }
    for (InnerCommand& inner : launch->commands) judge_inner(command, std::move(inner));
  }

  // `env LD_PRELOAD=x ls` would evade the rules for the request's environment.
  void judge_assignments(const JudgedCommand& command,
                         const std::vector<std::string>& assignments) {
    if (!confined_ || command.in_shell_code) return;
    for (const std::string& assignment : assignments) {
      const auto violation = judge_variable(
          policy_.environment, std::string_view(assignment).substr(0, assignment.find('=')));
      if (violation) violations_.push_back(*violation);
    }
  }

  void judge_inner(const JudgedCommand& command, InnerCommand inner) {
    JudgedCommand next = started_by(command, std::move(inner.words),
                                    concat(" (started by ", quote(command.words.front()), ")"));
    next.applet = inner.applet;
    next.other_directory = inner.other_directory || command.other_directory;
    next.more_words = inner.more_words || command.more_words;
    judge(next);
  }

  void judge_argument_commands(const JudgedCommand& command,
                               const std::vector<std::string>& names) {
    ArgumentCommands found;
    for (const std::string& name : names) {
      if (found.code.empty() && found.command_lines.empty())
        found = find_argument_commands(name, command.args());
    }
    if (command.more_words && restricts_code(command) && takes_commands(names) &&
        std::find(command.words.begin(), command.words.end(), "--") == command.words.end()) {
      refuse_launcher(
          command, "words from standard input can be options that run code, unless '--' ends them");
    }
    for (const std::string& argument : found.code) refuse_code(command, argument, "run code");
    for (const std::string& line : found.command_lines) {
      auto words = unquoted_words(line);
      if (words && !words->empty()) {
        judge_inner(command, {std::move(*words)});
      } else {
        refuse_code(command, line, "run a shell command");
        judge_shell_code(command, line);
      }
    }
  }

  static bool takes_commands(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), has_command_arguments);
  }

  // --- reports ---

  void refuse_launcher(const JudgedCommand& command, std::string_view why) {
    if (!confined_ || command.in_shell_code) return;
    report(command, "executable.launcher",
           concat("bawn cannot tell which program ", command.shown(), " would start: ", why),
           "call that program directly");
  }

  [[nodiscard]] std::string whole_command_line() const {
    return request_.args.empty() ? request_.command
                                 : concat(request_.command, " ", joined_words(request_.args));
  }

  // Reports each code once per subject.
  void report(const JudgedCommand& command, std::string_view code, std::string message,
              std::string hint) {
    const bool known =
        std::any_of(violations_.begin(), violations_.end(), [&](const Violation& violation) {
          return violation.code == code && violation.subject == command.subject;
        });
    if (known) return;
    violations_.push_back(
        {std::string(code), command.subject, std::move(message), std::move(hint)});
  }

  const Policy& policy_;
  const Request& request_;
  const Scope& scope_;
  const Located& cwd_;
  const bool confined_;
  std::span<const std::string> search_;
  const Disguises disguises_;
  const PathLookup& lookup_;
  const ExecutableRules rules_;
  Violations& violations_;
  std::set<std::string> seen_in_shell_;  // commands of shell code that were judged before
};

}  // namespace

Program judge_executable(const Policy& policy, const Request& request, const Scope& scope,
                         const Located& cwd, const ValidationContext& context,
                         Violations& violations) {
  return Judge(policy, request, scope, cwd, context, violations).judge_request();
}

}  // namespace bawn
