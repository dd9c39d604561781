#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.h"
#include "policy/preset.h"
#include "policy/text/policy_json.h"

namespace bawn {
namespace {

using Json = nlohmann::json;

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  return type == "integer" && value.is_number_integer();
}

bool matches(const Json& schema, const Json& value);

bool matches_object(const Json& schema, const Json& value) {
  for (const Json& key : schema.value("required", Json::array())) {
    if (!value.contains(key.get<std::string>())) return false;
  }
  for (const auto& [key, member] : value.items()) {
    if (schema.contains("propertyNames") && !matches(schema["propertyNames"], key)) return false;
    const Json properties = schema.value("properties", Json::object());
    const Json& rule = properties.contains(key) ? properties[key] : schema["additionalProperties"];
    if (!matches(rule, member)) return false;
  }
  return value.size() <= schema.value("maxProperties", std::size_t{100});
}

bool matches_array(const Json& schema, const Json& value) {
  for (const Json& item : value) {
    if (!matches(schema["items"], item) || std::count(value.begin(), value.end(), item) != 1)
      return false;
  }
  return value.size() <= schema.value("maxItems", std::size_t{0});
}

bool matches_string(const Json& schema, const std::string& value) {
  if (value.size() < schema.value("minLength", std::size_t{0})) return false;
  // std::regex knows ECMAScript, but not \u0000 in a class. No test value needs it.
  const std::string pattern =
      std::regex_replace(schema.value("pattern", std::string()), std::regex(R"(\\u0000)"), "");
  return std::regex_search(value, std::regex(pattern == "^[^]+$"   ? "."
                                             : pattern == "^[^]*$" ? ""
                                                                   : pattern));
}

// Implements the part of JSON Schema that policy_schema() uses.
bool matches(const Json& schema, const Json& value) {
  if (schema.is_boolean()) return schema.get<bool>();
  if (schema.contains("const") && schema["const"] != value) return false;
  if (schema.contains("enum") &&
      std::count(schema["enum"].begin(), schema["enum"].end(), value) == 0)
    return false;
  if (schema.contains("anyOf")) {
    return std::any_of(schema["anyOf"].begin(), schema["anyOf"].end(),
                       [&](const Json& option) { return matches(option, value); });
  }
  if (schema.contains("type") && !has_type(value, schema["type"].get<std::string>())) return false;
  if (value.is_object()) return matches_object(schema, value);
  if (value.is_array()) return matches_array(schema, value);
  if (value.is_string()) return matches_string(schema, value.get<std::string>());
  if (value.is_number() && schema.contains("minimum"))
    return value >= schema["minimum"] && value <= schema["maximum"];
  return true;
}

bool reader_takes(const std::string& text) { return parse_policy(text, "f").index() == 0; }
Json schema() { return Json::parse(policy_schema()); }

// Values of every type, good and bad for the various fields.
const std::vector<std::string>& samples() {
  static const std::vector<std::string> kSamples = {
      "null",
      "true",
      "0",
      "1",
      "9",
      "4096",
      "131071",
      "131072",
      "1048576",
      "-1",
      "1.5",
      "4194305",
      "9007199254740992",
      "\"\"",
      "\"all\"",
      "\"unlimited\"",
      "\"auto\"",
      "\"b\"",
      "\"c\"",
      "\"process\"",
      "\"namespaces\"",
      "\"wasm\"",
      "\"d\"",
      "\"direct\"",
      "\"private\"",
      "\"none\"",
      "\"allow_all\"",
      "\"strict\"",
      "\"Strict\"",
      "\"/srv\"",
      "\"srv\"",
      "[]",
      "[\"/srv\"]",
      "[\"/srv\", \"/srv\"]",
      "[\"/srv\", {\"path\": \"/srv\", \"at\": \"/data\"}]",
      "[\"name\"]",
      "[\"\"]",
      "[\"a b\"]",
      "[\"abcd\"]",
      "[1]",
      "{}",
      "{\"A\": \"x\"}",
      "{\"A\": 1}",
      "{\"1A\": \"x\"}",
      "{\"\": \"x\"}",
      "{\"A\": \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}",
  };
  return kSamples;
}

TEST(PolicySchema, IsDraft202012AndClosedAtEveryLevel) {
  const Json root = schema();
  EXPECT_EQ(root["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(root["additionalProperties"], false);
  EXPECT_EQ(root["properties"].size(), 14U);
  for (const auto& [name, section] : root["properties"].items()) {
    EXPECT_FALSE(section["description"].get<std::string>().empty());
    if (name == "extends") continue;
    EXPECT_EQ(section["additionalProperties"], false) << name;
    for (const auto& [key, field] : section["properties"].items()) {
      EXPECT_FALSE(field["description"].get<std::string>().empty()) << name << "." << key;
    }
  }
}

TEST(PolicySchema, NamesEveryPreset) {
  EXPECT_EQ(schema()["properties"]["extends"]["enum"].size(), preset_names().size());
}

TEST(PolicySchema, TheReaderTakesEveryPropertyAndTheSchemaEveryKeyThatIsPrinted) {
  for (const std::string_view name : preset_names()) {
    EXPECT_TRUE(matches(schema(), Json::parse(policy_text(*preset(name))))) << name;
  }
  Policy with_paths = *preset("agent");
  with_paths.workspace.root = "/srv";
  with_paths.limits.cgroup_parent = "/sys/fs/cgroup/runs";
  const Json printed = Json::parse(policy_text(with_paths));
  const Json root = schema();
  for (const auto& [name, section] : root["properties"].items()) {
    if (name == "extends") continue;
    ASSERT_TRUE(printed.contains(name)) << name;
    for (const auto& [key, field] : section["properties"].items()) {
      EXPECT_TRUE(printed[name].contains(key)) << name << "." << key;
      const Json one = {{name, {{key, printed[name][key]}}}};
      EXPECT_TRUE(reader_takes(one.dump())) << one.dump();
    }
  }
}

// The schema accepts whatever the reader accepts. The reverse need not hold: a pattern may be
// looser than its rule, and JSON Schema cannot express that two values contradict each other.
TEST(PolicySchema, NeverRefusesWhatTheReaderTakes) {
  const Json root = schema();
  int taken = 0;
  int refused_by_both = 0;
  for (const auto& [name, section] : root["properties"].items()) {
    if (name == "extends") continue;
    for (const auto& [key, field] : section["properties"].items()) {
      for (const std::string& sample : samples()) {
        const std::string text = concat("{\"", name, "\": {\"", key, "\": ", sample, "}}");
        const bool by_schema = matches(root, Json::parse(text));
        if (reader_takes(text)) {
          ++taken;
          EXPECT_TRUE(by_schema) << text;
        } else if (!by_schema) {
          ++refused_by_both;
        }
      }
    }
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused_by_both, 800);
}

TEST(PolicySchema, TakesEachNameOfATierAsTheReaderDoes) {
  for (const std::string name : {"b", "process", "c", "namespaces"}) {
    const std::string text = R"({"tier": {"use": ")" + name + R"(", "floor": "b"}})";
    const std::string floor = R"({"tier": {"floor": ")" + name + R"("}})";
    for (const std::string& each : {text, floor}) {
      EXPECT_TRUE(reader_takes(each)) << each;
      EXPECT_TRUE(matches(schema(), Json::parse(each))) << each;
    }
  }
}

TEST(PolicySchema, RefusesTypesWordsAndRangesAsTheReaderDoes) {
  for (const auto* text : {
           R"({"tier": {"use": "d"}})",
           R"({"tier": {"use": "wasm"}})",
           R"({"tier": {"floor": "a"}})",
           R"({"egress": {"mode": "Strict"}})",
           R"({"limits": {"memory_bytes": 0}})",
           R"({"limits": {"memory_bytes": "256M"}})",
           R"({"limits": {"memory": 1}})",
           R"({"limit": {}})",
           R"({"extends": "agents"})",
           R"({"executables": {"allow": "git"}})",
           R"({"executables": {"allow": ["a b"]}})",
           R"({"environment": {"set": {"A": 1}}})",
           R"({"environment": {"set": {"1A": "x"}}})",
           R"({"filesystem": {"read": ["srv"]}})",
           R"({"filesystem": {"read": ["/srv", "/srv"]}})",
           R"({"filesystem": {"read": [{"path": "/srv"}]}})",
           R"({"filesystem": {"read": [{"path": "/srv", "exec": 1}]}})",
           R"({"filesystem": {"read": [{"path": "/srv", "at": "data"}]}})",
           R"({"filesystem": {"read": [{"path": "/srv", "at": "/"}]}})",
           R"({"filesystem": {"read": [{"path": "/srv", "at": "/data", "mode": "rw"}]}})",
           R"({"background": {"processes": "unlimited"}})",
       }) {
    EXPECT_FALSE(reader_takes(text)) << text;
    EXPECT_FALSE(matches(schema(), Json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace bawn
