// Every value of a policy file, once: where it stands, what it is for, what it may be, where it is
// kept.
//
// Reader, printer, schema and check_policy all walk this table, so a new key is one new line in
// field.cc. Sections and fields stand in the order in which they are printed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "policy/policy.h"
#include "policy/text_rule.h"

namespace bawn {

// The cap on every list and map of a policy file.
inline constexpr std::size_t kMaxPolicyEntries = 1024;

// The kinds of value. `of` finds the value in a policy.
struct FlagField {
  bool& (*of)(Policy&);
};

template <class Enum>
struct ChoiceField {
  Enum& (*of)(Policy&);
};

struct TextField {  // "" in the policy means the key was not given
  std::string& (*of)(Policy&);
  const TextRule* rule;
};

enum class Amount { count, bytes, milliseconds };

struct LimitField {  // a whole number or "unlimited"
  Limit& (*of)(Policy&);
  Amount amount;
  std::uint64_t least;
  std::uint64_t most;
};

struct CountField {  // a whole number
  std::uint64_t& (*of)(Policy&);
  std::uint64_t least;
  std::uint64_t most;
};

struct IdField {  // a whole number or "caller"
  std::optional<std::uint64_t>& (*of)(Policy&);
};
inline constexpr std::uint64_t kMostId = 0xfffffffe;  // the kernel takes the last number for "none"

struct ListField {
  std::vector<std::string>& (*of)(Policy&);
  const TextRule* rule;
};

struct GrantsField {  // each a path, or an object with the path and where the run sees it
  std::vector<Grant>& (*of)(Policy&);
};

struct MapField {
  std::map<std::string, std::string>& (*of)(Policy&);
  const TextRule* key_rule;
  const TextRule* value_rule;
};

struct HostsField {
  std::vector<EgressHost>& (*of)(Policy&);
};

struct AllowField {  // "all" or a list of programs
  Policy::Executables& (*of)(Policy&);
};

using FieldValue =
    std::variant<FlagField, ChoiceField<Tier>, ChoiceField<TierChoice>, ChoiceField<WorkspaceMode>,
                 ChoiceField<Tmp>, ChoiceField<EgressMode>, TextField, LimitField, CountField,
                 IdField, ListField, GrantsField, MapField, HostsField, AllowField>;

struct Field {
  std::string_view key;
  std::string_view purpose;  // one sentence, the schema's description
  FieldValue value;
};

struct Section {
  std::string_view key;
  std::string_view purpose;
  std::span<const Field> fields;
};

[[nodiscard]] std::span<const Section> policy_sections();

// "limits.memory_bytes", as in Origins and Problem::where.
[[nodiscard]] std::string field_path(const Section& section, const Field& field);

}  // namespace bawn
