// Launchers that start real programs, and launchers that call the library.

#include "bench/spawn/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "bench/spawn/bare_namespaces.h"
#include "bench/spawn/library_launcher.h"
#include "bench/spawn/program_launcher.h"
#include "policy/preset.h"
#include "scratch.h"
#include "sys/open.h"

namespace bawn::bench {
namespace {

using testing::HasSubstr;

std::string shell() { return std::filesystem::canonical("/bin/sh"); }

ProgramLauncher shell_command(const std::string& text) {
  return {"sh", "none", {.argv = {shell(), "-c", text}}};
}

TEST(ProgramLauncher, RunsTheProgramOnceForEachRun) {
  const Scratch scratch;
  ProgramLauncher launcher = shell_command("echo x >>" + scratch.path() + "/runs");
  ASSERT_TRUE(launcher.try_once());
  ASSERT_TRUE(launcher.run_once());
  ASSERT_TRUE(launcher.peak_rss_kib());
  EXPECT_EQ(scratch.content("runs"), "x\nx\nx\n");
  ASSERT_TRUE(launcher.run_many(3, 10));
  EXPECT_EQ(scratch.content("runs").size(), 2 * 13U);
}

TEST(ProgramLauncher, MeasuresUntilTheEndOfTheProgram) {
  ProgramLauncher launcher = shell_command("sleep 0.1");
  const auto elapsed = launcher.run_once();
  ASSERT_TRUE(elapsed);
  EXPECT_GE(elapsed.value(), std::chrono::milliseconds(100));
}

TEST(ProgramLauncher, SaysWhatAFailedTrialPrinted) {
  EXPECT_EQ(
      shell_command("echo; echo first >&2; echo second >&2; exit 3").try_once().error().message,
      "first (exit code 3)");
  EXPECT_EQ(shell_command("exit 3").try_once().error().message, "exit code 3");
  EXPECT_EQ(shell_command("kill -9 $$").try_once().error().message, "ended by signal 9");
}

TEST(ProgramLauncher, TakesNoFailedRunForATime) {
  ProgramLauncher launcher = shell_command("exit 1");
  EXPECT_FALSE(launcher.run_once());
  EXPECT_FALSE(launcher.run_many(2, 4));
  EXPECT_FALSE(launcher.peak_rss_kib());
}

TEST(ProgramLauncher, NamesAProgramThatIsMissing) {
  ProgramLauncher launcher("x", "none", {.argv = {"/no/such/program"}});
  EXPECT_THAT(launcher.run_once().error().message, HasSubstr("'/no/such/program'"));
}

TEST(ProgramLauncher, GivesEachRunTheWholeFilter) {
  const auto filter = sys::sealed_memory_file("filter", "the filter");
  ASSERT_TRUE(filter);
  const std::string read_it = "test \"$(cat <&" + std::to_string(kFilterFd) + ")\" = 'the filter'";
  ProgramLauncher launcher("sh", "none",
                           {.argv = {shell(), "-c", read_it}, .filter = filter.value().get()});
  EXPECT_TRUE(launcher.try_once());
  EXPECT_TRUE(launcher.run_once());
  EXPECT_TRUE(launcher.peak_rss_kib());
  EXPECT_TRUE(launcher.run_many(2, 6));
}

TEST(ProgramLauncher, NumbersTheRunsOfACommandThatAsksForIt) {
  const Scratch scratch;
  const std::string note = "echo $0 >>" + scratch.path() + "/names";
  ProgramLauncher launcher("sh", "none", {.argv = {shell(), "-c", note, "run-"}, .numbered = true});
  ASSERT_TRUE(launcher.run_once());
  ASSERT_TRUE(launcher.run_once());
  EXPECT_EQ(scratch.content("names"), "run-0\nrun-1\n");
}

TEST(ProgramLauncher, KeepsBawnsVariablesFromTheProgram) {
  setenv("BAWN_POLICY", "/elsewhere", 1);
  setenv("OTHER_VARIABLE", "kept", 1);
  ProgramLauncher launcher =
      shell_command("test -z \"$BAWN_POLICY\" && test \"$OTHER_VARIABLE\" = kept");
  EXPECT_TRUE(launcher.run_once());
  EXPECT_TRUE(launcher.peak_rss_kib());
  unsetenv("BAWN_POLICY");
  unsetenv("OTHER_VARIABLE");
}

TEST(ProgramLauncher, TellsTheMemoryOfTheLargestProcessOfARun) {
  constexpr long kMuchKib = 32 * 1024;
  ProgramLauncher small = shell_command("exit 0");
  const auto little = small.peak_rss_kib();
  ASSERT_TRUE(little);
  EXPECT_GT(*little.value(), 0);
  EXPECT_LT(*little.value(), kMuchKib);
  // The memory is held by a child of the program.
  ProgramLauncher large =
      shell_command("(x=$(head -c 33554432 /dev/zero | tr '\\0' x); test -n \"$x\"); exit 0");
  const auto much = large.peak_rss_kib();
  ASSERT_TRUE(much);
  EXPECT_GE(*much.value(), kMuchKib);
}

LibraryCall call_in(const Scratch& scratch, const std::string& command,
                    std::vector<std::string> args = {}) {
  Policy policy = preset("workspace").value();
  policy.tier = {.use = TierChoice::b, .floor = Tier::b};
  return {.policy = std::move(policy),
          .request = {.command = command, .args = std::move(args)},
          .workspace = scratch.path()};
}

TEST(LibraryLauncher, RunsTheCommandOnceForEachRun) {
  const Scratch scratch;
  const auto made = LibraryLauncher::create("library", "tier b",
                                            call_in(scratch, shell(), {"-c", "echo x >>runs"}));
  ASSERT_TRUE(made);
  Launcher& launcher = *made.value();
  const auto tried = launcher.try_once();
  ASSERT_TRUE(tried) << tried.error().message;
  const auto elapsed = launcher.run_once();
  ASSERT_TRUE(elapsed);
  EXPECT_GT(elapsed.value().count(), 0);
  EXPECT_EQ(scratch.content("runs"), "x\nx\n");
  ASSERT_TRUE(launcher.run_many(2, 5));
  ASSERT_TRUE(launcher.run_many(1, 2));
  EXPECT_EQ(scratch.content("runs").size(), 2 * 9U);
}

TEST(LibraryLauncher, SaysWhyACallFails) {
  const Scratch scratch;
  const auto missing =
      LibraryLauncher::create("library", "tier b", call_in(scratch, "/no/such/program"));
  ASSERT_TRUE(missing);
  EXPECT_THAT(missing.value()->try_once().error().message, HasSubstr("/no/such/program"));
  const auto failing =
      LibraryLauncher::create("library", "tier b", call_in(scratch, shell(), {"-c", "exit 3"}));
  ASSERT_TRUE(failing);
  EXPECT_THAT(failing.value()->run_once().error().message, HasSubstr("exit code 3"));
}

std::string only_child() {
  std::ifstream file("/proc/thread-self/children");
  std::string pid;
  file >> pid;
  return pid;
}

long resident_kib(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/status");
  for (std::string word; file >> word;) {
    if (word == "VmRSS:") break;
  }
  long kib = 0;
  file >> kib;
  return kib;
}

TEST(LibraryLauncher, HoldsTheMemoryItIsToldToAndEndsWithIt) {
  const Scratch scratch;
  LibraryCall call = call_in(scratch, std::filesystem::canonical("/bin/true"));
  call.resident_bytes = 64 << 20;
  std::string pid;
  {
    const auto made = LibraryLauncher::create("library", "tier b", call);
    ASSERT_TRUE(made);
    const auto tried = made.value()->try_once();
    ASSERT_TRUE(tried) << tried.error().message;
    pid = only_child();
    ASSERT_NE(pid, "");
    EXPECT_GE(resident_kib(pid), (64 << 20) / 1024);
    EXPECT_LT(resident_kib("self"), (64 << 20) / 1024) << "not ours";
  }
  EXPECT_EQ(only_child(), "");
}

TEST(LibraryLauncher, EndsAlsoWhileALaterOneLives) {
  const Scratch scratch;
  const LibraryCall call = call_in(scratch, std::filesystem::canonical("/bin/true"));
  auto first = LibraryLauncher::create("first", "tier b", call);
  const auto second = LibraryLauncher::create("second", "tier b", call);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  std::move(first).value().reset();
  EXPECT_TRUE(second.value()->try_once());
}

std::string network_of_this_process() { return std::filesystem::read_symlink("/proc/self/ns/net"); }

TEST(BareNamespaces, AreOthersThanTheCallers) {
  const Scratch scratch;
  const std::string program =
      scratch.script("command", "readlink /proc/self/ns/net >" + scratch.path() + "/network");
  const auto ran = run_in_bare_namespaces(program);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_THAT(
      scratch.content("network"),
      testing::AllOf(testing::StartsWith("net:["), testing::Ne(network_of_this_process() + "\n")));
}

// The comparison is fair only if the bare namespaces do the same work as bawn: work that they left
// out would make them look faster.
TEST(BareNamespaces, ShowWhatBawnShowsIfARootIsGiven) {
  const Scratch scratch;
  const std::string program = scratch.script("command", R"(exec >found
    echo system: $([ -x /usr/bin/env ] && [ ! -w /usr ] && echo read-only)
    echo home: $(ls -d /root /home 2>/dev/null)
    echo devices: $(ls /dev | wc -l) $([ -c /dev/null ] && echo null)
    echo settings: $([ -s /etc/hosts ] && echo hosts)
    echo hidden: $(cat /proc/keys 2>&1 | grep -c denied)
    echo scratch: $(echo x >/tmp/x && cat /tmp/x)
    echo loopback: $(grep -c '^ *lo:' /proc/net/dev)
    echo filter: $(grep -c '^Seccomp:.*2$' /proc/self/status)
    echo process: $$ root: $(touch /x 2>&1 | grep -c 'Read-only'))");
  const BareRoot root = plan_bare_root(scratch.path(), {});
  const auto ran = run_in_bare_namespaces(program, &root);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(scratch.content("found"),
            "system: read-only\n"
            "home:\n"
            "devices: 13 null\n"
            "settings: hosts\n"
            "hidden: 1\n"
            "scratch: x\n"
            "loopback: 1\n"
            "filter: 1\n"
            "process: 1 root: 1\n");
}

TEST(BareNamespaces, SayWhyARootCannotBeMade) {
  const Scratch scratch;
  BareRoot root = plan_bare_root(scratch.path() + "/missing", {});
  const auto ran = run_in_bare_namespaces(std::filesystem::canonical("/bin/true"), &root);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("ENOENT"));
}

TEST(BareNamespaces, TakeNoFailedRunForATime) {
  const Scratch scratch;
  EXPECT_FALSE(run_in_bare_namespaces(scratch.script("command", "exit 3")));
  EXPECT_FALSE(run_in_bare_namespaces("/no/such/program"));
}

}  // namespace
}  // namespace bawn::bench
