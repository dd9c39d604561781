// `bawn check`, `bawn explain` and `bawn run` say the same on hosts that lack something: the same
// exit code, tier and words. tests/conformance asks the same for every row of its table.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <iostream>
#include <sstream>

#include "../become_root_of.h"
#include "../cover_proc.h"
#include "../forbid_user_namespaces.h"
#include "../refuse_call.h"
#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

// A host that lacks one thing, made for the calling process and its children.
struct Host {
  std::string name;
  std::function<bool()> make;
  // Whether a run in tier c succeeds there, so that the test knows that the host lacks it.
  bool has_tier_c = false;
};

bool refuse(std::uint32_t number, std::uint32_t error) {
  return refuse_call({number, 0, RefusedCall::Test::is_at_least, 0, error});
}

std::vector<Host> hosts() {
  return {
      {"Complete", [] { return true; }, true},
      {"UserNamespaceLimitIsZero",
       [] {
         return become_root_of(0) &&
                sys::write_control(AT_FDCWD, "/proc/sys/user/max_user_namespaces", "0");
       }},
      {"UserNamespacesAreRefused", forbid_user_namespaces},
      {"PidNamespaceLimitIsZero",
       [] {
         return become_root_of(0) &&
                sys::write_control(AT_FDCWD, "/proc/sys/user/max_pid_namespaces", "0");
       }},
      {"NoLandlock", [] { return refuse(SYS_landlock_create_ruleset, ENOSYS); }, true},
      {"NoOpenTree", [] { return refuse(SYS_open_tree, ENOSYS); }},
      {"NoMoveMount", [] { return refuse(SYS_move_mount, ENOSYS); }},
      {"NoMountSetattr", [] { return refuse(SYS_mount_setattr, ENOSYS); }},
      {"MountsAreRefused", [] { return refuse(SYS_move_mount, EPERM); }},
      {"PivotRootIsRefused", [] { return refuse(SYS_pivot_root, EPERM); }},
      {"NoFreshProc",
       [] {
         return become_root_of(CLONE_NEWNS) &&
                mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) == 0 && cover_in_proc("sys");
       },
       true},
  };
}

// What one of the three says, in a form that can be compared. A run that is allowed has its tier.
struct Said {
  int exit_code = -1;
  std::string tier{};
  std::string words{};
  friend bool operator==(const Said&, const Said&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Said& said) {
    return out << said.exit_code << ", tier " << said.tier << ", " << said.words;
  }
};

std::string words_of(const nlohmann::json& violations) {
  std::string words;
  for (const auto& each : violations)
    words += concat(at(each, "/code"), ": ", at(each, "/message"), " (", at(each, "/hint"), ")\n");
  return words;
}

Said said_by_run(const Answer& answer) {
  const nlohmann::json outcome = printed_json(answer.out);
  Said said{.exit_code = answer.exit_code.value_or(-1)};
  const std::string status = at(outcome, "/status");
  if (status == "failed")
    said.words = concat("host.failed: ", at(outcome, "/error/message"), " (",
                        at(outcome, "/error/hint"), ")\n");
  else if (status == "denied")
    said.words = words_of(outcome.at("violations"));
  else
    said.tier = at(outcome, "/tier");
  return said;
}

Said said_by(const Answer& answer) {
  const nlohmann::json printed = printed_json(answer.out);
  Said said{.exit_code = answer.exit_code.value_or(-1)};
  if (said.exit_code == 0)
    said.tier =
        at(printed, "/tier/use") == "absent" ? at(printed, "/tier") : at(printed, "/tier/use");
  else
    said.words = words_of(printed.at("violations"));
  return said;
}

// The differences between what the three say, one line each; "" if they agree.
std::string differences(const Caller& caller, const Words& words, const Handed& handed, Said& run) {
  const auto call = [&](const std::string& subcommand) {
    return caller.call(joined({subcommand, "--json"}, words), handed);
  };
  run = said_by_run(call("run"));
  std::ostringstream out;
  for (const std::string subcommand : {"check", "explain"}) {
    const Said other = said_by(call(subcommand));
    if (other != run) out << "run: " << run << "\n" << subcommand << ": " << other << "\n";
  }
  return out.str();
}

// Exits with 0 if the three agree, and says on stderr if not.
int compare_on(const Host& host, const Caller& caller) {
  if (!host.make()) return 2;
  int result = 0;
  for (const Words& options : {Words{"--tier", "auto"}, Words{"--tier", "c"}, Words{"--tier", "b"},
                               Words{"--tier", "auto", "--policy", "agent", "--allow-exec", "true"},
                               Words{"--tier", "c", "--memory", "64M", "--pids", "40"},
                               Words{"--tier", "c", "--cpus", "0.5"}}) {
    Said run;
    const std::string different = differences(caller, joined(options, {"--", "true"}), {}, run);
    if (!different.empty()) {
      std::cerr << host.name << ", " << testing::PrintToString(options) << "\n" << different;
      result = 1;
    }
    const bool is_plain_tier_c = options == Words{"--tier", "c"};
    if (is_plain_tier_c && (run.exit_code == 0) != host.has_tier_c) {
      std::cerr << host.name << " was not made: " << run << "\n";
      result = 3;
    }
  }
  return result;
}

class AgreementOn : public testing::TestWithParam<Host> {};

TEST_P(AgreementOn, CheckExplainAndRunSayTheSame) {
  const Caller caller;  // the child leaves by _exit() and removes nothing
  const pid_t child = fork();
  if (child == 0) _exit(compare_on(GetParam(), caller));
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// check and explain once said that these may run.
TEST(Agreement, IsAboutStdinToo) {
  const Caller caller;
  const Fd directory(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Fd path_only(open("/dev/null", O_PATH | O_CLOEXEC));
  const Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (const std::string tier : {"b", "c"}) {
    for (const auto& [file, exit_code] :
         {std::pair(directory.get(), 125), std::pair(path_only.get(), 125),
          std::pair(null.get(), 0)}) {
      Said run;
      const Words words = {"--tier", tier, "--", "true"};
      EXPECT_EQ(differences(caller, words, {.files = {{0, file}}}, run), "") << tier;
      EXPECT_EQ(run.exit_code, exit_code) << tier << ", " << run;
    }
  }
}

TEST(Agreement, IsAboutProgramsThatAreNotThere) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    Said run;
    EXPECT_EQ(differences(caller, {"--tier", tier, "--", "no-such-program"}, {}, run), "") << tier;
    EXPECT_EQ(run.exit_code, 127) << run;
  }
}

// What is in stdin is for the command alone.
TEST(Agreement, IsFoundWithoutReadingStdin) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const Words check_then_read = {"-c", "\"$0\" check --tier $1 -- true && cat",
                                   named_by("BAWN_BINARY"), tier};
    const Answer answer =
        caller.start_program("/bin/sh", joined({"sh"}, check_then_read), {.in = "input"}).finish();
    EXPECT_EQ(answer.out, concat("allowed in tier ", tier, "\ninput")) << answer.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Host, AgreementOn, testing::ValuesIn(hosts()),
                         [](const testing::TestParamInfo<Host>& one) { return one.param.name; });

}  // namespace
}  // namespace bawn
