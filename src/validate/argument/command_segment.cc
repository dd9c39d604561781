#include "validate/argument/command_segment.h"

#include <algorithm>

#include "validate/argument/argument_kind.h"
#include "validate/program/launcher.h"
#include "validate/shell/shell_words.h"

namespace bawn {
namespace {

constexpr std::size_t kMostSegments = 64;

// An inner command has kUnknownByte for text that is not known yet, such as find's {}.
bool is_same_word(const std::string& given, const std::string& read) {
  return given == read || read.find(kUnknownByte) != std::string::npos;
}

void add_inner(const CommandSegment& outer, std::span<const std::string> words,
               std::vector<CommandSegment>& segments) {
  const auto args = words.subspan(outer.first, outer.count);
  const auto launch = read_launch(system_program(outer.command), args);
  if (!launch) return;
  for (const InnerCommand& inner : launch->commands) {
    // Takes the last occurrence: an equal sequence before it belongs to the launcher itself.
    const auto found = std::find_end(args.begin(), args.end(), inner.words.begin(),
                                     inner.words.end(), is_same_word);
    if (found == args.end()) continue;
    const auto at = outer.first + static_cast<std::size_t>(found - args.begin());
    segments.push_back({words[at], at + 1, inner.words.size() - 1});
  }
}

}  // namespace

std::vector<CommandSegment> command_segments(std::string_view command,
                                             std::span<const std::string> words) {
  std::vector<CommandSegment> segments{{command, 0, words.size()}};
  // An inner segment is shorter than its outer one, so the loop ends. The cap only bounds the work.
  for (std::size_t i = 0; i < segments.size() && segments.size() < kMostSegments; ++i) {
    add_inner(CommandSegment(segments[i]), words, segments);
  }
  return segments;
}

}  // namespace bawn
