#include "validate/environment.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/text.h"
#include "policy/environment_policy.h"
#include "programs/variable_rule.h"
#include "validate/program/executable_file.h"

namespace bawn {
namespace {

constexpr std::string_view kDefaultLanguage = "C.UTF-8";

// PATH has no escape for a colon, so a directory with one in its name is left out.
std::string search_path(const std::vector<std::string>& first, const PathLookup& lookup) {
  std::vector<std::string_view> directories(first.begin(), first.end());
  const auto trusted = lookup.trusted_path();
  directories.insert(directories.end(), trusted.begin(), trusted.end());
  std::string out;
  for (auto at = directories.begin(); at != directories.end(); ++at) {
    if (at->find(':') != std::string_view::npos || std::find(directories.begin(), at, *at) != at)
      continue;
    if (!out.empty()) out += ':';
    out += *at;
  }
  return out;
}

// The names that every shell accepts. A '=' in a name would set a variable of another name.
bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

std::string_view code_of(VariableDanger danger) {
  switch (danger) {
    case VariableDanger::reserved:
      return "environment.reserved";
    case VariableDanger::code_injection:
      return "environment.code_injection";
    case VariableDanger::credential:
      return "environment.credential";
  }
  return "environment.reserved";
}

std::string_view hint_for(VariableDanger danger) {
  return danger == VariableDanger::reserved
             ? "leave it out of the request's env"
             : "leave it out, or try --env NAME=VALUE or --pass-env NAME (policy keys: "
               "environment.set, environment.pass)";
}

}  // namespace

std::optional<Violation> judge_variable(const EnvironmentPolicy& policy, std::string_view name) {
  if (const auto rule = variable_rule(name)) {
    return Violation{std::string(code_of(rule->danger)), std::string(name),
                     concat("a request may not set ", quote(name), ": it ", rule->reason),
                     std::string(hint_for(rule->danger))};
  }
  if (!is_variable_name(name)) {
    return Violation{"environment.bad_name", std::string(name),
                     concat(quote(name), " is not the name of an environment variable"),
                     "use letters, digits and '_', not beginning with a digit"};
  }
  if (policy.set.contains(std::string(name))) {
    return Violation{"environment.reserved", std::string(name),
                     concat("the policy sets ", quote(name), " and a request cannot change it"),
                     "leave it out of the request's env"};
  }
  return std::nullopt;
}

std::vector<std::string> passed_variables(const EnvironmentPolicy& policy,
                                          const ValidationContext& context) {
  std::vector<std::string> names;
  if (!context.caller_env) return names;
  std::copy_if(policy.pass.begin(), policy.pass.end(), std::back_inserter(names),
               [&](const std::string& name) { return context.caller_env(name).has_value(); });
  return names;
}

std::vector<std::string> build_environment(const EnvironmentPolicy& policy, const Request& request,
                                           const ValidationContext& context,
                                           Violations& violations) {
  std::map<std::string, std::string> variables{{"LANG", std::string(kDefaultLanguage)}};
  if (!context.workspace.empty()) variables["HOME"] = context.workspace;
  for (const std::string& name : policy.pass) {
    if (!context.caller_env) break;
    if (const auto value = context.caller_env(name)) variables[name] = *value;
  }
  for (const auto& [name, value] : policy.set) variables[name] = value;
  for (const auto& [name, value] : request.env) {
    if (auto violation = judge_variable(policy, name)) {
      violations.push_back(std::move(*violation));
    } else {
      variables[name] = value;
    }
  }
  variables["PATH"] = search_path(context.search, *context.lookup);

  std::vector<std::string> out;
  out.reserve(variables.size());
  for (const auto& [name, value] : variables) out.push_back(concat(name, "=", value));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace bawn
