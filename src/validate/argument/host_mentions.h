// The network hosts that a command line or a value mentions, found by spelling alone.
//
// In any text: URLs, user@host:path, and host:port where it can hardly be anything else (an
// address, localhost, a name under a well-known top-level domain), because `main.py:10`, `12:30`
// and `a:b` are not hosts. For network programs (validate/argument/network_program.h) also their
// operands and the values of their host options: `curl example.com`, `ssh me@box`, `nc box 80`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct HostMention {
  std::string host;  // host, host:port or [address]:port, without user info; not yet checked
  std::uint16_t port =
      0;  // the port the scheme or program implies if `host` names none; 0 if unknown
  std::string
      ambiguity;  // why two programs could read it as two different hosts; "" if they could not
  std::size_t word = 0;  // index of the word that mentions it

  bool operator==(const HostMention&) const = default;
};

[[nodiscard]] std::vector<HostMention> hosts_in_text(std::string_view text);

[[nodiscard]] std::vector<HostMention> hosts_in_words(std::string_view command,
                                                      std::span<const std::string> words);

}  // namespace bawn
