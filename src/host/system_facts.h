// Facts that hold on every machine with this operating system, before anything is probed.
//
// Probing (host/probe.h) starts from them. Tests use them to ask what a policy means on another
// system.
#pragma once

#include "host/facts.h"

namespace bawn {

// Pure. Available on every system, whichever it is built for.
[[nodiscard]] HostFacts linux_facts();
[[nodiscard]] HostFacts macos_facts();
[[nodiscard]] HostFacts windows_facts();

}  // namespace bawn
