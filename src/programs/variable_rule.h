// The environment variables that a request may not set, with the reason for each.
//
// The rows of programs name the variables that they obey; environment.json has those that belong to
// no single program. Only names count. The rules apply to requests; a policy may pass or set most
// of these variables (validate/environment.h). No table of names is complete, so this catches known
// attacks and is no boundary: the sandbox is.
//
// Names are case-sensitive, except in the groups that environment.json marks `any_case`: programs
// read those in lower case too, or run on systems that ignore case.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bawn {

// `reserved`: bawn, the shell or the system sets it. `code_injection`: programs that read it run or
// load other code, or trust another party. `credential`: it holds or locates a secret.
enum class VariableDanger : std::uint8_t { reserved, code_injection, credential };

struct VariableRule {
  VariableDanger danger = VariableDanger::reserved;
  std::string_view reason;  // completes the sentence "it ..."; static storage
};

// The rule that forbids the variable; empty if programs treat its value as plain data. An exact
// name wins over a prefix or suffix, and an earlier group over a later one.
[[nodiscard]] std::optional<VariableRule> variable_rule(std::string_view name);

}  // namespace bawn
