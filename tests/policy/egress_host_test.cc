#include "policy/egress_host.h"

#include <gtest/gtest.h>

#ifndef _WIN32
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <random>
#endif

#include "base/text.h"

namespace bawn {
namespace {

struct Accepted {
  std::string_view text;
  std::string_view name;
  std::uint16_t port = 0;
};

constexpr Accepted kAccepted[] = {
    {"example.com", "example.com"},
    {"example.com:443", "example.com", 443},
    {"EXAMPLE.Com", "example.com"},
    {"example.com.", "example.com"},
    {"example.com.:443", "example.com", 443},
    {"localhost", "localhost"},
    {"_dmarc.example.com", "_dmarc.example.com"},
    {"xn--bcher-kva.example", "xn--bcher-kva.example"},
    {"a-b.c", "a-b.c"},
    {"1password.com", "1password.com"},
    {"1.2.3.4.com", "1.2.3.4.com"},
    {"0xcafe.example", "0xcafe.example"},
    {"example.com:65535", "example.com", 65535},
    {"10.0.0.1", "10.0.0.1"},
    {"10.0.0.1:80", "10.0.0.1", 80},
    {"0.0.0.0", "0.0.0.0"},
    {"255.255.255.255", "255.255.255.255"},
    {"::1", "::1"},
    {"[::1]", "::1"},
    {"[::1]:8080", "::1", 8080},
    {"::", "::"},
    {"[2001:DB8:0:0:0:0:0:1]:443", "2001:db8::1", 443},
    {"2001:db8::1:0:0:1", "2001:db8::1:0:0:1"},
    {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
    {"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"},
    {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
    {"::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"},
    {"fe80::", "fe80::"},
    {"64:ff9b::1.2.3.4", "64:ff9b::102:304"},
};

constexpr std::string_view kRefused[] = {
    "",
    ".",
    "..",
    "a..b",
    ".a",
    "a.b..",
    "example.com:",
    "example.com:0",
    "example.com:65536",
    "example.com:080",
    "example.com:+80",
    "example.com:80 ",
    "example.com:80:80",
    ":80",
    "*",
    "*.example.com",
    "exa mple.com",
    " example.com",
    "example.com ",
    "example.com\n",
    "user@example.com",
    "http://example.com",
    "example.com/",
    "example.com?x",
    "example.com#x",
    "-a.com",
    "a-.com",
    "a,b",
    "a%2eb",
    "b\xc3\xbc"
    "cher.de",
    "example\xe3\x80\x82"
    "com",
    "a\\b",
    "a\tb",
    // Addresses that are not in their normal form.
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "0x7f.0.0.0x1",
    "2130706433",
    "010.0.0.1",
    "127.0.0.01",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.4.",
    "256.0.0.1",
    "1.2.3.-4",
    "1.2.3.+4",
    "1.2.3.",
    "example.0x1",
    "example.123",
    "0x",
    // IPv6 that is malformed, scoped, or IPv4 in disguise.
    ":::",
    ":",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "12345::",
    "g::",
    "[::1",
    "::1]",
    "[::1]80",
    "[::1]:",
    "[::1]:x",
    "[]",
    "[example.com]",
    "[10.0.0.1]",
    "fe80::1%eth0",
    "[fe80::1%25eth0]",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "1.2.3.4::",
    "1:2:3:4:5:6:1.2.3.4:7",
    "::1.2.3",
    "::01.2.3.4",
    " ::1",
    "::1 ",
};

TEST(EgressHost, AcceptsAndNormalises) {
  for (const Accepted& row : kAccepted) {
    const std::optional<EgressHost> host = parse_egress_host(row.text);
    ASSERT_TRUE(host.has_value()) << row.text;
    EXPECT_EQ(host->name, row.name) << row.text;
    EXPECT_EQ(host->port, row.port) << row.text;
  }
}

TEST(EgressHost, RefusesWhatTwoProgramsCouldReadDifferently) {
  for (const std::string_view text : kRefused)
    EXPECT_FALSE(parse_egress_host(text).has_value()) << quote(text);
}

TEST(EgressHost, RefusesNulWhereverItStands) {
  using std::string_view_literals::operator""sv;
  EXPECT_FALSE(parse_egress_host("example.com\0"sv).has_value());
  EXPECT_FALSE(parse_egress_host("example\0.com"sv).has_value());
  EXPECT_FALSE(parse_egress_host("10.0.0.1\0"sv).has_value());
}

TEST(EgressHost, BoundsLabelsAndNames) {
  const std::string label(63, 'a');
  EXPECT_TRUE(parse_egress_host(label + ".com").has_value());
  EXPECT_FALSE(parse_egress_host(label + "a.com").has_value());
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  EXPECT_EQ(longest.size(), 253U);
  EXPECT_TRUE(parse_egress_host(longest).has_value());
  EXPECT_TRUE(parse_egress_host(longest + ".").has_value());
  EXPECT_FALSE(parse_egress_host(longest + "a").has_value());
}

TEST(EgressHost, PrintsWhatItReadsBack) {
  for (const Accepted& row : kAccepted) {
    const EgressHost host = parse_egress_host(row.text).value();
    EXPECT_EQ(parse_egress_host(to_string(host)), host) << row.text;
  }
}

TEST(DnsName, IsANameAndNeverAnAddressOrAPort) {
  EXPECT_EQ(parse_dns_name("Example.ORG."), "example.org");
  for (const auto* text :
       {"10.0.0.1", "::1", "example.org:443", ".example.org", "*.example.org", "127.1", ""}) {
    EXPECT_FALSE(parse_dns_name(text).has_value()) << text;
  }
}

#ifndef _WIN32

// Groups, gaps and quads in random order: most texts are nearly an address.
std::string random_literal(std::mt19937& random) {
  constexpr std::array<std::string_view, 16> kPieces{"0",     "1", "ab", "FFFF", "00f", "12345",
                                                     "g",     ":", ":",  ":",    "::",  "1.2.3.4",
                                                     "1.2.3", ".", "%1", "0:0"};
  std::string out;
  for (std::size_t pieces = random() % 12; pieces > 0; --pieces) {
    out += kPieces[random() % kPieces.size()];
    if (random() % 3 != 0) out += ':';
  }
  return out;
}

bool is_ipv4_in_disguise(const std::array<unsigned char, 16>& bytes) {
  const auto zero = [&](std::size_t first, std::size_t last) {
    return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                       bytes.begin() + static_cast<std::ptrdiff_t>(last),
                       [](unsigned char byte) { return byte == 0; });
  };
  if (!zero(0, 10)) return false;
  return (bytes[10] == 0xff && bytes[11] == 0xff) || (zero(10, 12) && !zero(12, 14));
}

// The system's own functions say which texts are IPv6 addresses, and which text is the usual one.
TEST(EgressHost, ReadsAndWritesIpv6AsTheSystemDoes) {
  std::mt19937 random(1);
  std::size_t addresses = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_literal(random);
    std::array<unsigned char, 16> bytes{};
    const bool is_address = inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
    const auto host = parse_egress_host("[" + text + "]");
    ASSERT_EQ(host.has_value(), is_address && !is_ipv4_in_disguise(bytes)) << text;
    if (!host) continue;
    ++addresses;
    std::array<char, INET6_ADDRSTRLEN> usual{};
    ASSERT_NE(inet_ntop(AF_INET6, bytes.data(), usual.data(), usual.size()), nullptr);
    ASSERT_EQ(host->name, usual.data()) << text;
  }
  EXPECT_GT(addresses, 500U);
}

#endif

}  // namespace
}  // namespace bawn
