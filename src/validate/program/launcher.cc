#include "validate/program/launcher.h"

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "validate/program/launcher_table.h"
#include "validate/program/option_reader.h"
#include "validate/program/program_name.h"
#include "validate/shell/command_words.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

constexpr int kMostSplits = 4;  // nested env -S

// The value of the first of `names` (separated by spaces) that was given, or null.
const std::string* given_option(const ReadOptions& options, std::string_view names) {
  if (names.empty()) return nullptr;
  for (const std::string_view name : split(names, ' ')) {
    if (const std::string* value = options.value_of(name)) return value;
  }
  return nullptr;
}

std::string unknown_option(std::string_view option) {
  return concat("bawn does not know whether its option ", quote(option), " takes a value");
}

void add_command(Launch& launch, Words words, bool other_directory = false) {
  if (words.empty()) return;
  launch.commands.push_back({{words.begin(), words.end()}, false, other_directory, false});
}

Launch read_by_table(const Launcher& launcher, Words args) {
  Launch launch;
  const ReadOptions options = read_options(launcher.options, args);
  if (launcher.tail == Tail::other_root || given_option(options, launcher.new_root) != nullptr) {
    launch.uncertain = "it looks the command up in another file system";
    return launch;
  }
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  if (const std::string* code = given_option(options, launcher.code_options)) {
    launch.shell_code.push_back(*code);
    return launch;
  }
  if (given_option(options, launcher.no_command) != nullptr) return launch;
  std::size_t operands = launcher.operands;
  if (launcher.optional_number && (options.next >= args.size() || !is_number(args[options.next])))
    operands = 0;
  Words rest = args.subspan(std::min(options.next + operands, args.size()));
  if (!rest.empty() && launcher.operands > 0 && rest.front() == "--") rest = rest.subspan(1);
  if (rest.empty()) {
    launch.starts_shell = launcher.shell_without_command;
  } else if (launcher.tail == Tail::shell_words &&
             given_option(options, launcher.no_shell) == nullptr) {
    launch.shell_code.push_back(joined_words(rest));
  } else {
    add_command(launch, rest, given_option(options, launcher.new_directory) != nullptr);
  }
  return launch;
}

// setarch [ARCHITECTURE] [OPTION...] [COMMAND...]
Launch read_setarch(const Launcher& launcher, Words args) {
  const bool names_architecture = !args.empty() && !args.front().starts_with('-');
  return read_by_table(launcher, names_architecture ? args.subspan(1) : args);
}

// flock FILE COMMAND, or flock FILE -c CODE.
Launch read_flock(const Launcher& launcher, Words args) {
  Launch launch = read_by_table(launcher, args);
  if (launch.commands.empty()) return launch;
  const std::vector<std::string>& words = launch.commands.front().words;
  if (words.front() == "-c" || words.front() == "--command") {
    launch.shell_code.push_back(words.size() > 1 ? words[1] : "");
    launch.commands.clear();
  }
  return launch;
}

constexpr OptionGrammar kEnvOptions{
    "0iu:C:S:v",
    "null ignore-environment unset: chdir: split-string: debug block-signal:: default-signal:: "
    "ignore-signal:: list-signal-handling"};

Launch read_env(std::vector<std::string> words, int splits = 0) {
  Launch launch;
  const ReadOptions options = read_options(kEnvOptions, words);
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  const std::string* text = given_option(options, "split-string S");
  if (text != nullptr) {
    const auto inserted = split_quoted_words(*text);
    if (!inserted || splits >= kMostSplits) {
      launch.uncertain = concat("the text ", quote(*text), " needs expansion");
      return launch;
    }
    // The text may begin with options, and options may follow it, so all of it is read again.
    std::vector<std::string> again(*inserted);
    again.insert(again.end(), words.begin() + static_cast<std::ptrdiff_t>(options.next),
                 words.end());
    return read_env(std::move(again), splits + 1);
  }
  std::size_t at = options.next;
  while (at < words.size() && (words[at] == "-" || words[at].find('=') != std::string::npos)) {
    if (words[at] != "-") launch.assignments.push_back(words[at]);
    ++at;
  }
  add_command(launch, Words(words).subspan(at), given_option(options, "chdir C") != nullptr);
  return launch;
}

std::string with_unknown(std::string_view word, std::string_view placeholder) {
  std::string out;
  for (;;) {
    const std::size_t at = word.find(placeholder);
    out += word.substr(0, at);
    if (at == std::string_view::npos || placeholder.empty()) return out;
    out += kUnknownByte;
    word.remove_prefix(at + placeholder.size());
  }
}

void replace_placeholder(InnerCommand& command, std::string_view placeholder) {
  for (std::string& word : command.words) word = with_unknown(word, placeholder);
}

constexpr OptionGrammar kXargsOptions{
    "0a:d:E:e::I:i::L:l::n:oprP:s:tx",
    "null arg-file: delimiter: eof:: replace:: max-lines:: max-args: open-tty interactive "
    "no-run-if-empty max-procs: max-chars: show-limits verbose exit process-slot-var:"};

Launch read_xargs(Words args) {
  Launch launch;
  const ReadOptions options = read_options(kXargsOptions, args);
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  add_command(launch, args.subspan(std::min(options.next, args.size())));
  if (launch.commands.empty()) return launch;
  launch.commands.front().more_words = true;
  if (const std::string* placeholder = given_option(options, "I i replace")) {
    replace_placeholder(launch.commands.front(), placeholder->empty() ? "{}" : *placeholder);
  }
  return launch;
}

Launch read_find(Words args) {
  Launch launch;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view word = args[i];
    const bool in_directory = word == "-execdir" || word == "-okdir";
    if (word != "-exec" && word != "-ok" && !in_directory) continue;
    std::size_t end = i + 1;
    // "+" ends the command only directly after "{}"; elsewhere it is an argument.
    while (end < args.size() && args[end] != ";" && !(args[end] == "+" && args[end - 1] == "{}"))
      ++end;
    add_command(launch, args.subspan(i + 1, end - i - 1), in_directory);
    if (end > i + 1) replace_placeholder(launch.commands.back(), "{}");
    i = end;
  }
  return launch;
}

Launch read_busybox(Words args) {
  Launch launch;
  if (args.empty() || args.front().starts_with("--list") || args.front() == "--help") return launch;
  if (args.front().starts_with('-')) {
    launch.uncertain = unknown_option(args.front());
    return launch;
  }
  add_command(launch, args);
  launch.commands.front().applet = true;
  return launch;
}

constexpr OptionGrammar kLoaderOptions{
    "",
    "list verify inhibit-cache library-path: inhibit-rpath: audit: preload: argv0: "
    "glibc-hwcaps-prepend: glibc-hwcaps-mask: list-tunables list-diagnostics help version"};

Launch read_loader(Words args) {
  Launch launch;
  const ReadOptions options = read_options(kLoaderOptions, args);
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  launch.injects_code = given_option(options, "preload audit library-path") != nullptr;
  add_command(launch, args.subspan(std::min(options.next, args.size())));
  // The loader takes a bare name for a library: it searches the library path, not the trusted path.
  if (!launch.commands.empty() &&
      launch.commands.front().words.front().find('/') == std::string::npos) {
    launch.uncertain = "it looks a name without '/' up among libraries";
    launch.commands.clear();
  }
  return launch;
}

bool is_dynamic_loader(std::string_view name) {
  const bool has_prefix =
      name.starts_with("ld-") || name.starts_with("ld.so") || name.starts_with("ld64.so");
  return has_prefix && name.find(".so") != std::string_view::npos;
}

}  // namespace

std::optional<Launch> read_launch(std::string_view spelled, Words args) {
  const std::string name = plain_program_name(base_name(spelled));
  if (name == "env" || name == "genv") return read_env({args.begin(), args.end()});
  if (name == "xargs" || name == "gxargs") return read_xargs(args);
  if (name == "find" || name == "gfind") return read_find(args);
  if (name.starts_with("busybox") || name.starts_with("toybox")) return read_busybox(args);
  if (is_dynamic_loader(name)) return read_loader(args);
  const Launcher* launcher = find_launcher(name);
  if (launcher == nullptr) launcher = find_launcher(program_family(name));
  if (launcher == nullptr && name.starts_with('g'))
    launcher = find_launcher(name.substr(1));  // gtimeout
  if (launcher == nullptr) return std::nullopt;
  if (launcher->name == "setarch") return read_setarch(*launcher, args);
  if (launcher->name == "flock") return read_flock(*launcher, args);
  return read_by_table(*launcher, args);
}

}  // namespace bawn
