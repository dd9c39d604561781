#include "host/id_map.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace bawn {
namespace {

constexpr std::uint64_t kNoRangeEnds = std::uint64_t{1} << 33;

// [first, end). 64 bits, because the end of the last possible range is 2^32.
struct Stretch {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// Removes `taken` from `stretches`.
std::vector<Stretch> without(const std::vector<Stretch>& stretches, const Stretch& taken) {
  std::vector<Stretch> left;
  for (const Stretch& stretch : stretches) {
    const Stretch before{stretch.first, std::min(stretch.end, taken.first)};
    const Stretch after{std::max(stretch.first, taken.end), stretch.end};
    if (before.first < before.end) left.push_back(before);
    if (after.first < after.end) left.push_back(after);
  }
  return left;
}

// The usable host ids in order, each once: without root and without the caller's id.
std::vector<Stretch> ids_of(const IdExtent& own, std::span<const IdRange> ranges) {
  std::vector<Stretch> all;
  for (const IdRange& range : ranges) {
    std::vector<Stretch> fresh = {{range.first, std::uint64_t{range.first} + range.count}};
    fresh = without(fresh, {0, 1});  // root
    fresh = without(fresh, {own.outside, std::uint64_t{own.outside} + 1});
    fresh = without(fresh, {kNobodysId, kNoRangeEnds});
    for (const Stretch& earlier : all) fresh = without(fresh, earlier);
    all.insert(all.end(), fresh.begin(), fresh.end());
  }
  return all;
}

// Parses exactly three numbers separated by blanks.
std::optional<std::array<std::uint32_t, 3>> three_numbers(std::string_view line) {
  std::array<std::uint32_t, 3> numbers{};
  for (std::uint32_t& number : numbers) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc()) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  if (!line.empty()) return std::nullopt;
  return numbers;
}

std::string span_words(std::uint64_t first, std::uint64_t count) {
  return count == 1 ? concat(first) : concat(first, "-", first + count - 1);
}

}  // namespace

// The ids inside cannot run out: there are as many as on the host, and each host id is used once.
IdMap plan_id_map(const IdExtent& own, std::span<const IdRange> ranges) {
  IdMap map;
  std::uint64_t next = 0;
  const auto add = [&](std::uint64_t outside, std::uint64_t count) {
    if (count == 0) return;
    map.push_back({static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(outside),
                   static_cast<std::uint32_t>(count)});
    next += count;
  };
  for (const Stretch& ids : ids_of(own, ranges)) {
    std::uint64_t first = ids.first;
    if (next <= own.inside) {
      const std::uint64_t below = std::min(ids.end - first, own.inside - next);
      add(first, below);
      first += below;
      if (next == own.inside) add(own.outside, 1);
    }
    if (next > own.inside) add(first, ids.end - first);
  }
  // The ranges were too short to reach the caller's id.
  if (next <= own.inside) map.push_back({own.inside, own.outside, 1});
  return map;
}

IdMap plan_mount_map(std::uint32_t owner, std::uint32_t user) {
  std::vector<Stretch> others = {{0, kNobodysId}};
  for (const std::uint64_t id : {owner, user}) others = without(others, {id, id + 1});
  IdMap map = {{owner, user, 1}};
  for (const Stretch& ids : others) {
    const auto first = static_cast<std::uint32_t>(ids.first);
    map.push_back({first, first, static_cast<std::uint32_t>(ids.end - ids.first)});
  }
  std::ranges::sort(map, {}, &IdExtent::inside);
  return map;
}

std::string id_map_text(const IdMap& map) {
  std::string text;
  for (const IdExtent& extent : map)
    text += concat(extent.inside, " ", extent.outside, " ", extent.count, "\n");
  return text;
}

bool fits_kernel(const IdMap& map) {
  constexpr std::size_t kSmallestPage = 4096;
  constexpr std::size_t kMostExtents = 340;
  return map.size() <= kMostExtents && id_map_text(map).size() < kSmallestPage;
}

std::optional<IdMap> parse_id_map(std::string_view text) {
  IdMap map;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const auto numbers = three_numbers(text.substr(0, end));
    if (!numbers) return std::nullopt;
    map.push_back({(*numbers)[0], (*numbers)[1], (*numbers)[2]});
    text.remove_prefix(end + 1);
  }
  return map;
}

std::string describe_id_map(const IdMap& map) {
  std::string words;
  for (const IdExtent& extent : map) {
    words += concat(words.empty() ? "" : ", ", span_words(extent.inside, extent.count),
                    extent.count == 1 ? " is " : " are ", span_words(extent.outside, extent.count));
  }
  return words;
}

}  // namespace bawn
