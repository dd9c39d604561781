// The JSON that bawn prints, as tests look at it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bawn {

// The one line of JSON in `text`; anything else fails the test.
[[nodiscard]] nlohmann::json printed_json(std::string_view text);

// The value at a JSON pointer such as "/error/kind": a string as it is, anything else as JSON,
// "absent" if there is none.
[[nodiscard]] std::string at(const nlohmann::json& printed, const std::string& pointer);

}  // namespace bawn
