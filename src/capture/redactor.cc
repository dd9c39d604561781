#include "capture/redactor.h"

#include <algorithm>
#include <utility>

#include "capture/redaction/key_block.h"
#include "capture/redaction/literal.h"
#include "capture/redaction/rule.h"
#include "capture/redaction/trigger.h"

namespace bawn {
namespace redaction {
namespace {

// The stream behind the literal filter. Each position is decided once, when kLookAhead bytes behind it or the
// end of its line are there: that is why chunk borders cannot matter.
class PatternFilter {
 public:
  using Counts = std::map<std::string, std::uint64_t>;

  explicit PatternFilter(Counts& counts) : counts_(counts) {}

  void feed(std::string_view chunk, std::string& out) {
    const std::size_t old_size = text_.size();
    text_.append(chunk);
    newline_ = 0;
    run(decidable(old_size), out);
    forget();
  }

  void finish(std::string& out) {
    newline_ = 0;
    run(text_.size(), out);
    show(text_.size(), out);
    start_over();
  }

  [[nodiscard]] std::size_t held() const { return text_.size() - shown_; }

 private:
  enum class Mode { text, secret, key_block };

  [[nodiscard]] std::size_t decidable(std::size_t old_size) const;
  [[nodiscard]] std::size_t line_end(std::size_t from);
  [[nodiscard]] Around around(std::size_t at);

  void run(std::size_t end, std::string& out);
  void read_text(std::size_t end, std::string& out);
  void read_secret(std::size_t end);
  void read_key_block(std::string& out);
  void replace(const Found& found, std::size_t origin, std::string& out);
  void mark(Kind kind, std::string& out);
  void show(std::size_t end, std::string& out);
  void forget();
  void start_over();

  Counts& counts_;
  // What is not decided yet, behind some of what is: the rules look back. A newline stands before the stream.
  std::string text_ = "\n";
  std::size_t at_ = 1;       // everything before is decided
  std::size_t shown_ = 1;    // everything before is shown or swallowed
  std::size_t barrier_ = 0;  // rules do not look back beyond this: a secret stood there
  std::size_t newline_ = 0;  // the first end of a line that is known to stand behind at_
  Mode mode_ = Mode::text;
  Ending ending_;
  std::size_t backslashes_ = 0;  // right before at_, in a secret in quotes
  KeyBlock block_;
  Findings findings_;
};

// Every line that ended before `old_size` is decided already.
std::size_t PatternFilter::decidable(std::size_t old_size) const {
  const std::size_t seen = text_.size() > kLookAhead + 1 ? text_.size() - kLookAhead - 1 : 0;
  const std::size_t from = std::max({seen, at_, old_size});
  const std::size_t newline = std::string_view(text_).substr(std::min(from, text_.size())).rfind('\n');
  return newline == std::string_view::npos ? std::max(seen, at_) : from + newline + 1;
}

std::size_t PatternFilter::line_end(std::size_t from) {
  if (newline_ < from) newline_ = std::min(text_.find('\n', from), text_.size());
  return newline_;
}

Around PatternFilter::around(std::size_t at) {
  const std::string_view text = text_;
  const std::size_t back = std::max(barrier_, at - std::min(at, kLookBehind));
  const std::size_t end = std::min(line_end(at), at + kLookAhead);
  const bool open = end < text.size() && text[end] != '\n';
  return {text.substr(back, at - back), text.substr(at, end - at), open, end == text.size()};
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
  // Behind a line of a key the end of that line waits: it is swallowed if the key goes on.
  if (mode_ != Mode::key_block || !block_.began()) show(at_, out);
}

void PatternFilter::read_text(std::size_t end, std::string& out) {
  const Place place = next_trigger(text_, at_, end);
  if (place.groups == 0) {
    at_ = end;
    return;
  }
  const Around near = around(place.at);
  if ((place.groups & kKeyBlockGroup) != 0) {
    if (const std::size_t header = end_of_key_header(near); header != 0) {
      at_ = place.at + header;
      mode_ = Mode::key_block;
      block_ = KeyBlock();
      return;
    }
  }
  findings_.clear();
  if ((place.groups & kNameGroups) != 0) find_assignment(near, findings_);
  if (findings_.empty() && (place.groups & kUrlGroup) != 0) find_url_secret(near, findings_);
  if (findings_.empty() && (place.groups & kCredentialGroup) != 0) find_bare_credential(near, findings_);
  if (findings_.empty() && (place.groups & kUserOptionGroup) != 0) find_user_option(near, findings_);
  if (findings_.empty() && (place.groups & kTokenGroups) != 0) find_known_token(near, findings_);
  at_ = place.at + 1;
  for (const Found& found : findings_) replace(found, place.at, out);
}

void PatternFilter::replace(const Found& found, std::size_t origin, std::string& out) {
  show(origin + found.begin, out);
  mark(found.kind, out);
  at_ = shown_ = barrier_ = origin + found.end;
  if (!found.goes_on) return;
  mode_ = Mode::secret;
  ending_ = found.ending;
  backslashes_ = 0;
  while (backslashes_ < found.end - found.begin && text_[at_ - 1 - backslashes_] == '\\') ++backslashes_;
}

void PatternFilter::read_secret(std::size_t end) {
  for (; at_ < end; ++at_) {
    const char c = text_[at_];
    const bool over = ending_.stop != nullptr ? ending_.stop->has(c) : ending_.quote.closes(c, backslashes_);
    if (over || c == '\n') {
      mode_ = Mode::text;
      break;
    }
    backslashes_ = c == '\\' ? backslashes_ + 1 : 0;
  }
  shown_ = barrier_ = at_;
}

void PatternFilter::read_key_block(std::string& out) {
  const Around near = around(at_);
  const bool began = block_.began();
  const KeyBlock::Piece piece = block_.judge(near.after, near.open);
  if (piece.verdict == KeyBlock::Verdict::over) {
    at_ += piece.from;
    mode_ = Mode::text;
    return;
  }
  if (piece.verdict == KeyBlock::Verdict::swallow) {
    if (!began) {
      show(at_ + piece.from, out);
      mark(Kind::private_key, out);
    }
    shown_ = barrier_ = at_ + piece.end;
  } else {
    show(at_ + piece.end, out);
  }
  at_ += piece.next;
  if (piece.next == near.after.size() && !near.open && at_ < text_.size()) ++at_;
}

void PatternFilter::mark(Kind kind, std::string& out) {
  out.append("[redacted:").append(name_of(kind)).append("]");
  ++counts_[std::string(name_of(kind))];
}

void PatternFilter::show(std::size_t end, std::string& out) {
  if (end <= shown_) return;
  out.append(text_, shown_, end - shown_);
  shown_ = end;
}

void PatternFilter::start_over() {
  text_.assign(1, '\n');
  at_ = shown_ = 1;
  barrier_ = 0;
  mode_ = Mode::text;
}

void PatternFilter::forget() {
  constexpr std::size_t kWorthIt = 4096;
  const std::size_t back = std::min(shown_, at_ - std::min(at_, kLookBehind));
  if (back < kWorthIt) return;
  text_.erase(0, back);
  at_ -= back;
  shown_ -= back;
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

Redactor::Redactor(const std::vector<std::string>& literals) : state_(std::make_unique<State>(literals)) {}
Redactor::Redactor(Redactor&&) noexcept = default;
Redactor& Redactor::operator=(Redactor&&) noexcept = default;
Redactor::~Redactor() = default;

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
