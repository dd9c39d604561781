#include "capture/redaction/key_block.h"

#include <algorithm>

#include "capture/redaction/rule.h"

namespace bawn::redaction {
namespace {

constexpr CharSet kDash("-");
constexpr CharSet kLabel("A-Z0-9 ");
constexpr std::size_t kFullLine = 24;
constexpr std::size_t kLongestEnd = 16;

constexpr std::string_view kHeaders[] = {
#define BAWN_KEY_HEADER(name, ...) name,
#include "capture/redaction/rule.inc"
};

// A piece ends at the end of the line, or at `\n` or `\r` in an escaped string.
std::size_t end_of_piece(std::string_view text) {
  for (std::size_t at = text.find('\\'); at != std::string_view::npos;
       at = text.find('\\', at + 1)) {
    if (at + 1 < text.size() && (text[at + 1] == 'n' || text[at + 1] == 'r')) return at;
  }
  return text.size();
}

// The length of `word`, the label of a private key and dashes; 0 if `text` starts with something
// else.
std::size_t key_label_length(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return 0;
  const std::string_view label = text.substr(word.size(), 64);
  const std::size_t size = run_of(label, kLabel);
  if (label.substr(0, size).find("PRIVATE KEY") == std::string_view::npos) return 0;
  if (!label.substr(size).starts_with("----")) return 0;
  return word.size() + size + run_of(label.substr(size), kDash);
}

bool has_header(std::string_view text) {
  while (!text.empty() && !is_letter(text[0])) text.remove_prefix(1);
  return std::any_of(std::begin(kHeaders), std::end(kHeaders),
                     [&](auto header) { return starts_with_folded(text, header); });
}

bool is_bare(std::string_view piece, const Run& run) {
  const auto decoration = [](char c) { return kDecoration.has(c); };
  const std::string_view before = piece.substr(0, run.begin);
  const std::string_view behind = piece.substr(run.begin + run.size);
  return std::all_of(before.begin(), before.end(), decoration) &&
         std::all_of(behind.begin(), behind.end(), decoration);
}

}  // namespace

Run longest_run(std::string_view text) {
  Run best;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t size = run_of(text.substr(at), kBase64);
    if (size > best.size) best = {at, size};
    at += size;
  }
  return best;
}

bool is_convincing(std::string_view run) {
  return std::any_of(run.begin(), run.end(), is_digit) &&
         std::any_of(run.begin(), run.end(), is_upper) &&
         std::any_of(run.begin(), run.end(), is_lower);
}

KeyBlock::Piece KeyBlock::judge(std::string_view text, bool open) {
  Piece piece;
  const std::string_view line = text.substr(0, end_of_piece(text));
  const std::size_t dashes =
      std::min({line.find("-----END"), line.find("---- END"), line.find("-----BEGIN")});
  std::size_t end = std::min(line.size(), dashes);
  const bool at_end = end == dashes && end < text.size();
  const bool cut = open && end == text.size();
  // An END that starts in the last bytes may be incomplete; leave these bytes to the next piece.
  if (cut) end -= std::min(end, kLongestEnd);
  piece.end = end;
  piece.next = end < text.size() && !cut && !at_end ? end + 2 : end;

  const std::string_view shown = text.substr(0, end);
  const Run run = longest_run(shown);
  const bool full =
      run.size >= kFullLine && (began_ || is_convincing(shown.substr(run.begin, run.size)));
  const bool last = began_ && run.size != 0 && is_bare(shown, run) &&
                    (!saw_short_line_ || shown[run.begin] == '=' || at_end);
  if (full || last || (continues_ && run.size != 0)) {
    saw_short_line_ = saw_short_line_ || (!full && !continues_);
    piece.kind = PieceKind::swallow;
    piece.from = began_ ? 0 : run.begin;
    began_ = true;
    continues_ = cut;
  } else if (at_end) {
    piece.kind = PieceKind::over;
    piece.from = end;
  } else if (run.size == 0 || (!began_ && has_header(shown))) {
    piece.kind = PieceKind::pass;
    continues_ = false;
  }
  return piece;
}

std::size_t end_of_key_header(const Around& around) {
  if (!around.before.ends_with("-----") && !around.before.ends_with("---- ")) return 0;
  return key_label_length(around.after, "BEGIN ");
}

bool is_key_end(const Around& around) {
  return around.before.ends_with("----") && key_label_length(around.after, "-END ") != 0;
}

}  // namespace bawn::redaction
