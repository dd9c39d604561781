// Reads untrusted JSON text into a tree in which every value knows its position.
//
// Reading is strict. Duplicate keys, text after the document, text that is not UTF-8, nesting
// deeper than kMaxDepth and objects with more than kMaxMembers keys are problems. A Reader takes
// the fields of one object and then reports every key that was not taken, so a closed format needs
// no second list of its keys. This file does not write JSON: nlohmann::ordered_json and
// json/print.h do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::json {

inline constexpr std::size_t kMaxDepth = 32;
// Readers search keys linearly. Without a cap, a hostile document could cost seconds.
inline constexpr std::size_t kMaxMembers = 2048;
// The number of problems that are listed. One more line counts the rest, so the list stays small.
inline constexpr std::size_t kMaxListedProblems = 64;

// One thing that is wrong with a document. `where` is a path such as `egress.hosts[2]`; "" is the
// document itself.
struct Problem {
  std::string where;
  std::size_t line = 0;    // from 1
  std::size_t column = 0;  // from 1, in bytes
  std::string message;     // what is wrong and what was expected
  std::string hint;        // what would be right; may be empty

  bool operator==(const Problem&) const = default;
};

// "3:14: egress.mode: 'strct' is not a mode; expected one of ... (did you mean 'strict'?)"
[[nodiscard]] std::string to_string(const Problem& problem);

// `egress` and `mode` -> `egress.mode`. A key that is long, empty or not printable ASCII is quoted,
// so a path is safe to print on a terminal whatever the keys of the document are.
[[nodiscard]] std::string child_path(std::string_view where, std::string_view key);

struct Member;

// One value. It owns everything below it and does not refer to the Document's text.
struct Node {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  // Set only for a whole number that fits; empty for a fraction and for a number that is too large.
  std::optional<std::int64_t> integer;
  std::string text;  // the value of a string; a number as written, but whole ones normalised
  std::vector<Node> items;
  std::vector<Member> members;
  std::size_t offset = 0;  // of the value's first byte in the document

  // Null if there is no such key. The pointer is valid as long as this node is not changed. Linear
  // search.
  [[nodiscard]] const Node* find(std::string_view key) const;
};

struct Member {
  std::string key;
  std::size_t key_offset = 0;
  Node value;
};

// "a string", "an object", for messages.
[[nodiscard]] std::string_view kind_name(Node::Kind kind);

enum class Comments { refused, allowed };

// The text, its tree and its problems. The tree is meaningful only while `problems` is empty.
// Readers add their problems to the same list, so a user sees all of them at once. Not thread safe.
class Document {
 public:
  // Always returns a Document; syntax errors are in problems(). The text is moved in and kept for
  // positions.
  [[nodiscard]] static Document parse(std::string text, Comments comments);

  // False after a syntax error, which leaves the tree unfinished. A duplicate key alone leaves the
  // tree readable.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  // The first kMaxListedProblems problems by position, and one line that counts the rest, if any.
  [[nodiscard]] std::vector<Problem> listed_problems() const;

  // Adds a problem at byte `offset`. Beyond four times kMaxListedProblems a problem is only
  // counted. A caller that must do much work to word a message checks full() first and passes empty
  // strings.
  void report(std::size_t offset, std::string where, std::string message, std::string hint = "");
  [[nodiscard]] bool full() const { return problems_.size() == kMaxKept; }

  // Line and column of a byte, both from 1.
  [[nodiscard]] std::pair<std::size_t, std::size_t> position(std::size_t offset) const;

 private:
  static constexpr std::size_t kMaxKept = 4 * kMaxListedProblems;

  friend class TreeBuilder;
  std::string text_;
  std::vector<std::size_t> newlines_;  // their offsets, ascending
  Node root_;
  bool complete_ = false;
  std::vector<Problem> problems_;
  std::size_t left_out_ = 0;  // problems that were only counted
};

// Reads one object of a closed format. A getter returns empty if the key is missing, and also if
// the type is wrong; a wrong type is reported as a problem.
//
//   Reader reader(document, document.root(), "");
//   if (auto text = reader.string("name")) ...
//   reader.finish();   // reports the keys that were not taken
//
// Document and object are borrowed and must outlive the reader, and so must every `key` that is
// passed in: use string literals.
class Reader {
 public:
  // Reports a problem if `object` is not an object. The getters then find nothing.
  Reader(Document& document, const Node& object, std::string where);

  // The value under `key`, or null. The key counts as known from now on.
  const Node* take(std::string_view key);
  // Excludes `key` from finish(): the caller reports it, and it is not suggested as a known key.
  void refuse(std::string_view key) { refused_.push_back(key); }

  std::optional<std::string> string(std::string_view key);
  std::optional<std::vector<std::string>> strings(std::string_view key);
  // `least` and `most` are inclusive.
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);

  // Reports every key that was neither taken nor refused, with the nearest known key as a hint.
  void finish();

  // The full path of `key` for a message, such as `egress.mode`.
  [[nodiscard]] std::string path(std::string_view key) const;
  void report(std::string_view key, const Node& at, std::string message, std::string hint = "");

 private:
  bool expect(std::string_view key, const Node& node, Node::Kind kind);

  Document& document_;
  const Node& object_;
  std::string where_;
  std::vector<std::string_view> known_;
  std::vector<std::string_view> refused_;
};

}  // namespace bawn::json
