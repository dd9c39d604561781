// The /proc of a command that is pid 1 of a nested pid namespace.
//
// A procfs belongs to the pid namespace of the process that mounts it, so init cannot mount this
// one: it is outside the nested namespace. The command's process mounts it before its other steps,
// in the finished root. Init's /proc must still be there at that moment, because the kernel gives
// an unprivileged process a new procfs only if a fully visible one is already mounted. Then init's
// /proc is unmounted. Init holds it open and still finds the run's processes through it.
#pragma once

#include "backend/linux/wire/decode.h"

namespace bawn::init {

// Repeats the setup message's mounts at and below /proc, then checks that the new /proc shows this
// process as pid 1 of a new pid namespace. Does nothing if the kernel refused init a procfs
// (readback.fresh_proc); then the namespace's inode is reported as 0. Returns 0 or a negative
// errno, and in `op` the index of the mount that failed. A failure leaves /proc half replaced; the
// process must exit.
[[nodiscard]] long exchange_proc(const Setup& setup, const Exec& exec, Readback& readback,
                                 std::int32_t& op);

}  // namespace bawn::init
