// The launchers of a measurement: posix_spawn, the kernel's own cost of namespaces and of a root,
// bawn in its forms, and the other sandbox launchers found on this machine.
//
// Each launcher is tried once before it is admitted. One that is installed but does not work is
// listed with its error message, so that a table never looks complete when it is not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/spawn/launcher.h"
#include "policy/tier.h"

namespace bawn::bench {

// Every figure is reported as a multiple of kBaseline and of kRival.
inline constexpr std::string_view kBaseline = "posix_spawn";
// bwrap with the shortest command line for a program in /usr.
inline constexpr std::string_view kRival = "bwrap";
inline constexpr std::string_view kRivalSameView = "bwrap, bawn's view";
// The kernel's own cost: of the namespaces, and of what bawn's command sees in them.
inline constexpr std::string_view kFloor = "namespaces alone";
inline constexpr std::string_view kFloorSameView = "namespaces, bawn's view";
inline constexpr std::string_view kBawnCold = "bawn run";
inline constexpr std::string_view kBawnLibrary = "bawn::run";
inline constexpr std::string_view kBawnLibraryLarge = "bawn::run, 1 GiB caller";

struct BenchSetup {
  std::string bawn;          // path of the bawn program to measure
  std::optional<Tier> tier;  // empty: c if it works here, else b
  std::string command;       // absolute, without symbolic links
  std::string workspace;     // absolute, without symbolic links
  std::string search_path;   // directories separated by ':'
  // Resident memory of the large caller of the library. Its name says 1 GiB; tests use less.
  std::size_t large_caller_bytes = std::size_t{1} << 30;
};

// A launcher that does not take part, and why.
struct LeftOut {
  std::string name;
  std::string reason;
  bool operator==(const LeftOut&) const = default;
};

// The admitted launchers in their order, and those that were left out.
struct Field {
  std::string command;
  Tier tier = Tier::c;
  std::vector<std::unique_ptr<Launcher>> launchers;
  std::vector<LeftOut> left_out;
};

// An error only if the command itself does not run. Sets PATH and forks: the process must have one
// thread.
[[nodiscard]] Result<Field> assemble_field(const BenchSetup& setup);

// The program that `search_path` leads to, or "". Relative directories are skipped.
[[nodiscard]] std::string find_program(std::string_view name, std::string_view search_path);

}  // namespace bawn::bench
