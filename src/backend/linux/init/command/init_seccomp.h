// Init's seccomp filter, for an init in namespaces after its command has started.
//
// From then on pid 1 only waits, kills, reaps, counts and reports; the filter allows the system
// calls for that and refuses all others with EPERM. This limits what an attacker gains who takes
// over init. The command's filter is another one (ExecMessage::filter).
#pragma once

namespace bawn::init {

// Sets no_new_privs and installs the filter; neither can be undone. Then checks that a call which
// the filter must refuse is refused. 0 or a negative errno; after an error the filter may or may
// not be in force, so the caller must exit.
[[nodiscard]] long confine_init();

}  // namespace bawn::init
