// The outcome of a run, by --json and by --status-fd.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(JsonOutcome, HoldsOutputAndExitCode) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--tier", "b", "--json", "--", guest(), "print-to-both", "one", "two"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.err, "");
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/status"), "exited");
  EXPECT_EQ(at(printed, "/stdout"), "one");
  EXPECT_EQ(at(printed, "/stderr"), "two");
  EXPECT_EQ(at(printed, "/was_sandboxed"), "true");
  EXPECT_EQ(at(printed, "/tier"), "b");
}

TEST(JsonOutcome, LeavesTheExitCodeAsItIsWithoutIt) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--tier", "b", "--json", "--", guest(), "exit", "3"});
  EXPECT_EQ(answer.exit_code, 3);
  EXPECT_EQ(at(printed_json(answer.out), "/exit_code"), "3");
  EXPECT_EQ(at(printed_json(answer.out), "/error"), "null");
}

TEST(JsonOutcome, StillPassesStdinThrough) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--tier", "b", "--json", "--", guest(), "copy-stdin"}, {.in = "hello"});
  EXPECT_EQ(at(printed_json(answer.out), "/stdout"), "hello");
}

TEST(JsonOutcome, OfADenialIsOneLineOnStdoutAndNothingOnStderr) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--mode", "agent", "--json", "--", "true"});
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_EQ(answer.err, "");
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/status"), "denied");
  EXPECT_EQ(at(printed, "/violations/0/code"), "executable.not_allowed");
}

// A program that asked for JSON once got none if bawn failed before the run.
TEST(JsonOutcome, IsThereIfBawnFailedBeforeTheRun) {
  Caller caller;
  const std::string broken =
      caller.file_outside("broken.json", "{\n  \"extnds\": 1,\n  \"limit\": 2\n}\n");
  const Words command = {"--", guest(), "create", "observer"};
  const std::pair<Words, std::string> lines[] = {
      {{"run", "--json", "--policy", "/no/such/policy"}, "'/no/such/policy'"},
      {{"run", "--json", "--policy", broken}, "broken.json:3:"},
      {{"run", "--json", "--mode", "no-such-mode"}, "'no-such-mode'"},
      {{"run", "--json", "--timeout", "soon"}, "--timeout"},
      {{"run", "--timeout", "soon", "--json"}, "--timeout"},
      {{"run", "--json", "--no-such-option"}, "'--no-such-option'"},
      {{"run", "--json", "--status-fd", "999"}, "--status-fd"},
      {{"run", "--json", "--log-level", "loud"}, "--log-level"},
  };
  const auto expect_failure = [](const Answer& answer, const std::string& names) {
    EXPECT_EQ(answer.exit_code, 125) << names;
    EXPECT_EQ(answer.err, "") << names;
    const auto printed = printed_json(answer.out);
    EXPECT_EQ(at(printed, "/status"), "failed") << names;
    EXPECT_THAT(at(printed, "/error/message"), HasSubstr(names));
  };
  for (const auto& [words, names] : lines)
    expect_failure(caller.call(joined(words, command)), names);
  expect_failure(caller.call({"run", "--json"}), "no command");
  EXPECT_EQ(at(printed_json(caller.call({"run", "--json"}).out), "/error/kind"), "invalid_input");
  caller.set_variable("HOME", caller.workspace());
  expect_failure(caller.call(joined({"run", "--json"}, command)), "your home");
  EXPECT_NE(access((caller.workspace() + "/observer").c_str(), F_OK), 0);

  const Answer not_read = caller.call(joined({"run", "--no-such-option", "--json"}, command));
  EXPECT_EQ(not_read.out, "") << "what stands behind a mistake is not known";
  EXPECT_THAT(not_read.err, HasSubstr("'--no-such-option'"));
}

// A protected name that does not exist cannot be protected. Once only the JSON outcome said that
// the command had created it; a person saw nothing.
TEST(Protect, OfAMissingNameIsToldOnStderrOnceItAppeared) {
  const Caller caller;
  const auto run = [&](const std::string& command) {
    return caller.call({"run", "--protect", ".envrc", "--", "sh", "-c", command});
  };
  const Answer quiet = run("echo x > another");
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, "");
  const Answer told = run("echo x > .envrc; exit 3");
  EXPECT_EQ(told.exit_code, 3);
  EXPECT_EQ(told.err, "bawn: changed: the command created '" + caller.workspace() +
                          "/.envrc', which the policy protects\n"
                          "  hint: look at it before any other program does, or remove it\n");
}

TEST(JsonOutcome, DoesNotDieOfAReaderThatIsGone) {
  const Caller caller;
  Call call =
      caller.start({"run", "--tier", "b", "--json", "--", guest(), "copy-stdin"}, {.in = "x"});
  call.stop_reading_stdout();
  const Answer answer = call.finish();
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("stdout"));
}

// A pipe for the outcome, and the end that a test reads.
class StatusPipe {
 public:
  StatusPipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    read_ = Fd(ends[0]);
    write_ = Fd(ends[1]);
  }
  [[nodiscard]] int end() const { return write_.get(); }
  void stop_reading() { read_.reset(); }
  std::string text() {
    write_.reset();
    std::string out;
    std::array<char, 4096> block{};
    for (ssize_t got = 0; (got = read(read_.get(), block.data(), block.size())) > 0;) {
      out.append(block.data(), static_cast<std::size_t>(got));
    }
    return out;
  }

 private:
  Fd read_;
  Fd write_;
};

TEST(StatusFd, GetsTheOutcomeWhileStdioPassesThrough) {
  const Caller caller;
  StatusPipe status;
  const Answer answer =
      caller.call({"run", "--tier", "b", "--status-fd", "5", "--", guest(), "print", "hello"},
                  {.files = {{5, status.end()}}});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, "hello\n");
  const auto printed = printed_json(status.text());
  EXPECT_EQ(at(printed, "/status"), "exited");
  EXPECT_EQ(at(printed, "/exit_code"), "0");
}

TEST(StatusFd, GetsADenialToo) {
  const Caller caller;
  StatusPipe status;
  const Answer answer = caller.call({"run", "--mode", "agent", "--status-fd=5", "--", "true"},
                                    {.files = {{5, status.end()}}});
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_THAT(answer.err, HasSubstr("bawn: denied: "));
  EXPECT_EQ(at(printed_json(status.text()), "/status"), "denied");
}

TEST(StatusFd, GetsAFailureBeforeTheRunToo) {
  const Caller caller;
  StatusPipe status;
  const Answer answer = caller.call({"run", "--status-fd=5", "--timeout", "soon", "--", "true"},
                                    {.files = {{5, status.end()}}});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("--timeout"));
  const auto printed = printed_json(status.text());
  EXPECT_EQ(at(printed, "/status"), "failed");
  EXPECT_THAT(at(printed, "/error/message"), HasSubstr("--timeout"));
}

TEST(StatusFd, IsNotInheritedByTheCommand) {
  const Caller caller;
  StatusPipe status;
  const Answer answer =
      caller.call({"run", "--tier", "b", "--status-fd", "5", "--", guest(), "list-open-files"},
                  {.files = {{5, status.end()}}});
  EXPECT_EQ(answer.out, "0\n1\n2\n");
  EXPECT_EQ(at(printed_json(status.text()), "/status"), "exited");
}

TEST(StatusFd, MustBeANumberOfAnOpenFileForWriting) {
  const Caller caller;
  for (const char* bad : {"", "x", "-1", "3x", "99999999999999999999", "77", "0x5", " 5"}) {
    const Answer answer = caller.call(
        {"run", "--tier", "b", "--status-fd", bad, "--", guest(), "create", "observer"});
    EXPECT_EQ(answer.exit_code, 125) << bad;
    EXPECT_THAT(answer.err, HasSubstr("--status-fd")) << bad;
  }
  // bawn has opened some of these numbers itself by then. Once the command ran, and the outcome was
  // lost.
  for (int fd = 3; fd < 32; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (flags != -1 && (flags & FD_CLOEXEC) == 0)
      continue;  // inherited from the caller of this test
    const Answer answer = caller.call(
        {"run", "--status-fd", std::to_string(fd), "--", guest(), "create", "observer"});
    EXPECT_EQ(answer.exit_code, 125) << fd;
    EXPECT_THAT(answer.err,
                HasSubstr("--status-fd: file " + std::to_string(fd) + " is not an open file"));
  }
  const Fd read_only(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Answer answer =
      caller.call({"run", "--tier", "b", "--status-fd", "5", "--", guest(), "create", "observer"},
                  {.files = {{5, read_only.get()}}});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("--status-fd"));
  EXPECT_NE(access((caller.workspace() + "/observer").c_str(), F_OK), 0) << "nothing ran";
}

// The command has run and its exit code is known. A missing reader must not end bawn by SIGPIPE.
TEST(StatusFd, WithoutAReaderIsBawnsFailureAndNoCrash) {
  const Caller caller;
  StatusPipe status;
  status.stop_reading();
  const Answer answer =
      caller.call({"run", "--tier", "b", "--status-fd", "5", "--", guest(), "print", "hello"},
                  {.files = {{5, status.end()}}});
  EXPECT_EQ(answer.out, "hello\n");
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("--status-fd"));
}

// A failed write to one destination once kept the outcome from the other.
TEST(StatusFd, WithoutAReaderDoesNotKeepTheRecordFromStdout) {
  const Caller caller;
  StatusPipe status;
  status.stop_reading();
  const Answer answer = caller.call({"run", "--json", "--status-fd", "5", "--", "true"},
                                    {.files = {{5, status.end()}}});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("--status-fd"));
  EXPECT_EQ(at(printed_json(answer.out), "/status"), "exited");
}

TEST(JsonOutcome, ThatCannotBeWrittenIsA125ThatSaysThatTheCommandHasRun) {
  const Caller caller;
  const Fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  const Answer answer = caller.call({"run", "--json", "--", guest(), "create", "observer"},
                                    {.files = {{1, full.get()}}});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err,
              testing::AllOf(HasSubstr("the run has ended (exited)"), HasSubstr("stdout")));
  EXPECT_EQ(access((caller.workspace() + "/observer").c_str(), F_OK), 0);
  EXPECT_THAT(caller.call({"--help"}).out,
              HasSubstr("the outcome of what ran could not be written"));
}

// Init drops the privileges that it needed a moment after it has started the command.
TEST(Init, OfARunIsConfinedItself) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--", "sh", "-c",
                   "until grep -q '^Seccomp:.*2$' /proc/1/status; do :; done;"
                   "grep -E '^(Name|CapPrm|CapEff|NoNewPrivs|Seccomp):' /proc/1/status"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out,
            "Name:\tbawn-init\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"
            "NoNewPrivs:\t1\nSeccomp:\t2\n");
}

// ---- The receipt --------------------------------------------------------------------------------

TEST(ReceiptForPeople, IsProseOnStderrAndFieldsInJson) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--tier", "b", "--receipt", "--json", "--", guest(), "exit", "3"});
  EXPECT_EQ(answer.exit_code, 3);
  EXPECT_THAT(answer.err, StartsWith("bawn: receipt\n"));
  EXPECT_THAT(answer.err, HasSubstr("\n  enforced       no_new_privs          "
                                    "PR_GET_NO_NEW_PRIVS=1\n"));
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'),
            static_cast<std::ptrdiff_t>(printed.at("enforcement").size()) + 1)
      << answer.err;
  for (const auto& layer : printed.at("enforcement")) {
    if (layer.at("layer") != "no_new_privs") continue;
    EXPECT_EQ(layer.at("evidence").dump(), R"({"pr_get_no_new_privs":1})");
  }
}

TEST(ReceiptForPeople, IsPrintedOnlyIfItIsAskedFor) {
  const Caller caller;
  EXPECT_EQ(caller.call({"run", "--tier", "b", "--", guest(), "exit", "0"}).err, "");
  EXPECT_THAT(caller.call({"run", "--tier", "b", "--receipt", "--", guest(), "print", "hi"}).out,
              StartsWith("hi"));
  EXPECT_THAT(caller.call({"check", "--receipt", "--", "true"}).err, HasSubstr("'--receipt'"));
}

TEST(ReceiptForPeople, SaysThatNothingRan) {
  const Caller caller;
  const Answer denied = caller.call({"run", "--mode", "agent", "--receipt", "--", "true"});
  EXPECT_EQ(denied.exit_code, 126);
  EXPECT_THAT(denied.err, EndsWith("bawn: receipt: nothing ran, so nothing was in force\n"));
}

}  // namespace
}  // namespace bawn
