// Everybody who takes part in a measurement: plain posix_spawn, what the kernel alone takes for
// namespaces and a root, bawn in its forms, and the other sandbox launchers that are found on this
// machine.
//
// Each is tried once before it is admitted. One that is there but does not work is listed with its
// own words, so that a table never looks complete when it is not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/launcher.h"
#include "policy/policy.h"

namespace bawn::bench {

// Every figure is told as a multiple of these two.
inline constexpr std::string_view kBaseline = "posix_spawn";
inline constexpr std::string_view kRival =
    "bwrap";  // as short as it can be called for a program in /usr
inline constexpr std::string_view kRivalSameView = "bwrap, bawn's view";
// What the kernel alone takes: for the namespaces, and for what bawn's command sees in them.
inline constexpr std::string_view kFloor = "namespaces alone";
inline constexpr std::string_view kFloorSameView = "namespaces, bawn's view";
inline constexpr std::string_view kBawnCold = "bawn run";
inline constexpr std::string_view kBawnLibrary = "bawn::run";
inline constexpr std::string_view kBawnLibraryLarge = "bawn::run, 1 GiB caller";

struct BenchSetup {
  std::string bawn;          // the program to measure
  std::optional<Tier> tier;  // empty: c if it works here, else b
  std::string command;       // absolute, without symbolic links
  std::string workspace;     // the same
  std::string search_path;   // as in PATH
  // What the large caller of the library holds. Its name says 1 GiB: less is for tests.
  std::size_t large_caller_bytes = std::size_t{1} << 30;
};

struct LeftOut {
  std::string name;
  std::string reason;
  bool operator==(const LeftOut&) const = default;
};

struct Field {
  std::string command;
  Tier tier = Tier::c;
  std::vector<std::unique_ptr<Launcher>> launchers;
  std::vector<LeftOut> left_out;
};

// An error only if the command itself does not run. Sets PATH, and forks: this process must have
// one thread only.
[[nodiscard]] Result<Field> assemble_field(const BenchSetup& setup);

// The program that PATH means, or "". Relative directories are skipped.
[[nodiscard]] std::string find_program(std::string_view name, std::string_view search_path);

}  // namespace bawn::bench
