#include "claims.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "json/document.h"

namespace bawn::linux_::test {
namespace {

using json::Node;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("claims.json: " + what);
}

const Node& member(const Node& object, const char* key) {
  const Node* found = object.find(key);
  if (found == nullptr) fail(std::string("no '") + key + "'");
  return *found;
}

std::vector<std::string> strings(const Node* array) {
  std::vector<std::string> out;
  if (array == nullptr) return out;
  for (const Node& item : array->items) out.push_back(item.text);
  return out;
}

std::uint64_t number_of(const Node& node) {
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(node.text.c_str(), &end, 0);
  if (node.text.empty() || *end != '\0') fail("'" + node.text + "' is not a number");
  return number;
}

ClaimedCall call_of(const Node& array) {
  ClaimedCall call{.name = array.items.at(0).text};
  for (std::size_t i = 1; i < array.items.size(); ++i) {
    const bool is_null = array.items[i].kind == Node::Kind::null;
    call.arguments.push_back(is_null ? 0 : number_of(array.items[i]));
    call.is_pointer.push_back(is_null);
  }
  return call;
}

// For a claim about every argument, the call is evaluated with several values.
void add_whatever_the_arguments(const std::string& name, std::vector<ClaimedCall>& calls) {
  for (const std::uint64_t value : {0ULL, 1ULL, 06777ULL, ~0ULL})
    calls.push_back({.name = name, .arguments = std::vector<std::uint64_t>(6, value)});
}

Claim claim_of(const Node& object) {
  Claim claim{.text = member(object, "claim").text};
  for (const std::string& answer : strings(&member(object, "answers")))
    claim.answers.push_back(action_named(answer));
  if (const Node* reason = object.find("reason")) claim.reason = reason->text;
  if (const Node* any = object.find("any_profile")) claim.any_profile = any->boolean;
  for (const std::string& name : strings(object.find("names")))
    add_whatever_the_arguments(name, claim.calls);
  if (const Node* calls = object.find("calls")) {
    for (const Node& call : calls->items) claim.calls.push_back(call_of(call));
  }
  if (const Node* numbers = object.find("numbers")) {
    for (const Node& number : numbers->items)
      claim.calls.push_back({.name = "", .number = static_cast<std::uint32_t>(number_of(number))});
  }
  return claim;
}

void require_known_keys(const Node& object) {
  static const std::vector<std::string> kKeys = {"claim", "answers", "reason", "any_profile",
                                                 "names", "calls",   "numbers"};
  for (const json::Member& one : object.members) {
    if (std::find(kKeys.begin(), kKeys.end(), one.key) == kKeys.end())
      fail("unknown key " + one.key);
  }
}

Claims read_claims() {
  const auto document =
      json::Document::parse(file_text(profile_folder() + "/claims.json"), json::Comments::allowed);
  if (!document.problems().empty()) fail(to_string(document.problems().front()));
  Claims claims;
  for (const json::Member& column : member(document.root(), "columns").members)
    claims.columns.push_back({column.key, strings(&column.value)});
  for (const Node& row : member(document.root(), "claims").items) {
    require_known_keys(row);
    claims.rows.push_back(claim_of(row));
  }
  return claims;
}

}  // namespace

std::uint32_t action_named(const std::string& answer) {
  static const std::map<std::string, int> kErrors = {{"EPERM", EPERM},
                                                     {"ENOSYS", ENOSYS},
                                                     {"EACCES", EACCES},
                                                     {"EINVAL", EINVAL},
                                                     {"EAFNOSUPPORT", EAFNOSUPPORT}};
  if (answer == "ok") return SECCOMP_RET_ALLOW;
  const auto found = kErrors.find(answer);
  if (found == kErrors.end()) fail("no answer '" + answer + "'");
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(found->second);
}

std::optional<seccomp_data> ClaimedCall::on(seccomp::Architecture architecture) const {
  const auto found =
      name.empty() ? std::optional(number) : seccomp::syscall_number(name, architecture);
  if (!found) return std::nullopt;
  return make_call(*found, architecture, arguments);
}

std::optional<seccomp_data> ClaimedCall::wide_on(seccomp::Architecture architecture) const {
  std::optional<seccomp_data> call = on(architecture);
  for (std::size_t i = 0; call && i < std::size(call->args); ++i) {
    const bool pointer = i < is_pointer.size() && is_pointer[i];
    if (!pointer) call->args[i] |= 0xdeadbeef'00000000;
  }
  return call;
}

const Claims& claims() {
  static const Claims kClaims = read_claims();
  return kClaims;
}

}  // namespace bawn::linux_::test
