#include "conformance/table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <stdexcept>

#include "base/text.h"

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(std::string_view row, std::string_view what) {
  throw std::runtime_error(concat("row ", quote(row), ": ", what));
}

std::string with_paths(std::string text, const TablePaths& paths) {
  const std::pair<std::string_view, const std::string*> all[] = {{"${workspace}", &paths.workspace},
                                                                 {"${outside}", &paths.outside},
                                                                 {"${guest}", &paths.guest},
                                                                 {"${tool}", &paths.tool}};
  for (const auto& [name, value] : all) {
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + value->size()))
      text.replace(at, name.size(), *value);
  }
  return text;
}

// Replaces in strings only, so that a path with a backslash is quoted again when the value is
// written.
Json with_paths(const Json& value, const TablePaths& paths) {
  if (value.is_string()) return with_paths(value.get<std::string>(), paths);
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(with_paths(item, paths));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [key, item] : value.items())
    out[with_paths(key, paths)] = with_paths(item, paths);
  return out;
}

std::vector<std::string> one_or_more(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  return value.get<std::vector<std::string>>();
}

void take(Expectation& expected, const Json& data, std::string_view row) {
  static const std::set<std::string> kFields = {"exit_code", "limit", "stdout", "stderr"};
  static const std::set<std::string> kOthers = {"name",   "why",   "policy", "request",
                                                "status", "codes", "on",     "never_says"};
  for (const auto& [key, value] : data.items()) {
    if (kFields.contains(key)) {
      expected.fields[key] = value;
    } else if (!kOthers.contains(key)) {
      fail(row, concat("unknown key ", quote(key)));
    }
  }
  if (data.contains("status")) expected.statuses = one_or_more(data["status"]);
  if (data.contains("never_says")) expected.never_says = data["never_says"].get<std::string>();
  if (data.contains("codes")) expected.codes = data["codes"].get<std::vector<std::string>>();
  std::sort(expected.codes.begin(), expected.codes.end());
  // A denied run has no exit code or output, so the fields that all systems share do not apply.
  const bool denied = expected.statuses == std::vector<std::string>{"denied"};
  if (data.contains("status") && denied) expected.fields = Json::object();
  if (denied == expected.codes.empty()) fail(row, "denied must have codes, and only denied");
}

Row make_row(const Json& data, const Json& policies, const TablePaths& paths) {
  Row row;
  row.name = data.at("name").get<std::string>();
  row.why = data.at("why").get<std::string>();
  const auto policy = policies.find(data.at("policy").get<std::string>());
  if (policy == policies.end()) fail(row.name, "no such policy");
  row.policy = with_paths(*policy, paths).dump();
  const Json& request = data.at("request");
  row.request =
      request.is_string() ? request.get<std::string>() : with_paths(request, paths).dump();
  Expectation common;
  common.fields = Json::object();
  take(common, with_paths(data, paths), row.name);
  for (const std::string_view system : kSystems) row.on[std::string(system)] = common;
  if (!data.contains("on")) return row;
  for (const auto& [system, different] : data["on"].items()) {
    if (!row.on.contains(system)) fail(row.name, concat("unknown system ", quote(system)));
    take(row.on[system], with_paths(different, paths), row.name);
    row.on[system].why = different.at("why").get<std::string>();
  }
  return row;
}

}  // namespace

bool Row::differs() const {
  return std::any_of(on.begin(), on.end(), [](const auto& one) { return !one.second.why.empty(); });
}

void PrintTo(const Row& row, std::ostream* out) { *out << row.name << ": " << row.why; }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<Row> load_table(const std::string& folder, const TablePaths& paths) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Row> rows;
  std::set<std::string> names;
  for (const std::filesystem::path& path : files) {
    const Json data = Json::parse(read_text(path));
    for (const Json& item : data.at("rows")) {
      rows.push_back(make_row(item, data.at("policies"), paths));
      if (!names.insert(rows.back().name).second) fail(rows.back().name, "the name is used twice");
    }
  }
  return rows;
}

}  // namespace bawn
