#include "validate/program/option_reader.h"

#include <algorithm>

#include "programs/option_word.h"

namespace bawn {
namespace {

// An option that loads code hides which program runs in the end.
bool is_certain(const ReadOption& read) {
  if (read.option == nullptr || read.ambiguous) return read.attached;
  return read.option->role != Role::code || !read.option->prefixes().empty();
}

}  // namespace

const std::string* ReadOptions::value_of(Role role) const {
  const auto found = std::find_if(seen.rbegin(), seen.rend(), [&](const SeenOption& each) {
    return each.option->role == role;
  });
  return found == seen.rend() ? nullptr : &found->value;
}

bool ReadOptions::has(std::string_view name) const {
  return std::any_of(seen.begin(), seen.end(),
                     [&](const SeenOption& each) { return each.option->name() == name; });
}

ReadOptions read_options(const ProgramRow& program, std::span<const std::string> words) {
  ReadOptions out;
  while (out.next < words.size()) {
    const std::string_view word = words[out.next];
    if (word.size() < 2 || word.front() != '-') break;
    ++out.next;
    if (word == "--") break;
    OptionWord options(program, word);
    for (ReadOption read; options.next(read);) {
      if (!is_certain(read)) {
        out.uncertain = word;
        return out;
      }
      if (read.option == nullptr || read.ambiguous) continue;
      out.seen.push_back({read.option, std::string(read.value)});
      SeenOption& seen = out.seen.back();
      if (read.takes_next() && out.next < words.size()) seen.value = words[out.next++];
    }
  }
  return out;
}

}  // namespace bawn
