// A stream without its escape sequences and invisible characters. They are set aside with their
// positions and put back when the text is shown.
//
// A secret that is interrupted by a colour sequence is therefore whole in text(). What was set
// aside inside a secret is removed with it. The result does not depend on how the stream is cut
// into chunks. Memory is bounded: kMostAside bytes may be set aside at first, and one more for each
// byte of text; anything beyond counts as text. Not thread safe.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::redaction {

// Whether line breaks, and the blanks at the start of the next line, stay in the text.
enum class Breaks { kept, set_aside };

class ClearText {
 public:
  static constexpr std::size_t kMostAside = 8 * 1024;
  // Filters the text that a sequence carries (a window title, a link) and returns what may be shown
  // of it.
  using Inspect = std::function<std::string(std::string_view body)>;

  // `front` is put before the stream, so that rules can look back, and is never shown.
  ClearText(Breaks breaks, std::string_view front, Inspect inspect);

  void append(std::string_view chunk);
  // The stream is over: an incomplete sequence is decided now.
  void end();
  // Makes the object ready for another stream. Call end() first: it clears an incomplete sequence.
  void start_over();

  // Positions count from the first byte that is not forgotten. The view is valid until the next
  // append(), end(), forget() or start_over().
  [[nodiscard]] std::string_view text() const { return text_; }
  // Everything before this position was shown or swallowed.
  [[nodiscard]] std::size_t shown() const { return shown_; }
  // The number of bytes that were neither shown nor swallowed, including those set aside.
  [[nodiscard]] std::size_t held() const {
    return text_.size() - shown_ + aside_bytes_.size() - first_byte_ + open_.size();
  }

  // Something was set aside right before the byte at `at`.
  [[nodiscard]] bool has_aside_at(std::size_t at) const { return !asides_.empty() && is_aside(at); }
  // A break was set aside between two bytes of text[begin, end), or right before the byte at `at`.
  [[nodiscard]] bool has_break_inside(std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool has_break_at(std::size_t at) const;

  // Appends to `out` the text from shown() to `end`, with everything that was set aside in it and
  // at its end.
  void show(std::size_t end, std::string& out);
  // Advances shown() to `end` without output. What was set aside inside is dropped; what was set
  // aside right at `end` stays.
  void swallow(std::size_t end);
  // Drops the first `count` bytes, which must all be shown or swallowed.
  void forget(std::size_t count);

 private:
  struct Aside {
    std::size_t at;    // the position in the text before which it was found
    std::size_t size;  // its length; asides are stored one after another in aside_bytes_
    bool is_break;
  };

  std::string_view take_one(std::string_view rest);
  [[nodiscard]] std::size_t take_indent(std::string_view rest);
  void take(std::string_view text);
  bool set_aside(std::string_view bytes, std::string_view body, bool is_break);
  [[nodiscard]] bool is_aside(std::size_t at) const;
  [[nodiscard]] std::size_t first_aside(std::size_t at) const;
  [[nodiscard]] bool is_break(char c) const {
    return breaks_ == Breaks::set_aside && (c == '\n' || c == '\r');
  }
  void drop_asides();

  Breaks breaks_;
  std::string front_;
  Inspect inspect_;
  std::string text_;
  std::size_t shown_ = 0;
  std::vector<Aside> asides_;  // in order, from first_ on
  std::size_t first_ = 0;
  std::string aside_bytes_;  // valid from first_byte_ on
  std::size_t first_byte_ = 0;
  std::size_t credit_ = kMostAside;  // how many bytes may still be set aside
  bool in_indent_ = true;            // after a break, or at the start of the stream
  std::string open_;                 // the start of a possible sequence, not decided yet
};

// All of `text` without sequences and invisible characters.
[[nodiscard]] std::string clear(std::string_view text, Breaks breaks);

}  // namespace bawn::redaction
