// bawn::Run in a loop of the caller's: it never waits, and everything about a run can be done from
// outside while it runs.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>

#include "../refuse_call.h"
#include "fixture.h"
#include "policy/policy.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using testing::HasSubstr;

constexpr int kPatienceMs = 60'000;

Policy shell_policy() {
  Policy policy = fixture_policy();
  policy.executables.allow_all = true;
  policy.executables.interpreters = true;
  return policy;
}

Request shell(const std::string& script, const std::string& mark = "") {
  Request request{.command = "/bin/sh", .args = {"-c", script}};
  if (!mark.empty()) request.args.push_back(mark);
  return request;
}

// Steps until `met` or the end of the run; false if nothing happens for a minute.
bool step_until(Run& run, const std::function<bool()>& met) {
  while (!run.done() && !met()) {
    pollfd ask{.fd = run.fd(), .events = POLLIN, .revents = 0};
    if (poll(&ask, 1, kPatienceMs) != 1) return false;
    run.step();
  }
  return true;
}

Outcome finished(Run& run) {
  EXPECT_TRUE(step_until(run, [] { return false; }));
  return run.outcome();
}

using Live = Run;  // inside a test `Run` is a function of gtest

class RunObject : public testing::Test {
 protected:
  [[nodiscard]] Live start(const std::string& script, RunOptions options = {}) {
    options.workspace = fixture_.workspace();
    options.source = RequestSource::person;
    if (!options.on_output) {
      options.on_output = [this](Stream stream, std::string_view bytes) {
        (stream == Stream::out ? out_ : err_) += bytes;
      };
    }
    return Live::start(policy_, shell(script, mark_), std::move(options));
  }
  [[nodiscard]] bool wait_for(Live& run, std::string_view text) {
    return step_until(run, [&] { return out_.find(text) != std::string::npos; });
  }

  RunFixture fixture_;
  Policy policy_ = shell_policy();
  std::string mark_ = marker();
  std::string out_;
  std::string err_;
};

TEST_F(RunObject, GivesTheOutcomeThatRunGives) {
  Live run = start("echo out; echo err >&2; exit 3");
  const Outcome outcome = finished(run);
  EXPECT_EQ(outcome.status, Status::exited);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(out_, "out\n");
  EXPECT_EQ(err_, "err\n");
  EXPECT_EQ(outcome.stdout_stream.bytes, 4U);
  EXPECT_EQ(outcome.stdout_stream.data, "") << "a consumer has it";
  EXPECT_TRUE(run.done());
  EXPECT_EQ(run.fd(), -1);
}

TEST_F(RunObject, KeepsItsOutputIfNobodyConsumesIt) {
  Live run = Live::start(policy_, shell("echo kept"), {.workspace = fixture_.workspace()});
  EXPECT_EQ(finished(run).stdout_stream.data, "kept\n");
}

TEST_F(RunObject, PassesOutputOnAsItComesAndRedacted) {
  policy_.redaction.secrets = {"hunter2hunter2"};
  Live run =
      start("echo begin; echo the hunter2hunter2 of it; read x; echo end", {.input_pipe = true});
  ASSERT_TRUE(wait_for(run, "of it\n"));
  EXPECT_FALSE(run.done()) << "the command still runs";
  EXPECT_EQ(out_.find("hunter2"), std::string::npos) << out_;
  run.close_input();
  const Outcome outcome = finished(run);
  EXPECT_THAT(out_, HasSubstr("end"));
  EXPECT_FALSE(outcome.redactions.empty());
}

TEST_F(RunObject, TakesInputWhileItRuns) {
  Live run = start("while read line; do echo got $line; done; echo end", {.input_pipe = true});
  for (const std::string word : {"one", "two"}) {
    const auto taken = run.write_input(word + "\n");
    ASSERT_TRUE(taken.ok()) << taken.error().message;
    EXPECT_EQ(taken.value(), word.size() + 1);
    ASSERT_TRUE(wait_for(run, "got " + word));
  }
  run.close_input();
  EXPECT_EQ(finished(run).exit_code, 0);
  EXPECT_EQ(out_, "got one\ngot two\nend\n");
}

TEST_F(RunObject, NeverWaitsForACommandThatDoesNotRead) {
  Live run = start("echo ready; sleep 600", {.input_pipe = true});
  ASSERT_TRUE(wait_for(run, "ready"));
  const std::string chunk(64 * 1024, 'x');
  std::size_t taken = 0;
  for (;;) {
    const auto more = run.write_input(chunk);
    ASSERT_TRUE(more.ok());
    if (more.value() == 0) break;
    taken += more.value();
  }
  EXPECT_LE(taken, 2 * chunk.size());
  run.cancel();
  EXPECT_EQ(finished(run).status, Status::cancelled);
}

TEST_F(RunObject, SaysThatItHasNoInputOrTerminal) {
  Live run = start("sleep 600");
  EXPECT_FALSE(run.write_input("x").ok());
  EXPECT_FALSE(run.resize(10, 10).ok());
  run.cancel();
  finished(run);
  EXPECT_FALSE(run.write_input("x").ok());
  EXPECT_FALSE(run.signal(RunSignal::interrupt).ok());
}

TEST_F(RunObject, PassesSignalsToTheCommand) {
  const std::map<RunSignal, std::string> names = {{RunSignal::interrupt, "INT"},
                                                  {RunSignal::quit, "QUIT"},
                                                  {RunSignal::hang_up, "HUP"},
                                                  {RunSignal::terminate, "TERM"}};
  for (const auto& [signal, name] : names) {
    out_.clear();
    Live run = start("trap 'echo " + name + "; exit 7' " + name +
                     "; echo ready; while :; do sleep 0.01; done");
    ASSERT_TRUE(wait_for(run, "ready"));
    ASSERT_TRUE(run.signal(signal).ok());
    EXPECT_EQ(finished(run).exit_code, 7) << name;
    EXPECT_EQ(out_, "ready\n" + name + "\n");
  }
}

TEST_F(RunObject, IsCancelledAlsoFromAFunctionThatItCalls) {
  Live* self = nullptr;
  Live run = start("echo ready; sleep 600",
                   {.on_output = [&self](Stream, std::string_view) { self->cancel(); }});
  self = &run;
  EXPECT_EQ(finished(run).status, Status::cancelled);
}

TEST_F(RunObject, IsCancelledInTheTierToWhichItFellBack) {
  const int status = in_another_process([&] {
    if (!refuse_call({SYS_pivot_root, 0, RefusedCall::Test::is_at_least, 0, EPERM})) return 90;
    policy_.tier = {.use = TierChoice::automatic, .floor = Tier::b};
    Live run = start("echo ready; sleep 600");
    if (!wait_for(run, "ready") || run.done()) return 91;
    run.cancel();
    if (!step_until(run, [] { return false; })) return 92;
    const Outcome outcome = run.outcome();
    return outcome.tier == Tier::b && outcome.status == Status::cancelled ? 0 : 93;
  });
  EXPECT_EQ(status, 0);
}

// The failure of the first attempt is a reason to try tier b, but not for a run that was cancelled.
TEST_F(RunObject, IsNotTriedAgainOnceItIsCancelled) {
  const int status = in_another_process([&] {
    if (!refuse_call({SYS_pivot_root, 0, RefusedCall::Test::is_at_least, 0, EPERM})) return 90;
    policy_.tier = {.use = TierChoice::automatic, .floor = Tier::b};
    const auto outcome_if = [&](bool cancelled) {
      Live run = start("echo ran");
      if (cancelled) run.cancel();
      return finished(run);
    };
    if (!outcome_if(false).success() || out_ != "ran\n") return 91;
    out_.clear();
    const Status ended = outcome_if(true).status;
    return ended == Status::cancelled && out_.empty() ? 0 : 92;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(RunObject, IsCancelledByAnInterruptOfTheCallersJob) {
  for (const JobSignal signal : {JobSignal::interrupt, JobSignal::quit}) {
    out_.clear();
    Live run = start("trap 'echo got it' INT QUIT; echo ready; sleep 600");
    ASSERT_TRUE(wait_for(run, "ready"));
    run.job_signal(JobSignal::resized);
    run.job_signal(JobSignal::continued);
    EXPECT_FALSE(run.done());
    run.job_signal(signal);
    EXPECT_EQ(finished(run).status, Status::cancelled);
    EXPECT_EQ(out_, "ready\n") << "the command has no terminal";
    run.job_signal(signal);  // harmless afterwards
  }
}

TEST_F(RunObject, SuspendsTheCallerAndNotTheCommand) {
  std::vector<int> suspended;
  Live run = start("echo ready; read x; echo end", {.input_pipe = true, .suspend = [&](int signal) {
                                                      suspended.push_back(signal);
                                                      return true;
                                                    }});
  ASSERT_TRUE(wait_for(run, "ready"));
  run.job_signal(JobSignal::suspend);
  EXPECT_THAT(suspended, testing::ElementsAre(SIGTSTP));
  run.close_input();
  EXPECT_EQ(finished(run).status, Status::exited);
  EXPECT_EQ(out_, "ready\nend\n");
}

TEST_F(RunObject, WritesRedactedOutputToLogFiles) {
  policy_.redaction.secrets = {"hunter2hunter2"};
  const auto log = [&](const char* name) {
    return Fd(
        open((fixture_.workspace() + "/" + name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  };
  const auto text = [](const Fd& file) {
    std::string all(1000, '\0');
    const ssize_t size = pread(file.get(), all.data(), all.size(), 0);
    return all.substr(0, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  };
  const Fd out = log("out.log");
  const Fd err = log("err.log");
  Live run = start("echo the hunter2hunter2 of it; echo plain >&2",
                   {.stdout_log = out.get(), .stderr_log = err.get()});
  const Outcome outcome = finished(run);
  EXPECT_TRUE(outcome.success()) << outcome_json(outcome);
  EXPECT_EQ(text(out), "the [redacted:literal] of it\n");
  EXPECT_EQ(text(err), "plain\n");
  EXPECT_EQ(out_, text(out)) << "both sinks get it";
  EXPECT_EQ(outcome.stdout_stream.data, "");
  EXPECT_EQ(outcome.stderr_stream.bytes, 6U);
}

TEST_F(RunObject, TellsThatALogFileCouldNotBeWritten) {
  const Fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  Live run = start("echo lost", {.stdout_log = full.get()});
  const Outcome outcome = finished(run);
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_TRUE(outcome.truncated);
  EXPECT_THAT(outcome.error->message, HasSubstr("stdout could not be written: No space left"));
}

TEST_F(RunObject, MeetsItsDeadlineInTheCallersLoop) {
  policy_.limits.wall_time_ms = 200;
  Live run = start("trap '' TERM; sleep 600");
  const Outcome outcome = finished(run);
  EXPECT_EQ(outcome.status, Status::timed_out);
  expect_ended(outcome, mark_);
}

TEST_F(RunObject, IsDoneAtOnceIfItIsRefused) {
  Live run = Live::start(policy_, {.command = "/absent"}, {.workspace = fixture_.workspace()});
  EXPECT_TRUE(run.done());
  EXPECT_EQ(run.outcome().status, Status::denied);
}

TEST_F(RunObject, ThatIsDroppedLeavesNothing) {
  const int files = open_descriptors();
  for (const bool is_stepped : {false, true}) {
    Live run = start("echo ready; sleep 600 & sleep 600");
    if (is_stepped) {
      ASSERT_TRUE(wait_for(run, "ready"));
    }
  }
  expect_nothing_alive(mark_);
  EXPECT_EQ(open_descriptors(), files);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "init was reaped";
}

TEST_F(RunObject, IsResizedThroughItsOwnTerminal) {
  Request request =
      shell("trap 'stty size <&1; exit 0' WINCH; echo ready; while :; do sleep 0.01; done", mark_);
  request.pty = true;
  Live run = Live::start(policy_, request,
                         {.workspace = fixture_.workspace(),
                          .source = RequestSource::person,
                          .on_output = [this](Stream, std::string_view bytes) { out_ += bytes; }});
  ASSERT_TRUE(wait_for(run, "ready"));
  const auto resized = run.resize(31, 101);
  ASSERT_TRUE(resized.ok()) << resized.error().message;
  EXPECT_EQ(finished(run).exit_code, 0);
  EXPECT_THAT(out_, HasSubstr("31 101"));
}

// ---- Many at once -------------------------------------------------------------------------------

// All of them live at the same time in this one thread.
void run_many(const Policy& policy, const std::string& workspace, int count) {
  const Fd loop(epoll_create1(EPOLL_CLOEXEC));
  std::map<int, Run> runs;
  for (int i = 0; i < count; ++i) {
    Run run =
        Run::start(policy, shell("read x; echo $x"), {.workspace = workspace, .input_pipe = true});
    ASSERT_FALSE(run.done()) << i << ": " << run.outcome().error->message;
    epoll_event event{.events = EPOLLIN, .data = {.fd = run.fd()}};
    ASSERT_EQ(epoll_ctl(loop.get(), EPOLL_CTL_ADD, run.fd(), &event), 0);
    runs.emplace(run.fd(), std::move(run));
  }
  ASSERT_EQ(runs.size(), static_cast<std::size_t>(count)) << "all are alive";
  for (auto& [fd, run] : runs) ASSERT_TRUE(run.write_input(std::to_string(fd) + "\n").ok());
  while (!runs.empty()) {
    std::array<epoll_event, 64> events{};
    const int ready = epoll_wait(loop.get(), events.data(), events.size(), kPatienceMs);
    ASSERT_GT(ready, 0) << runs.size() << " runs are left";
    for (int i = 0; i < ready; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      Run& run = runs.at(fd);
      run.step();
      if (!run.done()) continue;
      const Outcome outcome = run.outcome();
      EXPECT_EQ(outcome.stdout_stream.data, std::to_string(fd) + "\n") << "its own output";
      runs.erase(fd);
    }
  }
}

TEST_F(RunObject, LivesBesideAThousandOthersInOneThread) {
  const char* wanted = std::getenv("BAWN_MANY_RUNS");
  const int files = open_descriptors();
  run_many(policy_, fixture_.workspace(), wanted == nullptr ? 1000 : std::atoi(wanted));
  EXPECT_EQ(open_descriptors(), files);
}

}  // namespace
}  // namespace bawn
