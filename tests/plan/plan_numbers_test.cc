// Single values of a plan that nothing to its right would miss.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/system_facts.h"
#include "plan/plan.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PlanNumbers : public testing::Test {
 protected:
  PlanNumbers() {
    policy.executables.allow = {"git"};
    policy.limits.processes = {};
    host.seccomp_filters = true;
    host.landlock_abi = 6;
    identity = {.run_id = "run-1", .private_name = "bawn-x", .home = "/home/me"};
  }

  [[nodiscard]] Plan planned(const FakeLookup& lookup = tree()) const {
    const Request request{.command = "git"};
    const Verdict verdict =
        validate(policy, request, {.tier = Tier::c, .lookup = &lookup, .workspace = "/work"});
    EXPECT_TRUE(verdict.allowed());
    Planned planned = plan_run(policy, request, verdict, Tier::c, identity, host, lookup);
    EXPECT_THAT(planned.violations, IsEmpty());
    return planned.plan;
  }

  static FakeLookup tree() {
    return FakeLookup({{"/work/sub/file", "file"},
                       {"/work/sub/other", "file"},
                       {"/work/apart", "file"},
                       {"/usr/bin/git", "exe"},
                       {"/home/me", "dir"},
                       {"/home/me:root:x", "dir"},
                       {"/home/two\nlines", "dir"},
                       {"/proc", "dir"}});
  }

  // The parts with that origin, in order.
  [[nodiscard]] std::vector<std::string> from(std::string_view origin) const {
    std::vector<std::string> places;
    for (const RootPart& part : planned().root.parts) {
      if (part.origin == origin && !part.writable) places.push_back(part.destination);
    }
    return places;
  }

  [[nodiscard]] std::string text_of(std::string_view place) const {
    for (const RootPart& part : planned().root.parts) {
      if (part.destination == place) return part.text;
    }
    return "";
  }

  [[nodiscard]] Limit cpu_seconds() const {
    for (const PlannedLimit& limit : planned().process_limits) {
      if (limit.limit == ProcessLimit::cpu_seconds) return limit.value;
    }
    return {};
  }

  Policy policy = *preset("agent");
  HostFacts host = linux_facts();
  RunIdentity identity;
};

// Each process may use a second more than the tree, in whole seconds: the one who counts the tree acts first.
TEST_F(PlanNumbers, TheBackstopOfCpuTimeIsAboveTheLimitAndNotFarAbove) {
  for (const auto& [limit_ms, seconds] :
       {std::pair{1U, 2U}, {999U, 2U}, {1000U, 3U}, {1999U, 3U}, {120'000U, 122U}}) {
    policy.limits.cpu_time_ms = limit_ms;
    EXPECT_EQ(cpu_seconds(), Limit(seconds)) << limit_ms;
  }
  policy.limits.cpu_time_ms = {};
  EXPECT_EQ(cpu_seconds(), Limit());
}

// A colon or a line's end in it would add fields or users to the run's /etc/passwd.
TEST_F(PlanNumbers, AHomeThatDoesNotFitIntoPasswdIsAnotherOne) {
  EXPECT_EQ(planned().root.home, "/home/me");
  EXPECT_THAT(text_of("/etc/passwd"), HasSubstr("::/home/me:/bin/sh\n"));
  for (const char* home : {"/home/me:root:x", "/home/two\nlines", "relative", "", "/home/missing", "/usr"}) {
    identity.home = home;
    EXPECT_EQ(planned().root.home, "/home/user") << home;
    EXPECT_THAT(text_of("/etc/passwd"), HasSubstr("::/home/user:/bin/sh\n")) << home;
  }
}

// A bind over what is hidden would show it again.
TEST_F(PlanNumbers, WhatIsHiddenIsNotShownForBeingProtectedToo) {
  policy.workspace.protect = {"sub/file", "apart"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart", "/work/sub/file"));
  policy.workspace.hide = {"sub"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart"));
  EXPECT_THAT(from("workspace.hide"), ElementsAre("/work/sub"));
  policy.workspace.hide = {"sub/file"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart")) << "the same file";
  EXPECT_THAT(from("workspace.hide"), ElementsAre("/work/sub/file"));
  policy.workspace.hide = {"sub/other"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart", "/work/sub/file")) << "a neighbour";
}

}  // namespace
}  // namespace bawn
