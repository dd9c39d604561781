// Checks after a run, for what cannot be known before; the results go into the outcome.
//
// Call when no process of the run is alive, before the outcome is returned.
#pragma once

#include <string>

#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

// Marks a layer of the receipt as absent, because the end of the run showed that it did not hold.
// `reason` replaces the evidence.
void admit(Outcome& outcome, const std::string& layer, std::string reason);

// Adds a violation for each protected name that did not exist before the run and exists now. It
// could not be protected without creating something in the workspace.
void report_created(const Plan& plan, const PathLookup& lookup, Outcome& outcome);

}  // namespace bawn
