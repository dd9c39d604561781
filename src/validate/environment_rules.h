// Which environment variables a request may not bring, and why: the tables.
//
// Names are compared as spelled, except for reserved names, the dynamic loader, proxies and
// credentials, whose users also read them in lower case (or on systems that know no case).
#pragma once

#include <optional>
#include <string_view>

namespace bawn {

enum class VariableDanger { reserved, code_injection, credential };

struct VariableRule {
  VariableDanger danger = VariableDanger::reserved;
  std::string_view reason;  // completes "it ..."
};

// Empty for a variable that is data to the programs that read it.
[[nodiscard]] std::optional<VariableRule> variable_rule(std::string_view name);

}  // namespace bawn
