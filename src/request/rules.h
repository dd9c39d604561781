// The rules that every Request must obey, whatever form it came in.
//
// One list serves both parse_request, which knows the position of a value in the text, and
// check_request, which does not. So a broken rule names a field, and the caller turns that into a
// path and a position. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "request/request.h"

namespace bawn {

// A field by its JSON name, and optionally one element or key in it. Borrows from the Request.
struct RequestPlace {
  std::string_view field;
  std::optional<std::size_t> element = std::nullopt;
  std::optional<std::string_view> key = std::nullopt;
};

// "command", "args[3]", "env.HOME", "env['not a name']".
[[nodiscard]] std::string to_path(const RequestPlace& place);

// Valid as long as the Request is.
struct BrokenRule {
  RequestPlace place;
  std::string message;
  std::string hint;
};

// Empty if the request is valid; usually one entry for each wrong value.
[[nodiscard]] std::vector<BrokenRule> broken_rules(const Request& request, RequestSource source);

// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool is_environment_name(std::string_view key);

}  // namespace bawn
