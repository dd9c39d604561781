// The real bawn.exe as its users meet it. BAWN_BINARY names it, BAWN_GUEST the program that it
// runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "backend/windows/corpus.h"
#include "backend/windows/handle.h"
#include "backend/windows/path_lookup.h"
#include "backend/windows/pump.h"
#include "backend/windows/syntax/command_line.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

std::string named_by(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

struct Started {
  Handle process;
  Handle output;  // its stdout and stderr
};

Started start(const Words& words, DWORD flags = 0) {
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  HANDLE read = nullptr;
  HANDLE write = nullptr;
  CreatePipe(&read, &write, &inheritable, 0);
  SetHandleInformation(read, HANDLE_FLAG_INHERIT, 0);
  const Handle end(write);
  Words all{named_by("BAWN_BINARY")};
  all.insert(all.end(), words.begin(), words.end());
  std::wstring line = wide(command_line(all).value()).value();
  STARTUPINFOW info{};
  info.cb = sizeof info;
  info.dwFlags = STARTF_USESTDHANDLES;
  info.hStdInput = nullptr;
  info.hStdOutput = write;
  info.hStdError = write;
  PROCESS_INFORMATION made{};
  EXPECT_NE(CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                           &info, &made),
            0);
  const Handle thread(made.hThread);
  return {Handle(made.hProcess), Handle(read)};
}

std::string read_line(HANDLE file) {
  std::string line;
  char c = 0;
  DWORD got = 0;
  while (ReadFile(file, &c, 1, &got, nullptr) != 0 && got == 1 && c != '\n') line += c;
  return line;
}

std::string read_all(HANDLE file) {
  std::string text;
  char block[4096];
  DWORD got = 0;
  while (ReadFile(file, block, sizeof block, &got, nullptr) != 0 && got > 0)
    text.append(block, got);
  return text;
}

struct Ended {
  DWORD code = 0;
  std::string text;
};

Ended bawn(const Words& words) {
  const Started started = start(words);
  Ended ended;
  ended.text = read_all(started.output.get());
  WaitForSingleObject(started.process.get(), INFINITE);
  GetExitCodeProcess(started.process.get(), &ended.code);
  return ended;
}

// Preset basic runs every program in tier b, and all of its limits are optional.
Ended run(Words words, Words options = {}) {
  Words all{"run", "--mode", "basic"};
  all.insert(all.end(), options.begin(), options.end());
  all.insert(all.end(), {"--", named_by("BAWN_GUEST")});
  all.insert(all.end(), words.begin(), words.end());
  return bawn(all);
}

bool is_alive(DWORD pid) {
  const Handle process(OpenProcess(SYNCHRONIZE, FALSE, pid));
  return process && WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

bool ends(DWORD pid) {
  const Handle process(OpenProcess(SYNCHRONIZE, FALSE, pid));
  return !process || WaitForSingleObject(process.get(), 30'000) == WAIT_OBJECT_0;
}

TEST(Bawn, ExitsAsTheCommandDoes) {
  EXPECT_EQ(run({"exit", "0"}).code, 0U);
  EXPECT_EQ(run({"exit", "77"}).code, 77U);
}

TEST(Bawn, SaysWhyNothingRan) {
  const Ended denied = run({"words", "..\\..\\secret"});
  EXPECT_EQ(denied.code, 126U);
  EXPECT_THAT(denied.text, HasSubstr("outside the workspace"));
  EXPECT_EQ(bawn({"run", "--mode", "basic", "--", "no-such-program"}).code, 127U);
  EXPECT_EQ(bawn({"run", "--no-such-option"}).code, 125U);
}

TEST(Bawn, DeniesWhatWindowsCannotEnforce) {
  const Ended floor = bawn({"run", "--", named_by("BAWN_GUEST"), "exit", "0"});
  EXPECT_EQ(floor.code, 126U);
  EXPECT_THAT(floor.text, HasSubstr("tier c is required and not available"));
  const Ended network = run({"exit", "0"}, {"--egress", "block_all"});
  EXPECT_EQ(network.code, 126U);
  EXPECT_THAT(network.text, HasSubstr("cannot keep the command from the network"));
}

TEST(Bawn, PathsThatWindowsReadsOtherwiseAreRefused) {
  for (const char* word : {"C:\\windows\\win.ini", "c:file", "\\\\server\\share\\x", "\\\\?\\C:\\x",
                           "--out=\\\\server\\x", "bawn.exe:stream", "file.", "con",
                           "..\\..\\secret", "\\windows\\win.ini"}) {
    EXPECT_EQ(run({"words", word}).code, 126U) << word;
  }
  for (const char* word : {"sub\\file", "nul", "/q", "--name=value", "a:b", "plain"})
    EXPECT_EQ(run({"words", word}).code, 0U) << word;
}

// Unconfined, so that no argument is refused as a path.
TEST(Bawn, EveryWordArrivesAsItWasTyped) {
  Words words{"run", "--mode", "disabled", "--", named_by("BAWN_GUEST"), "words"};
  std::string expected;
  for (const std::string& word : quoting_corpus()) {
    words.push_back(word);
    expected +=
        concat("[", hex({reinterpret_cast<const unsigned char*>(word.data()), word.size()}), "]\n");
  }
  EXPECT_EQ(bawn(words).text, expected);
}

TEST(Bawn, EndsARunAtItsDeadline) {
  const Ended ended = run({"sleep", "600000"}, {"--timeout", "300ms"});
  EXPECT_EQ(ended.code, 124U);
  EXPECT_THAT(ended.text, HasSubstr("the wall-time limit of 300 ms was reached"));
}

TEST(Bawn, PassesOutputOnUpToTheLimit) {
  const Ended ended = run({"flood", "100000"}, {"--output", "100000"});
  EXPECT_EQ(ended.code, 137U);
  EXPECT_THAT(ended.text, HasSubstr("the output limit of 100000 bytes was exceeded"));
  EXPECT_LT(ended.text.size(), 101'000U);
}

TEST(Bawn, GivesAFreshEnvironment) {
  SetEnvironmentVariableW(L"BAWN_TEST_TOKEN", L"hidden");
  const std::string text = run({"environment"}).text;
  EXPECT_THAT(text, HasSubstr("BAWN=1\n"));
  EXPECT_THAT(text, HasSubstr("USERPROFILE="));
  EXPECT_THAT(text, Not(HasSubstr("hidden")));
}

TEST(Bawn, RemovesThePrivateDirectory) {
  std::string text = run({"environment"}).text;
  const std::size_t at = text.find("\nTEMP=");
  ASSERT_NE(at, std::string::npos) << text;
  text = text.substr(at + 6, text.find('\n', at + 1) - at - 6);
  EXPECT_EQ(GetFileAttributesW(wide(text).value().c_str()), INVALID_FILE_ATTRIBUTES) << text;
}

TEST(Bawn, NothingOutlivesARun) {
  const Ended ended = run({"grandchild"});
  const auto pid = static_cast<DWORD>(std::atoi(ended.text.c_str()));
  ASSERT_NE(pid, 0U) << ended.text;
  EXPECT_FALSE(is_alive(pid));
}

// Windows closes the job with its last handle, which bawn held.
TEST(Bawn, NothingOutlivesBawnItself) {
  const Started started =
      start({"run", "--mode", "disabled", "--", named_by("BAWN_GUEST"), "family"});
  const auto child = static_cast<DWORD>(std::atoi(read_line(started.output.get()).c_str()));
  const auto grandchild = static_cast<DWORD>(std::atoi(read_line(started.output.get()).c_str()));
  ASSERT_TRUE(is_alive(child));
  ASSERT_TRUE(is_alive(grandchild));
  TerminateProcess(started.process.get(), 1);
  EXPECT_TRUE(ends(child));
  EXPECT_TRUE(ends(grandchild));
}

TEST(Bawn, WritesARecordWithWhatWasEnforced) {
  const Json record = Json::parse(run({"say", "hello"}, {"--json"}).text);
  EXPECT_EQ(record["status"], "exited");
  EXPECT_EQ(record["stdout"], "hello\n");
  EXPECT_EQ(record["tier"], "b");
  EXPECT_EQ(record["executor"], "windows.job");
  std::map<std::string, std::string> layers;
  std::map<std::string, Json> evidence;
  for (const Json& layer : record["enforcement"]) {
    layers[layer["layer"].get<std::string>()] = layer["state"].get<std::string>();
    evidence[layer["layer"].get<std::string>()] = layer["evidence"];
  }
  EXPECT_EQ(layers["process_tree"], "enforced");
  EXPECT_EQ(layers["open_files"], "enforced");
  EXPECT_EQ(layers["files"], "absent");
  EXPECT_EQ(layers["limit.open_files"], "absent");
  EXPECT_EQ(layers["limit.output"], "enforced");
  EXPECT_EQ(evidence["process_tree"]["in_job"], true);
  EXPECT_EQ(evidence["open_files"]["by"], "PROC_THREAD_ATTRIBUTE_HANDLE_LIST");
  EXPECT_EQ(evidence["open_files"]["inherited"], Json({"stdin", "stdout", "stderr"}));
  EXPECT_EQ(evidence["network"]["isolated"], false);
  EXPECT_TRUE(evidence["privileges"]["count"].is_number());
  EXPECT_EQ(evidence["limit.cpu_percent"]["unlimited"], true);
  EXPECT_TRUE(evidence["files"]["reason"].is_string());
}

TEST(Bawn, RedactsWhatItCaptures) {
  const Json record =
      Json::parse(run({"say", "token ghp_abcdefghijklmnopqrstuvwxyz0123456789"}, {"--json"}).text);
  EXPECT_THAT(record["stdout"].get<std::string>(), Not(HasSubstr("abcdefghij")));
}

TEST(Bawn, TellsWhatHolds) {
  const Ended doctor = bawn({"doctor"});
  EXPECT_EQ(doctor.code, 1U);
  EXPECT_THAT(doctor.text, HasSubstr("tier b works"));
  EXPECT_THAT(doctor.text, HasSubstr("ok    nothing it starts outlives the run"));
  EXPECT_THAT(doctor.text, HasSubstr("no    it has no network unless one is granted"));
  const Ended plan =
      bawn({"explain", "--mode", "basic", "--", named_by("BAWN_GUEST"), "exit", "0"});
  EXPECT_EQ(plan.code, 0U);
  EXPECT_THAT(plan.text, HasSubstr("the command itself can open whatever the user can"));
  EXPECT_THAT(plan.text, Not(HasSubstr("RLIMIT")));
}

// A batch file in a workspace.
class BatchFileTest : public testing::Test {
 protected:
  BatchFileTest() {
    wchar_t parent[MAX_PATH];
    GetTempPathW(MAX_PATH, parent);
    directory_ = std::wstring(parent) + L"bawn-batch-" + std::to_wstring(GetCurrentProcessId());
    CreateDirectoryW(directory_.c_str(), nullptr);
    const Handle file(CreateFileW((directory_ + L"\\tool.bat").c_str(), GENERIC_WRITE, 0, nullptr,
                                  CREATE_ALWAYS, 0, nullptr));
    constexpr std::string_view kText = "@echo off\r\necho got %1\r\nexit /b 5\r\n";
    DWORD written = 0;
    WriteFile(file.get(), kText.data(), static_cast<DWORD>(kText.size()), &written, nullptr);
  }
  ~BatchFileTest() override {
    DeleteFileW((directory_ + L"\\tool.bat").c_str());
    RemoveDirectoryW(directory_.c_str());
  }
  [[nodiscard]] std::string path() const { return narrow(directory_); }

  std::wstring directory_;
};

TEST_F(BatchFileTest, NeedsThePolicysConsent) {
  const Ended ended = bawn(
      {"check", "--mode", "agent", "--workspace", path(), "--", path() + "\\tool.bat", "word"});
  EXPECT_EQ(ended.code, 126U);
  EXPECT_THAT(ended.text, HasSubstr("executable.interpreter"));
}

TEST_F(BatchFileTest, RunsWithPlainWordsAndNotWithCode) {
  const auto call = [&](const std::string& word) {
    return bawn(
        {"run", "--mode", "basic", "--workspace", path(), "--", path() + "\\tool.bat", word});
  };
  const Ended plain = call("word");
  EXPECT_EQ(plain.code, 5U) << plain.text;
  EXPECT_THAT(plain.text, HasSubstr("got \"word\""));
  for (const char* word : {"a&echo more", "%PATH%", "a|b", "a\"b", "a>b"}) {
    const Ended refused = call(word);
    EXPECT_EQ(refused.code, 126U) << word;
    EXPECT_THAT(refused.text, HasSubstr("cmd.exe would not take")) << word;
  }
}

}  // namespace
}  // namespace bawn::windows
