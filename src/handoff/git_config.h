// Reads the syntax of git's configuration files, as git does: sections, subsections, quotes,
// escapes, continued lines, comments. It never runs git and follows no include.
//
// The text is not trusted. A line that git would refuse is left out and noted; the next line is
// read again, so nothing after it is hidden.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bawn::handoff {

struct GitSetting {
  std::string section;     // in lower case
  std::string subsection;  // as written; "" if there is none
  std::string name;        // in lower case
  std::string value;       // "true" for a name without '='

  bool operator==(const GitSetting&) const = default;
};

struct GitConfig {
  std::vector<GitSetting> settings;  // in the order of the file
  bool complete = true;              // false if a line is malformed, or there are too many settings
};

inline constexpr std::size_t kMostGitSettings = 10'000;

[[nodiscard]] GitConfig read_git_config(std::string_view text);

// "filter.lfs.clean".
[[nodiscard]] std::string key_of(const GitSetting& setting);

}  // namespace bawn::handoff
