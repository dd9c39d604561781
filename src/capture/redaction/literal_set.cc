#include "capture/redaction/literal_set.h"

#include <algorithm>
#include <functional>

namespace bawn::redaction {

std::optional<LiteralSet::State> LiteralSet::child(State of, char byte) const {
  if (of == kStart) {
    const State found = first_[static_cast<unsigned char>(byte)];
    return found == kStart ? std::nullopt : std::optional(found);
  }
  for (State at = nodes_[of].child; at != kStart; at = nodes_[at].sibling) {
    if (nodes_[at].byte == byte) return at;
  }
  return std::nullopt;
}

LiteralSet::State LiteralSet::grow(State from, char byte) {
  if (const auto known = child(from, byte)) return *known;
  const auto made = static_cast<State>(nodes_.size());
  nodes_.push_back({.sibling = nodes_[from].child, .depth = nodes_[from].depth + 1, .byte = byte});
  nodes_[from].child = made;
  if (from == kStart) first_[static_cast<unsigned char>(byte)] = made;
  return made;
}

void LiteralSet::add(std::string_view literal, bool over_breaks) {
  while (literal.size() > kLongest) {
    add(literal.substr(0, kLongest), over_breaks);
    // The last piece overlaps the one before if it would otherwise be too short to be searched.
    literal.remove_prefix(std::min(kLongest, literal.size() - kShortest));
  }
  if (literal.size() < kShortest) return;
  // Strings with the same first bytes share a group, and together cost no more than one.
  const std::size_t hash = std::hash<std::string_view>()(literal.substr(0, AnchorTable::kLength));
  const auto group = static_cast<Groups>(1U << (hash % 16));
  State at = kStart;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (i < AnchorTable::kLength) anchors_.add(i, static_cast<unsigned char>(literal[i]), group);
    at = grow(at, literal[i]);
  }
  nodes_[at].ends = true;
  nodes_[at].over_breaks = nodes_[at].over_breaks || over_breaks;
}

// Requires that the parent and all nodes of smaller depth are linked.
void LiteralSet::link(State parent, State node) {
  const State fail = parent == kStart ? kStart : step(nodes_[parent].fail, nodes_[node].byte);
  nodes_[node].fail = fail;
  nodes_[node].shorter = nodes_[fail].ends ? fail : nodes_[fail].shorter;
}

void LiteralSet::complete() {
  std::vector<State> by_depth{kStart};
  for (std::size_t i = 0; i < by_depth.size(); ++i) {
    const State parent = by_depth[i];
    for (State at = nodes_[parent].child; at != kStart; at = nodes_[at].sibling) {
      link(parent, at);
      by_depth.push_back(at);
    }
  }
}

LiteralSet::State LiteralSet::step(State from, char byte) const {
  for (;;) {
    if (const auto next = child(from, byte)) return *next;
    if (from == kStart) return kStart;
    from = nodes_[from].fail;
  }
}

LiteralSet::State LiteralSet::going_on(State state) const {
  while (state != kStart && nodes_[state].child == kStart) state = nodes_[state].fail;
  return state;
}

std::size_t LiteralSet::next_start(std::string_view text, std::size_t from) const {
  const std::size_t tail = text.size() - std::min(text.size(), AnchorTable::kLength - 1);
  return anchors_.next(text, from, std::max(from, tail)).at;
}

}  // namespace bawn::redaction
