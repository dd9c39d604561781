// One destination of an allowlist, in the only spelling that is compared.
//
// Everything that two programs could read differently is refused instead of repaired: addresses in
// octal, hex or short form, IPv4 dressed as IPv6, zone ids, user info, blanks, NUL, text that is
// not ASCII. Upper case and one trailing dot of a name mean the same to everyone and are
// normalised.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/policy.h"

namespace bawn {

// "example.com", "example.com:443", "10.0.0.1", "[::1]:8080", "::1". Empty if it cannot be a host.
[[nodiscard]] std::optional<EgressHost> parse_egress_host(std::string_view text);

// The normal form of a DNS name without port: lower case, no trailing dot. Empty if it is not one,
// and for every form of address.
[[nodiscard]] std::optional<std::string> parse_dns_name(std::string_view text);

// What parse_egress_host reads back to the same host.
[[nodiscard]] std::string to_string(const EgressHost& host);

}  // namespace bawn
