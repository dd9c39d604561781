// What is true of a system on every machine, before anything is tried. Probing (host/probe.h) starts from it; tests that ask
// what a policy means elsewhere use it as it is.
#pragma once

#include "host/facts.h"

namespace bawn {

[[nodiscard]] HostFacts linux_facts();
[[nodiscard]] HostFacts macos_facts();
[[nodiscard]] HostFacts windows_facts();

}  // namespace bawn
