// The SetupMessage that the early init gets before the C library starts is a guess. These tests
// start an early init in the middle of a program, as its first instruction would, and check what
// became of it.
#include "linux/early_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "host/probe.h"
#include "linux/early_init.h"
#include "linux/encode_message.h"
#include "linux/init_process.h"
#include "linux/launch.h"
#include "policy/preset.h"
#include "run/bawn.h"

extern "C" void bawn_begin(
    const long* stack);  // NOLINT(readability-identifier-naming): the linker's name

namespace bawn {
namespace {

using Words = std::vector<const char*>;

// An early init as a program with these arguments and variables starts it. The destructor ends it.
class Beginning {
 public:
  explicit Beginning(const Words& words, const Words& variables = {}) {
    std::vector<long> stack = {static_cast<long>(words.size())};
    for (const Words* list : {&words, &variables}) {
      for (const char* word : *list) stack.push_back(reinterpret_cast<long>(word));
      stack.push_back(0);
    }
    bawn_begin(stack.data());
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
  ~Beginning() {
    InitProcess::end_early();
    early_init.setup = {};
  }

  [[nodiscard]] static bool has_init() { return early_init.pid != 0; }
  [[nodiscard]] static EarlyState state() { return early_init.setup.state; }
};

Policy plain_policy() { return preset("workspace").value(); }

std::string message_for(const Policy& policy, bool timing = false) {
  const HostFacts host = probe_host();
  return encode_setup(plan_namespaces(policy, host), host,
                      {.landlock_abi = host.landlock_abi, .timing = timing});
}

// Otherwise every run would throw its early init away, and no other test would notice.
TEST(EarlySetup, IsWhatAPlainRunTells) {
  const Beginning beginning({"bawn", "run", "--protect", ".git", "--", "make"});
  ASSERT_EQ(Beginning::state(), EarlyState::sent);
  EXPECT_TRUE(was_sent(early_init.setup, message_for(plain_policy())));
}

TEST(EarlySetup, IsWhatATimedRunTells) {
  const Beginning beginning({"bawn", "run", "--timing", "--", "make"});
  ASSERT_EQ(Beginning::state(), EarlyState::sent);
  EXPECT_TRUE(was_sent(early_init.setup, message_for(plain_policy(), true)));
  EXPECT_FALSE(was_sent(early_init.setup, message_for(plain_policy())));
}

TEST(EarlySetup, IsNotTakenForAnother) {
  const Beginning beginning({"bawn", "run", "--", "true"});
  std::vector<Policy> others(4, plain_policy());
  others[0].limits.tmp_bytes = 1 << 20;
  others[1].identity.as_pid_1 = true;
  others[2].filesystem.tmp = Tmp::none;
  others[3].egress.mode = EgressMode::allow_all;
  if (geteuid() != 0) {  // root is root with either policy
    others.push_back(plain_policy());
    others.back().identity.as_root = true;
  }
  for (const Policy& other : others)
    EXPECT_FALSE(was_sent(early_init.setup, message_for(other))) << &other - others.data();
  EXPECT_FALSE(was_sent(early_init.setup, message_for(plain_policy()) + '\0'));
  EXPECT_FALSE(was_sent(EarlySetup{}, message_for(plain_policy())));
}

TEST(EarlySetup, IsNotToldIfSomethingElseMayBeMeant) {
  for (const Words& words : {Words{"--tmp-size", "1M"}, Words{"--tmp-size=1M"}, Words{"--as-root"},
                             Words{"--id-ranges"}}) {
    Words all = {"bawn", "run"};
    all.insert(all.end(), words.begin(), words.end());
    const Beginning beginning(all);
    EXPECT_TRUE(Beginning::has_init()) << words[0];
    EXPECT_EQ(Beginning::state(), EarlyState::none) << words[0];
  }
  for (const char* variable : {"BAWN_POLICY=/etc/policy.json", "BAWN_MODE=strict"}) {
    const Beginning beginning({"bawn", "run", "--", "true"}, {"HOME=/root", variable});
    EXPECT_EQ(Beginning::state(), EarlyState::none) << variable;
  }
  const Beginning unrelated({"bawn", "run", "--", "df", "--tmp-size"}, {"BAWN_POLICYX=1"});
  EXPECT_EQ(Beginning::state(), EarlyState::sent);
}

// Whether an early init that was sent the message of a plain run is kept for `namespace_plan`.
bool is_kept_for(const NamespacePlan& namespace_plan) {
  const Beginning beginning({"bawn", "run", "--", "true"});
  const long early = early_init.pid;
  auto init = InitProcess::start(NamespaceSet::new_netns);
  EXPECT_TRUE(init);
  EXPECT_EQ(init.value().pid(), early);
  Stopwatch stopwatch;
  (void)send_setup(init.value(), namespace_plan, probe_host(), {}, stopwatch);
  const bool kept = init.value().pid() == early;
  EXPECT_EQ(kept, kill(static_cast<pid_t>(early), 0) == 0) << "it lives, or was waited for";
  return kept;
}

TEST(EarlyInit, IsKeptIfItWasToldTheSame) {
  EXPECT_TRUE(is_kept_for(plan_namespaces(plain_policy(), probe_host())));
}

TEST(EarlyInit, IsReplacedIfItsTmpDiffers) {
  Policy limited = plain_policy();
  limited.limits.tmp_bytes = 1 << 20;
  EXPECT_FALSE(is_kept_for(plan_namespaces(limited, probe_host())));
}

// The id map is not part of the compared message. An init with only the caller's id was once kept,
// and the receipt reported ranges.
TEST(EarlyInit, IsReplacedIfItsIdMapDiffers) {
  NamespacePlan ranges = plan_namespaces(plain_policy(), probe_host());
  ranges.user.maps.emplace();
  EXPECT_FALSE(is_kept_for(ranges));
}

// "4096 256": block size and number of blocks of the run's /tmp.
std::string tmp_size(Policy policy) {
  policy.workspace.mode = WorkspaceMode::private_dir;
  const Outcome outcome = run(policy, {.command = "stat", .args = {"-f", "-c", "%S %b", "/tmp"}},
                              {.source = RequestSource::person});
  return outcome.success() ? outcome.stdout_stream.data : outcome_json(outcome);
}

// The early init was sent a /tmp without a limit.
TEST(EarlyInit, LeavesNoTraceOfItselfInARunThatWantsAnother) {
  Policy limited = plain_policy();
  limited.limits.tmp_bytes = 1 << 20;
  {
    const Beginning beginning({"bawn", "run", "--", "stat"});
    EXPECT_EQ(tmp_size(limited), "4096 256\n");
    EXPECT_FALSE(Beginning::has_init());
  }
  const Beginning beginning({"bawn", "run", "--", "stat"});
  const std::string plain = tmp_size(plain_policy());
  EXPECT_THAT(plain, testing::AllOf(testing::StartsWith("4096 "), testing::Not("4096 256\n")));
  EXPECT_FALSE(Beginning::has_init());
}

// Its user namespace may already have an id map, which can be written only once.
TEST(EarlyInit, IsReplacedIfSendingTheSetupFailed) {
  const Beginning beginning({"bawn", "run", "--", "stat"});
  early_init.setup.state = EarlyState::failed;
  EXPECT_THAT(tmp_size(plain_policy()), testing::StartsWith("4096 "));
  EXPECT_FALSE(Beginning::has_init());
}

}  // namespace
}  // namespace bawn
