// Decodes the reports that init sends to bawn.
//
// Init owns the command's processes and stands nearest to them; if the command takes it over, its
// reports are the way to bawn. So bawn uses a report only after this check: it has the right size,
// each enum names something, each bool is 0 or 1, and a wait status is one that its kind can have.
// What a report says is still init's word; the check makes it safe to read, not true.
#pragma once

#include <optional>
#include <string_view>

#include "backend/linux/wire/messages.h"

namespace bawn::linux_ {

// `bytes` is one datagram. No value: it is malformed. Pure.
[[nodiscard]] std::optional<init::Report> decode_report(std::string_view bytes);

}  // namespace bawn::linux_
