// Tells whether the command may write to a host file by opening a guest path.
//
// stdio routing uses it: such a file may be handed over as it is (plan/stdio_route.h). It does not
// read the host.
#pragma once

#include <string_view>

#include "plan/plan.h"

namespace bawn {

// `path` is a canonical host path. Considers mounts and Landlock rules; file modes are ignored.
[[nodiscard]] bool may_write(const Plan& plan, std::string_view path);

// The host user who writes when the command writes to `path`: on an idmapped mount its owner.
[[nodiscard]] std::uint32_t writing_user(const NamespacesPlan& namespaces, std::string_view path);

}  // namespace bawn
