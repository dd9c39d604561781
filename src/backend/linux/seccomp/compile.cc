#include "backend/linux/seccomp/compile.h"

#include <linux/seccomp.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"

namespace bawn::linux_::seccomp {
namespace {

// The decision of one profile about one call: the action of the first step whose conditions all
// hold, otherwise `otherwise`.
struct ConditionalAction {
  std::vector<Condition> conditions;
  Action action = 0;

  bool operator==(const ConditionalAction&) const = default;
};
struct Decision {
  std::vector<ConditionalAction> steps;
  Action otherwise = 0;

  bool operator==(const Decision&) const = default;
};

// The decisions of all layers, the first to be asked in front. ALLOW passes the call on to the next
// layer, and allows it after the last. Calls with equal policies share instructions.
using CallPolicy = std::vector<Decision>;

// -- From rules to call policies

class LayerTable {
 public:
  static Result<LayerTable> make(const SeccompProfile& profile, Architecture architecture) {
    LayerTable table(profile.default_action);
    for (const Rule& rule : profile.rules) {
      for (const std::string& name : rule.names) {
        const auto number = syscall_number(name, architecture);
        if (!number) continue;
        if (!table.add(*number, rule))
          return invalid_error(
              concat("the profile decides ", quote(name), " twice without conditions"));
      }
    }
    return table;
  }

  [[nodiscard]] Decision decision(std::uint32_t number) const {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return {.otherwise = default_action_};
    const Call& call = found->second;
    Decision decision{.steps = call.refusals, .otherwise = call.always.value_or(default_action_)};
    decision.steps.insert(decision.steps.end(), call.permissions.begin(), call.permissions.end());
    return decision;
  }

  void add_numbers(std::set<std::uint32_t>& numbers) const {
    for (const auto& [number, call] : calls_) numbers.insert(number);
  }

 private:
  struct Call {
    std::vector<ConditionalAction> refusals;
    std::vector<ConditionalAction> permissions;
    std::optional<Action> always;
  };

  explicit LayerTable(Action default_action) : default_action_(default_action) {}

  // False if the call already has another action without conditions.
  bool add(std::uint32_t number, const Rule& rule) {
    Call& call = calls_[number];
    if (rule.conditions.empty()) {
      if (call.always && *call.always != rule.action) return false;
      call.always = rule.action;
      return true;
    }
    std::vector<ConditionalAction>& steps =
        rule.action == SECCOMP_RET_ALLOW ? call.permissions : call.refusals;
    steps.push_back({rule.conditions, rule.action});
    return true;
  }

  Action default_action_;
  std::map<std::uint32_t, Call> calls_;
};

// Drops steps that change nothing, so that call policies with the same meaning are equal.
Decision simplified(Decision decision) {
  while (!decision.steps.empty() && decision.steps.back().action == decision.otherwise)
    decision.steps.pop_back();
  return decision;
}

// `tables` are in the order of the profiles; the last is asked first.
CallPolicy call_policy_of(std::span<const LayerTable> tables, std::uint32_t number) {
  CallPolicy call_policy;
  for (std::size_t i = tables.size(); i-- > 0;) {
    Decision decision = simplified(tables[i].decision(number));
    if (decision.steps.empty() && decision.otherwise == SECCOMP_RET_ALLOW) continue;
    const bool final = decision.steps.empty();
    call_policy.push_back(std::move(decision));
    if (final) break;
  }
  return call_policy;
}

struct Range {
  std::uint32_t first = 0;
  CallPolicy call_policy;
};

// x32 has the same AUDIT_ARCH as x86_64 and marks its numbers with this bit. -1 is no call: a
// tracer writes it to skip one.
constexpr std::uint32_t kX32Bit = 0x40000000;
constexpr std::uint32_t kNoCall = 0xffffffff;

// All call numbers, in ranges with the same policy.
std::vector<Range> ranges_of(std::span<const LayerTable> tables, Architecture architecture) {
  std::set<std::uint32_t> numbers;
  for (const LayerTable& table : tables) table.add_numbers(numbers);
  std::set<std::uint32_t> starts{0, kNoCall};
  for (const std::uint32_t number : numbers) starts.insert({number, number + 1});
  if (architecture == Architecture::x86_64) starts.insert(kX32Bit);

  std::vector<Range> ranges;
  for (const std::uint32_t start : starts) {
    const bool foreign =
        architecture == Architecture::x86_64 && start >= kX32Bit && start != kNoCall;
    CallPolicy call_policy = foreign ? CallPolicy{{.otherwise = SECCOMP_RET_KILL_PROCESS}}
                                     : call_policy_of(tables, start);
    if (ranges.empty() || ranges.back().call_policy != call_policy)
      ranges.push_back({start, std::move(call_policy)});
  }
  return ranges;
}

// -- From call policies to instructions

// Writes a filter from its end to its start, so that every jump goes to code that exists already. A
// label is an index in this reversed order.
class Assembler {
 public:
  using Label = std::size_t;

  // Label of a RET for this action; reuses one within jump range.
  Label give(Action action) {
    const auto known = returns_.find(action);
    if (known != returns_.end() && is_near(known->second)) return known->second;
    return returns_[action] = emit(BPF_RET | BPF_K, action);
  }

  // Compares the loaded value. `test` is BPF_JEQ, BPF_JGE, BPF_JGT or BPF_JSET.
  Label jump(std::uint16_t test, std::uint32_t operand, Label if_true, Label if_false) {
    if_true = near(if_true);
    if_false = near(if_false);
    const auto distance = [&](Label to) {
      return static_cast<std::uint8_t>(code_.size() - to - 1);
    };
    const std::uint8_t true_distance = distance(if_true);
    const std::uint8_t false_distance = distance(if_false);
    code_.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), true_distance,
                     false_distance, operand});
    return code_.size() - 1;
  }

  // Both continue with the instruction that was written just before.
  Label load(std::size_t offset) {
    return emit(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  Label mask(std::uint32_t mask) { return emit(BPF_ALU | BPF_AND | BPF_K, mask); }

  [[nodiscard]] std::vector<sock_filter> finish() && {
    std::ranges::reverse(code_);
    return std::move(code_);
  }

 private:
  // A conditional jump has 8 bits for its distance. Bringing one target near can push the other one
  // further away by one instruction.
  static constexpr std::size_t kReach = 250;

  Label emit(std::uint16_t code, std::uint32_t operand) {
    code_.push_back({code, 0, 0, operand});
    return code_.size() - 1;
  }

  [[nodiscard]] bool is_near(Label label) const { return code_.size() - label <= kReach; }

  // A label with the same effect, within reach of a conditional jump from here.
  Label near(Label label) {
    if (is_near(label)) return label;
    if (code_[label].code == (BPF_RET | BPF_K)) return give(code_[label].k);
    return emit(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(code_.size() - label - 1));
  }

  std::vector<sock_filter> code_;
  std::map<Action, Label> returns_;
};

using Label = Assembler::Label;

// Both architectures are little-endian: the low half of an argument comes first.
constexpr std::size_t low_half(unsigned argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
}
constexpr std::size_t high_half(unsigned argument) {
  return low_half(argument) + sizeof(std::uint32_t);
}

struct Operand {
  std::size_t offset = 0;
  std::uint32_t value = 0;
  std::uint32_t mask = 0xffffffff;
};
Operand low_word(const Condition& condition) {
  return {low_half(condition.argument), static_cast<std::uint32_t>(condition.value),
          static_cast<std::uint32_t>(condition.mask)};
}
Operand high_word(const Condition& condition) {
  return {high_half(condition.argument), static_cast<std::uint32_t>(condition.value >> 32),
          static_cast<std::uint32_t>(condition.mask >> 32)};
}

Label word_equal(Assembler& code, const Operand& word, Label if_true, Label if_false) {
  if (word.mask == 0) return if_true;
  if (word.mask != 0xffffffff && word.value == 0) {
    code.jump(BPF_JSET, word.mask, if_false, if_true);
  } else if (word.value == word.mask && std::has_single_bit(word.mask)) {
    code.jump(BPF_JSET, word.mask, if_true, if_false);
  } else {
    code.jump(BPF_JEQ, word.value, if_true, if_false);
    if (word.mask != 0xffffffff) code.mask(word.mask);
  }
  return code.load(word.offset);
}

Label both_equal(Assembler& code, const Condition& condition, Label if_true, Label if_false) {
  const Label low = word_equal(code, low_word(condition), if_true, if_false);
  return word_equal(code, high_word(condition), low, if_false);
}

// `low_test` is BPF_JGT for "greater" and BPF_JGE for "greater or equal".
Label greater(Assembler& code, const Condition& condition, std::uint16_t low_test, Label if_true,
              Label if_false) {
  const Operand low = low_word(condition);
  const Operand high = high_word(condition);
  code.jump(low_test, low.value, if_true, if_false);
  const Label halves_alike = code.load(low.offset);
  const Label not_above = code.jump(BPF_JEQ, high.value, halves_alike, if_false);
  code.jump(BPF_JGT, high.value, if_true, not_above);
  return code.load(high.offset);
}

Label check(Assembler& code, const Condition& condition, Label if_true, Label if_false) {
  if (if_true == if_false) return if_true;
  switch (condition.comparison) {
    case Comparison::not_equal:
      return both_equal(code, condition, if_false, if_true);
    case Comparison::greater:
      return greater(code, condition, BPF_JGT, if_true, if_false);
    case Comparison::greater_or_equal:
      return greater(code, condition, BPF_JGE, if_true, if_false);
    case Comparison::less:
      return greater(code, condition, BPF_JGE, if_false, if_true);
    case Comparison::less_or_equal:
      return greater(code, condition, BPF_JGT, if_false, if_true);
    case Comparison::equal:
    case Comparison::masked_equal:
      break;
  }
  return both_equal(code, condition, if_true, if_false);
}

// Label of the code that asks the layers from `call_policy.front()` on.
Label decide(Assembler& code, std::span<const Decision> call_policy) {
  if (call_policy.empty()) return code.give(SECCOMP_RET_ALLOW);
  const Decision& decision = call_policy.front();
  std::optional<Label> next;
  const auto target = [&](Action action) {
    if (action != SECCOMP_RET_ALLOW) return code.give(action);
    if (!next) next = decide(code, call_policy.subspan(1));
    return *next;
  };
  Label here = target(decision.otherwise);
  for (std::size_t i = decision.steps.size(); i-- > 0;) {
    const ConditionalAction& step = decision.steps[i];
    Label hit = target(step.action);
    for (std::size_t j = step.conditions.size(); j-- > 0;)
      hit = check(code, step.conditions[j], hit, here);
    here = hit;
  }
  return here;
}

Label search(Assembler& code, std::span<const Range> ranges) {
  if (ranges.size() == 1) return decide(code, ranges.front().call_policy);
  const std::size_t middle = ranges.size() / 2;
  const Label above = search(code, ranges.subspan(middle));
  const Label below = search(code, ranges.first(middle));
  return code.jump(BPF_JGE, ranges[middle].first, above, below);
}

std::vector<sock_filter> assemble(std::span<const Range> ranges, Architecture architecture) {
  Assembler code;
  search(code, ranges);
  const Label native = code.load(offsetof(seccomp_data, nr));
  code.jump(BPF_JEQ, audit_architecture(architecture), native, code.give(SECCOMP_RET_KILL_PROCESS));
  code.load(offsetof(seccomp_data, arch));
  return std::move(code).finish();
}

}  // namespace

Result<std::vector<sock_filter>> compile(std::span<const SeccompProfile> layers,
                                         Architecture architecture) {
  if (layers.empty()) return invalid_error("a filter needs at least one profile");
  std::vector<LayerTable> tables;
  for (const SeccompProfile& profile : layers) {
    BAWN_ASSIGN(LayerTable table, LayerTable::make(profile, architecture));
    tables.push_back(std::move(table));
  }
  std::vector<sock_filter> filter = assemble(ranges_of(tables, architecture), architecture);
  if (filter.size() > BPF_MAXINSNS) {
    return invalid_error(concat("the profile makes a filter of ", filter.size(),
                                " instructions; the kernel takes ", BPF_MAXINSNS));
  }
  return filter;
}

}  // namespace bawn::linux_::seccomp
