// What only the end of a run shows, said in its outcome.
#pragma once

#include <string>

#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

// A protection that was promised, and that the end has shown to be less: its line says so from now
// on.
void admit(Outcome& outcome, const std::string& layer, std::string evidence);

// What did not exist could not be protected without leaving something in the workspace.
void report_created(const Plan& plan, const PathLookup& lookup, Outcome& outcome);

}  // namespace bawn
