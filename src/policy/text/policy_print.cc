#include <nlohmann/json.hpp>

#include "base/text.h"
#include "policy/credential_name.h"
#include "policy/egress_host.h"
#include "policy/text/field.h"
#include "policy/text/names.h"
#include "policy/text/policy_json.h"

namespace bawn {
namespace {

constexpr std::size_t kLongestLine = 100;
constexpr std::string_view kListIndent = "      ";

enum class Secrets { shown, masked };

// A JSON string in ASCII only, so that no text of a policy can reach a terminal as a control
// sequence.
std::string json_text(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', true, json::error_handler_t::replace);
}

std::string mask(std::string_view secret) { return concat("[secret, ", secret.size(), " bytes]"); }

// A printed value: one line, or a list in brackets.
struct Printed {
  std::string scalar;
  char open = 0;  // '[' or '{' for a list
  std::vector<std::string> items;
};

class FieldPrinter {
 public:
  FieldPrinter(Policy& policy, Secrets secrets) : policy_(policy), secrets_(secrets) {}

  // Empty for a value that a policy file leaves out.
  std::optional<Printed> operator()(const FlagField& field) {
    return scalar(field.of(policy_) ? "true" : "false");
  }
  template <class Enum>
  std::optional<Printed> operator()(const ChoiceField<Enum>& field) {
    return scalar(json_text(to_string(field.of(policy_))));
  }
  std::optional<Printed> operator()(const TextField& field) {
    const std::string& text = field.of(policy_);
    return text.empty() ? std::nullopt : scalar(json_text(text));
  }
  std::optional<Printed> operator()(const LimitField& field) {
    const Limit limit = field.of(policy_);
    return scalar(limit ? std::to_string(*limit) : json_text("unlimited"));
  }
  std::optional<Printed> operator()(const CountField& field) {
    return scalar(std::to_string(field.of(policy_)));
  }
  std::optional<Printed> operator()(const IdField& field) {
    const std::optional<std::uint64_t>& id = field.of(policy_);
    return scalar(id ? std::to_string(*id) : json_text("caller"));
  }
  std::optional<Printed> operator()(const ListField& field) {
    const bool hidden = secrets_ == Secrets::masked && field.rule->echo == Echo::hidden;
    Printed out{.open = '['};
    for (const std::string& text : field.of(policy_))
      out.items.push_back(json_text(hidden ? mask(text) : text));
    return out;
  }
  std::optional<Printed> operator()(const GrantsField& field) {
    Printed out{.open = '['};
    for (const Grant& grant : field.of(policy_)) out.items.push_back(grant_text(grant));
    return out;
  }
  std::optional<Printed> operator()(const MapField& field) {
    const bool masking = secrets_ == Secrets::masked && field.value_rule->echo == Echo::hidden;
    Printed out{.open = '{'};
    for (const auto& [key, value] : field.of(policy_)) {
      const std::string shown = masking && may_hold_secret(key, value) ? mask(value) : value;
      out.items.push_back(concat(json_text(key), ": ", json_text(shown)));
    }
    return out;
  }
  std::optional<Printed> operator()(const HostsField& field) {
    Printed out{.open = '['};
    for (const EgressHost& host : field.of(policy_))
      out.items.push_back(json_text(to_string(host)));
    return out;
  }
  std::optional<Printed> operator()(const AllowField& field) {
    if (field.of(policy_).allow_all) return scalar(json_text("all"));
    Printed out{.open = '['};
    for (const std::string& name : field.of(policy_).allow) out.items.push_back(json_text(name));
    return out;
  }

 private:
  static std::string grant_text(const Grant& grant) {
    if (grant.at.empty() && !grant.exec) return json_text(grant.path);
    const std::string at = grant.at.empty() ? "" : concat(", \"at\": ", json_text(grant.at));
    return concat("{\"path\": ", json_text(grant.path), at, grant.exec ? ", \"exec\": true" : "",
                  "}");
  }

  static std::optional<Printed> scalar(std::string text) {
    return Printed{.scalar = std::move(text)};
  }

  Policy& policy_;
  Secrets secrets_;
};

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) out += concat(i == 0 ? "" : separator, items[i]);
  return out;
}

// The items of a list that is too long for one line, with as many on each line as fit.
std::string filled(const std::vector<std::string>& items) {
  std::string out;
  std::string line;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string piece = concat(items[i], i + 1 == items.size() ? "" : ",");
    if (!line.empty() && kListIndent.size() + line.size() + 1 + piece.size() > kLongestLine) {
      out += concat(kListIndent, line, "\n");
      line.clear();
    }
    line += concat(line.empty() ? "" : " ", piece);
  }
  return concat(out, kListIndent, line, "\n");
}

// `comma` is "" after the last field of a section. The comment is always on the first line.
std::string field_lines(std::string_view key, const Printed& value, std::string_view comma,
                        std::string_view comment) {
  const std::string start = concat("    ", json_text(key), ": ");
  if (value.open == 0) return concat(start, value.scalar, comma, comment, "\n");
  const char close = value.open == '[' ? ']' : '}';
  const std::string inside = joined(value.items, ", ");
  if (start.size() + inside.size() + 3 <= kLongestLine) {
    return concat(start, value.open, inside, close, comma, comment, "\n");
  }
  return concat(start, value.open, comment, "\n", filled(value.items), "    ", close, comma, "\n");
}

// A file name may contain anything, and a line break in it must not end the comment.
std::string comment_text(std::string_view origin) {
  std::string out = concat("  // ", origin);
  for (char& c : out) {
    if (c < ' ' || c >= 0x7f) c = '?';
  }
  return out;
}

// `comment_for` returns the comment for a field, given its path.
template <class CommentFor>
std::string print(const Policy& policy, Secrets secrets, CommentFor comment_for) {
  Policy copy = policy;  // the field table returns mutable references
  std::vector<std::string> sections;
  for (const Section& section : policy_sections()) {
    std::vector<std::pair<const Field*, Printed>> values;
    for (const Field& field : section.fields) {
      if (auto value = std::visit(FieldPrinter(copy, secrets), field.value))
        values.emplace_back(&field, *value);
    }
    std::string out = concat("  ", json_text(section.key), ": {\n");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& [field, value] = values[i];
      out += field_lines(field->key, value, i + 1 == values.size() ? "" : ",",
                         comment_for(field_path(section, *field)));
    }
    sections.push_back(out + "  }");
  }
  return concat("{\n", joined(sections, ",\n"), "\n}\n");
}

}  // namespace

std::string policy_text(const Policy& policy) {
  return print(policy, Secrets::shown, [](const std::string&) { return std::string(); });
}

std::string policy_text_with_origins(const SourcedPolicy& policy) {
  return print(policy.policy, Secrets::masked, [&](const std::string& path) {
    const auto origin = policy.origins.find(path);
    return comment_text(origin == policy.origins.end() ? concat("preset ", policy.preset)
                                                       : origin->second);
  });
}

}  // namespace bawn
