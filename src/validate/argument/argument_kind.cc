#include "validate/argument/argument_kind.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "validate/name_list.h"
#include "validate/program/executable_file.h"
#include "validate/scope.h"

namespace bawn {
namespace {

constexpr auto kNoIndex = static_cast<std::size_t>(-1);

// Programs that never open their operands.
constexpr std::array<std::string_view, 11> kTextOnly{
    "basename", "dirname", "echo", "expr", "false", "printf", "seq", "sleep", "tr", "true", "yes",
};

// These open operands, but cannot use a directory.
constexpr std::array<std::string_view, 12> kSlashIsData{
    "[", "awk", "bc", "column", "cut", "gawk", "join", "mawk", "paste", "sed", "sort", "test",
};

// To these, `NAME:PATH` is a path in a tree, a container or a machine called NAME.
constexpr std::array<std::string_view, 7> kRemotePaths{
    "docker", "git", "kubectl", "podman", "rsync", "scp", "sftp",
};

// To these, an absolute word is a route of a server or a path in a container, unless its first
// component exists on this host.
constexpr std::array<std::string_view, 5> kRoutes{"docker", "gh", "glab", "kubectl", "podman"};

// How a program reads its words. Letters are short options with a value, attached or as the next
// word. Long options are separated by spaces.
struct TextGrammar {
  std::string_view program;
  bool first_operand_is_text = false;
  std::string_view pattern_letters;  // the value is text and replaces the first operand
  std::string_view text_letters;     // the value is text
  std::string_view source_letters;   // the value is a file and replaces the first operand
  std::string_view value_letters;    // any other value, judged like any word
  std::string_view pattern_options;
  std::string_view text_options;
  std::string_view source_options;
  std::string_view pair_options = {};  // followed by a name and a value, both text
};

constexpr TextGrammar awk_named(std::string_view name) {
  return {name, true, "e", "F", "fE", "vil", "--source", "--field-separator", "--file --exec"};
}

constexpr TextGrammar grep_named(std::string_view name) {
  return {name,    true,     "e",        "",
          "f",     "ABCmdD", "--regexp", "--include --exclude --exclude-dir --label",
          "--file"};
}

constexpr std::array kGrammars{
    awk_named("awk"),
    TextGrammar{.program = "diff",
                .text_letters = "FILx",
                .value_letters = "CDSUWX",
                .text_options = "--exclude --ignore-matching-lines --label --show-function-line"},
    grep_named("egrep"),
    grep_named("fgrep"),
    TextGrammar{.program = "find",  // its tests look like short options, but are whole words
                .text_options = "-name -iname -path -ipath -wholename -iwholename -regex -iregex "
                                "-lname -ilname -perm -printf -size -type"},
    awk_named("gawk"),
    TextGrammar{.program = "git",
                .text_letters = "mSG",
                .value_letters = "Cc",
                .text_options = "--author --date --format --grep --message --pretty --trailer"},
    grep_named("grep"),
    TextGrammar{"jq", true, "", "", "f", "L", "", "", "--from-file", "--arg --argjson"},
    awk_named("mawk"),
    awk_named("nawk"),
    TextGrammar{.program = "openssl", .text_options = "-addext -subj"},
    TextGrammar{"rg", true, "e", "g", "f", "ABCmtTjMr", "--regexp", "--glob --iglob",
                "--file --files"},  // --files: no pattern is given
    TextGrammar{
        .program = "rsync", .value_letters = "BMTef", .text_options = "--exclude --include"},
    TextGrammar{"sed", true, "e", "", "f", "l", "--expression", "", "--file"},
    TextGrammar{.program = "tar", .text_options = "--exclude --transform --xform"},
    TextGrammar{.program = "xmllint", .text_options = "--xpath --pattern"},
    grep_named("zgrep"),
};

const TextGrammar* grammar_of(std::string_view program) {
  const auto found =
      std::find_if(kGrammars.begin(), kGrammars.end(),
                   [&](const TextGrammar& grammar) { return grammar.program == program; });
  return found == kGrammars.end() ? nullptr : &*found;
}

// GNU programs accept any unambiguous prefix of a long option. To take a file for text is the worse
// mistake, so a text option counts only if it is written out. For a source option a prefix
// suffices.
bool is_listed_option(std::string_view name, std::string_view list, bool prefix_counts) {
  const auto options = split(list, ' ');
  return std::any_of(options.begin(), options.end(), [&](std::string_view option) {
    return !option.empty() &&
           (option == name || (prefix_counts && name.size() > 2 && option.starts_with(name)));
  });
}

enum class ValueRole { flag, pattern, text, source, other };

struct ReadOption {
  ValueRole role = ValueRole::flag;
  bool attached = false;  // the value is in the same word
};

std::optional<ReadOption> read_long(const TextGrammar& grammar, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const bool attached = equals != std::string_view::npos;
  if (is_listed_option(name, grammar.pattern_options, false))
    return ReadOption{ValueRole::pattern, attached};
  if (is_listed_option(name, grammar.text_options, false))
    return ReadOption{ValueRole::text, attached};
  if (is_listed_option(name, grammar.source_options, true))
    return ReadOption{ValueRole::source, attached};
  // An abbreviated pattern option: its value is not trusted to be text, but it replaces the first
  // operand all the same, as in `grep --reg=x FILE`.
  if (is_listed_option(name, grammar.pattern_options, true))
    return ReadOption{ValueRole::source, attached};
  if (word.starts_with("--")) return ReadOption{};
  return std::nullopt;
}

ReadOption read_cluster(const TextGrammar& grammar, std::string_view word) {
  const std::array<std::pair<std::string_view, ValueRole>, 4> letters{{
      {grammar.pattern_letters, ValueRole::pattern},
      {grammar.text_letters, ValueRole::text},
      {grammar.source_letters, ValueRole::source},
      {grammar.value_letters, ValueRole::other},
  }};
  for (std::size_t i = 1; i < word.size(); ++i) {
    for (const auto& [list, role] : letters) {
      if (list.find(word[i]) != std::string_view::npos) return {role, i + 1 < word.size()};
    }
  }
  return {};
}

std::vector<bool> read_kinds(const TextGrammar& grammar, std::span<const std::string> words) {
  std::vector<bool> is_text(words.size(), false);
  std::size_t first_operand = kNoIndex;
  bool replaced = !grammar.first_operand_is_text;
  bool options_over = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (options_over || word.size() < 2 || word[0] != '-') {
      first_operand = std::min(first_operand, i);
      continue;
    }
    if (word == "--") {
      options_over = true;
      continue;
    }
    if (is_listed_option(word, grammar.pair_options, false)) {
      for (const std::size_t end = std::min(i + 2, words.size() - 1); i < end;) is_text[++i] = true;
      continue;
    }
    const ReadOption option = read_long(grammar, word).value_or(read_cluster(grammar, word));
    if (option.role == ValueRole::flag) continue;
    if (!option.attached) ++i;
    if (option.role == ValueRole::pattern || option.role == ValueRole::source) replaced = true;
    const bool text = option.role == ValueRole::pattern || option.role == ValueRole::text;
    if (text && i < words.size()) is_text[i] = true;
  }
  if (!replaced && first_operand != kNoIndex) is_text[first_operand] = true;
  return is_text;
}

}  // namespace

std::string_view system_program(std::string_view command) {
  const std::size_t slash = command.rfind('/');
  if (slash == std::string_view::npos) return command;
  return lists(kUnixPath, lexically_normal(command.substr(0, slash))) ? command.substr(slash + 1)
                                                                      : "";
}

std::vector<bool> text_arguments(std::string_view command, std::span<const std::string> words) {
  const std::string_view program = system_program(command);
  if (lists(kTextOnly, program)) return std::vector<bool>(words.size(), true);
  const TextGrammar* grammar = grammar_of(program);
  return grammar == nullptr ? std::vector<bool>(words.size(), false) : read_kinds(*grammar, words);
}

bool slash_is_data(std::string_view command) {
  const std::string_view program = system_program(command);
  return lists(kSlashIsData, program) || lists(kTextOnly, program);
}

bool takes_routes(std::string_view command) { return lists(kRoutes, system_program(command)); }

bool names_remote_path(std::string_view command, std::string_view word) {
  if (!lists(kRemotePaths, system_program(command)) || word.starts_with('-')) return false;
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon < word.find('/');
}

}  // namespace bawn
