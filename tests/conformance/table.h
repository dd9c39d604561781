// The conformance table: what one request under one policy must come to on each system.
//
// A file of the table is {"about", "policies", "rows"}. A row:
//   name, why     for people; a name is used once
//   policy        a policy of its file; it extends preset agent unless it says "extends"
//   request       as `bawn exec` reads it
//   status        of the outcome; a list where more than one is right, depending on the machine
//   codes         of the violations, in any order; [] if it runs
//   exit_code, limit, stdout, stderr   of the outcome, if the row is about them
//   never_says    text that stdout must not hold, if its content depends on the machine
//   on            {"macos": {"why", ...}}: what differs on a system, with the reason
// ${workspace}, ${outside}, ${guest} and ${tool} stand for paths on the machine. ${tool} is a copy
// of the guest in the workspace, which also holds note.txt, .env and .git/hooks; the directory
// ${outside} holds secret.txt.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct Expectation {
  std::vector<std::string> statuses;  // one of them must be the outcome's
  std::vector<std::string> codes;     // sorted
  nlohmann::ordered_json fields;      // exit_code, limit, stdout, stderr, as far as given
  std::string never_says;             // "" if the row does not say
  std::string why;                    // the reason for the difference; "" if there is none
};

struct Row {
  std::string name;
  std::string why;
  std::string policy;   // JSON
  std::string request;  // JSON, or the malformed text that the row is about
  std::map<std::string, Expectation, std::less<>> on;  // by system; all of kSystems are present

  [[nodiscard]] bool differs() const;
};

// gtest prints this when a row fails.
void PrintTo(const Row& row, std::ostream* out);

struct TablePaths {
  std::string workspace;
  std::string outside;
  std::string guest;
  std::string tool;
};

// The rows of every *.json in `folder`, in the order of the file names. Throws std::runtime_error
// if the table itself is wrong.
[[nodiscard]] std::vector<Row> load_table(const std::string& folder, const TablePaths& paths);

[[nodiscard]] std::string read_text(const std::filesystem::path& path);

inline constexpr std::string_view kSystems[] = {"linux", "macos", "windows"};

}  // namespace bawn
