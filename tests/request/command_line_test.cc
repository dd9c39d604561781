#include "request/command_line.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

using Words = std::vector<std::string>;

Request request_for(std::string command, Words args = {}) {
  Request request;
  request.command = std::move(command);
  request.args = std::move(args);
  return request;
}

std::string hint_for_command(std::string command) {
  const auto advice = command_line_in_command(request_for(std::move(command)));
  return advice ? advice->hint : "no advice";
}

bool argument_is_refused(std::string command, std::string only_argument) {
  return command_line_in_argument(request_for(std::move(command), {std::move(only_argument)}))
      .has_value();
}

TEST(PlainWords, SplitsAtBlanksAndSimpleQuotes) {
  EXPECT_EQ(plain_words("git status"), (Words{"git", "status"}));
  EXPECT_EQ(plain_words("  git \t status  "), (Words{"git", "status"}));
  EXPECT_EQ(plain_words("git commit -m 'fix it' \"and \"that"),
            (Words{"git", "commit", "-m", "fix it", "and that"}));
  EXPECT_EQ(plain_words("a '' b"), (Words{"a", "", "b"}));
  EXPECT_EQ(plain_words("see issue#12 x~"), (Words{"see", "issue#12", "x~"}));
  EXPECT_EQ(plain_words(""), Words{});
}

TEST(PlainWords, AreNoneWhereAShellWouldDoSomething) {
  for (const char* line :
       {"a | b", "a && b",   "a; b",      "a > b",   "a < b", "a $X",  "a `b`", "a \\b",
        "a *.c", "a ?.c",    "a [x]",     "a {b,c}", "(a)",   "cd ~",  "a # b", "a 'b",
        "a \"b", "a \"$b\"", "a \"\\n\"", "don't",   "a\nb",  "a\x01", "wow!"}) {
    EXPECT_FALSE(plain_words(line).has_value()) << line;
  }
  EXPECT_FALSE(plain_words(std::string(5000, 'a')).has_value());
}

TEST(SpelledRequest, PutsAssignmentsInEnvAndADirectoryInCwd) {
  EXPECT_EQ(spelled_request("git status"), R"({"command":"git","args":["status"]})");
  EXPECT_EQ(spelled_request("ls"), R"({"command":"ls"})");
  EXPECT_EQ(spelled_request("A=1 B='x y' make all"),
            R"({"command":"make","args":["all"],"env":{"A":"1","B":"x y"}})");
  EXPECT_EQ(spelled_request("cd sub && make -j2"),
            R"({"command":"make","args":["-j2"],"cwd":"sub"})");
  EXPECT_EQ(spelled_request("cd a && cd b && make"), std::nullopt);
  EXPECT_EQ(spelled_request("A=1"), std::nullopt);
  EXPECT_EQ(spelled_request(Words{"a", std::string(5000, 'b')}), std::nullopt);
  EXPECT_EQ(spelled_request(Words(5000, "")), std::nullopt);
}

TEST(CommandLineInCommand, IsRefusedWithTheFormThatWasMeant) {
  EXPECT_EQ(hint_for_command("git status"), R"(write {"command":"git","args":["status"]})");
  EXPECT_EQ(hint_for_command("ls -la /tmp"), R"(write {"command":"ls","args":["-la","/tmp"]})");
  EXPECT_EQ(hint_for_command("cd x && make"), R"(write {"command":"make","cwd":"x"})");
  EXPECT_EQ(hint_for_command("FOO=1 make"), R"(write {"command":"make","env":{"FOO":"1"}})");
  EXPECT_EQ(hint_for_command("/usr/bin/git status"),
            R"(write {"command":"/usr/bin/git","args":["status"]})");
  EXPECT_EQ(hint_for_command("./gradlew build"),
            R"(write {"command":"./gradlew","args":["build"]})");
  EXPECT_EQ(hint_for_command("  git status\n"), R"(write {"command":"git","args":["status"]})");
}

TEST(CommandLineInCommand, SaysThatThereIsNoShellWhereOneWouldBeNeeded) {
  for (const char* line : {"ls | wc -l", "make > log.txt", "echo $HOME", "cat *.c", "a; b", "ls|wc",
                           "a&&b", "cat</etc/passwd", "echo `id`", "$(id)", "make 2>&1", "cd sub",
                           "source env.sh", "A=1 export B"}) {
    EXPECT_EQ(hint_for_command(line).substr(0, 22), "there is no shell here") << line;
  }
}

TEST(CommandLineInCommand, MentionsArgumentsThatAreAlreadyThere) {
  const auto advice = command_line_in_command(request_for("git status", {"--short"}));
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->hint,
            R"(write {"command":"git","args":["status"]}, with the present args after these)");
}

TEST(CommandLineInCommand, LeavesNamesAndPathsAlone) {
  for (const char* command :
       {"git", "/usr/bin/git", "./run.sh", "../tool", "g++", "x86_64-linux-gnu-gcc-12", "[",
        "python3.11", "a&b", "/opt/My App/bin/tool",
        "/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code",
        "C:\\Program Files\\Git\\bin\\git.exe", "C:\\Program Files (x86)\\Tool\\tool.exe",
        "na\xc3\xafve"}) {
    EXPECT_EQ(hint_for_command(command), "no advice") << command;
  }
}

TEST(CommandLineInCommand, KnowsAProgramWithArgumentsFromAPathWithBlanks) {
  for (const char* command :
       {"/usr/bin/cat src/a.c", "/opt/x/tool -v /a/b", "/opt/x/tool /etc/passwd",
        "/opt/x/tool ./a/b", "C:\\Windows\\cmd.exe /c dir", "/opt/My App/bin/tool arg",
        "/opt/x/tool | /bin/cat", "./node_modules/.bin/jest src/a.js"}) {
    EXPECT_NE(hint_for_command(command), "no advice") << command;
  }
}

TEST(CommandLineInArgument, IsRefusedWhenItRepeatsTheProgram) {
  const auto advice = command_line_in_argument(request_for("git", {"git status --short"}));
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->hint, R"(write {"command":"git","args":["status","--short"]})");
  EXPECT_NE(advice->message.find("'git status --short'"), std::string::npos);
  EXPECT_TRUE(argument_is_refused("/usr/bin/git", "git status"));
  EXPECT_TRUE(argument_is_refused("python3", "python3 main.py"));
  EXPECT_TRUE(argument_is_refused("ls", "ls -la /tmp"));
  EXPECT_TRUE(argument_is_refused("mytool", "mytool --run x"));
}

TEST(CommandLineInArgument, IsRefusedWhenAnotherCommandFollows) {
  EXPECT_TRUE(argument_is_refused("ls", "-la && rm -rf x"));
  EXPECT_TRUE(argument_is_refused("unknown-tool", "-la && rm -rf x"));
  EXPECT_TRUE(argument_is_refused("ls", "/tmp; cat /etc/passwd"));
  EXPECT_TRUE(argument_is_refused("ls", "-l > list.txt"));
  EXPECT_TRUE(argument_is_refused("cat", "a.txt | grep x"));
  EXPECT_TRUE(argument_is_refused("make", "test 2>&1 | tail -5"));
  EXPECT_TRUE(argument_is_refused("npm", "install && npm test"));
  EXPECT_TRUE(argument_is_refused("find", ". -type f | head"));
  EXPECT_TRUE(argument_is_refused("make", "all 2>/dev/null"));
}

TEST(CommandLineInArgument, IsRefusedWhenASubcommandHoldsBlanks) {
  const auto advice = command_line_in_argument(request_for("git", {"status --short -b"}));
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->hint, R"(write {"command":"git","args":["status","--short","-b"]})");
  EXPECT_TRUE(argument_is_refused("npm", "run build"));
}

struct Guard {
  const char* command;
  Words args;
};

// Each of these is a request that a caller may well mean. Refusing one would be a defect.
TEST(CommandLineInArgument, LeavesArgumentsThatMerelyHoldBlanksAlone) {
  const std::vector<Guard> guards = {
      // prose
      {"git", {"commit", "-m", "git status && rm: fix both"}},
      {"git", {"commit", "-mfix a && b; make it work"}},
      {"echo", {"echo is a program"}},
      {"echo", {"-n && rm x"}},
      {"echo", {"a && ls"}},
      {"printf", {"printf %s | cat"}},
      {"logger", {"build done; make finished"}},
      {"notify-send", {"make && make install | done"}},
      {"note", {"note to self: buy milk"}},
      {"llm", {"run the tests && make them pass"}},
      {"say", {"say hello"}},
      // files
      {"cat", {"my file.txt"}},
      {"cat", {"R&D; notes.txt"}},
      {"cat", {"this & that.txt"}},
      {"ls", {"a | b"}},
      {"mkdir", {"Input | Output"}},
      {"rm", {"-old file"}},
      {"touch", {"- notes.md"}},
      {"python3", {"my script.py"}},
      {"bash", {"build all.sh"}},
      // patterns
      {"grep", {"grep -v foo"}},
      {"grep", {"foo | cat"}},
      {"rg", {"a && ls"}},
      {"pgrep", {"pgrep -f"}},
      // code
      {"jq", {".a | .b"}},
      {"jq", {"-r .items | length"}},
      {"jq", {".a | tr"}},
      {"awk", {"{ if ($1 > 2 && $2) print | cat }"}},
      {"sed", {"s/a b/c && d/; p"}},
      {"perl", {"-ne print if $x && sort"}},
      {"perl", {"-pe s/a/b/; tr a b"}},
      {"python3", {"-c import os; make"}},
      {"node", {"-e let a = b || c; echo"}},
      {"psql", {"select a || b from t; select 1"}},
      {"psql", {"-c select a || sort from t"}},
      {"sqlite3", {"select 1; select 2"}},
      {"mysql", {"--execute select 1; sort"}},
      {"node", {"--eval a && sort"}},
      {"bc", {"1 > 2"}},
      {"expr", {"1 > 2"}},
      {"test", {"-n > b"}},
      {"curl", {"{\"a\": \"b && ls\"}"}},
      {"make", {"RUN=echo a; echo b"}},
      {"cmake", {"-DCHECK=a && make b"}},
      {"gcc", {"-DX=a && make"}},
      {"make", {"$(shell x) && ls"}},
      // command lines that the program itself wants
      {"watch", {"-n1 ls | head"}},
      {"watch", {"watch -n1 ls"}},
      {"sh", {"-c", "ls && make"}},
      {"bash", {"-lc", "git status | head"}},
      {"env", {"-S ls | cat"}},
      {"xargs", {"-0 | rm"}},
      {"script", {"-qc make && ls"}},
      {"sudo", {"sudo -l"}},
      {"parallel", {"-j2 ls | wc"}},
      // more than one argument: the caller has split them
      {"git", {"git status", "--short"}},
      {"ls", {"-la && rm -rf x", "y"}},
      {"git", {"log", "--format=%h | cat"}},
      {"find", {".", "-name", "a && ls"}},
      // options and empty things
      {"git", {"-c user.name=A B"}},
      {"git", {"--git-dir=my dir"}},
      {"git", {"Status of things"}},
      {"git", {"status"}},
      {"git", {" "}},
      {"git", {""}},
      {"git", {}},
      {"yarn", {"my script"}},
      {"dotnet", {"my app.dll"}},
      {"git", {"it's broken && x"}},
  };
  for (const Guard& guard : guards) {
    EXPECT_FALSE(command_line_in_argument(request_for(guard.command, guard.args)).has_value())
        << guard.command << ' ' << ::testing::PrintToString(guard.args);
  }
}

TEST(CommandLine, AdviceStaysShortForLongLines) {
  const auto command = command_line_in_command(request_for("git " + std::string(100000, 'x')));
  ASSERT_TRUE(command.has_value());
  EXPECT_LT(command->hint.size() + command->message.size(), 1000U);
  const auto argument =
      command_line_in_argument(request_for("git", {"status " + std::string(4000, 'x') + " && ls"}));
  ASSERT_TRUE(argument.has_value());
  EXPECT_LT(argument->hint.size() + argument->message.size(), 1000U);
}

}  // namespace
}  // namespace bawn
