#include "json/document.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"

namespace bawn::json {
namespace {

// Feeds the parser and records how far it has read. That is enough to locate a token.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = std::max(*furthest_, ++at_);
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// The library's message without its prefix and its position, which we print in another format. The
// text that the parser read last is removed too: it may be a part of a secret, or control a
// terminal.
std::string plain_message(std::string_view what) {
  constexpr std::string_view kOverflow = "number overflow";
  if (what.find(kOverflow) != std::string_view::npos) return "the number is too large";
  if (const std::size_t column = what.find("column "); column != std::string_view::npos) {
    const std::size_t colon = what.find(": ", column);
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
  }
  return std::string(what.substr(0, what.find("; last read: ")));
}

}  // namespace

// Receives the parser's events and builds the tree. Stops at the first syntax error.
class TreeBuilder {
 public:
  explicit TreeBuilder(Document& document)
      : document_(document), text_(document.text_), furthest_(text_.data()) {}

  void run(Comments comments) {
    const CountingIterator first(text_.data(), &furthest_);
    const CountingIterator last(text_.data() + text_.size(), &furthest_);
    document_.complete_ =
        nlohmann::json::sax_parse(first, last, this, nlohmann::json::input_format_t::json, true,
                                  comments == Comments::allowed);
  }

  bool null() { return add(Node::Kind::null) != nullptr; }
  bool boolean(bool value) {
    Node* node = add(Node::Kind::boolean);
    if (node == nullptr) return false;
    node->boolean = value;
    return true;
  }
  bool number_integer(std::int64_t value) { return add_integer(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(INT64_MAX))
      return add_number(std::to_string(value)) != nullptr;
    return add_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(double /*value*/, const std::string& written) {
    return add_number(written) != nullptr;
  }
  bool string(std::string& value) {
    Node* node = add(Node::Kind::string);
    if (node == nullptr) return false;
    node->text = std::move(value);
    return true;
  }
  bool binary(std::vector<std::uint8_t>& /*value*/) { return false; }  // not in JSON text
  bool start_object(std::size_t /*elements*/) { return open(Node::Kind::object); }
  bool start_array(std::size_t /*elements*/) { return open(Node::Kind::array); }
  bool end_object() {
    report_duplicates(*open_.back());
    return close();
  }
  bool end_array() { return close(); }

  bool key(std::string& value) {
    Node& object = *open_.back();
    const std::size_t offset = next_token();
    if (object.members.size() == kMaxMembers) {
      document_.report(offset, open_path(), concat("has more than ", kMaxMembers, " keys"));
      return false;
    }
    object.members.push_back({std::move(value), offset, Node{}});
    previous_end_ = read_so_far();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& cause) {
    document_.report(position == 0 ? 0 : position - 1, "", plain_message(cause.what()));
    return false;
  }

 private:
  [[nodiscard]] std::size_t read_so_far() const {
    return static_cast<std::size_t>(furthest_ - text_.data());
  }

  // The offset of the token after the previous one: skips blanks, separators and comments.
  [[nodiscard]] std::size_t next_token() const {
    std::size_t at = previous_end_;
    for (;;) {
      at = std::min(text_.find_first_not_of(" \t\r\n,:", at), text_.size());
      if (text_.compare(at, 2, "//") == 0) {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (text_.compare(at, 2, "/*") == 0) {
        const std::size_t end = text_.find("*/", at + 2);
        at = end == std::string::npos ? text_.size() : end + 2;
      } else {
        return at;
      }
    }
  }

  // The path of the innermost open container.
  [[nodiscard]] std::string open_path() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const Node& node = *open_[i];
      path = node.kind == Node::Kind::object ? child_path(path, node.members.back().key)
                                             : concat(path, "[", node.items.size() - 1, "]");
    }
    return path;
  }

  // Sorts, because comparing all pairs of keys would let a small document cost seconds.
  void report_duplicates(const Node& object) {
    std::vector<const Member*> sorted;
    for (const Member& member : object.members) sorted.push_back(&member);
    std::ranges::sort(sorted, [](const Member* a, const Member* b) {
      return a->key != b->key ? a->key < b->key : a->key_offset < b->key_offset;
    });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key == sorted[i - 1]->key) report_duplicate(*sorted[i]);
    }
  }

  void report_duplicate(const Member& member) {
    if (document_.full()) return document_.report(member.key_offset, "", "");
    document_.report(member.key_offset, child_path(open_path(), member.key),
                     concat("the key ", quote(member.key), " appears twice"), "keep one of them");
  }

  Node* place() {
    if (open_.empty()) return &document_.root_;
    Node& parent = *open_.back();
    if (parent.kind == Node::Kind::object) return &parent.members.back().value;
    return &parent.items.emplace_back();
  }

  Node* add(Node::Kind kind) {
    Node* node = place();
    node->kind = kind;
    node->offset = next_token();
    previous_end_ = read_so_far();
    return node;
  }

  Node* add_number(std::string written) {
    Node* node = add(Node::Kind::number);
    node->text = std::move(written);
    // The parser must read one byte past a number to find its end. `text` may also be shorter than
    // the number in the document ("-0" becomes "0"), so the end is searched in the document.
    previous_end_ =
        std::min(text_.find_first_not_of("+-.0123456789eE", node->offset), text_.size());
    return node;
  }

  bool add_integer(std::int64_t value) {
    add_number(std::to_string(value))->integer = value;
    return true;
  }

  bool open(Node::Kind kind) {
    Node* node = add(kind);
    if (open_.size() == kMaxDepth) {
      document_.report(node->offset, "", concat("nested deeper than ", kMaxDepth, " levels"));
      return false;
    }
    open_.push_back(node);
    return true;
  }

  bool close() {
    open_.pop_back();
    previous_end_ = read_so_far();
    return true;
  }

  Document& document_;
  const std::string& text_;
  const char* furthest_;
  std::size_t previous_end_ = 0;
  // Pointers into the tree. They stay valid, because only the innermost open container grows.
  std::vector<Node*> open_;
};

Document Document::parse(std::string text, Comments comments) {
  Document document;
  document.text_ = std::move(text);
  const std::string& read = document.text_;
  for (std::size_t at = read.find('\n'); at != std::string::npos; at = read.find('\n', at + 1)) {
    document.newlines_.push_back(at);
  }
  TreeBuilder(document).run(comments);
  return document;
}

void Document::report(std::size_t offset, std::string where, std::string message,
                      std::string hint) {
  if (full()) {
    ++left_out_;
    return;
  }
  const auto [line, column] = position(offset);
  problems_.push_back({std::move(where), line, column, std::move(message), std::move(hint)});
}

std::vector<Problem> Document::listed_problems() const {
  std::vector<Problem> out = problems_;
  std::ranges::stable_sort(out, [](const Problem& a, const Problem& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  if (out.size() <= kMaxListedProblems) return out;
  Problem& rest = out[kMaxListedProblems];
  rest = {"", rest.line, rest.column,
          concat(out.size() + left_out_ - kMaxListedProblems, " more problems from here on"), ""};
  out.resize(kMaxListedProblems + 1);
  return out;
}

std::pair<std::size_t, std::size_t> Document::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::lower_bound(newlines_.begin(), newlines_.end(), offset);
  const std::size_t line_start = next == newlines_.begin() ? 0 : *std::prev(next) + 1;
  return {static_cast<std::size_t>(next - newlines_.begin()) + 1, offset - line_start + 1};
}

const Node* Node::find(std::string_view key) const {
  const auto at = std::ranges::find_if(members, [&](const Member& m) { return m.key == key; });
  return at == members.end() ? nullptr : &at->value;
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return "true or false";
    case Node::Kind::number:
      return "a number";
    case Node::Kind::string:
      return "a string";
    case Node::Kind::array:
      return "an array";
    case Node::Kind::object:
      return "an object";
  }
  return "unknown";
}

std::string to_string(const Problem& problem) {
  std::string out = concat(problem.line, ":", problem.column, ": ");
  if (!problem.where.empty()) out += concat(problem.where, ": ");
  out += problem.message;
  if (!problem.hint.empty()) out += concat(" (", problem.hint, ")");
  return out;
}

std::string child_path(std::string_view where, std::string_view key) {
  constexpr std::size_t kLongestKey = 128;
  const bool plain = !key.empty() && key.size() <= kLongestKey &&
                     std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7f; });
  const std::string name = plain ? std::string(key) : quote(key);
  return where.empty() ? name : concat(where, ".", name);
}

Reader::Reader(Document& document, const Node& object, std::string where)
    : document_(document), object_(object), where_(std::move(where)) {
  if (object.kind != Node::Kind::object) {
    document_.report(object.offset, where_,
                     concat("expected an object, found ", kind_name(object.kind)));
  }
}

const Node* Reader::take(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
  return object_.find(key);
}

std::string Reader::path(std::string_view key) const { return child_path(where_, key); }

void Reader::report(std::string_view key, const Node& at, std::string message, std::string hint) {
  document_.report(at.offset, path(key), std::move(message), std::move(hint));
}

bool Reader::expect(std::string_view key, const Node& node, Node::Kind kind) {
  if (node.kind == kind) return true;
  report(key, node, concat("expected ", kind_name(kind), ", found ", kind_name(node.kind)));
  return false;
}

std::optional<std::string> Reader::string(std::string_view key) {
  const Node* node = take(key);
  if (node == nullptr || !expect(key, *node, Node::Kind::string)) return std::nullopt;
  return node->text;
}

std::optional<std::vector<std::string>> Reader::strings(std::string_view key) {
  const Node* node = take(key);
  if (node == nullptr || !expect(key, *node, Node::Kind::array)) return std::nullopt;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    if (!expect(concat(key, "[", i, "]"), node->items[i], Node::Kind::string)) return std::nullopt;
    out.push_back(node->items[i].text);
  }
  return out;
}

std::optional<std::int64_t> Reader::integer(std::string_view key, std::int64_t least,
                                            std::int64_t most) {
  const Node* node = take(key);
  if (node == nullptr || !expect(key, *node, Node::Kind::number)) return std::nullopt;
  if (!node->integer || *node->integer < least || *node->integer > most) {
    report(key, *node,
           concat("expected a whole number from ", least, " to ", most, ", found ", node->text));
    return std::nullopt;
  }
  return node->integer;
}

void Reader::finish() {
  for (const Member& member : object_.members) {
    if (std::ranges::find(known_, member.key) != known_.end()) continue;
    if (std::ranges::find(refused_, member.key) != refused_.end()) continue;
    if (document_.full()) {
      document_.report(member.key_offset, "", "");
      continue;
    }
    const std::string_view meant = nearest(member.key, known_);
    document_.report(member.key_offset, path(member.key), concat("unknown key ", quote(member.key)),
                     meant.empty() ? concat("expected ", one_of(known_))
                                   : concat("did you mean ", quote(meant), "?"));
  }
}

}  // namespace bawn::json
