#include "programs/option_word.h"

#include <algorithm>

#include "base/text.h"

namespace bawn {
namespace {

using Options = std::span<const Option>;

Options::iterator place_of(Options options, std::string_view name) {
  return std::lower_bound(options.begin(), options.end(), name,
                          [](const Option& a, std::string_view b) { return a.sorts_before(b); });
}

// The options that begin with `name`, which are neighbours because names are sorted.
Options with_beginning(Options options, std::string_view name) {
  const auto first = place_of(options, name);
  auto last = first;
  while (last != options.end() && last->name().starts_with(name)) ++last;
  return {first, last};
}

const Option* find_exact(Options options, std::string_view name) {
  const auto found = place_of(options, name);
  return found != options.end() && found->name() == name ? &*found : nullptr;
}

bool has_dash(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

bool is_letter_option(std::string_view name) { return name.size() == 2 && name.front() == '-'; }

// ssh skips these characters before the name of an option: -o ' ProxyCommand x', -o
// '"ProxyCommand"=x'.
std::string_view without_lead(std::string_view value) {
  return value.substr(std::min(value.find_first_not_of(" \t\r\n\f\"="), value.size()));
}

}  // namespace

OptionWord::OptionWord(const ProgramRow& program, std::string_view word)
    : program_(program), given_(word), word_(word) {
  if (program.is(Trait::any_case)) {
    lower_ = ascii_lower(word);
    word_ = lower_;
  }
  const bool plus = program.interpreter == InterpreterKind::shell && word_.starts_with('+');
  letters_ = program.style == Style::gnu && (has_dash(word_) || plus) && !word_.starts_with("--");
  if (letters_) at_ = 1;
}

bool OptionWord::next(ReadOption& out) {
  if (at_ >= word_.size()) return false;
  out = {};
  return letters_ ? read_letter(out) : read_whole(out);
}

bool OptionWord::read_letter(ReadOption& out) {
  out.typed = word_.substr(at_++, 1);
  const char name[] = {'-', out.typed.front()};
  out.option = find_exact(program_.options(), {name, 2});
  // A letter of a shell never takes the rest of its word: `sh -ce CODE`, `bash -euo pipefail`.
  const bool may_attach = program_.interpreter != InterpreterKind::shell;
  if (out.option == nullptr || out.option->takes == Takes::nothing || !may_attach) return true;
  out.value = given_.substr(at_);
  out.attached = !out.value.empty();
  at_ = word_.size();
  return true;
}

bool OptionWord::read_whole(ReadOption& out) {
  at_ = word_.size();
  const std::size_t equals = has_dash(word_) ? word_.find('=') : std::string_view::npos;
  out.is_long = true;
  out.typed = word_.substr(0, equals);
  out.attached = equals != std::string_view::npos;
  if (out.attached) out.value = given_.substr(equals + 1);
  out.option = find_exact(program_.options(), out.typed);
  if (out.option != nullptr) return true;
  if (!has_dash(word_)) {
    find_attached(out);
    return out.option != nullptr;
  }
  if (program_.style != Style::words) find_abbreviated(out);
  if (out.option == nullptr && !word_.starts_with("--")) find_attached(out);
  return true;
}

void OptionWord::find_abbreviated(ReadOption& out) const {
  if (out.typed.size() < 3) return;
  const Options found = with_beginning(program_.options(), out.typed);
  if (found.empty()) return;
  out.option = &*std::max_element(found.begin(), found.end(),
                                  [](const Option& a, const Option& b) { return a.role < b.role; });
  out.abbreviated = true;
  out.ambiguous = found.size() > 1;
}

// -Wl,a,b and -Bdirectory and +KEYS: the option that the word begins with, if that is a family or
// one letter.
void OptionWord::find_attached(ReadOption& out) const {
  for (const Option& option : program_.options()) {
    const std::string_view name = option.name();
    const bool can_attach = is_letter_option(name) || name.ends_with(',') || name.ends_with('+');
    if (!can_attach || option.takes == Takes::nothing || !word_.starts_with(option.name()))
      continue;
    out.option = &option;
    out.typed = name;
    out.value = given_.substr(name.size());
    out.attached = true;
  }
}

bool runs_code(const Option& option, std::string_view value) {
  const std::string_view prefixes = option.prefixes();
  if (prefixes.empty()) return option.role == Role::code || option.role == Role::unsafe;
  if (prefixes == "?") return !value.empty();
  const std::string lower = ascii_lower(without_lead(value));
  const auto list = split(prefixes, ',');
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view prefix) { return lower.starts_with(prefix); });
}

}  // namespace bawn
