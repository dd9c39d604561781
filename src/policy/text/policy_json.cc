#include "policy/text/policy_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "base/text.h"
#include "policy/preset.h"
#include "policy/text/field.h"
#include "policy/text/names.h"
#include "policy/text/quantity.h"

namespace bawn {
namespace {

using json::Node;

constexpr std::string_view kDefaultPreset = "agent";

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> candidates) {
  const std::string_view meant = nearest(typed, candidates);
  return meant.empty() ? "" : concat("did you mean ", quote(meant), "?");
}

// For "256M" where a number is expected: the number that is probably meant.
std::string number_hint(Amount amount, std::string_view text) {
  // A policy file has processors in hundredths, so "150" means 150 there.
  const Result<Limit> parsed =
      parse_amount(amount == Amount::processors ? Amount::count : amount, text);
  if (!parsed || !parsed.value())
    return did_you_mean(text, std::array<std::string_view, 1>{"unlimited"});
  return concat("write ", *parsed.value());
}

// Reads the value of one field into the policy. read() returns false if it reported a problem.
class FieldReader {
 public:
  FieldReader(json::Document& document, Policy& policy, std::string path, const Node& node)
      : document_(document), policy_(policy), path_(std::move(path)), node_(node) {}

  bool read(const FieldValue& value) {
    return std::visit([this](const auto& field) { return this->read(field); }, value);
  }

 private:
  bool read(const FlagField& field) {
    if (!expect(node_, Node::Kind::boolean, path_)) return false;
    field.of(policy_) = node_.boolean;
    return true;
  }

  template <class Enum>
  bool read(const ChoiceField<Enum>& field) {
    if (!expect(node_, Node::Kind::string, path_)) return false;
    const Vocabulary<Enum> known = vocabulary<Enum>();
    const std::optional<Enum> value = known.find(node_.text);
    if (value) field.of(policy_) = *value;
    const bool is_ambiguous = !known.objection(node_.text).empty();
    return value || report(node_, path_, known.refusal(node_.text),
                           is_ambiguous ? "" : did_you_mean(node_.text, known.name_list()));
  }

  bool read(const TextField& field) {
    if (!expect(node_, Node::Kind::string, path_) || !accept(*field.rule, node_, node_.text, path_))
      return false;
    field.of(policy_) = node_.text;
    return true;
  }

  bool read(const LimitField& field) {
    if (node_.kind == Node::Kind::string && node_.text == "unlimited") {
      field.of(policy_) = std::nullopt;
      return true;
    }
    const std::string hint =
        node_.kind == Node::Kind::string ? number_hint(field.amount, node_.text) : "";
    const std::optional<std::uint64_t> value =
        whole_number(field.least, field.most, " or \"unlimited\"", hint);
    if (value) field.of(policy_) = *value;
    return value.has_value();
  }

  bool read(const CountField& field) {
    const std::optional<std::uint64_t> value = whole_number(field.least, field.most, "", "");
    if (value) field.of(policy_) = *value;
    return value.has_value();
  }

  bool read(const IdField& field) {
    if (node_.kind == Node::Kind::string && node_.text == "caller") {
      field.of(policy_).reset();
      return true;
    }
    const std::optional<std::uint64_t> value = whole_number(0, kMostId, " or \"caller\"", "");
    if (value) field.of(policy_) = *value;
    return value.has_value();
  }

  bool read(const ListField& field) { return read_list(*field.rule, field.of(policy_)); }

  bool read(const GrantsField& field) {
    if (!expect(node_, Node::Kind::array, path_) || !small_enough(node_.items.size())) return false;
    bool good = true;
    std::vector<Grant>& grants = field.of(policy_);
    grants.clear();
    for (std::size_t i = 0; i < node_.items.size(); ++i) {
      const Node& item = node_.items[i];
      const std::string where = concat(path_, "[", i, "]");
      const std::optional<Grant> grant = read_grant(item, where);
      if (grant && std::ranges::find(grants, *grant) != grants.end()) {
        good = report(item, where, concat(quoted(*grant), " appears twice in the list"),
                      "keep one of them");
      }
      good &= grant.has_value();
      if (grant) grants.push_back(*grant);
    }
    return good;
  }

  std::optional<Grant> read_grant(const Node& item, const std::string& where) {
    if (item.kind == Node::Kind::object) return read_grant_object(item, where);
    if (item.kind != Node::Kind::string) {
      report(item, where,
             concat("expected a path, or an object with 'path' and 'at' or 'exec', found ",
                    json::kind_name(item.kind)));
      return std::nullopt;
    }
    if (!accept(kAbsolutePath, item, item.text, where)) return std::nullopt;
    return Grant(item.text);
  }

  // All keys are taken before finish(), so that all count as known.
  std::optional<Grant> read_grant_object(const Node& item, const std::string& where) {
    json::Reader reader(document_, item, where);
    const auto path = read_member(reader, item, "path", kAbsolutePath);
    const Node* exec = reader.take("exec");
    const bool stays = exec != nullptr && item.find("at") == nullptr;
    const auto at = stays ? std::string() : read_member(reader, item, "at", kDestination);
    reader.finish();
    if (!path || !at ||
        (exec != nullptr && !expect(*exec, Node::Kind::boolean, reader.path("exec"))))
      return std::nullopt;
    Grant grant(*path, *at);
    grant.exec = exec != nullptr && exec->boolean;
    return grant;
  }

  std::optional<std::string> read_member(json::Reader& reader, const Node& item,
                                         std::string_view key, const TextRule& rule) {
    const Node* node = reader.take(key);
    if (node == nullptr) {
      reader.report(
          key, item, concat("is missing: expected ", rule.expectation),
          key == "at" ? "a grant that stays where it is can be written as its path alone" : "");
      return std::nullopt;
    }
    const std::string where = reader.path(key);
    if (!expect(*node, Node::Kind::string, where) || !accept(rule, *node, node->text, where))
      return std::nullopt;
    return node->text;
  }

  bool read(const AllowField& field) {
    ExecutablesPolicy& executables = field.of(policy_);
    if (node_.kind == Node::Kind::string) {
      executables.allow_all = node_.text == "all";
      executables.allow.clear();
      return executables.allow_all ||
             report(node_, path_,
                    concat(quote(node_.text),
                           " is not a list: expected \"all\" or a list of programs"),
                    node_.text == "none" || node_.text.empty() ? "to allow none write []"
                                                               : "put it into brackets");
    }
    executables.allow_all = false;
    return read_list(kProgram, executables.allow);
  }

  bool read(const HostsField& field) {
    std::vector<std::string> texts;
    if (!read_list(kHost, texts)) return false;
    field.of(policy_).clear();
    for (const std::string& text : texts)
      field.of(policy_).push_back(parse_egress_host(text).value());
    return true;
  }

  bool read(const MapField& field) {
    if (!expect(node_, Node::Kind::object, path_) || !small_enough(node_.members.size()))
      return false;
    bool good = true;
    std::map<std::string, std::string> out;
    for (const json::Member& member : node_.members) {
      const std::string where = json::child_path(path_, member.key);
      good &= accept(*field.key_rule, member.key_offset, member.key, where);
      if (!expect(member.value, Node::Kind::string, where) ||
          !accept(*field.value_rule, member.value, member.value.text, where)) {
        good = false;
        continue;
      }
      out[member.key] = member.value.text;
    }
    field.of(policy_) = std::move(out);
    return good;
  }

  bool read_list(const TextRule& rule, std::vector<std::string>& out) {
    if (!expect(node_, Node::Kind::array, path_) || !small_enough(node_.items.size())) return false;
    bool good = true;
    std::set<std::string> seen;
    out.clear();
    for (std::size_t i = 0; i < node_.items.size(); ++i) {
      const Node& item = node_.items[i];
      const std::string where = concat(path_, "[", i, "]");
      if (!expect(item, Node::Kind::string, where) || !accept(rule, item, item.text, where)) {
        good = false;
        continue;
      }
      const std::string text = normal_text(rule, item.text);
      if (!seen.insert(text).second) {
        const std::string subject =
            rule.echo == Echo::quoted ? quote(text) : std::string("the same text");
        good =
            report(item, where, concat(subject, " appears twice in the list"), "keep one of them");
      }
      out.push_back(text);
    }
    return good;
  }

  std::optional<std::uint64_t> whole_number(std::uint64_t least, std::uint64_t most,
                                            std::string_view otherwise, std::string hint) {
    if (node_.kind == Node::Kind::number && node_.integer && *node_.integer >= 0) {
      const auto value = static_cast<std::uint64_t>(*node_.integer);
      if (value >= least && value <= most) return value;
    }
    const std::string found = node_.kind == Node::Kind::number ? quote(node_.text)
                              : node_.kind == Node::Kind::string
                                  ? concat("the string ", quote(node_.text))
                                  : std::string(json::kind_name(node_.kind));
    report(
        node_, path_,
        concat("expected a whole number from ", least, " to ", most, otherwise, ", found ", found),
        std::move(hint));
    return std::nullopt;
  }

  bool small_enough(std::size_t entries) {
    return entries <= kMaxPolicyEntries ||
           report(node_, path_,
                  concat("has ", entries, " entries; at most ", kMaxPolicyEntries, " are allowed"));
  }

  bool expect(const Node& node, Node::Kind kind, const std::string& where) {
    return node.kind == kind || report(node, where,
                                       concat("expected ", json::kind_name(kind), ", found ",
                                              json::kind_name(node.kind)));
  }

  bool accept(const TextRule& rule, const Node& node, std::string_view text,
              const std::string& where) {
    return accept(rule, node.offset, text, where);
  }
  bool accept(const TextRule& rule, std::size_t offset, std::string_view text,
              const std::string& where) {
    std::optional<Fault> fault = check_text(rule, text);
    if (fault) document_.report(offset, where, std::move(fault->message), std::move(fault->hint));
    return !fault;
  }

  // Always returns false, so that a read() can end with it.
  bool report(const Node& node, std::string where, std::string message, std::string hint = "") {
    document_.report(node.offset, std::move(where), std::move(message), std::move(hint));
    return false;
  }

  json::Document& document_;
  Policy& policy_;
  std::string path_;
  const Node& node_;
};

// Reads a whole document: first the preset, then every section, then the conflicts.
class PolicyReader {
 public:
  PolicyReader(json::Document& document, std::string_view file)
      : document_(document), file_(file) {}

  SourcedPolicy read() {
    json::Reader reader(document_, document_.root(), "");
    read_extends(reader);
    for (const Section& section : policy_sections()) {
      if (const Node* node = reader.take(section.key)) read_section(section, *node);
    }
    reader.finish();
    drop_inherited_tmp_size();
    report_conflicts();
    return std::move(out_);
  }

 private:
  void read_extends(json::Reader& reader) {
    const std::optional<std::string> name = reader.string("extends");
    if (!name && document_.root().find("extends") != nullptr) failed_.insert("extends");
    out_.preset = name.value_or(std::string(kDefaultPreset));
    std::optional<Policy> base = preset(out_.preset);
    if (!base) {
      const std::span<const std::string_view> names = preset_names();
      reader.report("extends", *document_.root().find("extends"),
                    concat(quote(*name), " is not a preset: expected ", one_of(names)),
                    did_you_mean(*name, names));
      failed_.insert("extends");
      base = preset(kDefaultPreset);
    }
    out_.policy = *std::move(base);
  }

  void read_section(const Section& section, const Node& node) {
    json::Reader reader(document_, node, std::string(section.key));
    for (const Field& field : section.fields) {
      const Node* value = reader.take(field.key);
      if (value == nullptr) continue;
      const std::string path = field_path(section, field);
      if (!FieldReader(document_, out_.policy, path, *value).read(field.value))
        failed_.insert(path);
      offsets_[path] = value->offset;
      const auto [line, column] = document_.position(value->offset);
      out_.origins[path] = concat(file_, ":", line, ":", column);
    }
    reader.finish();
  }

  // A file that removes the temporary directory need not also remove the preset's size limit for
  // it.
  void drop_inherited_tmp_size() {
    const bool written = offsets_.count("limits.tmp_bytes") != 0;
    if (out_.policy.filesystem.tmp == Tmp::none && !written)
      out_.policy.limits.tmp_bytes = std::nullopt;
  }

  void report_conflicts() {
    for (Conflict& conflict : policy_conflicts(out_.policy)) {
      // A value that could not be read still has the preset's value. A conflict with that value
      // would mislead the user.
      if (failed_.count("extends") + failed_.count(conflict.where) +
              failed_.count(conflict.against) !=
          0)
        continue;
      const std::size_t offset = offset_of(conflict);
      document_.report(offset, std::move(conflict.where), std::move(conflict.message),
                       std::move(conflict.hint));
    }
  }

  [[nodiscard]] std::size_t offset_of(const Conflict& conflict) const {
    for (const std::string& path : {conflict.where, conflict.against}) {
      if (const auto at = offsets_.find(path); at != offsets_.end()) return at->second;
    }
    return document_.root().offset;
  }

  json::Document& document_;
  std::string_view file_;
  SourcedPolicy out_;
  std::map<std::string, std::size_t> offsets_;  // of the values that the file sets
  std::set<std::string> failed_;
};

}  // namespace

std::variant<SourcedPolicy, std::vector<json::Problem>> parse_policy(std::string text,
                                                                     std::string_view file) {
  if (text.size() > kMaxPolicyBytes) {
    return std::vector<json::Problem>{{"", 1, 1,
                                       concat("the policy has ", text.size(), " bytes; at most ",
                                              kMaxPolicyBytes, " are allowed"),
                                       ""}};
  }
  json::Document document = json::Document::parse(std::move(text), json::Comments::allowed);
  if (!document.complete()) return document.listed_problems();
  SourcedPolicy policy = PolicyReader(document, file).read();
  if (document.problems().empty()) return policy;
  return document.listed_problems();
}

std::optional<SourcedPolicy> sourced_preset(std::string_view name) {
  std::optional<Policy> policy = preset(name);
  if (!policy) return std::nullopt;
  return SourcedPolicy{*std::move(policy), std::string(name), {}};
}

}  // namespace bawn
