#include "validate/argument/argument_paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "base/text.h"
#include "policy/policy.h"
#include "policy/text/hint.h"
#include "validate/argument/argument_kind.h"
#include "validate/argument/command_segment.h"
#include "validate/argument/path_candidates.h"
#include "validate/program/executable_file.h"
#include "validate/program/launcher.h"

namespace bawn {
namespace {

// Devices through which nothing can be learned or changed. The names of stdio are compared as
// spelled: behind them are magic links of /proc, which a look-up does not follow.
constexpr std::array<std::string_view, 14> kHarmlessDevices{
    "/dev/fd/0",   "/dev/fd/1",       "/dev/fd/2",       "/dev/full",       "/dev/null",
    "/dev/random", "/dev/stderr",     "/dev/stdin",      "/dev/stdout",     "/dev/urandom",
    "/dev/zero",   "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2",
};

bool is_harmless_device(std::string_view path) {
  return std::find(kHarmlessDevices.begin(), kHarmlessDevices.end(), path) !=
         kHarmlessDevices.end();
}

bool is_absolute(std::string_view text) { return text.starts_with('/'); }

// "//etc/x" -> "/etc", "src/x" -> "src", "/" -> "/".
std::string first_component(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of('/'), text.size());
  const std::string_view name = text.substr(start, text.find('/', start) - start);
  return is_absolute(text) ? concat('/', name) : std::string(name);
}

class PathJudge {
 public:
  PathJudge(const Policy& policy, const Scope& scope, const Located& cwd,
            const ValidationContext& context)
      : policy_(policy),
        scope_(scope),
        cwd_(cwd.path),
        tier_(context.tier),
        lookup_(*context.lookup),
        system_(context.system) {
    for (const std::string& entry : policy.workspace.hide) {
      if (!is_absolute(entry) && scope.workspace.empty()) continue;  // nothing there to hide yet
      hidden_.push_back(
          lookup_.locate(is_absolute(entry) ? entry : below(scope.workspace, entry)).path);
    }
  }

  std::optional<Violation> judge(const std::string& word, const PathCandidate& candidate) const {
    if (cwd_.empty() && !is_absolute(candidate.text) && candidate.form != PathForm::home) {
      return judge_in_private_directory(word, candidate.text);
    }
    if (candidate.form == PathForm::home && !exists(below_cwd(first_component(candidate.text)))) {
      return judge_home(word, candidate.text);
    }
    if (!is_path(candidate) || begins_with_program(candidate.text)) return std::nullopt;
    return judge_path(word, candidate);
  }

 private:
  static std::string below(std::string_view directory, std::string_view path) {
    return concat(directory, '/', path);
  }
  std::string below_cwd(std::string_view path) const { return below(cwd_, path); }

  bool exists(const std::string& path) const {
    const Located located = lookup_.locate(path);
    return located.kind != FileKind::missing || !located.error.empty();
  }

  bool is_path(const PathCandidate& candidate) const {
    if (candidate.form == PathForm::url) return true;
    const bool absolute = is_absolute(candidate.text);
    const bool shape_suffices = !absolute || candidate.form == PathForm::whole;
    if (shape_suffices && has_path_shape(candidate.text)) return true;
    const std::string first = first_component(candidate.text);
    return exists(absolute ? first : below_cwd(first));
  }

  // "/bin/ls -l" is a command line for a shell; validate/program judges it.
  bool begins_with_program(std::string_view text) const {
    const std::size_t blank = text.find(' ');
    if (!is_absolute(text) || blank == std::string_view::npos || exists(std::string(text)))
      return false;
    const std::string program(text.substr(0, blank));
    return is_trusted_program(lexically_normal(program), lookup_.locate(program));
  }

  // HOME is the workspace, but a program that asks the user database gets the real home directory.
  std::optional<Violation> judge_home(const std::string& word, const std::string& text) const {
    if (tier_ != Tier::b) return std::nullopt;
    return Violation{"path.outside_scope", word,
                     concat(quote(text), " means a home directory, which is outside the workspace"),
                     "name the path below the workspace instead; nothing expands '~' here"};
  }

  // A directory that does not exist yet has no links, so the spelling decides.
  std::optional<Violation> judge_in_private_directory(const std::string& word,
                                                      const std::string& text) const {
    const std::string normal = lexically_normal(text);
    const bool leaves = normal == ".." || normal.starts_with("../");
    if (tier_ != Tier::b || !leaves || !has_path_shape(text)) return std::nullopt;
    Located located;
    located.path = normal;
    return outside(word, text, located);
  }

  std::optional<Violation> judge_path(const std::string& word,
                                      const PathCandidate& candidate) const {
    const std::string& text = candidate.text;
    const std::string spelled = is_absolute(text) ? text : below_cwd(text);
    const std::string normal = lexically_normal(spelled);
    if (const std::string* prefix = refusing_prefix(normal, scope_.readable))
      return refused(word, text, *prefix);
    if (is_harmless_device(normal)) return std::nullopt;

    Located located = lookup_.locate(spelled);
    if (is_of_the_runs_own_proc(located))
      located.error = "only the run itself knows what it has there";
    if (!located.error.empty()) return unresolvable(word, text, located);
    if (const std::string* prefix = refusing_prefix(located.path, scope_.readable))
      return refused(word, text, *prefix);
    if (const std::string* prefix =
            refusing_prefix(located.separate_host_path, scope_.readable_on_host))
      return refused(word, text, *prefix);
    if (is_hidden(located.path) || is_hidden(located.separate_host_path)) return hidden(word, text);
    if (tier_ != Tier::b || scope_.can_read(located.path) || is_harmless_device(located.path)) {
      return std::nullopt;
    }
    if (is_trusted_program(normal, located)) return std::nullopt;
    if (candidate.form == PathForm::part && is_of_the_system(located.path)) return std::nullopt;
    return outside(word, text, located);
  }

  bool is_of_the_system(std::string_view path) const {
    return std::any_of(system_.begin(), system_.end(),
                       [&](std::string_view place) { return path_is_within(path, place); });
  }

  // A missing path below /proc may exist for the command, because it will see its own processes
  // there. Below each process it can reach every file by another name (root, cwd, fd), also the
  // refused ones.
  bool is_of_the_runs_own_proc(const Located& located) const {
    return !policy_.arguments.refuse_paths.empty() && located.kind == FileKind::missing &&
           path_is_within(located.path, "/proc") && exists("/proc");
  }

  // A scope directory below the refused prefix is more precise, so it wins.
  const std::string* refusing_prefix(std::string_view path,
                                     const std::vector<std::string>& readable) const {
    for (const std::string& prefix : policy_.arguments.refuse_paths) {
      const bool granted_inside =
          std::any_of(readable.begin(), readable.end(), [&](const std::string& directory) {
            return directory != prefix && path_is_within(directory, prefix) &&
                   path_is_within(path, directory);
          });
      if (path_is_within(path, prefix) && !granted_inside) return &prefix;
    }
    return nullptr;
  }

  bool is_hidden(std::string_view path) const {
    return std::any_of(hidden_.begin(), hidden_.end(),
                       [&](const std::string& hidden) { return path_is_within(path, hidden); });
  }

  // A link in a trusted directory may lead elsewhere (alternatives, /usr/lib/jvm): only the
  // administrator can have made it.
  bool is_trusted_program(std::string_view normal, const Located& located) const {
    if (located.kind != FileKind::regular || !located.executable) return false;
    const std::string_view directory = normal.substr(0, normal.rfind('/'));
    const auto trusted = lookup_.trusted_path();
    return lies_on_trusted_path(located, lookup_) ||
           std::find(trusted.begin(), trusted.end(), directory) != trusted.end();
  }

  static Violation refused(const std::string& word, const std::string& text,
                           const std::string& prefix) {
    return {
        "path.refused", word,
        concat(quote(text), " names a path at or below ", quote(prefix),
               ", which the policy refuses"),
        "name a path in the workspace; the policy's arguments.refuse_paths lists what is refused"};
  }

  static Violation hidden(const std::string& word, const std::string& text) {
    return {"path.hidden", word, concat(quote(text), " names a path that the policy hides"),
            "the policy's workspace.hide lists what is hidden"};
  }

  static Violation unresolvable(const std::string& word, const std::string& text,
                                const Located& located) {
    return {"path.unresolvable", word,
            concat(quote(text), " cannot be followed to a file: ", located.error),
            "name a path whose every directory and link can be looked up"};
  }

  Violation outside(const std::string& word, const std::string& text,
                    const Located& located) const {
    const std::string leads =
        located.path == text ? "" : concat(" leads to ", quote(located.path), ", which");
    const std::string hint_start =
        scope_.workspace.empty() ? ""
                                 : concat("use a path below ", quote(scope_.workspace), ", or ");
    return {"path.outside_scope", word,
            concat(quote(text), leads, " is outside the workspace and the granted paths"),
            concat(hint_start, grant_hint(located.path))};
  }

  const Policy& policy_;
  const Scope& scope_;
  const std::string cwd_;
  const Tier tier_;
  const PathLookup& lookup_;
  const std::vector<std::string_view>& system_;
  std::vector<std::string> hidden_;  // canonical
};

// The innermost program that gets a word, and how it reads it.
struct WordReader {
  std::string_view command;
  bool as_text = false;
  std::string directory;  // the program changes to this directory before it reads the word;
                          // relative to the working directory, or absolute
};

// Options of git with a value, which come before the subcommand.
bool takes_next_word(std::string_view option) {
  return option == "-c" || option == "--git-dir" || option == "--work-tree" ||
         option == "--namespace";
}

// `git -C sub add ../x`: the words after `-C sub` are relative to that directory.
void follow_git_directories(const CommandSegment& segment, std::span<const std::string> words,
                            std::vector<WordReader>& readers) {
  if (system_program(segment.command) != "git") return;
  std::string directory;
  const std::size_t end = segment.first + segment.count;
  for (std::size_t i = segment.first; i < end; ++i) {
    readers[i].directory = directory;
    if (!words[i].starts_with('-')) {
      for (; i < end; ++i) readers[i].directory = directory;
    } else if (words[i] == "-C" && i + 1 < end) {
      readers[++i].directory = directory;
      directory = is_absolute(words[i]) ? words[i]
                                        : concat(directory, directory.empty() ? "" : "/", words[i]);
    } else if (takes_next_word(words[i]) && i + 1 < end) {
      readers[++i].directory = directory;
    }
  }
}

// `env KEY=/path x`: the value is data, like a value in the request's environment.
void mark_assignments(const CommandSegment& segment, std::span<const std::string> words,
                      std::vector<WordReader>& readers) {
  const auto launch =
      read_launch(system_program(segment.command), words.subspan(segment.first, segment.count));
  if (!launch) return;
  for (std::size_t i = segment.first; i < segment.first + segment.count; ++i) {
    const auto& known = launch->assignments;
    if (std::find(known.begin(), known.end(), words[i]) != known.end()) readers[i].as_text = true;
  }
}

std::vector<WordReader> readers_of(std::string_view command, std::span<const std::string> words) {
  std::vector<WordReader> readers(words.size());
  for (const CommandSegment& segment : command_segments(command, words)) {
    const std::vector<bool> is_text =
        text_arguments(segment.command, words.subspan(segment.first, segment.count));
    for (std::size_t i = 0; i < segment.count; ++i) {
      WordReader& reader = readers[segment.first + i];
      reader = {segment.command, is_text[i], ""};
    }
    mark_assignments(segment, words, readers);
    follow_git_directories(segment, words, readers);
  }
  return readers;
}

bool is_lone_slash(std::string_view text) { return lexically_normal(text) == "/"; }

// A word that begins with '-' is an option and no file, until "--" ends the options.
bool is_option(const PathCandidate& candidate) {
  return candidate.form == PathForm::whole && candidate.text.starts_with('-');
}

std::vector<PathCandidate> candidates_for(std::string_view command, const std::string& word) {
  std::vector<PathCandidate> candidates = path_candidates(word);
  if (names_remote_path(command, word)) {
    std::erase_if(candidates,
                  [](const PathCandidate& each) { return each.form == PathForm::part; });
  }
  if (takes_routes(command)) {
    for (PathCandidate& each : candidates) {
      if (each.form == PathForm::whole && is_absolute(each.text)) each.form = PathForm::part;
    }
  }
  if (slash_is_data(command)) {
    std::erase_if(candidates, [](const PathCandidate& each) { return is_lone_slash(each.text); });
  }
  return candidates;
}

}  // namespace

void judge_paths(const Policy& policy, const Request& request,
                 const std::vector<std::string>& words, const Scope& scope, const Located& cwd,
                 const ValidationContext& context, Violations& violations) {
  if (context.tier == Tier::unconfined) return;
  const PathJudge in_cwd(policy, scope, cwd, context);
  const std::vector<WordReader> readers = readers_of(request.command, words);
  bool options_over = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    options_over = options_over || words[i] == "--";
    if (readers[i].as_text) continue;
    const std::string& directory = readers[i].directory;
    std::optional<PathJudge> elsewhere;
    if (!directory.empty() && !cwd.path.empty()) {
      const std::string spelled =
          is_absolute(directory) ? directory : concat(cwd.path, "/", directory);
      const Located located = context.lookup->locate(spelled);
      // If the directory itself is refused, every word relative to it would be refused again.
      if (context.tier != Tier::b || scope.can_read(located.path)) {
        elsewhere.emplace(policy, scope, located, context);
      }
    }
    const PathJudge& judge = elsewhere ? *elsewhere : in_cwd;
    for (const PathCandidate& candidate : candidates_for(readers[i].command, words[i])) {
      if (is_option(candidate) && !options_over) continue;
      if (auto violation = judge.judge(words[i], candidate)) {
        violations.push_back(std::move(*violation));
        break;
      }
    }
  }
}

}  // namespace bawn
