// The presets as a person meets them. They behave the same for root and for an ordinary user.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

#include "caller.h"
#include "printed_json.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Words in_mode(const std::string& mode, const Words& command) {
  return joined({"run", "--mode", mode, "--"}, command);
}

struct Blocked {
  const char* why;
  Words command;
};

const Blocked kBlockedInThree[] = {
    {"rm is on the list", {"rm", "victim"}},
    {"by its path too", {"/bin/rm", "victim"}},
    {"behind a launcher", {"env", "rm", "victim"}},
    {"in the words of a shell", {"sh", "-c", "rm -rf victim"}},
    {"somewhere in the words of a shell", {"sh", "-c", "true; rm -rf victim"}},
    {"a substitution", {"sh", "-c", "echo $(cat victim)"}},
    {"a substitution in the old spelling", {"sh", "-c", "echo `cat victim`"}},
    {"a pipe into a shell", {"sh", "-c", "cat victim | sh"}},
    {"a pipe into bash", {"sh", "-c", "cat victim | bash"}},
    {"writing to a device", {"sh", "-c", "cat victim > /dev/sda"}},
    {"moving", {"mv", "victim", "elsewhere"}},
    {"changing modes", {"chmod", "777", "victim"}},
    {"raw copies", {"dd", "if=victim", "of=copy"}},
};

TEST(PresetBasic, BlocksDangerousCommandsAndLetsOthersThrough) {
  const Caller caller;
  const std::string victim = caller.file("victim", "content");
  for (const Blocked& blocked : kBlockedInThree) {
    const Answer answer = caller.call(in_mode("basic", blocked.command));
    EXPECT_EQ(answer.exit_code, 126) << blocked.why << ": " << answer.err;
  }
  EXPECT_TRUE(std::filesystem::exists(victim));

  const Answer cat = caller.call(in_mode("basic", {"cat", "victim"}));
  EXPECT_EQ(cat.exit_code, 0) << cat.err;
  EXPECT_EQ(cat.out, "content");
  const Answer shell = caller.call(in_mode("basic", {"sh", "-c", "cat victim > copy; cat copy"}));
  EXPECT_EQ(shell.exit_code, 0) << shell.err;
  EXPECT_EQ(shell.out, "content");
}

TEST(PresetBasic, MayUseTheNetwork) {
  const Caller caller;
  const Answer answer = caller.call(in_mode("basic", {guest(), "socket", std::to_string(AF_INET)}));
  EXPECT_EQ(answer.out, "ok\n") << answer.err;
}

// A server on the loopback of this machine, and whether a command in a preset reaches its port.
class Server {
 public:
  Server() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_.get(), generic, size), 0);
    EXPECT_EQ(listen(listener_.get(), 8), 0);
    EXPECT_EQ(getsockname(listener_.get(), generic, &size), 0);
    port_ = std::to_string(ntohs(address.sin_port));
  }
  [[nodiscard]] const std::string& port() const { return port_; }

 private:
  Fd listener_;
  std::string port_;
};

TEST(PresetNetworkIsolated, HasNoWayOut) {
  const Caller caller;
  const Server server;
  const Words connect = {guest(), "connect-tcp", server.port()};
  EXPECT_EQ(caller.call(in_mode("basic", connect)).out, "ok\n");
  EXPECT_EQ(caller.call(in_mode("network-isolated", connect)).out, "ECONNREFUSED\n")
      << "of its own loopback";
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK}) {
    const Words make = {"run",   "--mode", "network-isolated",    "--tier", "b", "--",
                        guest(), "socket", std::to_string(family)};
    EXPECT_EQ(caller.call(make).exit_code, 1) << family;
  }
  EXPECT_EQ(caller.call(in_mode("network-isolated", {guest(), "print", "hello"})).out, "hello\n");
}

TEST(PresetNetworkIsolated, BlocksTheSameCommandsAsBasic) {
  const Caller caller;
  const std::string victim = caller.file("victim", "content");
  for (const Blocked& blocked : kBlockedInThree) {
    EXPECT_EQ(caller.call(in_mode("network-isolated", blocked.command)).exit_code, 126)
        << blocked.why;
  }
  EXPECT_TRUE(std::filesystem::exists(victim));
}

TEST(PresetStrict, WorksInAnEmptyDirectoryOfItsOwnThatIsGoneAfterwards) {
  const Caller caller;
  caller.file("victim", "content");
  const Answer list = caller.call(in_mode("strict", {"ls", "-A"}));
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_EQ(list.out, "");

  const Answer where = caller.call(in_mode("strict", {"sh", "-c", "echo x > note; cat note; pwd"}));
  EXPECT_EQ(where.exit_code, 0) << where.err;
  ASSERT_THAT(where.out, testing::StartsWith("x\n/"));
  const std::string directory = where.out.substr(2, where.out.size() - 3);
  EXPECT_NE(directory, caller.workspace());
  EXPECT_FALSE(std::filesystem::exists(directory)) << directory;
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/note"));
}

TEST(PresetStrict, RefusesSystemPathsAsArguments) {
  const Caller caller;
  for (const char* path : {"/etc/passwd", "/var/log", "/usr/lib", "/bin/ls", "/root/.ssh", "/home",
                           "/sys", "/proc/self/environ"}) {
    const Answer answer = caller.call(in_mode("strict", {"cat", path}));
    EXPECT_EQ(answer.exit_code, 126) << path << ": " << answer.err;
    EXPECT_EQ(answer.out, "");
  }
  EXPECT_EQ(caller.call(in_mode("strict", {"cat", "/dev/null"})).exit_code, 0)
      << "not every path is refused";
}

TEST(PresetStrict, RefusesNetworkClientsAndSockets) {
  const Caller caller;
  for (const Words& client :
       {Words{"curl", "x"}, {"wget", "x"}, {"ssh", "x"}, {"sh", "-c", "curl x"}}) {
    const Answer answer = caller.call(in_mode("strict", client));
    // 127: this machine does not have the client at all.
    EXPECT_TRUE(answer.exit_code == 126 || answer.exit_code == 127)
        << client.front() << ": " << answer.err;
  }
  const Server server;
  EXPECT_EQ(caller.call(in_mode("strict", {guest(), "connect-tcp", server.port()})).out,
            "ECONNREFUSED\n");
}

TEST(PresetDisabled, RunsWithoutASandboxAndSaysSo) {
  const Caller caller;
  const std::string elsewhere = caller.outside() + "/made";
  const Answer answer =
      caller.call({"run", "--mode", "disabled", "--json", "--", guest(), "create", elsewhere});
  EXPECT_EQ(answer.exit_code, 0) << answer.out;
  EXPECT_TRUE(std::filesystem::exists(elsewhere));
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/was_sandboxed"), "false");
  EXPECT_EQ(at(printed, "/tier"), "unconfined");

  const std::string other = caller.outside() + "/other";
  EXPECT_NE(caller.call({"run", "--tier", "b", "--", guest(), "create", other}).exit_code, 0)
      << "the same in tier b";
  EXPECT_FALSE(std::filesystem::exists(other));
}

// Such flags were once dropped, and neither the run nor its receipt said so.
TEST(PresetDisabled, RefusesFlagsThatOnlyASandboxEnforces) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--mode", "disabled", "--egress", "block_all", "--hide", "key",
                   "--protect", ".git", "--seccomp", "strict", "--", guest(), "exit", "0"});
  EXPECT_EQ(answer.exit_code, 126);
  for (const char* field :
       {"egress.mode 'block_all'", "workspace.hide", "workspace.protect", "system_calls.profile"}) {
    EXPECT_THAT(answer.err, HasSubstr(std::string("denied: ") + field));
  }
}

TEST(Presets, AreNamedWithPolicyAsWellAsWithMode) {
  const Caller caller;
  for (const std::string mode : {"workspace", "agent", "basic", "strict", "network-isolated"}) {
    const Words rest = {"--json", "--", guest(), "exit", "0"};
    const Answer by_policy = caller.call(joined({"run", "--policy", mode}, rest));
    EXPECT_EQ(by_policy.exit_code, caller.call(joined({"run", "--mode", mode}, rest)).exit_code)
        << mode << by_policy.err;
    EXPECT_EQ(by_policy.exit_code, mode == "agent" ? 126 : 0) << mode << by_policy.err;
  }
}

TEST(Presets, WinOverAFileOfTheSameNameUnlessItIsNamedAsAPath) {
  const Caller caller;
  caller.file("agent", R"({"extends": "basic"})");
  const Words command = {"--", guest(), "exit", "0"};
  EXPECT_EQ(caller.call(joined({"run", "--policy", "agent"}, command)).exit_code, 126);
  const Answer file = caller.call(joined({"run", "--policy", "./agent"}, command));
  EXPECT_EQ(file.exit_code, 0) << file.err;
}

TEST(Presets, ThatAreMisspeltAreNeverADefault) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--policy", "agnet", "--", guest(), "exit", "0"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("--policy: no preset ("),
                                HasSubstr("did you mean 'agent'?"), HasSubstr("No such file")));
}

TEST(PresetAgent, RunsNothingUntilItIsNamed) {
  const Caller caller;
  for (const Words& command : {Words{"true"}, {"ls"}, {"cat"}, {guest()}}) {
    EXPECT_EQ(caller.call(in_mode("agent", command)).exit_code, 126) << command.front();
  }
  EXPECT_EQ(caller.call({"run", "--mode", "agent", "--allow-exec", "true", "--", "true"}).exit_code,
            0);
}

TEST(PresetAgent, NeedsMoreThanANameForAnInterpreter) {
  const Caller caller;
  const Words shell = {"--", "sh", "-c", "echo hello"};
  EXPECT_EQ(caller.call(joined({"run", "--mode", "agent", "--allow-exec", "sh"}, shell)).exit_code,
            126);
  const Answer both = caller.call(
      joined({"run", "--mode", "agent", "--allow-exec", "sh", "--allow-interpreters"}, shell));
  EXPECT_EQ(both.out, "hello\n") << both.err;
}

// Limits that do not bind root are optional here (limits.optional): the receipt reports them as
// absent, and the run is not refused.
TEST(Presets, AllRunForRootAndForOrdinaryUsers) {
  const Caller caller;
  for (const std::string mode : {"agent", "basic", "strict", "network-isolated", "disabled"}) {
    // The others let every program run, and the flag would be refused for it has no effect.
    const Words allow = mode == "agent" ? Words{"--allow-exec", guest()} : Words{};
    const Answer answer = caller.call(
        joined(joined({"run", "--mode", mode, "--json"}, allow), {"--", guest(), "exit", "0"}));
    EXPECT_EQ(answer.exit_code, 0) << mode << ": " << answer.out;
    if (mode == "disabled") continue;
    EXPECT_EQ(at(printed_json(answer.out), "/was_sandboxed"), "true") << mode;
  }
}

}  // namespace
}  // namespace bawn
