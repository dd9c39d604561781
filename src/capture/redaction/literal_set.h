// Strings to be found in a text in one pass, whatever they and the text look like: an automaton
// after Aho and Corasick. Work is linear in the text; it never looks back.
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
  // A longer string is looked for in pieces of this size, so that what is held back stays bounded.
  static constexpr std::size_t kLongest = 16 * 1024;

  // `over_breaks`: it is one also where the end of a line stands in it. Shorter strings than
  // kShortest are ignored.
  void add(std::string_view literal, bool over_breaks);
  // Before the first question, and after the last add.
  void complete();
  [[nodiscard]] bool empty() const { return nodes_.size() == 1; }

  // Behind one more byte.
  [[nodiscard]] State step(State from, char byte) const;
  // The same place for what follows: without strings that end here and go on nowhere.
  [[nodiscard]] State going_on(State state) const;
  // How many bytes before this place are the front of a string.
  [[nodiscard]] std::size_t depth(State state) const { return nodes_[state].depth; }
  // In the state kStart: the next place from which on steps are needed; `text.size()` if there is
  // none.
  [[nodiscard]] std::size_t next_start(std::string_view text, std::size_t from) const;

  // The longest string that ends at this place and is accepted.
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
    State child = kStart;    // the first; the others are its siblings
    State sibling = kStart;  // kStart: none
    State fail = kStart;     // the longest front of a string that ends here too
    State shorter = kStart;  // the next of them that is a string
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
