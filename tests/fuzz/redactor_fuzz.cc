// Properties of redaction and of captured text that hold for every stream.
//
// The first byte seeds the cutting into chunks, the second says how many of the following bytes are
// a literal secret, the rest is the stream.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "capture/captured_text.h"
#include "capture/redaction/clear_text.h"
#include "capture/redaction/literal.h"
#include "capture/redactor.h"

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

struct Redacted {
  std::string text;
  std::map<std::string, std::uint64_t> counts;
};

Redacted redact(std::string_view stream, const std::vector<std::string>& literals,
                std::uint32_t seed) {
  bawn::Redactor redactor(literals);
  Redacted out;
  while (!stream.empty()) {
    seed = seed * 1664525U + 1013904223U;
    const std::size_t size = std::min<std::size_t>(stream.size(), 1 + (seed >> 24));
    redactor.feed(stream.substr(0, size), out.text);
    require(redactor.held() <= bawn::Redactor::kMaxHeld);
    stream.remove_prefix(size);
  }
  redactor.finish(out.text);
  require(redactor.held() == 0);
  out.counts = redactor.counts();
  return out;
}

Redacted redact_at_once(std::string_view stream, const std::vector<std::string>& literals) {
  bawn::Redactor redactor(literals);
  Redacted out;
  redactor.feed(stream, out.text);
  redactor.finish(out.text);
  out.counts = redactor.counts();
  return out;
}

// The literal must not be readable in the output, within a line or across lines. This skips
// literals that hold a terminal sequence, or hardly anything but newlines.
void check_literal(const std::string& literal, std::string_view text) {
  using bawn::redaction::Breaks;
  using bawn::redaction::clear;
  if (clear(literal, Breaks::kept) != literal || clear(literal, Breaks::set_aside).size() < 4)
    return;
  require(clear(text, Breaks::kept).find(literal) == std::string_view::npos);
  require(!redact_at_once(text, {literal}).counts.contains("literal"));
  if (literal.size() < bawn::redaction::kLongLiteral) return;
  require(clear(text, Breaks::set_aside).find(clear(literal, Breaks::set_aside)) ==
          std::string_view::npos);
  for (const std::string& spelling : bawn::redaction::spellings(literal))
    require(clear(text, Breaks::set_aside).find(spelling) == std::string_view::npos);
}

// A literal that could be part of a marker, or overlap one, may appear in the output.
bool cannot_be_in_a_marker(std::string_view literal) {
  constexpr std::string_view kMarkers =
      "redacted:url_userinfo redacted:url_parameter redacted:url_path redacted:authorization "
      "redacted:assignment redacted:private_key redacted:token redacted:literal";
  return literal.find_first_of("[]") == std::string_view::npos &&
         kMarkers.find(literal) == std::string_view::npos;
}

bool is_printable_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = bawn::utf8_sequence_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0 || first == 0x1b || first == 0x7f || first == 0x08) return false;
    text.remove_prefix(length);
  }
  return true;
}

void check_record(std::string_view captured, bawn::StreamEnd end) {
  const bawn::CapturedText record = bawn::make_captured_text(captured, end);
  require(is_printable_utf8(record.data));
  if (record.base64) require(record.data == bawn::base64(captured));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::string_view stream(reinterpret_cast<const char*>(data), size);
  const std::uint32_t seed = data[0];
  const std::string literal(stream.substr(2, data[1] % 16));
  stream.remove_prefix(2);
  const std::vector<std::string> literals{literal};

  const Redacted once = redact_at_once(stream, literals);
  const Redacted chunked = redact(stream, literals, seed);
  require(chunked.text == once.text && chunked.counts == once.counts);
  if (literal.size() >= 4 && cannot_be_in_a_marker(literal)) {
    check_literal(literal, once.text);
  }
  check_record(stream, bawn::StreamEnd::whole);
  check_record(stream, bawn::StreamEnd::cut);
  check_record(once.text, bawn::StreamEnd::cut);
  return 0;
}
