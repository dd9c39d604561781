// Evidence as prose, for people. All of its words are in one table, in evidence_text.cc.
//
// The table is also the closed set of what the fields of a layer may say: a field that the table
// does not know is a mistake of the code that made it. The texts are not safe for a terminal; the
// caller makes them visible.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "outcome/evidence.h"

namespace bawn {

// What one field says, with the separator before it: "; oom_kill 2". It is "" if the other fields
// say enough, and none if the table does not know the field, or its value, in this layer.
[[nodiscard]] std::optional<std::string> field_text(std::string_view layer,
                                                    const EvidenceField& field);

// "ABI 6, 3 grants; open of '/' gives EACCES". A field that the table does not know is given by its
// name and value, so that nothing is lost.
[[nodiscard]] std::string evidence_text(std::string_view layer, const Evidence& evidence);

}  // namespace bawn
