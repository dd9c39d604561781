// The other launchers: one row each, as near to what bawn does by default as their options permit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bench/field.h"
#include "bench/program_launcher.h"

namespace bawn::bench {

struct Peer {
  std::string_view name;
  std::string_view program;
  std::string_view isolation;
  // The command for a program found at `path`.
  Result<LaunchLine> (*command)(const std::string& path, const BenchSetup& setup);
};

[[nodiscard]] std::span<const Peer> peers();

// What the command needs to see besides /usr and the workspace: itself, or nothing.
[[nodiscard]] std::vector<std::string> extra_files(const BenchSetup& setup);

}  // namespace bawn::bench
