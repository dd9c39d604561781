// Reads the JSON that bawn prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bawn {

// Parses `text`. Fails the test unless it is one line that holds one JSON object.
[[nodiscard]] nlohmann::json printed_json(std::string_view text);

// The value at a JSON pointer such as "/error/kind": a string as it is, any other value as JSON,
// "absent" if there is none.
[[nodiscard]] std::string at(const nlohmann::json& printed, const std::string& pointer);

}  // namespace bawn
