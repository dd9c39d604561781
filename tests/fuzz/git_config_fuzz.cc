// Any text as a configuration of git: it is read within its bounds, each setting comes from the
// text, and what is read does not depend on what precedes a header.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "handoff/git_config.h"
#include "handoff/git_key.h"

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bawn::handoff;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const GitConfig config = read_git_config(text);
  require(config.settings.size() <= kMostGitSettings);
  for (const GitSetting& setting : config.settings) {
    require(!setting.section.empty() && !setting.name.empty());
    require(setting.section.size() + setting.subsection.size() + setting.name.size() < size);
    require(setting.value == "true" || setting.value.size() <= size);
  }
  require(changed_git_keys(config, config).empty());
  // A header is read whatever stands before. The first line end may continue a line.
  const GitConfig longer = read_git_config(std::string(text) + "\n\n[alias]\nx=!id\n");
  if (longer.settings.size() < kMostGitSettings)
    require(longer.settings.back() == GitSetting{"alias", "", "x", "!id"});
  return 0;
}
