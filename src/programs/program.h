// What bawn knows about programs: one row each, written in the JSON files of this folder (README.md
// has the format) and compiled into constant tables.
//
// A row is knowledge about a name, and a name proves nothing about a file. The validator uses rows
// to advise; the kernel is the boundary. A program without a row is an ordinary one.
//
// The tables hold no pointers, so they are read-only memory that costs nothing at start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bawn {

// What an option means. The order is that of harm: if an abbreviation fits several options, the
// last of these counts.
enum class Role : std::uint8_t {
  plain,       // nothing that matters here
  text,        // the value is text, neither a path nor a host
  pattern,     // the value is text, or an interpreter's code, and replaces the first operand
  pair,        // two words follow, a name and a value, both text
  no_command,  // a launcher starts nothing
  no_shell,    // a launcher starts its command without a shell
  directory,   // a launcher's command starts in another directory
  root,        // a launcher's command starts in another root
  replace,     // the value is what xargs replaces by words from its input
  split,       // the value is split into further words (env -S)
  source,      // the value is a file that replaces the first operand
  setting,     // the value is KEY=value or KEY value, and some keys name hosts (ssh -o)
  host,
  config,        // the value is a setting of git
  shell,         // the value is shell code
  program,       // the value is the code that an interpreter runs
  inject,        // loads code into a launcher's command (ld.so --preload)
  to_assembler,  // the value is words for another program
  to_compiler,
  to_linker,
  to_preprocessor,
  unsafe,   // a flag that makes the program run code
  code,     // the value is or loads code
  command,  // the value is a command line
};

enum class Takes : std::uint8_t { nothing, value, optional_value };

// How a program reads its options.
enum class Style : std::uint8_t {
  gnu,    // letters in clusters; long options may be abbreviated
  words,  // an option is a whole word, with one dash or two; one letter may have a value attached
  long_only,  // as `words`, but options may be abbreviated (getopt_long_only)
};

enum class InterpreterKind : std::uint8_t {
  none,
  script,  // the first operand is a file with code
  code,    // the first operand is code
  shell,   // as `script`, in the language of shells
};

// Which operands (words that are no options) are hosts.
enum class Hosts : std::uint8_t {
  unknown,      // the program is not known to take hosts
  none,         // hosts occur in options only
  every,        // each operand is a host or the rest of a URL
  first,        // the first operand; a port, a remote command or data follows
  dotted,       // operands with a dot; the others are record types and the like
  remote_path,  // operands of the form host:path
  git,          // host:path, for the subcommands that talk to remotes
  socat,        // TYPE:host:port
};

// Where arguments that run code are looked for.
enum class Arguments : std::uint8_t { options, git, sed, socat };

// How a launcher's command is found: by the row alone (`table`), or by code of its own.
enum class LaunchReader : std::uint8_t {
  none,
  table,
  applet,
  env,
  find,
  flock,
  loader,
  setarch,
  xargs
};

// What follows a launcher's options and operands.
enum class Tail : std::uint8_t {
  command,     // the command and its arguments
  shell,       // words that are joined and passed to a shell
  other_root,  // a command in another root file system
};

enum class Trait : std::uint8_t {
  any_case,               // options are read without regard to case
  at_files,               // @FILE is replaced by the options in it
  first_operand_is_text,  // unless an option replaces it
  follower,               // often follows a pipe or `&&`
  kills_by_name,
  multi_call,     // does what its invoked name says
  names_or_text,  // the first argument may repeat the program's name
  old_letters,    // the first word may be a cluster without a dash (tar)
  own_cwd_option,
  plain_words,  // takes options and file names, never code or prose
  raises_privilege,
  remote_paths,   // NAME:PATH is a path in a tree, a container or a machine called NAME
  routes,         // an absolute word is a route of a server or a path in a container
  slash_is_data,  // a lone "/" is an operator or a delimiter
  subcommands,    // the first argument is an option or a subcommand
  text_only,      // never opens its operands
  has_text,       // some words are text: computed from the options, as is the next
  has_effects,    // some options run code
};

[[nodiscard]] constexpr std::uint32_t bit(Trait trait) {
  return std::uint32_t{1} << static_cast<unsigned>(trait);
}

struct Option {
  std::uint16_t name_at;
  std::uint16_t prefixes_at;
  Takes takes;
  Role role;

  [[nodiscard]] std::string_view name() const;  // with its dashes
  [[nodiscard]] bool sorts_before(std::string_view text) const;
  // If not "": the value is code if it begins with one of these, which are in lower case and
  // separated by commas. "?" means every value that is not empty.
  [[nodiscard]] std::string_view prefixes() const;
};

// A list of constant words; begin() and end() make it a range.
class ConstantWords {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using reference = std::string_view;
    using pointer = const std::string_view*;
    using iterator_category = std::input_iterator_tag;

    explicit Iterator(const std::uint16_t* at) : at_(at) {}
    std::string_view operator*() const;
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const std::uint16_t* at_;
  };

  explicit ConstantWords(std::span<const std::uint16_t> places) : places_(places) {}
  [[nodiscard]] Iterator begin() const { return Iterator(places_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(places_.data() + places_.size()); }
  [[nodiscard]] bool has(std::string_view word) const;

 private:
  std::span<const std::uint16_t> places_;
};

// Rows live in a static table and are never copied.
struct ProgramRow {
  std::uint16_t first_option;
  std::uint16_t option_count;
  std::uint16_t first_file;
  std::uint16_t file_count;
  std::uint32_t traits;
  std::uint16_t port;  // of its hosts; 0 if it is not fixed
  Style style;
  InterpreterKind interpreter;
  Hosts hosts;
  Arguments arguments;
  LaunchReader reader;
  Tail tail;
  std::uint8_t operands;       // words between a launcher's options and its command
  bool optional_number;        // the operand is a number, and newer versions can omit it
  bool shell_without_command;  // starts a shell if no command follows

  [[nodiscard]] bool is(Trait trait) const { return (traits & bit(trait)) != 0; }
  [[nodiscard]] std::span<const Option> options() const;  // sorted by name
  // What belongs to the program and runs wherever it may run: names of programs, and directories of
  // its own in library directories, which end in '/'. Never a program that runs code or others.
  [[nodiscard]] ConstantWords files() const;
};

// Null if there is no row of this name, which must be spelled as in the row: without a path, and in
// most cases in lower case.
[[nodiscard]] const ProgramRow* find_program(std::string_view name);

// True if there is a row of this name and it has the trait.
[[nodiscard]] bool program_is(std::string_view name, Trait trait);

// All names, sorted, for tests that must not miss a row.
[[nodiscard]] std::size_t program_count();
[[nodiscard]] std::string_view program_name_at(std::size_t index);

// The lists of words.json.
enum class WordList : std::uint8_t {
  code_runners,          // programs that an attacker would hide under another name
  git_command_keys,      // last parts of keys that name a command or a directory of commands
  git_command_sections,  // every key names a command, or a file with further keys
  git_forced_settings,   // KEY=VALUE for runs whose policy lists executables
  git_harmless_values,   // values of such keys that name no command
  git_remote_commands,   // subcommands that talk to remotes
  git_runners,           // subcommands that always start a program
  git_running_words,     // SUBCOMMAND/WORD: the word makes the subcommand run the rest
  name_variants,         // suffixes of distributions for variants of one program
  privileged,            // as code_runners, for programs that no policy allows
  socat_commands,        // addresses that start programs
  socat_hosts,           // addresses of the form TYPE:host:port
  ssh_host_settings,     // settings of `ssh -o` that name another host
};

[[nodiscard]] ConstantWords words_of(WordList list);

}  // namespace bawn
