// A shortage of open files on the host says nothing about the request. The run fails (125) and the
// message names the shortage. It is not denied (126, 127), which would send the user to look for a
// mistake in the policy.
//
// Each command line is tried with every limit, from the lowest with which bawn starts to one that
// is enough. So the shortage meets each look-up in turn.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "caller.h"

namespace bawn {
namespace {

constexpr int kFewest = 4;
constexpr int kEnough = 256;

Answer call_with_open_files(const Caller& caller, int most, const Words& words,
                            const std::string& in = "") {
  const std::string limited = "ulimit -n " + std::to_string(most) + "; exec \"$0\" \"$@\"";
  return caller
      .start_program("/bin/sh", joined({"sh", "-c", limited, named_by("BAWN_BINARY")}, words),
                     {.in = in})
      .finish();
}

void expect_failed_or_done(const Caller& caller, const Words& words, const std::string& in = "") {
  const Answer control = call_with_open_files(caller, kEnough, words, in);
  ASSERT_EQ(control.exit_code, 0) << control.out << control.err;
  int failures = 0;
  int limit = kFewest;
  for (int in_a_row = 0; in_a_row < 3; ++limit) {
    ASSERT_LT(limit, kEnough);
    const Answer answer = call_with_open_files(caller, limit, words, in);
    in_a_row = answer.exit_code == 0 ? in_a_row + 1 : 0;
    if (answer.exit_code == 0) continue;
    ++failures;
    const std::string told = answer.out + answer.err;
    EXPECT_EQ(answer.exit_code, 125) << limit << ": " << told;
    EXPECT_THAT(told, testing::HasSubstr("Too many open files (EMFILE)")) << limit;
    EXPECT_THAT(told, testing::HasSubstr("ulimit -n 1024")) << limit;
  }
  EXPECT_GT(failures, 3) << "no limit was too low, so nothing is shown";
}

TEST(TooFewOpenFiles, FailARunAndDoNotDenyIt) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    SCOPED_TRACE(tier);
    expect_failed_or_done(caller, {"run", "--tier", tier, "--", "true"});
  }
}

TEST(TooFewOpenFiles, FailWhateverThePolicyAsksFor) {
  const Caller caller;
  const std::string script = caller.file("script", "#!/bin/sh\nexit 0\n");
  ASSERT_EQ(chmod(script.c_str(), 0755), 0);
  const std::string profile =
      caller.file_outside("profile.json", R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
        {"names": ["kexec_load"], "action": "SCMP_ACT_ERRNO"}]})");
  const std::string granted = caller.file_outside("granted", "");
  caller.file("protected", "");
  expect_failed_or_done(caller, {"run", "--tier", "c", "--ro", granted, "--protect", "protected",
                                 "--seccomp", profile, "--", script, granted});
  expect_failed_or_done(caller, {"run", "--tier", "b", "--pids", "500", "--", script});
}

TEST(TooFewOpenFiles, FailAQuestionAsTheyFailARun) {
  const Caller caller;
  for (const std::string question : {"check", "explain"}) {
    SCOPED_TRACE(question);
    expect_failed_or_done(caller, {question, "--", "true"});
  }
}

TEST(TooFewOpenFiles, AreNoReasonToDenyARequest) {
  const Caller caller;
  const std::string request = R"({"command":"true"})";
  const Words words = {"exec", "--mode", "workspace"};
  EXPECT_THAT(call_with_open_files(caller, kEnough, words, request).out,
              testing::HasSubstr(R"("status":"exited")"));
  int failures = 0;
  for (int limit = kFewest; limit < 40; ++limit) {
    const std::string out = call_with_open_files(caller, limit, words, request).out;
    EXPECT_THAT(out, testing::Not(testing::HasSubstr(R"("status":"denied")"))) << limit;
    failures += out.find("EMFILE") == std::string::npos ? 0 : 1;
  }
  EXPECT_GT(failures, 3);
}

}  // namespace
}  // namespace bawn
