// Jobs, tokens, pipes and live runs, with a real child. What wine cannot show is skipped with
// the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "backend/windows/corpus.h"
#include "backend/windows/live_run.h"
#include "backend/windows/path_lookup.h"
#include "backend/windows/process/spawn.h"
#include "backend/windows/pump.h"
#include "backend/windows/syntax/command_line.h"
#include "backend/windows/syntax/environment.h"
#include "backend/windows/syntax/path.h"
#include "base/text.h"
#include "run/wait.h"

namespace bawn::windows {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string guest() {
  const char* name = std::getenv("BAWN_GUEST");
  return name == nullptr ? "" : name;
}

struct Ended {
  Supervised supervised;
  PumpedStreams output;
  TokenFacts token;
  [[nodiscard]] const std::string& text() const { return output.stdout_stream.kept; }
};

struct Order {
  std::vector<std::string> words;
  Limits limits{};
  std::optional<std::string> input{};
  bool cancelled = false;
};

std::optional<std::string> own_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<Ended> run(const Order& order) {
  const std::string directory = current_directory();
  const WindowsLookup lookup(directory);
  BAWN_ASSIGN(const std::string program, portable_path(guest(), directory));
  std::vector<std::string> words = order.words;
  words.insert(words.begin(), guest());
  BAWN_ASSIGN(EventPort events, EventPort::create());
  BAWN_ASSIGN(const Job job, Job::create({.processes = order.limits.processes,
                                          .memory_bytes = order.limits.memory_bytes,
                                          .cpu_time_ms = order.limits.cpu_time_ms}));
  BAWN_TRY(job.report_to(events.port(), kJobKey));
  BAWN_ASSIGN(Pump pump, Pump::create({.stdout_sink = {.kind = SinkKind::capture},
                                       .stderr_sink = {.kind = SinkKind::capture},
                                       .stdin_text = order.input,
                                       .output_bytes = order.limits.output_bytes},
                                      events.port()));
  ChildEnds ends = pump.take_child_ends();
  BAWN_ASSIGN(const Handle token, restricted_token(Integrity::callers));
  SpawnOrder spawn_order{
      .program = lookup.locate(program),
      .environment = native_environment(std::vector<std::string>{"A=1"}, own_variable),
      .stdio = {ends.stdin_read.get(), ends.stdout_write.get(), ends.stderr_write.get()},
      .token = token.get()};
  BAWN_ASSIGN(spawn_order.command_line, command_line(words));
  BAWN_ASSIGN(spawn_order.directory, native_path(directory));
  BAWN_ASSIGN(const Spawned spawned, spawn(spawn_order, job));
  ends = {};
  LiveRun live(job, spawned.process.get(), {.events = &events, .pump = &pump});
  Stopwatch stopwatch;
  Supervisor supervisor(order.limits, live, stopwatch);
  BAWN_TRY(live.begin(supervisor));
  if (order.cancelled) supervisor.happen(RunEvent::cancelled);
  while (!supervisor.finished()) {
    events.wake_at(supervisor.next());
    wait_for(HandleToLong(events.event()), std::nullopt);
    live.step(supervisor);
    supervisor.look_at_clock();
  }
  Supervised supervised = live.end(supervisor.progress());
  return Ended{std::move(supervised), pump.finish(), spawned.token};
}

Ended run_well(const Order& order) {
  auto ended = run(order);
  if (!ended) {
    ADD_FAILURE() << ended.error().message;
    return {};
  }
  return std::move(ended).value();
}

bool is_alive(DWORD pid) {
  const Handle process(OpenProcess(SYNCHRONIZE, FALSE, pid));
  return process && WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

bool limits_are_told() {
  const auto job = Job::create({});
  return job && job.value().read_back().limit_flags != 0;
}
#define SKIP_UNLESS_LIMITS_ARE_TOLD() \
  if (!limits_are_told())             \
  GTEST_SKIP() << "this system takes the limits of a job and does not keep them"

std::string hex_line(std::string_view word) {
  return concat("[", hex({reinterpret_cast<const unsigned char*>(word.data()), word.size()}),
                "]\n");
}

TEST(Run, EndsWithTheCommandsExitCode) {
  for (const char* code : {"0", "1", "77"}) {
    const Ended ended = run_well({.words = {"exit", code}});
    EXPECT_EQ(ended.supervised.exit_code, static_cast<DWORD>(std::atoi(code)));
    EXPECT_EQ(ended.supervised.run.ending, Ending::exited);
    EXPECT_TRUE(ended.supervised.run.tree_gone);
  }
}

TEST(Run, EveryWordArrivesAsItWasGiven) {
  std::vector<std::string> words{"words"};
  std::string expected;
  for (const std::string& word : quoting_corpus()) {
    words.push_back(word);
    expected += hex_line(word);
  }
  EXPECT_EQ(run_well({.words = words}).text(), expected);
}

TEST(Run, TheEnvironmentHoldsNothingOfTheCallers) {
  SetEnvironmentVariableW(L"BAWN_TEST_SECRET", L"hidden");
  const std::string text = run_well({.words = {"environment"}}).text();
  EXPECT_THAT(text, HasSubstr("A=1\n"));
  EXPECT_THAT(text, Not(HasSubstr("hidden")));
}

TEST(Run, InputArrivesAndEnds) {
  const std::string text(50'000, 'y');
  EXPECT_EQ(run_well({.words = {"copy"}, .input = text}).text(), text);
  EXPECT_EQ(run_well({.words = {"copy"}}).text(), "");
}

TEST(Run, ACommandThatDoesNotReadItsInputEndsAllTheSame) {
  const Ended ended = run_well({.words = {"exit", "4"}, .input = std::string(60'000, 'y')});
  EXPECT_EQ(ended.supervised.exit_code, 4U);
}

TEST(Run, OutputIsKeptWholeWithinTheLimit) {
  const Ended ended = run_well({.words = {"flood", "200"}, .limits = {.output_bytes = 200 * 1024}});
  EXPECT_EQ(ended.text().size(), 200U * 1024);
  EXPECT_EQ(ended.supervised.run.ending, Ending::exited);
  EXPECT_FALSE(ended.output.stdout_stream.truncated);
}

TEST(Run, AFloodEndsAtTheLimit) {
  const Ended ended =
      run_well({.words = {"flood", "1000000"}, .limits = {.output_bytes = 100'000}});
  EXPECT_EQ(ended.supervised.run.ending, Ending::output);
  EXPECT_EQ(ended.text().size(), 100'000U);
  EXPECT_TRUE(ended.output.stdout_stream.truncated);
  EXPECT_TRUE(ended.supervised.run.tree_gone);
}

TEST(Run, IsEndedAtItsDeadline) {
  const Ended ended = run_well({.words = {"sleep", "600000"}, .limits = {.wall_time_ms = 200}});
  EXPECT_EQ(ended.supervised.run.ending, Ending::wall_time);
  EXPECT_TRUE(ended.supervised.run.tree_gone);
}

TEST(Run, IsEndedWhenTheCallerSaysSo) {
  const Ended ended = run_well({.words = {"sleep", "600000"}, .cancelled = true});
  EXPECT_EQ(ended.supervised.run.ending, Ending::cancelled);
}

// The grandchild holds the pipe, so the run can end only after it.
TEST(Run, NothingOutlivesIt) {
  const Ended ended = run_well({.words = {"grandchild"}});
  const DWORD pid = static_cast<DWORD>(std::atoi(ended.text().c_str()));
  ASSERT_NE(pid, 0U) << ended.text();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_TRUE(ended.output.stdout_stream.ended);
}

TEST(Run, NoProcessBreaksAway) {
  const Ended ended = run_well({.words = {"grandchild", "breakaway"}});
  const DWORD pid = static_cast<DWORD>(std::atoi(ended.text().c_str()));
  EXPECT_TRUE(pid == 0 || !is_alive(pid)) << ended.text();
}

TEST(Run, HandlesOfTheCallerDoNotComeAlong) {
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  const Handle event(CreateEventW(&inheritable, TRUE, FALSE, nullptr));
  const auto value = reinterpret_cast<std::uintptr_t>(event.get());
  run_well({.words = {"signal", std::to_string(value)}});
  EXPECT_EQ(WaitForSingleObject(event.get(), 0), static_cast<DWORD>(WAIT_TIMEOUT));
  // The control: started without a handle list, the same program reaches the event.
  std::wstring line;
  for (const char c : concat("\"", guest(), "\" signal ", value)) line += static_cast<wchar_t>(c);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION made{};
  ASSERT_NE(CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr,
                           &start, &made),
            0);
  const Handle process(made.hProcess);
  const Handle thread(made.hThread);
  WaitForSingleObject(process.get(), INFINITE);
  EXPECT_EQ(WaitForSingleObject(event.get(), 0), static_cast<DWORD>(WAIT_OBJECT_0));
}

TEST(Job, EndsItsProcessesWhenItIsClosed) {
  auto job = Job::create({});
  ASSERT_TRUE(job);
  const JobProof proof = prove_end_on_close(job.value());
  EXPECT_TRUE(proof.holds) << proof.evidence;
}

TEST(Job, SaysWhatWasSet) {
  SKIP_UNLESS_LIMITS_ARE_TOLD();
  const auto job = Job::create({.processes = 3, .memory_bytes = 64 << 20, .cpu_time_ms = 1500});
  ASSERT_TRUE(job);
  const JobReadback told = job.value().read_back();
  EXPECT_EQ(told.limit_flags & kAlwaysLimited, kAlwaysLimited);
  EXPECT_EQ(told.processes, 3U);
  EXPECT_EQ(told.job_memory, 64U << 20);
  EXPECT_EQ(told.process_memory, 64U << 20);
  EXPECT_EQ(told.cpu_time_ms, 1500U);
  EXPECT_EQ(told.ui_restrictions, kUiRestrictions);
}

TEST(JobLimit, OfMemoryRefusesMore) {
  SKIP_UNLESS_LIMITS_ARE_TOLD();
  const Ended ended =
      run_well({.words = {"allocate", "256"}, .limits = {.memory_bytes = 64 << 20}});
  EXPECT_EQ(ended.text(), "refused\n");
  EXPECT_TRUE(ended.supervised.memory_refused);
  EXPECT_EQ(run_well({.words = {"allocate", "8"}, .limits = {.memory_bytes = 64 << 20}}).text(),
            "allocated\n");
}

TEST(JobLimit, OfProcessesRefusesMore) {
  SKIP_UNLESS_LIMITS_ARE_TOLD();
  const Ended ended = run_well({.words = {"start", "8"}, .limits = {.processes = 3}});
  EXPECT_THAT(ended.text(), HasSubstr("2 started"));
  EXPECT_TRUE(ended.supervised.processes_refused);
}

TEST(JobLimit, OfCpuTimeEndsTheRun) {
  SKIP_UNLESS_LIMITS_ARE_TOLD();
  const Ended ended = run_well({.words = {"spin"}, .limits = {.cpu_time_ms = 300}});
  EXPECT_EQ(ended.supervised.run.ending, Ending::cpu_time);
  EXPECT_GE(ended.supervised.usage.cpu_user_ms, 200U);
}

TEST(Token, HasNoPrivileges) {
  const auto token = restricted_token(Integrity::callers);
  ASSERT_TRUE(token);
  if (read_token(token.value().get()).value().privileges != 0)
    GTEST_SKIP() << "this system leaves privileges in a restricted token";
  const Ended ended = run_well({.words = {"exit", "0"}});
  EXPECT_EQ(ended.token.privileges, 0U);
  EXPECT_FALSE(ended.token.administrator);
}

TEST(Token, AdministratorsAreDenyOnly) {
  EXPECT_FALSE(run_well({.words = {"exit", "0"}}).token.administrator);
}

TEST(Token, CanBeOfLowIntegrity) {
  const auto token = restricted_token(Integrity::low);
  ASSERT_TRUE(token);
  if (read_token(token.value().get()).value().integrity != SECURITY_MANDATORY_LOW_RID)
    GTEST_SKIP() << "this system has no integrity levels";
  EXPECT_EQ(read_token(token.value().get()).value().integrity,
            static_cast<DWORD>(SECURITY_MANDATORY_LOW_RID));
}

}  // namespace
}  // namespace bawn::windows
