// The table against a real bawn. BAWN_BINARY names the program, BAWN_CONFORMANCE_GUEST the command
// it runs, BAWN_CONFORMANCE_TABLE the folder of the table, and BAWN_SYSTEM ("linux", "macos",
// "windows") the column. The same test program serves every system.
//
// The system's shell starts `bawn exec` with files as its input and output: that command line is
// the same everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "conformance/table.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string named_by(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0')
    throw std::runtime_error(concat(std::string_view(variable), " is not set"));
  return value;
}

// Made absolute before the test changes its directory, which on Windows may be on another drive.
struct NamedFiles {
  fs::path binary = fs::absolute(named_by("BAWN_BINARY"));
  fs::path guest = fs::absolute(named_by("BAWN_CONFORMANCE_GUEST"));
  fs::path table = fs::absolute(named_by("BAWN_CONFORMANCE_TABLE"));
};
const NamedFiles& named_files() {
  static const NamedFiles files;
  return files;
}

void write_text(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
}

// The directories of one row. bawn is started in the workspace.
class TestSetup {
 public:
  TestSetup() : root_(fresh_directory()) {
    fs::create_directories(workspace() / ".git" / "hooks");
    fs::create_directories(outside());
    write_text(workspace() / "note.txt", "a note");
    write_text(workspace() / ".env", "hidden");
    write_text(outside() / "secret.txt", "a secret");
    fs::copy_file(guest(), tool());
  }
  ~TestSetup() {
    fs::current_path(fs::temp_directory_path());
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  TestSetup(const TestSetup&) = delete;
  TestSetup& operator=(const TestSetup&) = delete;

  [[nodiscard]] fs::path workspace() const { return root_ / "work"; }
  [[nodiscard]] fs::path outside() const { return root_ / "outside"; }
  [[nodiscard]] static fs::path guest() { return named_files().guest; }
  [[nodiscard]] fs::path tool() const { return workspace() / guest().filename(); }
  [[nodiscard]] TablePaths paths() const {
    return {portable(workspace()), portable(outside()), portable(guest()), portable(tool())};
  }

  // The paths as the command takes them.
  [[nodiscard]] TablePaths native_paths() const {
    return {workspace().generic_string(), outside().generic_string(), guest().generic_string(),
            tool().generic_string()};
  }

  // The path as policies name it: C:\x is /c/x.
  static std::string portable(const fs::path& path) {
    std::string text = path.generic_string();
    if (path.has_root_name()) text = concat("/", ascii_lower(text.substr(0, 1)), text.substr(2));
    return text;
  }

  [[nodiscard]] std::string exec(const Row& row) const {
    write_text(root_ / "policy.json", row.policy);
    write_text(root_ / "request.json", row.request);
    return bawn(concat("exec --policy ", quoted(root_ / "policy.json"), " < ",
                       quoted(root_ / "request.json")),
                0);
  }

  // What `bawn check` or `bawn explain` says about the row, after exec().
  [[nodiscard]] std::string preview(const std::string& subcommand) const {
    return bawn(concat(subcommand, " --json --policy ", quoted(root_ / "policy.json"),
                       " --request ", quoted(root_ / "request.json")),
                std::nullopt);
  }

  // Whether doctor says that this system does not keep what it accepts. bawn promises nothing then.
  [[nodiscard]] bool lacks(std::string_view name) const {
    static const Json doctor = Json::parse(bawn("doctor --json", std::nullopt), nullptr, false);
    if (!doctor.is_object()) return false;
    for (const Json& finding : doctor.at("findings")) {
      if (finding.at("name") == name) return !finding.at("works").get<bool>();
    }
    return false;
  }

 private:
  static std::string quoted(const fs::path& path) { return concat("\"", path.string(), "\""); }

  // bawn's output. If an exit code is expected and bawn exits with another, a message about that.
  [[nodiscard]] std::string bawn(const std::string& words, std::optional<int> expected) const {
    fs::current_path(workspace());
    std::string line =
        concat(quoted(named_files().binary), " ", words, " > ", quoted(root_ / "outcome.json"),
               " 2> ", quoted(root_ / "complaint.txt"));
#ifdef _WIN32
    line = concat("\"", line, "\"");  // cmd removes the first and the last quote of a line
#endif
    // On a loaded machine wine's cmd sometimes does not find an existing program. Nothing ran then.
    constexpr int kNotStarted = 9009;
    int code = kNotStarted;
    for (int attempt = 0; attempt < 3 && code == kNotStarted; ++attempt)
      code = std::system(line.c_str());
    if (expected && code != *expected)
      return concat("bawn failed with ", code, ": ", read_text(root_ / "complaint.txt"));
    return read_text(root_ / "outcome.json");
  }

  // Canonical, because a policy may not name its workspace through a link.
  static fs::path fresh_directory() {
    static int count = 0;
    const fs::path parent = fs::canonical(fs::temp_directory_path());
    for (;;) {
      const fs::path path = parent / concat("bawn-conformance-", std::rand(), "-", ++count);
      if (fs::create_directory(path)) return path;
    }
  }

  fs::path root_;
};

// The paths do not exist on any machine: only the names of the rows are used.
std::vector<std::string> row_names() {
  std::vector<std::string> names;
  for (const Row& row : load_table(named_files().table.string(), {"/w", "/o", "/g", "/t"}))
    names.push_back(row.name);
  return names;
}

Row row_named(const std::string& name, const TablePaths& paths) {
  for (const Row& row : load_table(named_files().table.string(), paths)) {
    if (row.name == name) return row;
  }
  throw std::runtime_error("no such row");
}

constexpr std::string_view kJobLimits[] = {"cpu_time", "memory", "processes"};

// The same policy without the limits of a job, which this system does not keep.
std::string without_job_limits(const std::string& text) {
  Json policy = Json::parse(text, nullptr, false);
  if (!policy.is_object()) return text;  // a row about a malformed policy
  for (const char* limit : {"cpu_time_ms", "memory_bytes", "processes"})
    policy["limits"][limit] = "unlimited";
  return policy.dump();
}

bool is_about_job_limits(const Row& row, const Expectation& expected) {
  const std::string limit = expected.fields.value("limit", "");
  return std::find(std::begin(kJobLimits), std::end(kJobLimits), limit) != std::end(kJobLimits) ||
         std::any_of(std::begin(kJobLimits), std::end(kJobLimits),
                     [&](std::string_view each) { return row.name.starts_with(each); });
}

// Whether the row expects that something the command does is refused: only a sandbox can do that.
bool needs_a_sandbox(const Expectation& expected) {
  return expected.fields.value("stdout", "") == "refused\n";
}

// The same words and codes as those of the run, and nothing if the run began.
Json expected_violations(const Json& outcome) {
  if (outcome.at("status") == "denied") return outcome.at("violations");
  if (outcome.at("status") != "failed") return Json::array();
  const Json& error = outcome.at("error");
  return Json::array({{{"code", "host.failed"},
                       {"subject", "host"},
                       {"message", error.at("message")},
                       {"hint", error.at("hint")}}});
}

void expect_agreement(const TestSetup& setup, const Json& outcome) {
  const Json violations = expected_violations(outcome);
  const std::string checked_text = setup.preview("check");
  const Json checked = Json::parse(checked_text, nullptr, false);
  ASSERT_TRUE(checked.is_object()) << checked_text;
  EXPECT_EQ(checked.at("violations").dump(), violations.dump());
  EXPECT_EQ(checked.at("repairs").dump(), outcome.at("repairs").dump());
  if (violations.empty()) {
    EXPECT_EQ(checked.at("tier"), outcome.at("tier"));
  }
  if (named_by("BAWN_SYSTEM") == "windows") return;  // starting a program takes long under wine
  const std::string explained_text = setup.preview("explain");
  const Json explained = Json::parse(explained_text, nullptr, false);
  ASSERT_TRUE(explained.is_object()) << explained_text;
  if (!violations.empty()) {
    EXPECT_EQ(explained.dump(), checked.dump());
    return;
  }
  EXPECT_EQ(explained.at("tier").at("use"), outcome.at("tier"));
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, TheRealProgramAnswersAsTheTableSays) {
  const TestSetup setup;
  Row row = row_named(GetParam(), setup.paths());
  row.request = row_named(GetParam(), setup.native_paths()).request;
  const Expectation& expected = row.on.find(named_by("BAWN_SYSTEM"))->second;
  if (setup.lacks("file-profile") && needs_a_sandbox(expected))
    GTEST_SKIP() << "the fake sandbox-exec confines nothing";
  // wine accepts the limits of a job and keeps none.
  if (setup.lacks("job-limits")) {
    if (is_about_job_limits(row, expected))
      GTEST_SKIP() << "this system takes the limits of a job and does not keep them";
    row.policy = without_job_limits(row.policy);
  }
  const std::string text = setup.exec(row);
  const Json outcome = Json::parse(text, nullptr, false);
  ASSERT_TRUE(outcome.is_object()) << row.why << "\n" << text;
  EXPECT_THAT(expected.statuses, testing::Contains(outcome.value("status", ""))) << row.why << "\n"
                                                                                 << text;
  if (!expected.never_says.empty()) {
    EXPECT_THAT(outcome.value("stdout", ""), testing::Not(testing::HasSubstr(expected.never_says)))
        << text;
  }
  std::vector<std::string> codes;
  for (const Json& violation : outcome.at("violations"))
    codes.push_back(violation.at("code").get<std::string>());
  std::sort(codes.begin(), codes.end());
  EXPECT_EQ(codes, expected.codes) << row.why << "\n" << text;
  for (const auto& [key, value] : expected.fields.items())
    EXPECT_EQ(outcome.at(key).dump(), value.dump()) << key << "\n" << text;
  // macos_exec.cc, which stands for bawn on a Mac, has no other subcommands.
  if (named_by("BAWN_SYSTEM") != "macos") expect_agreement(setup, outcome);
}

INSTANTIATE_TEST_SUITE_P(Row, Conformance, testing::ValuesIn(row_names()),
                         [](const testing::TestParamInfo<std::string>& one) { return one.param; });

}  // namespace
}  // namespace bawn
