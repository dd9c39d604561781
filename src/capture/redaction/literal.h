// Removes given strings from a stream, also where one is split between chunks or two of them overlap.
//
// Holds back only the tail that may be the start of a given string. Work is linear in the stream for strings
// that do not repeat themselves; at worst the factor is the length of the longest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::redaction {

class LiteralFilter {
 public:
  static constexpr std::size_t kShortest = 4;
  // A longer string is looked for in pieces of this size, so that what is held back stays bounded.
  static constexpr std::size_t kLongest = 16 * 1024;

  explicit LiteralFilter(const std::vector<std::string>& literals);

  [[nodiscard]] bool empty() const { return literals_.empty(); }
  // Appends to `out` what is decided and returns how many strings were replaced.
  std::uint64_t feed(std::string_view chunk, std::string& out);
  std::uint64_t finish(std::string& out);
  [[nodiscard]] std::size_t held() const { return held_.size(); }

 private:
  static constexpr unsigned kFirst = 1;
  static constexpr unsigned kSecond = 2;
  enum class Match { none, whole, undecided };
  struct Candidate {
    Match match = Match::none;
    std::size_t size = 0;
  };

  void add(std::string_view literal);
  [[nodiscard]] std::size_t next_start(std::size_t at) const;
  [[nodiscard]] Candidate longest_at(std::size_t at, bool final) const;
  std::uint64_t run(bool final, std::string& out);

  std::vector<std::string> literals_;   // longest first
  std::array<unsigned, 256> places_{};  // where in a literal a byte may stand: kFirst, kSecond
  std::string held_;
  std::size_t covered_ = 0;  // how many bytes at the front of held_ belong to a secret already replaced
};

}  // namespace bawn::redaction
