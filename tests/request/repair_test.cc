#include <gtest/gtest.h>

#include "request/request.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

Request request_in(std::string command, Words args, std::string cwd = "") {
  Request request;
  request.command = std::move(command);
  request.args = std::move(args);
  request.cwd = std::move(cwd);
  return request;
}

Words repaired_args(std::string command, Words args) {
  Request request = request_in(std::move(command), std::move(args));
  (void)normalise_request(request);
  return request.args;
}

TEST(Repair, DropsTheCommandRepeatedAsFirstArgument) {
  Request request = request_in("git", {"git", "status"});
  EXPECT_EQ(normalise_request(request),
            Words{"args[0] repeated the command 'git' and was dropped"});
  EXPECT_EQ(request, request_in("git", {"status"}));
}

TEST(Repair, DropsItOnlyOnce) {
  EXPECT_EQ(repaired_args("git", {"git", "git", "status"}), (Words{"git", "status"}));
}

TEST(Repair, ComparesTheNameOfAnAbsoluteCommand) {
  EXPECT_EQ(repaired_args("/usr/bin/git", {"git", "status"}), Words{"status"});
  EXPECT_EQ(repaired_args("/usr/bin/git", {"/usr/bin/git", "status"}), Words{"status"});
  EXPECT_EQ(repaired_args("./build.sh", {"./build.sh", "all"}), Words{"all"});
}

TEST(Repair, LeavesWhatMayBeMeant) {
  for (const char* command :
       {"echo", "sudo", "env", "man", "which", "apropos", "type", "grep", "printf", "file",
        "busybox", "/usr/bin/env", "/bin/echo", "test", "time", "xargs", "strace"}) {
    const std::string name = std::string(command).substr(std::string(command).rfind('/') + 1);
    EXPECT_EQ(repaired_args(command, {name, "x"}), (Words{name, "x"})) << command;
  }
  EXPECT_EQ(repaired_args("./build.sh", {"build.sh"}), Words{"build.sh"});
  EXPECT_EQ(repaired_args("git", {"/usr/bin/git"}), Words{"/usr/bin/git"});
  EXPECT_EQ(repaired_args("git", {"status", "git"}), (Words{"status", "git"}));
  EXPECT_EQ(repaired_args("git", {"Git"}), Words{"Git"});
  EXPECT_EQ(repaired_args("git", {"git status", "x"}), (Words{"git status", "x"}));
  EXPECT_EQ(repaired_args("git", {}), Words{});
}

TEST(Repair, TakesALeadingCwdOption) {
  Request two_words = request_in("make", {"--cwd", "sub dir", "all"});
  EXPECT_EQ(normalise_request(two_words),
            Words{"--cwd 'sub dir' was taken from args as the request's cwd"});
  EXPECT_EQ(two_words, request_in("make", {"all"}, "sub dir"));
  Request one_word = request_in("make", {"--cwd=sub"});
  EXPECT_EQ(normalise_request(one_word).size(), 1U);
  EXPECT_EQ(one_word, request_in("make", {}, "sub"));
}

TEST(Repair, LeavesACwdOptionThatMayBeMeant) {
  const std::vector<Request> untouched = {
      request_in("make", {"--cwd", "a"}, "b"),        // the request has a cwd
      request_in("make", {"all", "--cwd", "a"}),      // not leading
      request_in("make", {"--cwd"}),                  // no value
      request_in("make", {"--cwd", ""}),              // no value
      request_in("make", {"--cwd="}),                 // no value
      request_in("make", {"--cwd", "--verbose"}),     // the value is an option
      request_in("make", {"--cwdx", "a"}),            // another option
      request_in("make", {"--cwdx=a"}),               // another option
      request_in("yarn", {"--cwd", "a", "install"}),  // yarn's own
      request_in("make", {"--cwd", std::string("a\0b", 3)}),
      request_in("make", {"--cwd=" + std::string(kMaxCwdBytes + 1, 'a')}),
  };
  for (const Request& before : untouched) {
    Request after = before;
    EXPECT_TRUE(normalise_request(after).empty()) << ::testing::PrintToString(before.args);
    EXPECT_EQ(after, before) << ::testing::PrintToString(before.args);
  }
}

TEST(Repair, MendsBothMistakesInEitherOrder) {
  Request name_first = request_in("git", {"git", "--cwd", "x", "status"});
  EXPECT_EQ(normalise_request(name_first).size(), 2U);
  EXPECT_EQ(name_first, request_in("git", {"status"}, "x"));
  Request option_first = request_in("git", {"--cwd", "x", "git", "status"});
  EXPECT_EQ(normalise_request(option_first).size(), 2U);
  EXPECT_EQ(option_first, request_in("git", {"status"}, "x"));
}

TEST(Repair, DoesNothingAndSaysNothingForAGoodRequest) {
  Request request = request_in("git", {"status", "--short"}, "sub");
  const Request before = request;
  EXPECT_TRUE(normalise_request(request).empty());
  EXPECT_EQ(request, before);
}

}  // namespace
}  // namespace bawn
