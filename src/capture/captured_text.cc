#include "capture/captured_text.h"

#include <algorithm>

#include "base/text.h"
#include "base/visible.h"

namespace bawn {
namespace {

// The length (0 to 3) of an incomplete character at the end.
std::size_t cut_off_tail(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const std::string_view tail = text.substr(text.size() - back);
    const auto lead = static_cast<unsigned char>(tail[0]);
    if ((lead & 0xc0) == 0x80) continue;
    if (lead < 0xc2 || utf8_sequence_length(tail) != 0) return 0;
    // The character is incomplete, and not malformed, if some continuation completes it.
    for (const std::string_view rest :
         {"\x80", "\x80\x80", "\x80\x80\x80", "\xbf", "\xbf\xbf", "\xbf\xbf\xbf"}) {
      if (utf8_sequence_length(concat(tail, rest)) == back + rest.size()) return back;
    }
    return 0;
  }
  return 0;
}

}  // namespace

CapturedText make_captured_text(std::string_view captured, StreamEnd end) {
  const std::string_view text = end == StreamEnd::cut
                                    ? captured.substr(0, captured.size() - cut_off_tail(captured))
                                    : captured;
  if (auto shown = visible_utf8(text)) return {*std::move(shown), false};
  return {base64(captured), true};
}

}  // namespace bawn
