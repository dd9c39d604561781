#include "capture/redactor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "capture/redaction/clear_text.h"
#include "capture/redaction/key_block.h"
#include "capture/redaction/key_tail.h"
#include "capture/redaction/literal.h"
#include "capture/redaction/rule.h"

namespace bawn {
namespace redaction {
namespace {

// Applies the rules to the stream after the literals were removed. A position is decided once, when
// kLookAhead bytes after it or the end of its line are known. Chunk boundaries therefore cannot
// matter.
class PatternFilter {
 public:
  using Counts = std::map<std::string, std::uint64_t>;

  explicit PatternFilter(Counts& counts)
      : counts_(counts),
        clear_(Breaks::kept, "\n", [this](std::string_view body) { return inspect(body); }) {}
  PatternFilter(const PatternFilter&) = delete;
  PatternFilter& operator=(const PatternFilter&) = delete;

  void feed(std::string_view chunk, std::string& out) {
    // What the tail holds back is examined again on each pass, so wait for more than a few bytes.
    constexpr std::size_t kWorthIt = 1024;
    clear_.append(chunk);
    newline_ = 0;
    const std::size_t end = decidable();
    if (end <= at_ || (tail_.held() != 0 && end - at_ < kWorthIt)) return;
    searched_ = clear_.text().size();
    tail_.show_in(out);
    run(end, out);
    tail_.hold_back(out);
    forget();
  }

  void finish(std::string& out) {
    clear_.end();
    newline_ = 0;
    tail_.show_in(out);
    run(clear_.text().size(), out);
    show(clear_.text().size(), out);
    start_over();
  }

  [[nodiscard]] std::size_t held() const { return clear_.held() + tail_.held(); }

 private:
  enum class Mode { text, secret, key_block };

  [[nodiscard]] std::string inspect(std::string_view body);
  [[nodiscard]] std::size_t decidable();
  [[nodiscard]] std::size_t line_end(std::size_t from);
  [[nodiscard]] Around around(std::size_t at);

  void run(std::size_t end, std::string& out);
  void read_text(std::size_t end, std::string& out);
  bool read_key_frame(std::size_t at, const Around& near, std::string& out);
  void find(Groups groups, const Around& near);
  void read_secret(std::size_t end);
  void read_key_block(std::string& out);
  void replace(const Found& found, std::size_t origin, std::string& out);
  void mark(Kind kind, std::string& out);
  void count(Kind kind) { ++counts_[std::string(name_of(kind))]; }
  void show(std::size_t end, std::string& out) { clear_.show(end, out); }
  void swallow(std::size_t end);
  void forget();
  void start_over();

  Counts& counts_;
  // The undecided text, after some decided text that the rules may look back at. A newline is put
  // before the stream, so that its start counts as the start of a line.
  ClearText clear_;
  KeyTail tail_;
  std::size_t at_ = 1;        // everything before is decided
  std::size_t searched_ = 1;  // there is no line break between at_ and this
  std::size_t barrier_ = 0;   // the end of the last secret: rules do not look back beyond it
  std::size_t newline_ = 0;   // the first known line break at or after at_
  Mode mode_ = Mode::text;
  Ending ending_;
  std::size_t backslashes_ = 0;  // right before at_, in a quoted secret
  KeyBlock block_;
  FoundSecrets secrets_;
};

// The text inside an escape sequence (a window title, a link) is filtered as a separate stream.
std::string PatternFilter::inspect(std::string_view body) {
  PatternFilter inner(counts_);
  std::string out;
  inner.feed(body, out);
  inner.finish(out);
  return out;
}

// Every line that ended before `searched_` is decided already.
std::size_t PatternFilter::decidable() {
  const std::string_view text = clear_.text();
  const std::size_t seen = text.size() > kLookAhead + 1 ? text.size() - kLookAhead - 1 : 0;
  const std::size_t from = std::max({seen, at_, searched_});
  const std::size_t newline = text.substr(std::min(from, text.size())).rfind('\n');
  if (newline != std::string_view::npos) return from + newline + 1;
  searched_ = text.size();
  return std::max(seen, at_);
}

std::size_t PatternFilter::line_end(std::size_t from) {
  const std::string_view text = clear_.text();
  if (newline_ < from) newline_ = std::min(text.find('\n', from), text.size());
  return newline_;
}

Around PatternFilter::around(std::size_t at) {
  const std::string_view text = clear_.text();
  const std::size_t back = std::max(barrier_, at - std::min(at, kLookBehind));
  const std::size_t end = std::min(line_end(at), at + kLookAhead);
  const bool open = end < text.size() && text[end] != '\n';
  return {text.substr(back, at - back), text.substr(at, end - at), open, end == text.size(),
          clear_.has_aside_at(at)};
}

void PatternFilter::run(std::size_t end, std::string& out) {
  while (at_ < end) {
    switch (mode_) {
      case Mode::text:
        read_text(end, out);
        break;
      case Mode::secret:
        read_secret(end);
        break;
      case Mode::key_block:
        read_key_block(out);
        break;
    }
  }
  // The line break after a line of a key waits, because it is swallowed if the key goes on. A
  // sequence inside a secret waits for the same reason.
  if (mode_ == Mode::text || (mode_ == Mode::key_block && !block_.began())) show(at_, out);
}

void PatternFilter::read_text(std::size_t end, std::string& out) {
  const AnchorHit hit = next_trigger(clear_.text(), at_, end);
  if (hit.groups == 0) {
    at_ = end;
    return;
  }
  const Around near = around(hit.at);
  if ((hit.groups & kKeyBlockGroup) != 0 && read_key_frame(hit.at, near, out)) return;
  find(hit.groups, near);
  at_ = hit.at + 1;
  for (const Found& found : secrets_) replace(found, hit.at, out);
}

// Handles the BEGIN line of a private key, or its END line.
bool PatternFilter::read_key_frame(std::size_t at, const Around& near, std::string& out) {
  if (const std::size_t header = end_of_key_header(near); header != 0) {
    at_ = at + header;
    mode_ = Mode::key_block;
    block_ = KeyBlock();
    return true;
  }
  if (!is_key_end(near)) return false;
  show(at, out);
  if (tail_.replace_body(out, marker(Kind::private_key))) count(Kind::private_key);
  at_ = at + 1;
  return true;
}

void PatternFilter::find(Groups groups, const Around& near) {
  struct Rule {
    Groups groups;
    void (*find)(const Around& around, FoundSecrets& secrets);
  };
  static constexpr std::array kRules{
      Rule{kNameGroups, find_assignment},
      Rule{kUrlGroup, find_url_secret},
      Rule{kCredentialGroup, find_bare_credential},
      Rule{kUserOptionGroup, find_user_option},
      Rule{kPasswordOptionGroup, find_password_option},
      Rule{kPgpassGroups, find_pgpass_line},
      Rule{kTokenGroups, find_known_token},
  };
  secrets_.clear();
  for (const Rule& rule : kRules) {
    if ((groups & rule.groups) != 0) rule.find(near, secrets_);
    if (!secrets_.empty()) return;
  }
}

void PatternFilter::replace(const Found& found, std::size_t origin, std::string& out) {
  show(origin + found.begin, out);
  mark(found.kind, out);
  at_ = origin + found.end;
  swallow(at_);
  if (!found.goes_on) return;
  mode_ = Mode::secret;
  ending_ = found.ending;
  backslashes_ = 0;
  const std::string_view text = clear_.text();
  while (backslashes_ < found.end - found.begin && text[at_ - 1 - backslashes_] == '\\')
    ++backslashes_;
}

void PatternFilter::read_secret(std::size_t end) {
  const std::string_view text = clear_.text();
  for (; at_ < end; ++at_) {
    const char c = text[at_];
    const bool over =
        ending_.stop != nullptr ? ending_.stop->has(c) : ending_.quote.closes(c, backslashes_);
    if (over || c == '\n') {
      mode_ = Mode::text;
      break;
    }
    backslashes_ = c == '\\' ? backslashes_ + 1 : 0;
  }
  swallow(at_);
}

void PatternFilter::read_key_block(std::string& out) {
  const Around near = around(at_);
  const bool began = block_.began();
  const KeyBlock::Piece piece = block_.judge(near.after, near.open);
  if (piece.kind == KeyBlock::PieceKind::over) {
    at_ += piece.from;
    mode_ = Mode::text;
    return;
  }
  if (piece.kind == KeyBlock::PieceKind::swallow) {
    if (!began) {
      show(at_ + piece.from, out);
      mark(Kind::private_key, out);
    }
    swallow(at_ + piece.end);
  } else {
    show(at_ + piece.end, out);
  }
  at_ += piece.next;
  if (piece.next == near.after.size() && !near.open && at_ < clear_.text().size()) ++at_;
}

void PatternFilter::mark(Kind kind, std::string& out) {
  out += marker(kind);
  count(kind);
}

void PatternFilter::swallow(std::size_t end) {
  clear_.swallow(end);
  barrier_ = end;
}

void PatternFilter::start_over() {
  clear_.start_over();
  at_ = searched_ = 1;
  barrier_ = 0;
  mode_ = Mode::text;
}

void PatternFilter::forget() {
  constexpr std::size_t kWorthIt = 4096;
  const std::size_t back = std::min(clear_.shown(), at_ - std::min(at_, kLookBehind));
  if (back < kWorthIt) return;
  clear_.forget(back);
  at_ -= back;
  searched_ -= back;
  barrier_ -= std::min(barrier_, back);
}

}  // namespace
}  // namespace redaction

struct Redactor::State {
  explicit State(const std::vector<std::string>& given) : literals(given), patterns(counts) {}

  std::map<std::string, std::uint64_t> counts;
  redaction::LiteralFilter literals;
  redaction::PatternFilter patterns;
  std::string without_literals;

  void count_literals(std::uint64_t found) {
    if (found != 0) counts[std::string(redaction::name_of(redaction::Kind::literal))] += found;
  }
};

Redactor::Redactor(const std::vector<std::string>& literals)
    : state_(make_hidden<State>(literals)) {}

void Redactor::feed(std::string_view chunk, std::string& out) {
  State& state = *state_;
  if (state.literals.empty()) {
    state.patterns.feed(chunk, out);
    return;
  }
  state.without_literals.clear();
  state.count_literals(state.literals.feed(chunk, state.without_literals));
  state.patterns.feed(state.without_literals, out);
}

void Redactor::finish(std::string& out) {
  State& state = *state_;
  state.without_literals.clear();
  state.count_literals(state.literals.finish(state.without_literals));
  state.patterns.feed(state.without_literals, out);
  state.patterns.finish(out);
}

std::size_t Redactor::held() const { return state_->literals.held() + state_->patterns.held(); }

const std::map<std::string, std::uint64_t>& Redactor::counts() const { return state_->counts; }

}  // namespace bawn
