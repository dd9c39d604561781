// The rules that every Request must keep, whatever form it came in.
//
// One list serves both parse_request, which knows where a value stands in the text, and
// check_request, which does not: a broken rule names its place by field, and the caller turns that
// into a path and a position.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "request/request.h"

namespace bawn {

// A field by its JSON name, and within it one element or one key. Borrows from the Request it is
// about.
struct RequestPlace {
  std::string_view field;
  std::optional<std::size_t> element = std::nullopt;
  std::optional<std::string_view> key = std::nullopt;
};

// "command", "args[3]", "env.HOME", "env['not a name']".
[[nodiscard]] std::string to_path(const RequestPlace& place);

struct BrokenRule {
  RequestPlace place;
  std::string message;
  std::string hint;
};

[[nodiscard]] std::vector<BrokenRule> broken_rules(const Request& request, RequestSource source);

// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool is_environment_name(std::string_view key);

}  // namespace bawn
