#include "backend/linux/seccomp/profile.h"

#include <linux/seccomp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "backend/linux/seccomp/syscall_names.h"
#include "base/text.h"
#include "json/document.h"

namespace bawn::linux_::seccomp {
namespace {

constexpr std::int64_t kDefaultErrno = 1;     // EPERM, as OCI has it
constexpr std::int64_t kHighestErrno = 4095;  // the kernel caps larger values

struct ActionName {
  std::string_view name;
  Action action;
};
constexpr std::string_view kErrno = "SCMP_ACT_ERRNO";
constexpr auto kActions = std::to_array<ActionName>({
    {"SCMP_ACT_ALLOW", SECCOMP_RET_ALLOW},
    {kErrno, SECCOMP_RET_ERRNO},
    {"SCMP_ACT_TRAP", SECCOMP_RET_TRAP},
    {"SCMP_ACT_KILL", SECCOMP_RET_KILL_THREAD},
    {"SCMP_ACT_KILL_THREAD", SECCOMP_RET_KILL_THREAD},
    {"SCMP_ACT_KILL_PROCESS", SECCOMP_RET_KILL_PROCESS},
});

struct ComparisonName {
  std::string_view name;
  Comparison comparison;
};
constexpr auto kComparisons = std::to_array<ComparisonName>({
    {"SCMP_CMP_EQ", Comparison::equal},
    {"SCMP_CMP_NE", Comparison::not_equal},
    {"SCMP_CMP_LT", Comparison::less},
    {"SCMP_CMP_LE", Comparison::less_or_equal},
    {"SCMP_CMP_GT", Comparison::greater},
    {"SCMP_CMP_GE", Comparison::greater_or_equal},
    {"SCMP_CMP_MASKED_EQ", Comparison::masked_equal},
});

template <class Table>
std::string names_of(const Table& table) {
  std::vector<std::string_view> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.push_back(entry.name);
  return one_of(names);
}

class SeccompProfileReader {
 public:
  explicit SeccompProfileReader(std::string text)
      : document_(json::Document::parse(std::move(text), json::Comments::allowed)) {}

  Result<SeccompProfile> read() {
    SeccompProfile profile;
    if (document_.complete()) profile = read_profile();
    if (document_.problems().empty()) return profile;
    std::string message;
    for (const json::Problem& problem : document_.listed_problems())
      message += concat(message.empty() ? "" : "\n", json::to_string(problem));
    return invalid_error(std::move(message));
  }

 private:
  SeccompProfile read_profile() {
    json::Reader reader(document_, document_.root(), "");
    SeccompProfile profile{.default_action =
                               read_action(reader, "", "defaultAction", "defaultErrnoRet")};
    read_architectures(reader);
    if (const json::Node* rules = required(reader, "", "syscalls", json::Node::Kind::array)) {
      if (rules->items.empty())
        document_.report(rules->offset, "syscalls", "expected at least one rule");
      for (std::size_t i = 0; i < rules->items.size(); ++i)
        profile.rules.push_back(read_rule(rules->items[i], concat("syscalls[", i, "]")));
    }
    reader.finish();
    return profile;
  }

  void read_architectures(json::Reader& reader) {
    const auto names = reader.strings("architectures");
    if (names && *names != std::vector<std::string>{"SCMP_ARCH_NATIVE"}) {
      reader.report("architectures", *reader.take("architectures"),
                    "expected [\"SCMP_ARCH_NATIVE\"]",
                    "calls of every other architecture end the process");
    }
  }

  Rule read_rule(const json::Node& node, const std::string& where) {
    json::Reader reader(document_, node, where);
    reader.take("comment");
    Rule rule{.action = read_action(reader, where, "action", "errnoRet")};
    if (required(reader, where, "names", json::Node::Kind::array) != nullptr)
      rule.names = read_names(reader);
    if (const json::Node* arguments = reader.take("args"))
      rule.conditions = read_conditions(*arguments, reader.path("args"));
    reader.finish();
    return rule;
  }

  // The action under `key`. SCMP_ACT_ERRNO takes its errno from `errno_key`.
  Action read_action(json::Reader& reader, const std::string& where, std::string_view key,
                     std::string_view errno_key) {
    const json::Node* node = required(reader, where, key, json::Node::Kind::string);
    const json::Node* number = reader.take(errno_key);
    if (node == nullptr) return SECCOMP_RET_KILL_PROCESS;
    const auto* found = std::ranges::find(kActions, node->text, &ActionName::name);
    if (found == kActions.end()) {
      reader.report(key, *node,
                    concat(quote(node->text), " is not an action; expected ", names_of(kActions)));
      return SECCOMP_RET_KILL_PROCESS;
    }
    if (found->name != kErrno) {
      if (number != nullptr) reader.report(errno_key, *number, concat("only goes with ", kErrno));
      return found->action;
    }
    // An errno of 0 would not be a refusal: the call would seem to succeed without being made.
    const auto errno_value =
        number == nullptr ? kDefaultErrno
                          : reader.integer(errno_key, 1, kHighestErrno).value_or(kDefaultErrno);
    return found->action | static_cast<Action>(errno_value);
  }

  std::vector<std::string> read_names(json::Reader& reader) {
    const json::Node& node = *reader.take("names");
    auto names = reader.strings("names").value_or(std::vector<std::string>{});
    if (node.items.empty()) reader.report("names", node, "expected at least one system call");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!is_syscall(names[i])) {
        reader.report(concat("names[", i, "]"), node.items[i],
                      concat(quote(names[i]), " is not a system call that bawn knows"));
      }
    }
    return names;
  }

  std::vector<Condition> read_conditions(const json::Node& node, const std::string& where) {
    std::vector<Condition> conditions;
    if (node.kind != json::Node::Kind::array) {
      document_.report(
          node.offset, where,
          concat("expected an array of conditions, found ", json::kind_name(node.kind)));
      return conditions;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Condition condition = read_condition(node.items[i], concat(where, "[", i, "]"));
      if (std::ranges::find(conditions, condition.argument, &Condition::argument) !=
          conditions.end()) {
        document_.report(node.items[i].offset, where,
                         concat("argument ", condition.argument, " has two conditions"),
                         "write two rules, or one condition with SCMP_CMP_MASKED_EQ");
      }
      conditions.push_back(condition);
    }
    return conditions;
  }

  Condition read_condition(const json::Node& node, const std::string& where) {
    json::Reader reader(document_, node, where);
    Condition condition;
    if (required(reader, where, "index", json::Node::Kind::number) != nullptr)
      condition.argument = static_cast<unsigned>(reader.integer("index", 0, 5).value_or(0));
    if (const json::Node* name = required(reader, where, "op", json::Node::Kind::string))
      condition.comparison = read_comparison(reader, *name);
    const std::uint64_t value = read_number(reader, where, "value").value_or(0);
    const json::Node* second = reader.take("valueTwo");
    const std::uint64_t value_two =
        second == nullptr ? 0 : read_number(reader, where, "valueTwo").value_or(0);
    condition.value = value;
    if (condition.comparison == Comparison::masked_equal) {
      condition.mask = value;
      condition.value = value_two;
      if ((value_two & ~value) != 0 || value == 0) {
        document_.report(node.offset, where,
                         concat("the mask ", value, " can never leave ", value_two),
                         "`value` is the mask, `valueTwo` what must be left of the argument");
      }
    } else if (value_two != 0) {
      reader.report("valueTwo", *second, "only goes with SCMP_CMP_MASKED_EQ");
    }
    reader.finish();
    return condition;
  }

  static Comparison read_comparison(json::Reader& reader, const json::Node& node) {
    const auto* found = std::ranges::find(kComparisons, node.text, &ComparisonName::name);
    if (found != kComparisons.end()) return found->comparison;
    reader.report(
        "op", node,
        concat(quote(node.text), " is not a comparison; expected ", names_of(kComparisons)));
    return Comparison::equal;
  }

  // All 64 bits; json::Node::integer holds fewer.
  std::optional<std::uint64_t> read_number(json::Reader& reader, const std::string& where,
                                           std::string_view key) {
    const json::Node* node = required(reader, where, key, json::Node::Kind::number);
    if (node == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    const char* end = node->text.data() + node->text.size();
    const auto [stop, problem] = std::from_chars(node->text.data(), end, number);
    if (problem == std::errc{} && stop == end) return number;
    reader.report(key, *node, concat("expected a whole number of 64 bits, found ", node->text));
    return std::nullopt;
  }

  // The value under `key`. Reports a problem and returns null if it is missing or of another kind.
  const json::Node* required(json::Reader& reader, const std::string& where, std::string_view key,
                             json::Node::Kind kind) {
    const json::Node* node = reader.take(key);
    if (node == nullptr) {
      document_.report(0, where, concat("the key ", quote(key), " is missing"));
      return nullptr;
    }
    if (node->kind == kind) return node;
    reader.report(
        key, *node,
        concat("expected ", json::kind_name(kind), ", found ", json::kind_name(node->kind)));
    return nullptr;
  }

  json::Document document_;
};

}  // namespace

Result<SeccompProfile> parse_seccomp_profile(std::string text) {
  return SeccompProfileReader(std::move(text)).read();
}

}  // namespace bawn::linux_::seccomp
