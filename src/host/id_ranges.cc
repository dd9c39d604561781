#include "host/id_ranges.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/text.h"

namespace bawn {
namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Line {
  std::string_view owner;  // never ""
  IdRange range;
};

std::optional<Line> parse_line(std::string_view text) {
  const std::vector<std::string_view> fields = split(text, ':');
  if (fields.size() != 3 || fields[0].empty()) return std::nullopt;
  const auto first = number_in(fields[1]);
  const auto count = number_in(fields[2]);
  if (!first || !count || *count == 0 || *first >= kNobodysId) return std::nullopt;
  return Line{fields[0],
              {static_cast<std::uint32_t>(*first),
               static_cast<std::uint32_t>(std::min(*count, kNobodysId - *first))}};
}

}  // namespace

// Splits only lines that contain the number: the file may have thousands of lines.
std::string name_in_passwd(std::string_view passwd, std::uint32_t uid) {
  const std::string number = concat(":", uid, ":");
  for (std::size_t found = passwd.find(number); found != passwd.npos;
       found = passwd.find(number, found + 1)) {
    const std::size_t begin = passwd.rfind('\n', found) + 1;  // 0 in the first line
    const std::vector<std::string_view> fields =
        split(passwd.substr(begin, passwd.find('\n', found) - begin), ':');
    if (fields.size() == 7 && !fields[0].empty() && number_in(fields[2]) == uid)
      return std::string(fields[0]);
  }
  return "";
}

std::vector<IdRange> ranges_in(std::string_view text, const IdOwner& owner) {
  std::vector<IdRange> ranges;
  for (const std::string_view each : split(text, '\n')) {
    const auto line = parse_line(each);
    if (!line) continue;
    if (line->owner == owner.name || line->owner == std::to_string(owner.id))
      ranges.push_back(line->range);
  }
  return ranges;
}

std::string line_to_add(std::string_view text, const IdOwner& owner) {
  constexpr std::uint64_t kUsualFirst = 100000;
  constexpr std::uint64_t kUsualCount = 65536;
  std::uint64_t free = kUsualFirst;
  for (const std::string_view each : split(text, '\n')) {
    if (const auto line = parse_line(each))
      free = std::max(free, std::uint64_t{line->range.first} + line->range.count);
  }
  const bool room = free + kUsualCount <= std::numeric_limits<std::uint32_t>::max();
  const std::string who = owner.name.empty() ? std::to_string(owner.id) : owner.name;
  return concat(who, ":", room ? std::to_string(free) : "FIRST", ":", kUsualCount);
}

}  // namespace bawn
