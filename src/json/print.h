// JSON text for a person at a terminal or a model behind a parser.
//
// Every string and every member name is made visible (base/visible.h) before it is written. A
// parser therefore gets back no character that is invisible or controls a terminal. Not for data
// that must survive a round trip: escaping changes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bawn::json {

// One line without a newline at the end. Two member names that look the same after escaping become
// one member; the last value wins.
[[nodiscard]] std::string visible_json(const nlohmann::ordered_json& value);

}  // namespace bawn::json
