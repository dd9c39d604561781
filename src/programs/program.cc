#include "programs/program.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "programs/variable_rule.h"

namespace bawn {
namespace {

struct WordRange {
  std::uint16_t first;
  std::uint16_t count;
};

struct VariableGroup {
  std::uint16_t reason_at;
  VariableDanger danger;
  bool any_case;
};

struct Variable {
  std::uint16_t name_at;
  std::uint8_t group;
};

#include "programs/tables.inc"

std::string_view text_at(std::uint16_t place) { return kText + place; }

// For searches: spares the length of the text, which is not stored.
bool text_sorts_before(std::uint16_t place, std::string_view other) {
  return std::strncmp(kText + place, other.data(), other.size()) < 0;
}

// The index of the group, or that of none.
constexpr std::size_t kNoGroup = std::size(kVariableGroups);

std::size_t group_of(std::span<const Variable> sorted, std::string_view name) {
  const auto at = std::lower_bound(
      sorted.begin(), sorted.end(), name,
      [](const Variable& a, std::string_view b) { return text_sorts_before(a.name_at, b); });
  return at != sorted.end() && text_at(at->name_at) == name ? at->group : kNoGroup;
}

std::string ascii_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

// A variable as it is spelled, and as the groups see it that ignore case.
struct Spelling {
  std::string_view given;
  std::string_view upper;

  [[nodiscard]] std::string_view in(std::size_t group) const {
    return kVariableGroups[group].any_case ? upper : given;
  }
};

std::size_t exact_group(std::span<const Variable> sorted, const Spelling& name) {
  const std::size_t given = group_of(sorted, name.given);
  const std::size_t upper = group_of(sorted, name.upper);
  return std::min(given, upper != kNoGroup && kVariableGroups[upper].any_case ? upper : kNoGroup);
}

std::size_t affix_group(const Spelling& name) {
  std::size_t best = kNoGroup;
  const auto try_affix = [&](const Variable& each, auto matches) {
    if (each.group >= best || !matches(name.in(each.group), text_at(each.name_at))) return;
    if (group_of(kHarmlessVariables, name.in(each.group)) != each.group) best = each.group;
  };
  for (const Variable& each : kVariablePrefixes)
    try_affix(each, [](auto text, auto affix) { return text.starts_with(affix); });
  for (const Variable& each : kVariableSuffixes)
    try_affix(each, [](auto text, auto affix) { return text.ends_with(affix); });
  return best;
}

}  // namespace

std::string_view Option::name() const { return text_at(name_at); }

bool Option::sorts_before(std::string_view text) const { return text_sorts_before(name_at, text); }

std::string_view Option::prefixes() const { return text_at(prefixes_at); }

std::span<const Option> ProgramRow::options() const {
  return std::span(kOptions).subspan(first_option, option_count);
}

ConstantWords ProgramRow::files() const {
  return ConstantWords(std::span(kFiles).subspan(first_file, file_count));
}

const ProgramRow* find_program(std::string_view name) {
  const auto* const at =
      std::lower_bound(std::begin(kNames), std::end(kNames), name,
                       [](std::uint16_t a, std::string_view b) { return text_sorts_before(a, b); });
  if (at == std::end(kNames) || text_at(*at) != name) return nullptr;
  return &kPrograms[at - std::begin(kNames)];
}

bool program_is(std::string_view name, Trait trait) {
  const ProgramRow* program = find_program(name);
  return program != nullptr && program->is(trait);
}

std::size_t program_count() { return std::size(kNames); }

std::string_view program_name_at(std::size_t index) { return text_at(kNames[index]); }

std::string_view ConstantWords::Iterator::operator*() const { return text_at(*at_); }

bool ConstantWords::has(std::string_view word) const {
  return std::find(begin(), end(), word) != end();
}

ConstantWords words_of(WordList list) {
  const WordRange range = kWordLists[static_cast<std::size_t>(list)];
  return ConstantWords(std::span(kWords).subspan(range.first, range.count));
}

std::optional<VariableRule> variable_rule(std::string_view name) {
  const std::string upper = ascii_upper(name);
  const Spelling spelling{name, upper};
  // An exact name is more precise than a prefix: SSH_AUTH_SOCK is a credential, though SSH_* is
  // code injection.
  std::size_t group = exact_group(kVariableNames, spelling);
  if (group == kNoGroup) group = affix_group(spelling);
  if (group == kNoGroup) return std::nullopt;
  return VariableRule{kVariableGroups[group].danger, text_at(kVariableGroups[group].reason_at)};
}

}  // namespace bawn
