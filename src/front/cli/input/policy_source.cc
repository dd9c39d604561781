#include "front/cli/input/policy_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/text.h"
#include "front/cli/input/files.h"
#include "json/document.h"
#include "policy/policy_check.h"
#include "policy/preset.h"
#include "policy/text/field.h"
#include "policy/text/names.h"
#include "policy/text/policy_json.h"
#include "policy/text/quantity.h"
#include "policy/text/text_rule.h"

namespace bawn::cli {
namespace {

Result<void> set_tier(Policy& policy, std::string_view value) {
  constexpr std::array<std::string_view, 3> kTiers{"auto", "process (b)", "namespaces (c)"};
  const auto use = parse_tier(value);
  if (!use && !vocabulary<TierChoice>().objection(value).empty()) return use.error();
  if (!use) return invalid_error(concat(quote(value), " is not a tier: expected ", one_of(kTiers)));
  if (use.value() == TierChoice::unconfined)
    return invalid_error("for a run without a sandbox say --policy disabled");
  policy.tier.use = use.value();
  // Sets the floor to the typed tier too. check_policy() refuses a tier below the floor, and the
  // user has accepted this tier by typing it.
  if (use.value() == TierChoice::b) policy.tier.floor = Tier::b;
  if (use.value() == TierChoice::c) policy.tier.floor = Tier::c;
  return {};
}

Result<void> add_host(Policy& policy, std::string_view value) {
  const auto host = parse_egress_host(value);
  if (!host)
    return invalid_error(
        concat(quote(value), " is not a host; expected 'example.com' or 'example.com:443'"));
  policy.egress.hosts.push_back(*host);
  // block_all plus an allowed host means "no network except this host", which is strict.
  if (policy.egress.mode == EgressMode::block_all) policy.egress.mode = EgressMode::strict;
  return {};
}

Result<std::string> destination(std::string_view text) {
  const std::optional<Fault> fault = check_text(kDestination, text);
  if (!fault) return std::string(text);
  return invalid_error(concat(fault->message,
                              fault->hint.empty() ? "" : concat(" (", fault->hint, ")"),
                              "; a path that contains ':/' can only be granted in a policy file"));
}

// PATH or PATH:AT. AT is a guest path and absolute, so the last ":/" separates the two.
Result<Grant> parse_grant(std::string_view value) {
  const std::size_t colon = value.rfind(":/");
  const bool has_place = colon != std::string_view::npos && colon >= drive_length(value);
  const std::string_view path = has_place ? value.substr(0, colon) : value;
  if (path.empty())
    return invalid_error("expected a path, found nothing; '.' is the current directory");
  Grant grant;
  if (has_place) {
    BAWN_ASSIGN(grant.at, destination(value.substr(colon + 1)));
  }
  BAWN_ASSIGN(grant.path, absolute_name(path));
  return grant;
}

template <class Item>
void add_once(std::vector<Item>& list, Item item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

// Gives the value of an option to the field of its key.
class FieldSetter {
 public:
  FieldSetter(Policy& policy, PolicyKey key, std::string_view value)
      : policy_(policy), key_(key), value_(value) {}

  Result<void> operator()(const FlagField& field) const {
    field.of(policy_) = true;
    return {};
  }
  Result<void> operator()(const ChoiceField<TierChoice>& /*field*/) const {
    return set_tier(policy_, value_);
  }
  Result<void> operator()(const ChoiceField<EgressMode>& field) const {
    BAWN_ASSIGN(field.of(policy_), parse_egress_mode(value_));
    return {};
  }
  Result<void> operator()(const ChoiceField<GitHooksMode>& field) const {
    BAWN_ASSIGN(field.of(policy_), parse_git_hooks_mode(value_));
    return {};
  }
  // check_policy() would find an amount out of range too, but its message has milliseconds and
  // hundredths, which the user did not type.
  Result<void> operator()(const LimitField& field) const {
    BAWN_ASSIGN(const Limit amount, parse_amount(field.amount, value_));
    if (amount && (*amount < field.least || *amount > field.most)) {
      return invalid_error(concat("expected ", amount_text(field.amount, field.least), " to ",
                                  amount_text(field.amount, field.most), ", or unlimited, found ",
                                  quote(value_)));
    }
    field.of(policy_) = amount;
    return {};
  }
  Result<void> operator()(const TextField& field) const {
    if (value_.empty()) return nothing("a path; '.' is the current directory");
    std::string& text = field.of(policy_);
    text = value_;
    if (field.rule == &kSeccompProfile && (value_ == "default" || value_ == "strict")) return {};
    // The planner judges the links in a path that the command sees, and it sees no cgroup.
    BAWN_ASSIGN(text,
                key_ == "limits.cgroup_parent" ? absolute_path(value_) : absolute_name(value_));
    return {};
  }
  Result<void> operator()(const ListField& field) const {
    if (value_.empty()) return nothing("a value");
    add_once(field.of(policy_), std::string(value_));
    return {};
  }
  Result<void> operator()(const AllowField& field) const {
    if (value_.empty()) return nothing("a program");
    if (field.of(policy_).allow_all)
      return invalid_error("has no effect: this policy lets every program run");
    add_once(field.of(policy_).allow, std::string(value_));
    return {};
  }
  Result<void> operator()(const GrantsField& field) const {
    BAWN_ASSIGN(Grant grant, parse_grant(value_));
    add_once(field.of(policy_), std::move(grant));
    return {};
  }
  Result<void> operator()(const HostsField& /*field*/) const { return add_host(policy_, value_); }
  Result<void> operator()(const MapField& field) const {
    const std::size_t equals = value_.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      return invalid_error(concat("expected KEY=VALUE, found ", quote(value_)));
    field.of(policy_)[std::string(value_.substr(0, equals))] = value_.substr(equals + 1);
    return {};
  }
  // The kinds of fields that no option sets: tests/cli/parts/invocation_test.cc tries every option.
  template <class Kind>
  Result<void> operator()(const Kind& /*field*/) const {
    return invalid_error(concat("no option can set ", key_));
  }

 private:
  static Error nothing(std::string_view expected) {
    return invalid_error(concat("expected ", expected, ", found nothing"));
  }

  Policy& policy_;
  PolicyKey key_;
  std::string_view value_;
};

// The key in Origins for what the option set. For --env and --pass-env it is the entry of that one
// variable, for others the whole field.
std::string path_of(PolicyKey key, const Policy& policy, std::string_view value) {
  if (key == "environment.set") return json::child_path(key, value.substr(0, value.find('=')));
  if (key != "environment.pass") return std::string(key);
  const std::vector<std::string>& pass = policy.environment.pass;
  return concat(key, "[", std::find(pass.begin(), pass.end(), value) - pass.begin(), "]");
}

Result<void> apply(SourcedPolicy& sourced, PolicyKey key, std::string_view value,
                   std::string_view origin) {
  const std::string path = path_of(key, sourced.policy, value);
  if (key == "environment.set" && sourced.origins.contains(path) && sourced.origins[path] == origin)
    return invalid_error(
        concat(origin, " sets ", quote(value.substr(0, value.find('='))), " twice"));
  const Field* field = find_field(key);
  if (field == nullptr) return invalid_error(concat(origin, ": there is no policy key ", key));
  if (auto set = std::visit(FieldSetter(sourced.policy, key, value), field->value); !set)
    return set.error().within(origin);
  sourced.origins[path_of(key, sourced.policy, value)] = std::string(origin);
  return {};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

Result<LoadedPolicy> named_preset(const std::string& name, std::string_view origin) {
  if (auto sourced = sourced_preset(name))
    return LoadedPolicy{.sourced = std::move(*sourced), .inputs = {}};
  const std::string_view meant = nearest(name, preset_names());
  return invalid_error(concat(origin, ": ", quote(name), " is not a preset",
                              meant.empty() ? "" : concat(" (did you mean '", meant, "'?)"),
                              "; expected ", one_of(preset_names())));
}

// Mistakes in the text have their own places; only a file that cannot be read needs to be told
// whose it is.
Result<LoadedPolicy> named_policy(const std::string& name, std::string_view origin) {
  auto loaded = read_policy(name);
  if (!loaded) return loaded.error().sys_errno == 0 ? loaded : loaded.error().within(origin);
  for (InputFile& input : loaded.value().inputs) input.origin = origin;
  return loaded;
}

Result<LoadedPolicy> base_policy(const Invocation& invocation, PolicyDefault by_default) {
  if (invocation.policy_file) return named_policy(*invocation.policy_file, "--policy");
  if (invocation.mode) return named_preset(*invocation.mode, "--mode");
  if (by_default == PolicyDefault::none) {
    return invalid_error(
        "no policy is named, and nothing is allowed by default; add --policy PRESET or --policy "
        "FILE");
  }
  const auto file = variable("BAWN_POLICY");
  const auto mode = variable("BAWN_MODE");
  if (file && mode)
    return invalid_error("BAWN_POLICY and BAWN_MODE are both set; unset one of them");
  if (file) return named_policy(*file, "BAWN_POLICY");
  if (mode) return named_preset(*mode, "BAWN_MODE");
  return named_preset("workspace", "default");
}

// The origin of the value at `where`, or else of the list, map or section that contains it; "" if
// none is recorded.
std::string_view origin_of(const SourcedPolicy& sourced, std::string_view where) {
  for (;;) {
    const auto origin = sourced.origins.find(where);
    if (origin != sourced.origins.end()) return origin->second;
    const std::size_t end = where.find_last_of(".[");
    if (end == std::string_view::npos) return "";
    where = where.substr(0, end);
  }
}

// Flags can contradict each other or the policy that they change.
Result<void> require_sense(const SourcedPolicy& sourced) {
  std::string message;
  for (const json::Problem& problem : check_policy(sourced.policy)) {
    const std::string_view origin = origin_of(sourced, problem.where);
    message += concat(message.empty() ? "" : "\n", origin.empty() ? problem.where : origin, ": ",
                      problem.message, problem.hint.empty() ? "" : concat(" (", problem.hint, ")"));
  }
  if (message.empty()) return {};
  return invalid_error(std::move(message));
}

}  // namespace

std::string shown_name(const std::string& path) {
  // Each part is tested alone, because quote() shortens long text and a path may be long.
  const std::vector<std::string_view> parts = split(path, '/');
  const bool is_plain = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return quote(part) == concat("'", part, "'");
  });
  return is_plain ? path : quote(path);
}

Result<LoadedPolicy> read_policy_file(const std::string& path) {
  BAWN_ASSIGN(ReadInput read, read_input(path, kMaxPolicyBytes));
  const std::string name = shown_name(path);
  auto parsed = parse_policy(std::move(read.text), name);
  if (auto* sourced = std::get_if<SourcedPolicy>(&parsed)) {
    LoadedPolicy loaded{.sourced = std::move(*sourced), .inputs = {}};
    if (read.file) loaded.inputs.push_back(*std::move(read.file));
    return loaded;
  }
  std::string message;
  for (const json::Problem& problem : std::get<std::vector<json::Problem>>(parsed)) {
    message += concat(message.empty() ? "" : "\n", name, ":", to_string(problem));
  }
  return invalid_error(std::move(message));
}

Result<LoadedPolicy> read_policy(const std::string& name) {
  if (auto sourced = sourced_preset(name))
    return LoadedPolicy{.sourced = std::move(*sourced), .inputs = {}};
  auto from_file = read_policy_file(name);
  const bool is_path = name.find('/') != std::string::npos;
  if (from_file || is_path || from_file.error().sys_errno != ENOENT) return from_file;
  const std::string_view meant = nearest(name, preset_names());
  return from_file.error().within(
      concat("no preset (", one_of(preset_names()),
             meant.empty() ? "" : concat("; did you mean '", meant, "'?"), ") and no file"));
}

Result<std::string> workspace_by_default(const Policy& policy) {
  const bool has_another =
      !policy.workspace.root.empty() || policy.workspace.mode == WorkspaceMode::private_dir;
  return has_another ? Result<std::string>("") : current_name();
}

Result<LoadedPolicy> load_policy(const Invocation& invocation, PolicyDefault by_default) {
  BAWN_ASSIGN(LoadedPolicy loaded, base_policy(invocation, by_default));
  SourcedPolicy& sourced = loaded.sourced;
  if (const auto timeout = variable("BAWN_TIMEOUT");
      timeout && by_default == PolicyDefault::workspace) {
    BAWN_TRY(apply(sourced, "limits.wall_time_ms", *timeout, "BAWN_TIMEOUT"));
  }
  for (const PolicyFlag& flag : invocation.policy_flags)
    BAWN_TRY(apply(sourced, flag.option->key(), flag.value, flag.option->name));
  BAWN_TRY(require_sense(sourced));
  return loaded;
}

}  // namespace bawn::cli
