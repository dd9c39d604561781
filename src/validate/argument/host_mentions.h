// The network hosts that a command line or a value mentions, found by spelling alone.
//
// In any text: URLs, user@host:path, and host:port if it can hardly be anything else (an address,
// localhost, a name under a well-known top-level domain), because `main.py:10`, `12:30` and `a:b`
// are not hosts. For network programs (`hosts` of their rows in programs/) also their operands and
// the values of their host options: `curl example.com`, `ssh me@box`, `nc box 80`.
//
// Nothing is resolved. A host that a program computes, or reads from a file, is not found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// One mentioned host, not yet checked. Owns its strings.
struct HostMention {
  std::string host;        // host, host:port or [address]:port, without user info
  std::uint16_t port = 0;  // implied by scheme or program if `host` names none; 0 if unknown
  std::string ambiguity;   // why two programs could read two different hosts; "" if they agree
  std::size_t word = 0;    // index of the word that mentions it

  bool operator==(const HostMention&) const = default;
};

// `text` is one argument or one value. If it has a URL, only URLs count.
[[nodiscard]] std::vector<HostMention> hosts_in_text(std::string_view text);

// `words` are the words after `command`. Words that the program takes as text are skipped. The same
// host can occur several times.
[[nodiscard]] std::vector<HostMention> hosts_in_words(std::string_view command,
                                                      std::span<const std::string> words);

}  // namespace bawn
