// JSON text from outside, as a tree whose every value knows where it stands in the text.
//
// Reading is strict: duplicate keys, trailing text, text that is not UTF-8, nesting deeper than
// kMaxDepth and objects with more than kMaxMembers keys are problems. A Reader turns one object
// into fields and afterwards reports every key nobody asked for, so that a closed format needs no
// second list of its own keys. Writing JSON is nlohmann::ordered_json's job, not this file's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::json {

inline constexpr std::size_t kMaxDepth = 32;
// Readers look keys up one by one, so a hostile document could otherwise cost seconds.
inline constexpr std::size_t kMaxMembers = 2048;
// How many problems a document lists; a line at the end counts the rest, so that an answer stays
// small.
inline constexpr std::size_t kMaxListedProblems = 64;

// One thing wrong with a document. `where` is a path such as `egress.hosts[2]`, "" for the document
// itself.
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

// `egress` and `mode` -> `egress.mode`; a key that is long or not plain text is quoted, so that a
// path can be printed on a terminal whatever the document's keys are.
[[nodiscard]] std::string child_path(std::string_view where, std::string_view key);

struct Member;

struct Node {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  std::optional<std::int64_t>
      integer;       // a number that is whole and fits; too large or fractional leaves it empty
  std::string text;  // a string's value, or a number as written
  std::vector<Node> items;
  std::vector<Member> members;
  std::size_t offset = 0;  // of the value's first byte in the text

  [[nodiscard]] const Node* find(std::string_view key) const;
};

struct Member {
  std::string key;
  std::size_t key_offset = 0;
  Node value;
};

[[nodiscard]] std::string_view kind_name(Node::Kind kind);

enum class Comments { refused, allowed };

// The text, its tree and what is wrong with it. The tree is only meaningful while `problems` is
// empty; readers add theirs to the same list, so that a user sees everything at once.
class Document {
 public:
  [[nodiscard]] static Document parse(std::string text, Comments comments);

  // False after a syntax error, which leaves the tree unfinished. A duplicate key alone leaves it
  // readable.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const Node& root() const { return root_; }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  // In the order of the text, the first kMaxListedProblems of them.
  [[nodiscard]] std::vector<Problem> listed_problems() const;

  // Once there are far more problems than are listed they are only counted: `full` tells who would
  // have to work hard for the words.
  void report(std::size_t offset, std::string where, std::string message, std::string hint = "");
  [[nodiscard]] bool full() const { return problems_.size() == kMaxKept; }

  // 1-based line and column of a byte.
  [[nodiscard]] std::pair<std::size_t, std::size_t> position(std::size_t offset) const;

 private:
  static constexpr std::size_t kMaxKept = 4 * kMaxListedProblems;

  friend class TreeBuilder;
  std::string text_;
  std::vector<std::size_t> newlines_;  // where they stand
  Node root_;
  bool complete_ = false;
  std::vector<Problem> problems_;
  std::size_t left_out_ = 0;  // problems that were only counted
};

// Reads one object of a closed format. Every getter reports a wrong type by itself and returns
// empty then.
//
//   Reader reader(document, document.root(), "");
//   if (auto text = reader.string("name")) ...
//   reader.finish();   // reports what was not asked for
class Reader {
 public:
  Reader(Document& document, const Node& object, std::string where);

  // The value under `key`, or null. Asking makes the key a known one.
  const Node* take(std::string_view key);
  // The caller reports this key itself: it is neither known nor unknown.
  void refuse(std::string_view key) { refused_.push_back(key); }

  std::optional<std::string> string(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::vector<std::string>> strings(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);

  void finish();

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
