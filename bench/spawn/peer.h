// The other sandbox launchers, one row each, configured as closely to bawn's defaults as their
// options permit.
//
// Only describes command lines; bench/spawn/field.h finds the programs and tries them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bench/spawn/field.h"
#include "bench/spawn/program_launcher.h"

namespace bawn::bench {

// One launcher. The views refer to string constants.
struct Peer {
  std::string_view name;
  std::string_view program;
  std::string_view isolation;
  // Makes the command line for the launcher at `path`.
  Result<LaunchLine> (*command)(const std::string& path, const BenchSetup& setup);
};

[[nodiscard]] std::span<const Peer> peers();

// Files that the command needs beside /usr and the workspace: itself, or none.
[[nodiscard]] std::vector<std::string> extra_files(const BenchSetup& setup);

}  // namespace bawn::bench
