// The table of all values in a policy file: key, purpose, permitted values, and the member of
// Policy.
//
// Reader, printer, schema and check_policy all walk this table, so a new key is one new entry in
// field.cc. Sections and fields are printed in the order of the table. The table is constant data
// and may be read from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "policy/policy.h"
#include "policy/text/quantity.h"
#include "policy/text/text_rule.h"

namespace bawn {

// The cap on every list and map of a policy file.
inline constexpr std::size_t kMaxPolicyEntries = 1024;

// The kinds of values. `of` returns the member of the given policy.
struct FlagField {
  bool& (*of)(Policy&);
};

template <class Enum>
struct ChoiceField {
  Enum& (*of)(Policy&);
};

struct TextField {  // "" in the policy means that the key was not given
  std::string& (*of)(Policy&);
  const TextRule* rule;
};

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
inline constexpr std::uint64_t kMostId = 0xfffffffe;  // 0xffffffff (-1) means "none" to the kernel

struct ListField {
  std::vector<std::string>& (*of)(Policy&);
  const TextRule* rule;
};

struct GrantsField {  // each a path, or an object with the host path and the guest path
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
  ExecutablesPolicy& (*of)(Policy&);
};

using FieldValue =
    std::variant<FlagField, ChoiceField<Tier>, ChoiceField<TierChoice>, ChoiceField<WorkspaceMode>,
                 ChoiceField<GitHooksMode>, ChoiceField<Tmp>, ChoiceField<EgressMode>, TextField,
                 LimitField, CountField, IdField, ListField, GrantsField, MapField, HostsField,
                 AllowField>;

struct Field {
  std::string_view key;
  std::string_view purpose;  // one sentence; the description in the schema
  FieldValue value;
};

struct Section {
  std::string_view key;
  std::string_view purpose;
  std::span<const Field> fields;
};

[[nodiscard]] std::span<const Section> policy_sections();

// The field at a path such as "limits.memory_bytes"; null if there is none.
[[nodiscard]] const Field* find_field(std::string_view path);

// "limits.memory_bytes", as in Origins and Problem::where.
[[nodiscard]] std::string field_path(const Section& section, const Field& field);

}  // namespace bawn
