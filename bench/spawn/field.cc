#include "bench/spawn/field.h"

#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "bench/spawn/bare_namespaces.h"
#include "bench/spawn/library_launcher.h"
#include "bench/spawn/peer.h"
#include "bench/spawn/program_launcher.h"
#include "policy/preset.h"
#include "policy/text/names.h"

namespace bawn::bench {
namespace {

using Made = Result<std::unique_ptr<Launcher>>;

std::string describe_tier(Tier tier) { return concat("preset workspace, tier ", to_string(tier)); }

std::unique_ptr<Launcher> program(std::string_view name, std::string_view isolation,
                                  LaunchLine command) {
  return std::make_unique<ProgramLauncher>(std::string(name), std::string(isolation),
                                           std::move(command));
}

Made baseline(const BenchSetup& setup) {
  return program(kBaseline, "no sandbox", LaunchLine{.argv = {setup.command}});
}

Made bawn_cold(const BenchSetup& setup, Tier tier) {
  LaunchLine command{
      .argv = {setup.bawn, "run", "--tier", std::string(to_string(tier)), "--workspace", "."}};
  for (const std::string& file : extra_files(setup)) {
    command.argv.emplace_back("--ro");
    command.argv.push_back(file);
  }
  command.argv.emplace_back("--");
  command.argv.push_back(setup.command);
  return program(kBawnCold, describe_tier(tier), std::move(command));
}

// Enforces the same as `bawn run --tier X`, without starting a program.
Made bawn_library(std::string_view name, const BenchSetup& setup, Tier tier,
                  std::size_t resident_bytes) {
  Policy policy = preset("workspace").value();
  policy.tier = {.use = tier == Tier::b ? TierChoice::b : TierChoice::c, .floor = tier};
  for (const std::string& file : extra_files(setup)) policy.filesystem.read.emplace_back(file);
  const LibraryCall call{.policy = std::move(policy),
                         .request = {.command = setup.command},
                         .workspace = setup.workspace,
                         .resident_bytes = resident_bytes};
  return LibraryLauncher::create(std::string(name), describe_tier(tier), call);
}

Made bare_namespaces(const BenchSetup& setup) {
  return LibraryLauncher::create(
      std::string(kFloor), "all namespaces and nothing else, by clone",
      [&] { return run_in_bare_namespaces(setup.command); }, 0);
}

Made bare_view(const BenchSetup& setup) {
  return LibraryLauncher::create(
      std::string(kFloorSameView), "all namespaces, bawn's system, settings and filter, unchecked",
      [program = setup.command, root = plan_bare_root(setup.workspace, extra_files(setup))] {
        return run_in_bare_namespaces(program, &root);
      },
      0);
}

Made peer_launcher(const Peer& peer, const std::string& path, const BenchSetup& setup) {
  BAWN_ASSIGN(LaunchLine command, peer.command(path, setup));
  return program(peer.name, peer.isolation, std::move(command));
}

Result<void> tried(const Made& made) {
  if (!made) return made.error();
  return made.value()->try_once();
}

bool admit(Field& field, std::string_view name, Made made) {
  if (const auto works = tried(made); !works) {
    field.left_out.push_back(
        {std::string(name), concat("found, but failed: ", works.error().message)});
    return false;
  }
  field.launchers.push_back(std::move(made).value());
  return true;
}

void admit_bawn_cold(Field& field, const BenchSetup& setup) {
  const std::string named = concat(kBawnCold, " --tier ");
  for (const Tier tier : {Tier::c, Tier::b}) {
    if (setup.tier && *setup.tier != tier) continue;
    field.tier = tier;
    if (admit(field, concat(named, to_string(tier)), bawn_cold(setup, tier))) return;
  }
}

}  // namespace

std::string find_program(std::string_view name, std::string_view search_path) {
  for (const std::string_view directory : split(search_path, ':')) {
    std::string path = concat(directory, "/", name);
    if (directory.starts_with('/') && access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

Result<Field> assemble_field(const BenchSetup& setup) {
  // If PATH leads below the home, bawn shows the tools there. No other launcher does that work, so
  // PATH is set to system directories.
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);  // NOLINT(concurrency-mt-unsafe): there is one
  Field field{.command = setup.command};
  Made plain = baseline(setup);
  if (const auto works = tried(plain); !works)
    return works.error().within(concat("the command ", quote(setup.command)));
  field.launchers.push_back(std::move(plain).value());
  admit_bawn_cold(field, setup);
  admit(field, kBawnLibrary, bawn_library(kBawnLibrary, setup, field.tier, 0));
  admit(field, kBawnLibraryLarge,
        bawn_library(kBawnLibraryLarge, setup, field.tier, setup.large_caller_bytes));
  if (field.tier == Tier::c) {
    admit(field, kFloor, bare_namespaces(setup));
    admit(field, kFloorSameView, bare_view(setup));
  }
  for (const Peer& peer : peers()) {
    const std::string path = find_program(peer.program, setup.search_path);
    if (!path.empty()) admit(field, peer.name, peer_launcher(peer, path, setup));
  }
  return field;
}

}  // namespace bawn::bench
