// The conformance table: what one request under one policy comes to on each system.
//
// A file of the table is {"about", "policies", "rows"}. A row:
//   name, why     for people; a name is used once
//   policy        a policy of its file; it stands on preset agent unless it says "extends"
//   request       as `bawn exec` reads it
//   status        of the outcome; a list of those that there may be, where it depends on the
//                 machine
//   codes         of the violations, in any order; [] if it runs
//   exit_code, limit, stdout, stderr   of the outcome, where the row is about them
//   never_says    what stdout may not hold, where it depends on the machine what it does
//   on            {"macos": {"why", ...}}: what is different there, each with the reason
// The texts ${workspace}, ${outside}, ${guest} and ${tool} stand for places of the machine: the
// last is a copy of the guest in the workspace, which also holds note.txt, .env and .git/hooks; the
// directory outside of it holds secret.txt.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct Expectation {
  std::vector<std::string> statuses;  // one of them
  std::vector<std::string> codes;     // sorted
  nlohmann::ordered_json fields;      // exit_code, limit, stdout, stderr, as far as given
  std::string never_says;             // ""
  std::string why;                    // it differs from the other systems
};

struct Row {
  std::string name;
  std::string why;
  std::string policy;                                  // JSON
  std::string request;                                 // JSON, or what was meant to be
  std::map<std::string, Expectation, std::less<>> on;  // "linux", "macos", "windows": each is there

  [[nodiscard]] bool differs() const;
};

// gtest prints it in the name of a failure.
void PrintTo(const Row& row, std::ostream* out);

struct TablePaths {
  std::string workspace;
  std::string outside;
  std::string guest;
  std::string tool;
};

// Rows of every *.json in `folder`, in the order of the files' names. Throws std::runtime_error if
// the table itself is wrong.
[[nodiscard]] std::vector<Row> load_table(const std::string& folder, const TablePaths& paths);

[[nodiscard]] std::string read_text(const std::filesystem::path& path);

inline constexpr std::string_view kSystems[] = {"linux", "macos", "windows"};

}  // namespace bawn
