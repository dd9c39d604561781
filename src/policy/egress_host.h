// One destination of an allow list, in a single normal form, so that hosts can be compared as text.
//
// Everything that two programs could read differently is refused and not repaired: addresses in
// octal, hexadecimal or short form, IPv4 written as IPv6, zone ids, user info, blanks, NUL, text
// that is not ASCII. Upper case and one trailing dot of a name have only one meaning and are
// normalised. Nothing here resolves a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bawn {

// One allowed destination; parse_egress_host() makes it.
struct EgressHost {
  std::string name;        // lower case, no trailing dot; an IPv6 address without brackets
  std::uint16_t port = 0;  // 0: any port

  bool operator==(const EgressHost&) const = default;
};

// "example.com", "example.com:443", "10.0.0.1", "[::1]:8080", "::1". Empty if it is not a host.
[[nodiscard]] std::optional<EgressHost> parse_egress_host(std::string_view text);

// The normal form of a DNS name without a port: lower case, no trailing dot. Empty for everything
// else, also for every form of address.
[[nodiscard]] std::optional<std::string> parse_dns_name(std::string_view text);

// parse_egress_host() reads the result back to the same host.
[[nodiscard]] std::string to_string(const EgressHost& host);

}  // namespace bawn
