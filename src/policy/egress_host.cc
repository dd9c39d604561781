#include "policy/egress_host.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/characters.h"
#include "base/text.h"

namespace bawn {
namespace {

constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kGroups = 8;

using Groups = std::array<std::uint16_t, kGroups>;

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_label_char(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_'; }
bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// No sign, blanks or leading zeros: "010" is 10 to some programs and 8 to others.
std::optional<std::uint32_t> plain_decimal(std::string_view text, std::uint32_t most) {
  if (!all_digits(text) || text.size() > 5 || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value <= most ? std::optional(value) : std::nullopt;
}

std::optional<std::array<std::uint8_t, 4>> parse_ipv4(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() != 4) return std::nullopt;
  std::array<std::uint8_t, 4> out{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::optional<std::uint32_t> octet = plain_decimal(parts[i], 255);
    if (!octet) return std::nullopt;
    out[i] = static_cast<std::uint8_t>(*octet);
  }
  return out;
}

// "1:2:3" -> {1, 2, 3}. The last group may be a dotted quad, which counts as two. "" has no groups.
std::optional<std::vector<std::uint16_t>> parse_groups(std::string_view text,
                                                       bool may_end_in_ipv4) {
  std::vector<std::uint16_t> out;
  if (text.empty()) return out;
  const std::vector<std::string_view> parts = split(text, ':');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (may_end_in_ipv4 && i + 1 == parts.size() && part.find('.') != std::string_view::npos) {
      const auto quad = parse_ipv4(part);
      if (!quad) return std::nullopt;
      out.push_back(static_cast<std::uint16_t>((*quad)[0] << 8 | (*quad)[1]));
      out.push_back(static_cast<std::uint16_t>((*quad)[2] << 8 | (*quad)[3]));
      continue;
    }
    if (part.empty() || part.size() > 4 || !std::ranges::all_of(part, is_hex_digit)) {
      return std::nullopt;
    }
    std::uint16_t group = 0;
    std::from_chars(part.data(), part.data() + part.size(), group, 16);
    out.push_back(group);
  }
  return out;
}

std::optional<Groups> parse_ipv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  const bool has_gap = gap != std::string_view::npos;
  const auto head = parse_groups(text.substr(0, gap), !has_gap);
  const auto tail = parse_groups(has_gap ? text.substr(gap + 2) : "", true);
  if (!head || !tail) return std::nullopt;
  const std::size_t count = head->size() + tail->size();
  if (has_gap ? count >= kGroups : count != kGroups) return std::nullopt;
  Groups out{};
  std::copy(head->begin(), head->end(), out.begin());
  std::copy(tail->begin(), tail->end(), out.end() - static_cast<std::ptrdiff_t>(tail->size()));
  return out;
}

// ::ffff:a.b.c.d and ::a.b.c.d reach an IPv4 address, but a rule for that IPv4 address would not
// match them.
bool is_ipv4_in_disguise(const Groups& groups) {
  const bool zero_head =
      std::all_of(groups.begin(), groups.begin() + 5, [](auto g) { return g == 0; });
  if (!zero_head) return false;
  if (groups[5] == 0xffff) return true;
  return groups[5] == 0 && groups[6] != 0;
}

struct Run {
  std::size_t start = kGroups;
  std::size_t length = 1;  // a single zero group is not shortened
};

Run longest_zero_run(const Groups& groups) {
  Run best;
  for (std::size_t i = 0; i < kGroups; ++i) {
    std::size_t end = i;
    while (end < kGroups && groups[end] == 0) ++end;
    if (end - i > best.length) best = {i, end - i};
  }
  return best;
}

// RFC 5952: lower case, no leading zeros, the longest run of zero groups as "::".
std::string ipv6_text(const Groups& groups) {
  const Run gap = longest_zero_run(groups);
  std::string out;
  for (std::size_t i = 0; i < kGroups; ++i) {
    if (i == gap.start) {
      out += "::";
      i += gap.length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    char digits[4];
    const auto end = std::to_chars(digits, digits + 4, static_cast<unsigned>(groups[i]), 16).ptr;
    out.append(digits, end);
  }
  return out;
}

std::optional<std::string> ipv6_name(std::string_view text) {
  const std::optional<Groups> groups = parse_ipv6(text);
  if (!groups || is_ipv4_in_disguise(*groups)) return std::nullopt;
  return ipv6_text(*groups);
}

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > kLongestLabel) return false;
  if (label.front() == '-' || label.back() == '-') return false;
  return std::ranges::all_of(label, is_label_char);
}

// Resolvers and URL parsers read a name whose last label is a number as an address ("127.1",
// "0x7f000001").
bool ends_in_number(std::string_view last_label) {
  return all_digits(last_label) ||
         (last_label.starts_with("0x") &&
          std::all_of(last_label.begin() + 2, last_label.end(), is_hex_digit));
}

std::optional<std::string> host_name(std::string_view text) {
  if (parse_ipv4(text)) return std::string(text);
  return parse_dns_name(text);
}

// The host without its port, and the port with its colon.
struct HostAndPort {
  std::optional<std::string> name;
  std::string_view port;
};

HostAndPort separate(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return {};
    return {ipv6_name(text.substr(1, end - 1)), text.substr(end + 1)};
  }
  if (std::ranges::count(text, ':') > 1) return {ipv6_name(text), ""};
  const std::size_t colon = std::min(text.find(':'), text.size());
  return {host_name(text.substr(0, colon)), text.substr(colon)};
}

}  // namespace

std::optional<std::string> parse_dns_name(std::string_view text) {
  std::string name = ascii_lower(text);
  if (name.ends_with('.')) name.pop_back();
  if (name.size() > kLongestName) return std::nullopt;
  const std::vector<std::string_view> labels = split(name, '.');
  if (!std::ranges::all_of(labels, is_label) || ends_in_number(labels.back())) {
    return std::nullopt;
  }
  return name;
}

std::optional<EgressHost> parse_egress_host(std::string_view text) {
  const HostAndPort parts = separate(text);
  if (!parts.name) return std::nullopt;
  if (parts.port.empty()) return EgressHost{*parts.name, 0};
  const std::optional<std::uint32_t> port =
      parts.port.front() == ':' ? plain_decimal(parts.port.substr(1), 65535) : std::nullopt;
  if (!port || *port == 0) return std::nullopt;
  return EgressHost{*parts.name, static_cast<std::uint16_t>(*port)};
}

std::string to_string(const EgressHost& host) {
  const bool ipv6 = host.name.find(':') != std::string::npos;
  if (host.port == 0) return host.name;
  return ipv6 ? concat("[", host.name, "]:", host.port) : concat(host.name, ":", host.port);
}

}  // namespace bawn
