#include "handoff/link_target.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "validate/scope.h"

namespace bawn::handoff {

bool leads_out(std::string_view target, std::string_view directory, std::string_view root) {
  std::size_t above = 0;  // directories between the root and the place of the link
  if (!target.starts_with('/')) {
    const auto parts = split(directory, '/');
    above = static_cast<std::size_t>(
        std::ranges::count_if(parts, [](std::string_view part) { return !part.empty(); }));
  } else if (path_is_within(target, root)) {
    target.remove_prefix(root.size());
  } else {
    return true;
  }
  bool has_name = false;
  for (const std::string_view part : split(target, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      has_name = true;
    } else if (has_name || above-- == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace bawn::handoff
