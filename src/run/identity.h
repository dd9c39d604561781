// Makes the values that are new in every run: its id, and the name of its private directory.
//
// Pure except for the clock. The caller supplies the random bytes, so tests are repeatable.
#pragma once

#include <array>

#include "plan/plan.h"
#include "request/request.h"

namespace bawn {

// Unpredictable bytes, from the system's random source.
using RandomBytes = std::array<unsigned char, 10>;

// The id is the request's, if it has one. The private name always contains random bytes.
[[nodiscard]] RunIdentity fresh_identity(const Request& request, const RandomBytes& random);

// For a plan that is only shown: generated parts are the word "<run-id>".
[[nodiscard]] RunIdentity unnamed_identity(const Request& request);

}  // namespace bawn
