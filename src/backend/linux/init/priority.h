// Takes away the priority over other processes that a command would inherit from bawn's caller.
//
// These are: a real-time scheduling class, the real-time I/O class, a negative nice value, the
// rlimits that allow to get these back (RLIMIT_RTPRIO, RLIMIT_NICE), and a negative oom_score_adj.
// A lower priority than normal is harmless and stays.
#pragma once

namespace bawn::init {

// Acts on the calling thread and process; children inherit the result. Reads every change back.
// Returns 0 or a negative errno; after an error some of the changes may have been made.
//
// Needs a /proc that shows this process. Call it before PR_SET_DUMPABLE 0: after that the process's
// files in /proc belong to root, and oom_score_adj cannot be written.
[[nodiscard]] long give_up_priority();

}  // namespace bawn::init
