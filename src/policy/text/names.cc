#include "policy/text/names.h"

#include "base/text.h"

namespace bawn {
namespace {

constexpr EnumName<Tier> kTiers[] = {
    {Tier::b, "b"},
    {Tier::b, "process"},
    {Tier::c, "c"},
    {Tier::c, "namespaces"},
    {Tier::unconfined, "unconfined"},
};

constexpr EnumName<TierChoice> kTierChoices[] = {
    {TierChoice::automatic, "auto"}, {TierChoice::b, "b"},
    {TierChoice::b, "process"},      {TierChoice::c, "c"},
    {TierChoice::c, "namespaces"},   {TierChoice::unconfined, "unconfined"},
};

constexpr std::string_view kNoTierA =
    "this version has no tier a (wasm): say 'process' (tier b) or 'namespaces' (tier c)";

constexpr Ambiguity kMissingTiers[] = {{"a", kNoTierA}, {"wasm", kNoTierA}};

constexpr EnumName<WorkspaceMode> kWorkspaceModes[] = {
    {WorkspaceMode::direct, "direct"},
    {WorkspaceMode::read_only, "read_only"},
    {WorkspaceMode::private_dir, "private"},
};

constexpr EnumName<GitHooksMode> kGitHooksModes[] = {
    {GitHooksMode::protect, "protected"},
    {GitHooksMode::open, "open"},
};

constexpr EnumName<Tmp> kTmps[] = {{Tmp::none, "none"}, {Tmp::private_dir, "private"}};

constexpr EnumName<EgressMode> kEgressModes[] = {
    {EgressMode::allow_all, "allow_all"},
    {EgressMode::preflight, "preflight"},
    {EgressMode::strict, "strict"},
    {EgressMode::block_all, "block_all"},
};

constexpr Ambiguity kAmbiguousModes[] = {
    {"none",
     "it can mean no restriction or no network: say 'allow_all' for an open network, or "
     "'block_all' for none"},
};

template <class Enum>
std::string_view name_for(Enum value) {
  for (const EnumName<Enum>& name : vocabulary<Enum>().names) {
    if (name.value == value) return name.text;
  }
  return "invalid";
}

template <class Enum>
Result<Enum> parse_name(std::string_view text) {
  const Vocabulary<Enum> known = vocabulary<Enum>();
  if (const std::optional<Enum> value = known.find(text)) return *value;
  const std::string_view meant =
      known.objection(text).empty() ? nearest(text, known.name_list()) : "";
  const std::string hint = meant.empty() ? "" : concat(" (did you mean ", quote(meant), "?)");
  return invalid_error(concat(known.refusal(text), hint));
}

}  // namespace

template <>
Vocabulary<Tier> vocabulary() {
  return {"a tier", kTiers, kMissingTiers};
}
template <>
Vocabulary<TierChoice> vocabulary() {
  return {"a tier", kTierChoices, kMissingTiers};
}
template <>
Vocabulary<WorkspaceMode> vocabulary() {
  return {"a workspace mode", kWorkspaceModes, {}};
}
template <>
Vocabulary<GitHooksMode> vocabulary() {
  return {"a mode of git's hooks", kGitHooksModes, {}};
}
template <>
Vocabulary<Tmp> vocabulary() {
  return {"a kind of temporary directory", kTmps, {}};
}
template <>
Vocabulary<EgressMode> vocabulary() {
  return {"an egress mode", kEgressModes, kAmbiguousModes};
}

std::string_view to_string(Tier tier) { return name_for(tier); }
std::string_view to_string(TierChoice choice) { return name_for(choice); }
std::string_view to_string(WorkspaceMode mode) { return name_for(mode); }
std::string_view to_string(GitHooksMode mode) { return name_for(mode); }
std::string_view to_string(Tmp tmp) { return name_for(tmp); }
std::string_view to_string(EgressMode mode) { return name_for(mode); }

std::string quoted(const Grant& grant) {
  return grant.at.empty() ? quote(grant.path) : concat(quote(grant.path), " at ", quote(grant.at));
}

Result<TierChoice> parse_tier(std::string_view text) { return parse_name<TierChoice>(text); }
Result<EgressMode> parse_egress_mode(std::string_view text) { return parse_name<EgressMode>(text); }
Result<GitHooksMode> parse_git_hooks_mode(std::string_view text) {
  return parse_name<GitHooksMode>(text);
}

}  // namespace bawn
