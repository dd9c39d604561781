// The table against a real bawn: BAWN_BINARY names the program, BAWN_GUEST the command it runs, BAWN_CONFORMANCE_TABLE the
// folder of the table, and BAWN_SYSTEM ("linux", "macos", "windows") the column. The same program for every system.
//
// `bawn exec` is started by the system's own shell with files for its input and output, which is the same line everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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

void write_text(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Directories of its own for one row, and bawn started in its workspace.
class Scene {
 public:
  Scene() : root_(fresh_directory()) {
    fs::create_directories(workspace() / ".git" / "hooks");
    fs::create_directories(outside());
    write_text(workspace() / "note.txt", "a note");
    write_text(workspace() / ".env", "hidden");
    write_text(outside() / "secret.txt", "a secret");
    fs::copy_file(guest(), tool());
  }
  ~Scene() {
    fs::current_path(fs::temp_directory_path());
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] fs::path workspace() const { return root_ / "work"; }
  [[nodiscard]] fs::path outside() const { return root_ / "outside"; }
  [[nodiscard]] static fs::path guest() { return named_by("BAWN_GUEST"); }
  [[nodiscard]] fs::path tool() const { return workspace() / guest().filename(); }
  [[nodiscard]] Places places() const {
    return {workspace().string(), outside().string(), guest().string(), tool().string()};
  }

  [[nodiscard]] std::string exec(const Row& row) const {
    write_text(root_ / "policy.json", row.policy);
    write_text(root_ / "request.json", row.request);
    fs::current_path(workspace());
    const auto quoted = [](const fs::path& path) { return concat("\"", path.string(), "\""); };
    std::string line = concat(quoted(named_by("BAWN_BINARY")), " exec --policy ",
                              quoted(root_ / "policy.json"), " < ", quoted(root_ / "request.json"), " > ",
                              quoted(root_ / "outcome.json"), " 2> ", quoted(root_ / "complaint.txt"));
#ifdef _WIN32
    line = concat("\"", line, "\"");  // cmd takes the first and the last quote of a line away
#endif
    const int code = std::system(line.c_str());
    if (code != 0) return concat("bawn exec failed with ", code, ": ", read_text(root_ / "complaint.txt"));
    return read_text(root_ / "outcome.json");
  }

 private:
  // Canonical: a policy may not name its workspace over a link.
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

// With places that no machine has: only the names of the rows count here.
std::vector<std::string> row_names() {
  std::vector<std::string> names;
  for (const Row& row : load_table(named_by("BAWN_CONFORMANCE_TABLE"), {"/w", "/o", "/g", "/t"}))
    names.push_back(row.name);
  return names;
}

Row row_named(const std::string& name, const Places& places) {
  for (const Row& row : load_table(named_by("BAWN_CONFORMANCE_TABLE"), places)) {
    if (row.name == name) return row;
  }
  throw std::runtime_error("no such row");
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, TheRealProgramAnswersAsTheTableSays) {
  const Scene scene;
  const Row row = row_named(GetParam(), scene.places());
  const Expectation& expected = row.on.find(named_by("BAWN_SYSTEM"))->second;
  const std::string text = scene.exec(row);
  const Json outcome = Json::parse(text, nullptr, false);
  ASSERT_TRUE(outcome.is_object()) << row.why << "\n" << text;
  EXPECT_EQ(outcome.value("status", ""), expected.status) << row.why << "\n" << text;
  std::vector<std::string> codes;
  for (const Json& violation : outcome.at("violations"))
    codes.push_back(violation.at("code").get<std::string>());
  std::sort(codes.begin(), codes.end());
  EXPECT_EQ(codes, expected.codes) << row.why << "\n" << text;
  for (const auto& [key, value] : expected.fields.items())
    EXPECT_EQ(outcome.at(key).dump(), value.dump()) << key << "\n" << text;
}

INSTANTIATE_TEST_SUITE_P(Row, Conformance, testing::ValuesIn(row_names()),
                         [](const testing::TestParamInfo<std::string>& one) { return one.param; });

}  // namespace
}  // namespace bawn
