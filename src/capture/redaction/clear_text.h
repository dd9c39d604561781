// A stream as it reads: without escape sequences and characters that are not seen, which are kept
// beside it and put back where they stood when it is shown.
//
// So a secret that is broken by a colour is whole here. What is set aside in the middle of a secret
// goes with it. How the stream is cut into chunks makes no difference. Bounded: for each byte of
// text one byte can be set aside, and kMostAside before that; what is beyond counts as text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::redaction {

// What becomes of the end of a line, and of the blanks that start the next.
enum class Breaks { kept, set_aside };

class ClearText {
 public:
  static constexpr std::size_t kMostAside = 8 * 1024;
  // What may be shown of the text that a sequence carries.
  using Inspect = std::function<std::string(std::string_view body)>;

  // `front` stands before the stream and is never shown.
  ClearText(Breaks breaks, std::string_view front, Inspect inspect);

  void append(std::string_view chunk);
  // The stream is over: what could have become a sequence is decided.
  void end();
  void start_over();

  // Positions count from the first byte that is not forgotten.
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t shown() const { return shown_; }
  // Bytes that are neither shown nor swallowed.
  [[nodiscard]] std::size_t held() const {
    return text_.size() - shown_ + aside_bytes_.size() - first_byte_ + open_.size();
  }

  // A sequence stands right before `at`.
  [[nodiscard]] bool has_aside_at(std::size_t at) const { return !asides_.empty() && is_aside(at); }
  // A break was set aside between two bytes of text[begin, end); before the byte at `at`.
  [[nodiscard]] bool has_break_inside(std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool has_break_at(std::size_t at) const;

  // Appends to `out` the text that was not shown yet, up to `end`, with what was set aside in it
  // and at its end.
  void show(std::size_t end, std::string& out);
  // The same without showing it; what was set aside at its end stays.
  void swallow(std::size_t end);
  // Drops the first `count` bytes, all of them shown or swallowed.
  void forget(std::size_t count);

 private:
  struct Aside {
    std::size_t at;    // before which byte of the text it stood
    std::size_t size;  // of its bytes, which stand behind those of the one before
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
  std::string aside_bytes_;  // from first_byte_ on
  std::size_t first_byte_ = 0;
  std::size_t credit_ = kMostAside;
  bool in_indent_ = true;  // behind a break, or at the start of the stream
  std::string open_;       // starts like a sequence
};

// `text` as it reads.
[[nodiscard]] std::string clear(std::string_view text, Breaks breaks);

}  // namespace bawn::redaction
