// Characters that are invisible or that a terminal obeys, and how bawn shows each of them. For
// tests of every place that prints a name or captured output.
#pragma once

#include <array>
#include <string_view>

namespace bawn {

struct UnseenCase {
  std::string_view text;
  std::string_view shown;
};

inline constexpr std::array kUnseenCases{
    // bidirectional
    UnseenCase{"\u202a", "\\u202a"},
    UnseenCase{"\u202b", "\\u202b"},
    UnseenCase{"\u202c", "\\u202c"},
    UnseenCase{"\u202d", "\\u202d"},
    UnseenCase{"\u202e", "\\u202e"},
    UnseenCase{"\u2066", "\\u2066"},
    UnseenCase{"\u2067", "\\u2067"},
    UnseenCase{"\u2068", "\\u2068"},
    UnseenCase{"\u2069", "\\u2069"},
    UnseenCase{"\u200e", "\\u200e"},
    UnseenCase{"\u200f", "\\u200f"},
    UnseenCase{"\u061c", "\\u061c"},
    // zero width
    UnseenCase{"\u200b", "\\u200b"},
    UnseenCase{"\u200c", "\\u200c"},
    UnseenCase{"\u200d", "\\u200d"},
    UnseenCase{"\u2060", "\\u2060"},
    UnseenCase{"\u2061", "\\u2061"},
    UnseenCase{"\u2064", "\\u2064"},
    UnseenCase{"\u2065", "\\u2065"},
    UnseenCase{"\u206f", "\\u206f"},
    UnseenCase{"\ufeff", "\\ufeff"},
    UnseenCase{"\u00ad", "\\u00ad"},
    UnseenCase{"\u034f", "\\u034f"},
    UnseenCase{"\u180e", "\\u180e"},
    UnseenCase{"\u180b", "\\u180b"},
    UnseenCase{"\ufe00", "\\ufe00"},
    UnseenCase{"\ufe0f", "\\ufe0f"},
    // tags, and variation selectors that stand behind them
    UnseenCase{"\U000e0000", "\\U000e0000"},
    UnseenCase{"\U000e0001", "\\U000e0001"},
    UnseenCase{"\U000e0041", "\\U000e0041"},
    UnseenCase{"\U000e007f", "\\U000e007f"},
    UnseenCase{"\U000e0100", "\\U000e0100"},
    UnseenCase{"\U000e01ef", "\\U000e01ef"},
    UnseenCase{"\U000e0fff", "\\U000e0fff"},
    // separators of lines and annotations
    UnseenCase{"\u2028", "\\u2028"},
    UnseenCase{"\u2029", "\\u2029"},
    UnseenCase{"\ufff9", "\\ufff9"},
    UnseenCase{"\ufffa", "\\ufffa"},
    UnseenCase{"\ufffb", "\\ufffb"},
    // fillers
    UnseenCase{"\u115f", "\\u115f"},
    UnseenCase{"\u1160", "\\u1160"},
    UnseenCase{"\u17b4", "\\u17b4"},
    UnseenCase{"\u3164", "\\u3164"},
    UnseenCase{"\u2800", "\\u2800"},
    UnseenCase{"\U00013430", "\\U00013430"},
    UnseenCase{"\U00013440", "\\U00013440"},
    UnseenCase{"\U00016fe4", "\\U00016fe4"},
    UnseenCase{"\U0001d159", "\\U0001d159"},
    UnseenCase{"\uffa0", "\\uffa0"},
    UnseenCase{"\U0001bca0", "\\U0001bca0"},
    UnseenCase{"\U0001d173", "\\U0001d173"},
    // noncharacters
    UnseenCase{"\ufdd0", "\\ufdd0"},
    UnseenCase{"\uffff", "\\uffff"},
    UnseenCase{"\U0010ffff", "\\U0010ffff"},
    // controls that only some terminals obey
    UnseenCase{"\u0080", "\\u0080"},
    UnseenCase{"\u009b", "\\u009b"},
    UnseenCase{"\u009d", "\\u009d"},
    UnseenCase{"\x7f", "\\x7f"},
    UnseenCase{"\x1b", "\\x1b"},
};

}  // namespace bawn
