// stdin, stdout and stderr of `bawn run` carry the bytes of the caller's, and report what is lost.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <random>

#include "caller.h"

namespace bawn {
namespace {

using testing::HasSubstr;

std::string noise(std::size_t bytes) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same noise each time
  std::string out(bytes, '\0');
  for (char& byte : out) byte = static_cast<char>(random());
  return out;
}

// Without and with an output limit. With one, bawn counts what the command writes.
const Words kDirect = {"run", "--tier", "b"};
const Words kRelayed = {"run", "--tier", "b", "--output", "1G"};

TEST(Stdio, CarriesLargeBinaryDataBothWays) {
  const Caller caller;
  const std::string sent = noise(3'000'001);
  for (const Words& words : {kDirect, kRelayed}) {
    const Answer answer = caller.call(joined(words, {"--", guest(), "copy-stdin"}), {.in = sent});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_TRUE(answer.out == sent)
        << answer.out.size() << " of " << sent.size() << " bytes came back";
    EXPECT_EQ(answer.err, "");
  }
}

TEST(Stdio, KeepsStdoutAndStderrApart) {
  const Caller caller;
  for (const Words& words : {kDirect, kRelayed}) {
    const Answer answer =
        caller.call(joined(words, {"--", guest(), "print-to-both", "one", "two"}));
    EXPECT_EQ(answer.out, "one");
    EXPECT_EQ(answer.err, "two");
  }
}

TEST(Stdio, ACommandThatReadsNothingDoesNotWaitForTheWriter) {
  const Caller caller;
  for (const Words& words : {kDirect, kRelayed}) {
    const Answer answer =
        caller.call(joined(words, {"--", guest(), "exit", "5"}), {.in = noise(2'000'000)});
    EXPECT_EQ(answer.exit_code, 5) << answer.err;
  }
}

TEST(Stdio, AReaderThatGoesAwayEndsTheCommandAsItWouldWithoutBawn) {
  const Caller caller;
  Call call = caller.start(joined(kDirect, {"--", guest(), "flood", "1000000000"}));
  ASSERT_TRUE(call.wait_for_output("f"));
  call.stop_reading_stdout();
  EXPECT_EQ(call.finish().exit_code, 128 + SIGPIPE);
}

TEST(Stdio, AReaderThatGoesAwayNeitherHangsNorCrashesTheRelay) {
  const Caller caller;
  Call call = caller.start(joined(kRelayed, {"--", guest(), "flood", "1000000000"}));
  ASSERT_TRUE(call.wait_for_output("f"));
  call.stop_reading_stdout();
  const Answer answer = call.finish();
  EXPECT_TRUE(answer.exit_code.has_value()) << "bawn died of signal " << answer.signal.value_or(0);
  EXPECT_NE(answer.exit_code, 0) << "not all of the output arrived";
  EXPECT_NE(answer.exit_code, 125) << "bawn itself did not fail";
}

// The command wrote to bawn's pipe and succeeded. So `cmd > file` on a full disk once ended with 0
// and without the output.
TEST(Stdio, ThatCannotBeWrittenIsTold) {
  const Caller caller;
  const Fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  const Fd file(open(caller.file_outside("out", "").c_str(), O_WRONLY | O_CLOEXEC));
  for (const std::string tier : {"b", "c"}) {
    const Words print = {"run", "--tier", tier, "--output", "1G", "--", guest(), "print", "text"};
    const Answer lost = caller.call(print, {.files = {{STDOUT_FILENO, full.get()}}});
    EXPECT_EQ(lost.exit_code, 125) << tier;
    EXPECT_THAT(lost.err, HasSubstr("its stdout could not be written: No space left")) << tier;
    EXPECT_EQ(caller.call(print, {.files = {{STDOUT_FILENO, file.get()}}}).exit_code, 0) << tier;
  }
}

// The caller reads stderr only after bawn has ended. bawn once waited to write its last message,
// past every deadline.
TEST(Stdio, ThatIsFullAndNotReadDoesNotDelayTheAnswer) {
  const Caller caller;
  const Words flood = {"--timeout", "300ms", "--", guest(), "flood", "1000000000"};
  const Fd null(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const std::map<int, int> silent_stdout = {{STDOUT_FILENO, null.get()}};
  for (const Words& words : {kDirect, kRelayed}) {
    const Answer unread =
        caller.start(joined(words, flood), {.files = silent_stdout}).finish_process();
    EXPECT_EQ(unread.exit_code, 124);

    const Answer read =
        caller.call(joined(words, {"--timeout", "300ms", "--", guest(), "sleep", "100"}),
                    {.files = silent_stdout});
    EXPECT_EQ(read.exit_code, 124);
    EXPECT_THAT(read.err, HasSubstr("wall-time limit")) << "the same with room for it";
  }
}

// The file's offset is shared with the program that writes to it next. If bawn opened the file
// anew, its message would overwrite the text.
TEST(Stdio, ThatIsAFileIsContinuedByTheLastWords) {
  const Caller caller;
  const std::string path = caller.file_outside("log", "");
  const Fd log(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(write(log.get(), "before\n", 7), 7);
  const Answer answer =
      caller.call({"run", "--tier", "b", "--timeout", "300ms", "--", guest(), "sleep", "100"},
                  {.files = {{STDERR_FILENO, log.get()}}});
  EXPECT_EQ(answer.exit_code, 124);
  std::ifstream written(path);
  const std::string text(std::istreambuf_iterator<char>(written), {});
  EXPECT_THAT(text, testing::StartsWith("before\n"));
  EXPECT_THAT(text, HasSubstr("wall-time limit"));
}

TEST(Stdio, OutputBeyondTheLimitIsCutAndTheCauseNamed) {
  const Caller caller;
  const Answer answer = caller.call(
      {"run", "--tier", "b", "--output", "100000", "--", guest(), "flood", "1000000000"});
  EXPECT_EQ(answer.exit_code, 137);
  EXPECT_THAT(answer.err, HasSubstr("output limit of 100000 bytes"));
  const auto floods = std::count(answer.out.begin(), answer.out.end(), 'f') +
                      std::count(answer.err.begin(), answer.err.end(), 'f');
  EXPECT_GT(floods, 50'000);
  EXPECT_LT(floods, 100'100) << "a few are in the words of the message";

  const Answer within =
      caller.call({"run", "--tier", "b", "--output", "1000000", "--", guest(), "flood", "100"});
  EXPECT_EQ(within.exit_code, 0) << "the same within the limit";
}

// A process that starts with a closed descriptor gets its number for the first file it opens. If
// bawn passed that on as stdin, the command would have one of bawn's files.
TEST(Stdio, ThatIsClosedIsEmptyForTheCommandAndNotOneOfBawnsOwnFiles) {
  const Caller caller;
  for (const Words& words : {kDirect, kRelayed}) {
    const Answer in = caller.call(joined(words, {"--", guest(), "copy-stdin"}), {.closed = {0}});
    EXPECT_EQ(in.exit_code, 0) << in.err;
    EXPECT_EQ(in.out, "");

    const Answer out =
        caller.call(joined(words, {"--", guest(), "print-to-both", "one", "two"}), {.closed = {1}});
    EXPECT_EQ(out.exit_code, 0) << out.err;
    EXPECT_EQ(out.err, "two");

    const Answer all = caller.call(joined(words, {"--", guest(), "print-to-both", "one", "two"}),
                                   {.closed = {0, 1, 2}});
    EXPECT_EQ(all.exit_code, 0);
  }
}

// bawn once put /dev/null there for the command, wrote its outcome to it, and exited with 0.
TEST(Stdio, ThatIsClosedIsNoPlaceForAnOutcome) {
  const Caller caller;
  const Handed closed = {.in = R"({"command":"touch","args":["observer"]})", .closed = {1}};
  const Words command = {"--", "touch", "observer"};
  const Words lines[] = {{"exec", "--mode", "workspace"},
                         joined({"run", "--json"}, command),
                         joined({"run", "--status-fd", "1"}, command),
                         joined({"check"}, command),
                         joined({"check", "--json"}, command),
                         joined({"explain"}, command),
                         {"doctor"},
                         {"policy"},
                         {"run", "--help"},
                         {"--help"},
                         {"--version"}};
  for (const Words& words : lines) {
    const Answer answer = caller.call(words, closed);
    EXPECT_EQ(answer.exit_code, 125) << testing::PrintToString(words);
    EXPECT_THAT(answer.err, testing::AllOf(testing::StartsWith("bawn: "), HasSubstr("stdout")))
        << testing::PrintToString(words);
    EXPECT_NE(access((caller.workspace() + "/observer").c_str(), F_OK), 0)
        << testing::PrintToString(words);
  }
  EXPECT_EQ(caller.call(joined({"run"}, command), closed).exit_code, 0)
      << "there is nothing to tell";
  EXPECT_EQ(access((caller.workspace() + "/observer").c_str(), F_OK), 0);
}

// --help and --version once did not report it.
TEST(Stdio, ThatTakesNothingIsTold) {
  const Caller caller;
  const Fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  for (const Words& words : {Words{"--help"}, {"--version"}, {"doctor", "--help"}, {"policy"}}) {
    const Answer answer = caller.call(words, {.files = {{1, full.get()}}});
    EXPECT_EQ(answer.exit_code, 125) << words.front();
    EXPECT_THAT(answer.err,
                testing::AllOf(testing::StartsWith("bawn: "), HasSubstr("stdout: No space left")));
  }
}

TEST(Stdio, IsAllThatTheCommandInherits) {
  const Caller caller;
  for (const Words& words : {kDirect, kRelayed}) {
    const Answer answer = caller.call(joined(words, {"--", guest(), "list-open-files"}),
                                      {.files = {{7, 1}, {99, 1}}});
    EXPECT_EQ(answer.out, "0\n1\n2\n");
  }
}

}  // namespace
}  // namespace bawn
