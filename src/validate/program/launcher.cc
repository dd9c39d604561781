#include "validate/program/launcher.h"

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "programs/option_word.h"
#include "validate/program/option_reader.h"
#include "validate/program/program_name.h"
#include "validate/shell/command_words.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

constexpr int kMostSplits = 4;  // nested env -S

std::string unknown_option(std::string_view option) {
  return concat("bawn does not know whether its option ", quote(option), " takes a value");
}

void add_command(Launch& launch, Words words, bool other_directory = false) {
  if (words.empty()) return;
  launch.commands.push_back({{words.begin(), words.end()}, false, other_directory, false});
}

Launch read_by_table(const ProgramRow& launcher, Words args) {
  Launch launch;
  const ReadOptions options = read_options(launcher, args);
  if (launcher.tail == Tail::other_root || options.has(Role::root)) {
    launch.uncertain = "it looks the command up in another file system";
    return launch;
  }
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  if (const std::string* code = options.value_of(Role::shell)) {
    launch.shell_code.push_back(*code);
    return launch;
  }
  if (options.has(Role::no_command)) return launch;
  std::size_t operands = launcher.operands;
  if (launcher.optional_number && (options.next >= args.size() || !is_number(args[options.next])))
    operands = 0;
  Words rest = args.subspan(std::min(options.next + operands, args.size()));
  if (!rest.empty() && launcher.operands > 0 && rest.front() == "--") rest = rest.subspan(1);
  if (rest.empty()) {
    launch.starts_shell = launcher.shell_without_command;
  } else if (launcher.tail == Tail::shell && !options.has(Role::no_shell)) {
    launch.shell_code.push_back(joined_words(rest));
  } else {
    add_command(launch, rest, options.has(Role::directory));
  }
  return launch;
}

// setarch [ARCHITECTURE] [OPTION...] [COMMAND...]
Launch read_setarch(const ProgramRow& launcher, Words args) {
  const bool names_architecture = !args.empty() && !args.front().starts_with('-');
  return read_by_table(launcher, names_architecture ? args.subspan(1) : args);
}

// flock FILE COMMAND, or flock FILE -c CODE.
Launch read_flock(const ProgramRow& launcher, Words args) {
  Launch launch = read_by_table(launcher, args);
  if (launch.commands.empty()) return launch;
  const std::vector<std::string>& words = launch.commands.front().words;
  if (words.front() == "-c" || words.front() == "--command") {
    launch.shell_code.push_back(words.size() > 1 ? words[1] : "");
    launch.commands.clear();
  }
  return launch;
}

Launch read_env(const ProgramRow& env, std::vector<std::string> words, int splits = 0) {
  Launch launch;
  const ReadOptions options = read_options(env, words);
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  const std::string* text = options.value_of(Role::split);
  if (text != nullptr) {
    const auto inserted = quoted_words(*text);
    if (!inserted || splits >= kMostSplits) {
      launch.uncertain = concat("the text ", quote(*text), " needs expansion");
      return launch;
    }
    // The text may begin with options, and options may follow it, so all of it is read again.
    std::vector<std::string> again(*inserted);
    again.insert(again.end(), words.begin() + static_cast<std::ptrdiff_t>(options.next),
                 words.end());
    return read_env(env, std::move(again), splits + 1);
  }
  std::size_t at = options.next;
  while (at < words.size() && (words[at] == "-" || words[at].find('=') != std::string::npos)) {
    if (words[at] != "-") launch.assignments.push_back(words[at]);
    ++at;
  }
  add_command(launch, Words(words).subspan(at), options.has(Role::directory));
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

Launch read_xargs(const ProgramRow& xargs, Words args) {
  Launch launch;
  const ReadOptions options = read_options(xargs, args);
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  add_command(launch, args.subspan(std::min(options.next, args.size())));
  if (launch.commands.empty()) return launch;
  launch.commands.front().more_words = true;
  if (const std::string* placeholder = options.value_of(Role::replace)) {
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

// busybox APPLET..., coreutils --coreutils-prog=APPLET...
Launch read_applet(const ProgramRow& launcher, Words args) {
  Launch launch;
  if (args.empty() || args.front().starts_with("--list") || args.front() == "--help") return launch;
  InnerCommand inner{{args.begin(), args.end()}, true};
  ReadOption read;
  OptionWord option(launcher, args.front());
  if (option.next(read) && read.is(Role::program) && !read.value.empty()) {
    inner.words.front() = read.value;
  } else if (args.front().starts_with('-')) {
    launch.uncertain = unknown_option(args.front());
    return launch;
  }
  launch.commands.push_back(std::move(inner));
  return launch;
}

Launch read_loader(const ProgramRow& loader, Words args) {
  Launch launch;
  const ReadOptions options = read_options(loader, args);
  if (!options.uncertain.empty()) {
    launch.uncertain = unknown_option(options.uncertain);
    return launch;
  }
  launch.injects_code = options.has(Role::inject);
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

const ProgramRow* row_of_launcher(std::string_view name) {
  const ProgramRow* row = find_program(name);
  return row != nullptr && row->reader != LaunchReader::none ? row : nullptr;
}

const ProgramRow* find_launcher(const std::string& name) {
  if (name.starts_with("busybox")) return row_of_launcher("busybox");
  if (name.starts_with("toybox")) return row_of_launcher("toybox");
  if (is_dynamic_loader(name)) return row_of_launcher("ld.so");
  const ProgramRow* row = row_of_launcher(name);
  if (row == nullptr) row = row_of_launcher(program_family(name));
  if (row == nullptr && name.starts_with('g')) row = row_of_launcher(name.substr(1));  // gtimeout
  return row;
}

}  // namespace

std::optional<Launch> read_launch(std::string_view spelled, Words args) {
  const ProgramRow* launcher = find_launcher(plain_program_name(base_name(spelled)));
  if (launcher == nullptr) return std::nullopt;
  switch (launcher->reader) {
    case LaunchReader::none:
    case LaunchReader::table:
      return read_by_table(*launcher, args);
    case LaunchReader::applet:
      return read_applet(*launcher, args);
    case LaunchReader::env:
      return read_env(*launcher, {args.begin(), args.end()});
    case LaunchReader::find:
      return read_find(args);
    case LaunchReader::flock:
      return read_flock(*launcher, args);
    case LaunchReader::loader:
      return read_loader(*launcher, args);
    case LaunchReader::setarch:
      return read_setarch(*launcher, args);
    case LaunchReader::xargs:
      return read_xargs(*launcher, args);
  }
  return std::nullopt;
}

}  // namespace bawn
