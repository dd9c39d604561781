// bawn as a library: one call runs one command in its sandbox and returns one outcome. A program
// with an event loop of its own uses Run instead.
//
//   #include <bawn/bawn.h>
//   bawn::Request request{.command = "git", .args = {"status"}};
//   bawn::Outcome outcome =
//       bawn::run(*bawn::preset("agent"), request, {.workspace = "/srv/checkout"});
//
// May be called from any thread of any program, also concurrently. It installs no signal handler,
// keeps no global state, never exits, and leaves no descriptor behind. It leaves no process or file
// behind, with two exceptions: on Linux, an init that still waits for an unkillable process or
// deletes a large directory; on macOS, processes that cannot be found
// (backend/posix/process_tree.h). On Linux it does not fork the caller's memory.
#pragma once

#include "api/run.h"
#include "api/run_options.h"
#include "outcome/outcome.h"
#include "policy/egress_host.h"
#include "policy/policy.h"
#include "policy/policy_check.h"
#include "policy/preset.h"
#include "policy/sourced_policy.h"
#include "policy/text/policy_json.h"
#include "request/request.h"
