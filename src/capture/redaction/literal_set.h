// Finds many strings in one pass over a text: an Aho-Corasick automaton.
//
// Work is linear in the text, whatever the strings and the text look like, and it never looks back.
// Add all strings, call complete(), then search. A completed set is immutable and may be shared by
// threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "capture/redaction/anchor.h"

namespace bawn::redaction {

class LiteralSet {
 public:
  using State = std::uint32_t;
  static constexpr State kStart = 0;
  static constexpr std::size_t kShortest = AnchorTable::kLength;
  // A longer string is searched in pieces of this size, so that the bytes held back stay bounded.
  static constexpr std::size_t kLongest = 16 * 1024;

  // `over_breaks`: the string also matches if a line break occurs inside it. Strings shorter than
  // kShortest are ignored.
  void add(std::string_view literal, bool over_breaks);
  // Call once, after the last add() and before the first search.
  void complete();
  [[nodiscard]] bool empty() const { return nodes_.size() == 1; }

  // The state after one more byte.
  [[nodiscard]] State step(State from, char byte) const;
  // An equivalent state for the bytes to come: leaves strings that end here and are no prefix of
  // another.
  [[nodiscard]] State going_on(State state) const;
  // How many bytes before this position are a prefix of some string.
  [[nodiscard]] std::size_t depth(State state) const { return nodes_[state].depth; }
  // For state kStart: the next position from which step() is needed; `text.size()` at most. Skips
  // fast.
  [[nodiscard]] std::size_t next_start(std::string_view text, std::size_t from) const;

  // The length of the longest string that ends in this state and that accept(length, over_breaks)
  // accepts; 0 if there is none.
  template <class Accept>
  [[nodiscard]] std::size_t longest_end(State state, Accept accept) const {
    for (State at = state; at != kStart; at = nodes_[at].shorter) {
      const Node& node = nodes_[at];
      if (node.ends && accept(node.depth, node.over_breaks)) return node.depth;
    }
    return 0;
  }

 private:
  struct Node {
    State child = kStart;    // the first child; the others are its siblings
    State sibling = kStart;  // kStart: none
    State fail = kStart;     // the longest proper suffix that is a prefix of a string
    State shorter = kStart;  // the longest proper suffix that is a whole string
    std::uint32_t depth = 0;
    char byte = '\0';
    bool ends = false;
    bool over_breaks = false;
  };

  [[nodiscard]] std::optional<State> child(State of, char byte) const;
  State grow(State from, char byte);
  void link(State parent, State node);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::array<State, 256> first_{};  // the children of the start
  AnchorTable anchors_;
};

}  // namespace bawn::redaction
