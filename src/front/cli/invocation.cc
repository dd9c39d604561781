#include "front/cli/invocation.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace bawn::cli {
namespace {

constexpr unsigned kRun = static_cast<unsigned>(Subcommand::run);
constexpr unsigned kExec = static_cast<unsigned>(Subcommand::exec);
constexpr unsigned kCheck = static_cast<unsigned>(Subcommand::check);
constexpr unsigned kBench = static_cast<unsigned>(Subcommand::bench);
constexpr unsigned kExplain = static_cast<unsigned>(Subcommand::explain);
constexpr unsigned kAll = kRun | kExec | kCheck | kExplain;

using Take = Result<void> (*)(Invocation&, std::string_view name, std::string_view value);

struct Option {
  std::string_view name;
  std::string_view value;  // "" if the option takes no value
  std::string_view help;
  unsigned known_to;
  Take take;
};

// For options that may be repeated: they add to a list of the policy, or are switches.
Result<void> take_policy_flag(Invocation& invocation, std::string_view name,
                              std::string_view value) {
  invocation.policy_flags.push_back({name, std::string(value)});
  return {};
}

Error given_twice(std::string_view name) { return invalid_error(concat(name, " is given twice")); }

// For options of the policy that may be given once.
Result<void> take_policy_value(Invocation& invocation, std::string_view name,
                               std::string_view value) {
  for (const PolicyFlag& flag : invocation.policy_flags) {
    if (flag.name == name) return given_twice(name);
  }
  return take_policy_flag(invocation, name, value);
}

template <auto Member>
Result<void> take_text(Invocation& invocation, std::string_view name, std::string_view value) {
  if (value.empty()) return invalid_error(concat(name, " needs a value that is not empty"));
  if (invocation.*Member) return given_twice(name);
  invocation.*Member = std::string(value);
  return {};
}

template <auto Member>
Result<void> take_switch(Invocation& invocation, std::string_view /*name*/,
                         std::string_view /*value*/) {
  invocation.*Member = true;
  return {};
}

Result<void> take_status_fd(Invocation& invocation, std::string_view name, std::string_view value) {
  if (invocation.status_fd) return given_twice(name);
  int fd = -1;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), fd);
  if (error != std::errc() || end != value.data() + value.size() || fd < 0) {
    return invalid_error(concat(name, " takes the number of an open file, not ", quote(value)));
  }
  invocation.status_fd = fd;
  return {};
}

constexpr Option kOptions[] = {
    {"--policy", "PRESET|FILE",
     "the policy to enforce; 'bawn policy' lists the presets, and ./NAME is always a file", kAll,
     take_text<&Invocation::policy_file>},
    {"--mode", "PRESET", "the same as --policy, for a preset only", kAll,
     take_text<&Invocation::mode>},
    {"--workspace", "DIR", "the directory the command works in and may write to", kAll,
     take_policy_value},
    {"--request", "FILE", "the request as JSON; '-' is stdin", kCheck | kExplain,
     take_text<&Invocation::request_file>},
    {"--tier", "TIER", "how strong the sandbox is: auto, process (or b), namespaces (or c)", kAll,
     take_policy_value},
    {"--egress", "MODE",
     "allow_all; preflight (checks hosts among the arguments, and the network is open); strict or "
     "block_all (no network)",
     kAll, take_policy_value},
    {"--allow-host", "HOST[:PORT]", "a host the command may connect to; needs --egress preflight",
     kAll, take_policy_flag},
    {"--memory", "SIZE", "memory of the run, such as 256M", kAll, take_policy_value},
    {"--cpu", "TIME", "CPU time of all its processes, such as 2s", kAll, take_policy_value},
    {"--timeout", "TIME", "wall time, such as 30s", kAll, take_policy_value},
    {"--pids", "COUNT", "processes and threads at one time", kAll, take_policy_value},
    {"--open-files", "COUNT", "open files of each process", kAll, take_policy_value},
    {"--output", "SIZE", "stdout and stderr together", kAll, take_policy_value},
    {"--file-size", "SIZE", "the largest file it may write", kAll, take_policy_value},
    {"--tmp-size", "SIZE", "size of its private temporary directory", kAll, take_policy_value},
    {"--cpus", "NUMBER", "processors it may use at one time, such as 1.5", kAll, take_policy_value},
    {"--cgroup-parent", "DIR", "make the run's cgroup below DIR; run nothing if that fails", kAll,
     take_policy_value},
    {"--total-memory", "SIZE", "memory of all runs below --cgroup-parent", kAll, take_policy_value},
    {"--total-pids", "COUNT", "processes of all runs below --cgroup-parent", kAll,
     take_policy_value},
    {"--env", "KEY=VALUE", "set a variable for the command", kAll, take_policy_flag},
    {"--pass-env", "KEY", "pass on a variable of your environment", kAll, take_policy_flag},
    {"--ro", "PATH[:AT]", "let the command read PATH, and see it at AT", kAll, take_policy_flag},
    {"--rw", "PATH[:AT]", "let the command read and write PATH, and see it at AT", kAll,
     take_policy_flag},
    {"--hide", "PATH", "hide a path of the workspace", kAll, take_policy_flag},
    {"--protect", "PATH",
     "make a path of the workspace read-only; if it is missing, report if the command makes it",
     kAll, take_policy_flag},
    {"--allow-exec", "NAME", "a program it may run", kAll, take_policy_flag},
    {"--allow-interpreters", "", "let it run shells and other interpreters", kAll,
     take_policy_flag},
    {"--as-root", "", "let the command see itself as root; it has no capability either way", kAll,
     take_policy_flag},
    {"--id-ranges", "", "map the ids of /etc/subuid and /etc/subgid into the run", kAll,
     take_policy_flag},
    {"--as-pid-1", "", "make the command process 1, as init systems need", kAll, take_policy_flag},
    {"--seccomp", "PROFILE", "the seccomp profile: default, strict or a file", kAll,
     take_policy_value},
    {"--json", "", "print the whole outcome as JSON", kRun | kCheck,
     take_switch<&Invocation::json>},
    {"--json", "", "print the plan as JSON", kExplain, take_switch<&Invocation::json>},
    {"--timing", "", "print how long each step took", kRun | kExec,
     take_switch<&Invocation::timing>},
    {"--receipt", "", "print what was in force, layer by layer, on stderr", kRun,
     take_switch<&Invocation::receipt>},
    {"--status-fd", "N", "write the outcome as JSON to file descriptor N", kRun, take_status_fd},
    {"--log-level", "LEVEL", "what to log to stderr: debug, info, warn, error or off", kAll,
     take_text<&Invocation::log_level>},
    {"--runs", "COUNT", "rounds; 200 by default", kBench, take_text<&Invocation::runs>},
    {"--parallel", "LIST", "runs at a time, for the throughput; 1,2,8 by default", kBench,
     take_text<&Invocation::parallel>},
    {"--tier", "TIER",
     "process (or b) or namespaces (or c); by default namespaces where that works", kBench,
     take_text<&Invocation::tier>},
    {"--command", "PATH", "the program to start; /bin/true by default", kBench,
     take_text<&Invocation::bench_command>},
    {"--json", "", "print the figures as JSON", kBench, take_switch<&Invocation::json>},
    {"--svg", "FILE", "draw the figures as a bar chart", kBench, take_text<&Invocation::svg_file>},
    {"--help", "", "this text", kAll | kBench, take_switch<&Invocation::help>},
};

bool knows(Subcommand subcommand, const Option& option) {
  return (option.known_to & static_cast<unsigned>(subcommand)) != 0;
}

// True for an option of any subcommand, written as "--name" or "--name=value".
bool is_option(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  return name == "-h" || std::any_of(std::begin(kOptions), std::end(kOptions),
                                     [&](const Option& option) { return option.name == name; });
}

Error unknown_option(Subcommand subcommand, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Option& option : kOptions) {
    if (knows(subcommand, option)) names.push_back(option.name);
  }
  const std::string_view meant = nearest(name, names);
  return invalid_error(concat("unknown option ", quote(name),
                              meant.empty() ? "" : concat(" (did you mean '", meant, "'?)")));
}

// Takes "--name value" or "--name=value" from the front of `words`.
Result<void> take_option(Subcommand subcommand, std::span<char* const>& words,
                         Invocation& invocation) {
  const std::string_view word = words.front();
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const auto* option =
      std::find_if(std::begin(kOptions), std::end(kOptions), [&](const Option& candidate) {
        return knows(subcommand, candidate) && candidate.name == name;
      });
  if (option == std::end(kOptions)) return unknown_option(subcommand, name);
  words = words.subspan(1);
  if (option->value.empty()) {
    if (equals != std::string_view::npos) return invalid_error(concat(name, " takes no value"));
    return option->take(invocation, option->name, "");
  }
  if (equals != std::string_view::npos)
    return option->take(invocation, option->name, word.substr(equals + 1));
  // If the value was forgotten, the next option or the "--" before the command must not be taken as
  // the value.
  const std::string_view value = words.empty() ? "--" : words.front();
  if (value == "--")
    return invalid_error(concat(name, " needs a value: ", name, " ", option->value));
  if (is_option(value)) {
    return invalid_error(concat(name, " needs a value: ", name, " ", option->value,
                                "; found the option ", quote(value),
                                " (if that is the value, write ", name, "=", option->value, ")"));
  }
  words = words.subspan(1);
  return option->take(invocation, option->name, value);
}

}  // namespace

Result<void> parse_invocation(Subcommand subcommand, std::span<char* const> words,
                              Invocation& invocation) {
  while (!words.empty() && words.front()[0] == '-' && words.front()[1] != '\0') {
    if (std::string_view(words.front()) == "--") {
      words = words.subspan(1);
      break;
    }
    if (std::string_view(words.front()) == "-h") {
      invocation.help = true;
      words = words.subspan(1);
      continue;
    }
    BAWN_TRY(take_option(subcommand, words, invocation));
  }
  invocation.command.assign(words.begin(), words.end());
  if (subcommand == Subcommand::exec && !invocation.command.empty()) {
    return invalid_error(concat("exec reads its request from stdin and takes no command; found ",
                                quote(invocation.command.front())));
  }
  if (invocation.policy_file && invocation.mode)
    return invalid_error("--policy and --mode exclude each other");
  return {};
}

std::string option_help(Subcommand subcommand) {
  constexpr std::size_t kColumn = 30;
  std::string out;
  for (const Option& option : kOptions) {
    if (!knows(subcommand, option)) continue;
    std::string line = concat("  ", option.name, option.value.empty() ? "" : " ", option.value);
    line.resize(std::max(kColumn, line.size() + 1), ' ');
    out += concat(line, option.help, "\n");
  }
  return out;
}

}  // namespace bawn::cli
