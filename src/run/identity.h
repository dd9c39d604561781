// What is new with every run: its id, and the name of its private directory.
#pragma once

#include <array>

#include "plan/plan.h"
#include "request/request.h"

namespace bawn {

// That nobody can predict.
using RandomBytes = std::array<unsigned char, 10>;

[[nodiscard]] RunIdentity fresh_identity(const Request& request, const RandomBytes& random);

// For a plan that nobody will run: what is new with every run stands there as a word that says so.
[[nodiscard]] RunIdentity unnamed_identity(const Request& request);

}  // namespace bawn
