#include <nlohmann/json.hpp>

#include "json/print.h"
#include "plan/explain/explain.h"
#include "policy/text/names.h"

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json origin_json(const ExplainedOrigin& origin) {
  return {{"key", text_or_null(origin.key)}, {"source", origin.source}};
}

Json map_json(const IdMap& map) {
  Json out = Json::array();
  for (const IdExtent& extent : map)
    out.push_back({{"inside", extent.inside}, {"host", extent.outside}, {"count", extent.count}});
  return out;
}

Json id_ranges_json(const std::optional<ExplainedIdRanges>& ranges) {
  if (!ranges) return nullptr;
  return {{"uid_map", map_json(ranges->maps.users)},
          {"gid_map", map_json(ranges->maps.groups)},
          {"origin", origin_json(ranges->origin)}};
}

Json paths_json(const std::vector<ExplainedPath>& paths) {
  Json out = Json::array();
  for (const ExplainedPath& path : paths) {
    out.push_back({{"path", path.path},
                   {"kind", path.kind},
                   {"access", path.access},
                   {"source", text_or_null(path.source)},
                   {"what", path.what},
                   {"origin", origin_json(path.origin)}});
  }
  return out;
}

Json executables_json(const std::optional<ExplainedExecutables>& executables) {
  if (!executables) return nullptr;
  Json files = Json::array();
  for (const ExplainedExecutable& file : executables->files)
    files.push_back({{"path", file.path}, {"why", file.why}, {"of", text_or_null(file.of)}});
  const auto& count = executables->mappable_programs;
  return {{"files", files},
          {"library_directories", executables->library_directories},
          {"all_can_be_mapped", executables->all_can_be_mapped},
          {"mappable_programs", count ? Json(*count) : Json(nullptr)},
          {"origin", origin_json(executables->origin)}};
}

Json environment_json(const std::vector<ExplainedVariable>& environment) {
  Json out = Json::array();
  for (const ExplainedVariable& variable : environment) {
    out.push_back({{"name", variable.name},
                   {"value", variable.value ? Json(*variable.value) : Json(nullptr)},
                   {"hidden", text_or_null(variable.why_hidden)},
                   {"origin", origin_json(variable.origin)}});
  }
  return out;
}

std::string_view state_of(const ExplainedLimit& limit) {
  if (limit.absent) return "absent";
  if (limit.partial) return "partial";
  return limit.value ? "enforced" : "unlimited";
}

Json limits_json(const std::vector<ExplainedLimit>& limits) {
  Json out = Json::array();
  for (const ExplainedLimit& limit : limits) {
    out.push_back({{"name", limit.name},
                   {"value", limit.value ? Json(*limit.value) : Json(nullptr)},
                   {"state", state_of(limit)},
                   {"mechanism", text_or_null(limit.mechanism)},
                   {"origin", origin_json(limit.origin)}});
  }
  return out;
}

Json filter_json(const std::optional<ExplainedFilter>& filter) {
  if (!filter) return nullptr;
  return {{"name", filter->name}, {"instructions", filter->instructions}, {"hash", filter->hash}};
}

Json pid_1_json(const Explanation& explanation) {
  if (explanation.namespaces.empty()) return nullptr;
  if (!explanation.command_is_pid_1)
    return {{"who", "init"}, {"origin", origin_json({"", "bawn"})}};
  return {{"who", "command"}, {"origin", origin_json(explanation.pid_1_origin)}};
}

Json landlock_json(const Explanation& explanation) {
  if (explanation.landlock.empty()) return nullptr;
  Json gaps = Json::array();
  for (const ExplainedGap& gap : explanation.landlock_gaps)
    gaps.push_back({{"layer", gap.layer}, {"why", gap.why}});
  return {
      {"abi", explanation.landlock_abi}, {"what", explanation.landlock}, {"gaps", std::move(gaps)}};
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  const auto id = [&](std::uint32_t number) {
    return explanation.has_ids ? Json(number) : Json(nullptr);
  };
  const Json json = {
      {"schema", "bawn.plan.v1"},
      {"tier",
       {{"use", to_string(explanation.tier)},
        {"fallback", text_or_null(explanation.fallback)},
        {"origin", origin_json(explanation.tier_origin)}}},
      {"program",
       {{"file", explanation.program},
        {"argv", explanation.argv},
        {"scripts", explanation.scripts},
        {"cwd", explanation.cwd}}},
      {"identity",
       {{"uid", id(explanation.uid)},
        {"gid", id(explanation.gid)},
        {"host_uid", id(explanation.host_uid)},
        {"host_gid", id(explanation.host_gid)},
        {"host_ids", text_or_null(explanation.host_ids)},
        {"host_ids_lack", text_or_null(explanation.host_ids_lack)},
        {"id_ranges", id_ranges_json(explanation.id_ranges)},
        {"privileges", explanation.privileges}}},
      {"namespaces", explanation.namespaces},
      {"pid_1", pid_1_json(explanation)},
      {"files", paths_json(explanation.paths)},
      {"executables", executables_json(explanation.executables)},
      {"environment", environment_json(explanation.environment)},
      {"limits", limits_json(explanation.limits)},
      {"network",
       {{"isolated", explanation.network_isolated},
        {"what", explanation.network},
        {"origin", origin_json(explanation.network_origin)}}},
      {"filter", filter_json(explanation.filter)},
      {"landlock", landlock_json(explanation)},
      {"repairs", explanation.repairs},
  };
  return json::visible_json(json);
}

}  // namespace bawn
