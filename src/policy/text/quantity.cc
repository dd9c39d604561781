#include "policy/text/quantity.h"

#include <charconv>
#include <span>

#include "base/text.h"

namespace bawn {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::uint64_t kKi = 1024;
constexpr std::uint64_t kMi = 1024 * kKi;
constexpr std::uint64_t kGi = 1024 * kMi;
constexpr std::uint64_t kTi = 1024 * kGi;

// No "KB" or "MB": many people mean powers of 1000 by them.
constexpr Unit kSizes[] = {
    {"", 1},                               //
    {"K", kKi}, {"k", kKi}, {"KiB", kKi},  //
    {"M", kMi}, {"m", kMi}, {"MiB", kMi},  //
    {"G", kGi}, {"g", kGi}, {"GiB", kGi},  //
    {"T", kTi}, {"t", kTi}, {"TiB", kTi},  //
};
constexpr Unit kDurations[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 60 * 60 * 1000}, {"d", 24 * 60 * 60 * 1000},
};
constexpr Unit kCounts[] = {{"", 1}};
constexpr Unit kProcessors[] = {{"", 100}};

// Limits pass through JSON and rlimits as signed numbers.
constexpr auto kMost = static_cast<std::uint64_t>(INT64_MAX);

Result<Limit> parse_in(std::string_view text, std::span<const Unit> units,
                       std::string_view expectation) {
  if (text == "unlimited") return Limit{};
  const auto bad = [&] { return invalid_error(concat(quote(text), " is not ", expectation)); };
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc::result_out_of_range)
    return invalid_error(concat(quote(text), " is too large"));
  if (failure != std::errc{}) return bad();
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    if (number > kMost / unit.factor) return invalid_error(concat(quote(text), " is too large"));
    return Limit{number * unit.factor};
  }
  return bad();
}

// Among units with the same factor the first one is used.
std::string text_in(std::uint64_t amount, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (amount != 0 && amount % unit.factor == 0 && unit.factor > best->factor) best = &unit;
  }
  return concat(amount / best->factor, best->name);
}

}  // namespace

Result<Limit> parse_amount(Amount amount, std::string_view text) {
  switch (amount) {
    case Amount::count:
      return parse_count(text);
    case Amount::bytes:
      return parse_size(text);
    case Amount::milliseconds:
      return parse_duration_ms(text);
    case Amount::processors:
      return parse_processors(text);
  }
  return invalid_error("no such kind of amount");
}

std::string amount_text(Amount amount, std::uint64_t value) {
  switch (amount) {
    case Amount::count:
      return count_text(value);
    case Amount::bytes:
      return size_text(value);
    case Amount::milliseconds:
      return duration_text(value);
    case Amount::processors:
      return processors_text(value);
  }
  return "";
}

Result<Limit> parse_size(std::string_view text) {
  return parse_in(text, kSizes,
                  "a size: expected whole bytes, or a whole number with K, M, G or T (binary), "
                  "such as 256M, or unlimited");
}

Result<Limit> parse_duration_ms(std::string_view text) {
  return parse_in(
      text, kDurations,
      "a duration: expected a whole number with ms, s, m, h or d, such as 30s, or unlimited");
}

Result<Limit> parse_count(std::string_view text) {
  return parse_in(text, kCounts, "a count: expected a whole number such as 64, or unlimited");
}

Result<Limit> parse_processors(std::string_view text) {
  constexpr std::string_view kExpectation =
      "a number of processors: expected one such as 2 or 1.5, with at most two digits after the "
      "point, or unlimited";
  const std::size_t point = text.find('.');
  if (point == text.npos) {
    BAWN_ASSIGN(const Limit whole, parse_in(text, kProcessors, kExpectation));
    return whole;
  }
  const std::string_view fraction = text.substr(point + 1);
  if (point == 0 || fraction.empty() || fraction.size() > 2) {
    return invalid_error(concat(quote(text), " is not ", kExpectation));
  }
  BAWN_ASSIGN(const Limit hundredths,
              parse_in(concat(text.substr(0, point), fraction, fraction.size() == 1 ? "0" : ""),
                       kCounts, kExpectation));
  return hundredths;
}

std::string size_text(std::uint64_t bytes) { return text_in(bytes, kSizes); }
std::string duration_text(std::uint64_t milliseconds) { return text_in(milliseconds, kDurations); }
std::string count_text(std::uint64_t count) { return text_in(count, kCounts); }

std::string processors_text(std::uint64_t hundredths) {
  const std::uint64_t rest = hundredths % 100;
  if (rest == 0) return std::to_string(hundredths / 100);
  return concat(hundredths / 100, rest < 10 ? ".0" : ".", rest % 10 == 0 ? rest / 10 : rest);
}

}  // namespace bawn
