#include <nlohmann/json.hpp>

#include "policy/preset.h"
#include "policy/text/field.h"
#include "policy/text/names.h"
#include "policy/text/policy_json.h"

namespace bawn {
namespace {

using nlohmann::ordered_json;

// JSON Schema counts characters and the rules count bytes, up to four for one character. The schema
// must not refuse what the reader accepts, so minLength only says that a text must not be empty.
ordered_json text_schema(const TextRule& rule) {
  ordered_json out = {{"type", "string"}};
  if (rule.least > 0) out["minLength"] = 1;
  out["maxLength"] = rule.most;
  out["pattern"] = rule.pattern;
  return out;
}

ordered_json list_schema(const ordered_json& items) {
  return {
      {"type", "array"}, {"items", items}, {"uniqueItems", true}, {"maxItems", kMaxPolicyEntries}};
}

ordered_json list_schema(const TextRule& rule) { return list_schema(text_schema(rule)); }

ordered_json grant_schema() {
  const auto object_with = [](const char* needed) -> ordered_json {
    return {{"type", "object"},
            {"properties",
             {{"path", text_schema(kAbsolutePath)},
              {"at", text_schema(kDestination)},
              {"exec", {{"type", "boolean"}}}}},
            {"required", {"path", needed}},
            {"additionalProperties", false}};
  };
  return {{"anyOf", {text_schema(kAbsolutePath), object_with("at"), object_with("exec")}}};
}

ordered_json number_schema(std::uint64_t least, std::uint64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

struct FieldSchema {
  ordered_json operator()(const FlagField&) const { return {{"type", "boolean"}}; }
  template <class Enum>
  ordered_json operator()(const ChoiceField<Enum>&) const {
    return {{"enum", vocabulary<Enum>().name_list()}};
  }
  ordered_json operator()(const TextField& field) const { return text_schema(*field.rule); }
  ordered_json operator()(const LimitField& field) const {
    return {{"anyOf", {number_schema(field.least, field.most), {{"const", "unlimited"}}}}};
  }
  ordered_json operator()(const CountField& field) const {
    return number_schema(field.least, field.most);
  }
  ordered_json operator()(const IdField&) const {
    return {{"anyOf", {number_schema(0, kMostId), {{"const", "caller"}}}}};
  }
  ordered_json operator()(const ListField& field) const { return list_schema(*field.rule); }
  ordered_json operator()(const GrantsField&) const { return list_schema(grant_schema()); }
  ordered_json operator()(const HostsField&) const { return list_schema(kHost); }
  ordered_json operator()(const AllowField&) const {
    return {{"anyOf", {{{"const", "all"}}, list_schema(kProgram)}}};
  }
  ordered_json operator()(const MapField& field) const {
    return {{"type", "object"},
            {"propertyNames", text_schema(*field.key_rule)},
            {"additionalProperties", text_schema(*field.value_rule)},
            {"maxProperties", kMaxPolicyEntries}};
  }
};

ordered_json described(std::string_view purpose, const ordered_json& schema) {
  ordered_json out = {{"description", purpose}};
  out.update(schema);
  return out;
}

ordered_json object_schema(std::string_view purpose, const ordered_json& properties) {
  return described(
      purpose, {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}});
}

ordered_json section_schema(const Section& section) {
  ordered_json properties = ordered_json::object();
  for (const Field& field : section.fields) {
    properties[std::string(field.key)] =
        described(field.purpose, std::visit(FieldSchema{}, field.value));
  }
  return object_schema(section.purpose, properties);
}

}  // namespace

std::string policy_schema() {
  ordered_json properties = ordered_json::object();
  properties["extends"] =
      described("The preset that supplies every value not given here; agent if absent.",
                {{"enum", preset_names()}, {"default", "agent"}});
  for (const Section& section : policy_sections()) {
    properties[std::string(section.key)] = section_schema(section);
  }
  ordered_json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                         {"$id", "urn:bawn:policy:1"},
                         {"title", "bawn policy"}};
  schema.update(object_schema("What a command may do. Comments are allowed.", properties));
  return schema.dump(2) + "\n";
}

}  // namespace bawn
