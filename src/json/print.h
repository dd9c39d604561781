// JSON text for a reader: a person at a terminal, or a model behind a parser. Every string in it,
// also the name of a member, is made visible (base/visible.h) before it is written, so that parsing
// brings nothing back that is not seen.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bawn::json {

// One line, without its end.
[[nodiscard]] std::string visible_json(const nlohmann::ordered_json& value);

}  // namespace bawn::json
