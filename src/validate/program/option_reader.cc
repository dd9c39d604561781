#include "validate/program/option_reader.h"

#include <optional>

#include "base/text.h"

namespace bawn {
namespace {

enum class Takes { nothing, value, optional_value };

struct LongOption {
  std::string_view name;
  Takes takes = Takes::nothing;
};

Takes takes_of(std::string_view colons) {
  if (colons.starts_with("::")) return Takes::optional_value;
  return colons.starts_with(":") ? Takes::value : Takes::nothing;
}

std::optional<Takes> find_short(std::string_view options, char letter) {
  const std::size_t at = letter == ':' ? std::string_view::npos : options.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return takes_of(options.substr(at + 1));
}

// Empty if no option starts with `typed`, or if several do and none equals it.
std::optional<LongOption> find_long(std::string_view options, std::string_view typed) {
  std::optional<LongOption> found;
  std::size_t matches = 0;
  for (const std::string_view item : split(options, ' ')) {
    const std::string_view name = item.substr(0, item.find(':'));
    if (name.empty() || !name.starts_with(typed)) continue;
    const LongOption option{name, takes_of(item.substr(name.size()))};
    if (name == typed) return option;
    found = option;
    ++matches;
  }
  return matches == 1 ? found : std::nullopt;
}

class Reading {
 public:
  Reading(const OptionGrammar& grammar, std::span<const std::string> words)
      : grammar_(grammar), words_(words) {}

  ReadOptions run() {
    while (out_.next < words_.size() && out_.uncertain.empty()) {
      const std::string_view word = words_[out_.next];
      if (word.size() < 2 || word.front() != '-') break;
      ++out_.next;
      if (word == "--") break;
      if (word[1] == '-') {
        read_long(word);
      } else {
        read_cluster(word);
      }
    }
    return std::move(out_);
  }

 private:
  void read_long(std::string_view word) {
    const std::size_t equals = word.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view typed = word.substr(2, has_value ? equals - 2 : equals);
    const auto option = find_long(grammar_.long_options, typed);
    if (!option) {
      // An unknown option with an attached value cannot take the next word.
      if (has_value) {
        out_.seen.push_back({std::string(typed), std::string(word.substr(equals + 1))});
      } else {
        out_.uncertain = word;
      }
      return;
    }
    SeenOption& seen = out_.seen.emplace_back();
    seen.name = option->name;
    if (has_value) {
      seen.value = word.substr(equals + 1);
    } else if (option->takes == Takes::value) {
      take_next_word(seen);
    }
  }

  void read_cluster(std::string_view word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const auto takes = find_short(grammar_.short_options, word[i]);
      if (!takes) {
        out_.uncertain = word;
        return;
      }
      SeenOption& seen = out_.seen.emplace_back();
      seen.name = word[i];
      if (*takes == Takes::nothing) continue;
      seen.value = word.substr(i + 1);
      if (seen.value.empty() && *takes == Takes::value) take_next_word(seen);
      return;
    }
  }

  void take_next_word(SeenOption& seen) {
    if (out_.next < words_.size()) seen.value = words_[out_.next++];
  }

  const OptionGrammar& grammar_;
  std::span<const std::string> words_;
  ReadOptions out_;
};

}  // namespace

bool ReadOptions::has(std::string_view name) const { return value_of(name) != nullptr; }

const std::string* ReadOptions::value_of(std::string_view name) const {
  const std::string* found = nullptr;
  for (const SeenOption& option : seen) {
    if (option.name == name) found = &option.value;
  }
  return found;
}

ReadOptions read_options(const OptionGrammar& grammar, std::span<const std::string> words) {
  return Reading(grammar, words).run();
}

}  // namespace bawn
