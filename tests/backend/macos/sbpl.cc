#include "backend/macos/sbpl.h"

#include <cctype>
#include <optional>
#include <regex>

#include "base/text.h"

namespace bawn {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  SbplText run() {
    SbplText out;
    for (skip_blanks(); at_ < text_.size() && error_.empty(); skip_blanks()) {
      if (text_[at_] != '(') fail("a form must be a list");
      out.forms.push_back(read());
    }
    out.error = error_;
    return out;
  }

 private:
  void fail(std::string_view what) {
    if (error_.empty()) error_ = concat(what, " at ", at_);
    at_ = text_.size();
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  SbplNode read() {
    skip_blanks();
    if (at_ >= text_.size()) return fail("an expression is missing"), SbplNode{};
    if (text_[at_] == '(') return read_list();
    if (text_[at_] == '"') return read_text(SbplNode::Kind::text);
    if (text_.substr(at_).starts_with("#\"")) return ++at_, read_text(SbplNode::Kind::regex);
    return read_word();
  }

  SbplNode read_list() {
    SbplNode list;
    ++at_;
    for (skip_blanks(); at_ < text_.size() && text_[at_] != ')'; skip_blanks())
      list.items.push_back(read());
    if (at_ >= text_.size()) return fail("a list has no end"), list;
    ++at_;
    return list;
  }

  // bawn passes paths as parameters and needs no escapes, so a backslash in a string is an error
  // here.
  SbplNode read_text(SbplNode::Kind kind) {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return fail("a text has no end"), SbplNode{};
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find_first_of("\\\n") != std::string_view::npos)
      fail("an escape or a line's end in a text");
    at_ = std::max(at_, end + 1);
    return {.kind = kind, .value = std::string(inside)};
  }

  SbplNode read_word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\n()\";#", at_), text_.size());
    if (end == at_) return fail("an unexpected character"), SbplNode{};
    SbplNode word{.kind = SbplNode::Kind::word, .value = std::string(text_.substr(at_, end - at_))};
    at_ = end;
    return word;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

std::optional<std::string> argument_of(const SandboxProfile& profile, const SbplNode& node) {
  if (node.kind != SbplNode::Kind::list) return node.value;
  if (node.head() != "param" || node.items.size() != 2) return std::nullopt;
  for (const SandboxProfileParameter& parameter : profile.parameters) {
    if (parameter.name == node.items[1].value) return parameter.value;
  }
  return std::nullopt;
}

bool matches_path(const SandboxProfile& profile, const SbplNode& filter, std::string_view path) {
  if (filter.items.size() < 2) return false;
  // (remote unix-socket (subpath ...)): the path filter is inside.
  if (filter.items[1].is_word("unix-socket"))
    return filter.items.size() == 3 && matches_path(profile, filter.items[2], path);
  const std::optional<std::string> argument = argument_of(profile, filter.items[1]);
  if (!argument) return false;
  if (filter.head() == "literal") return path == *argument;
  if (filter.head() == "regex") return std::regex_search(std::string(path), std::regex(*argument));
  if (filter.head() != "subpath") return false;
  return path == *argument || path.starts_with(*argument == "/" ? "/" : concat(*argument, "/"));
}

bool covers_any(const SbplRule& rule, std::string_view operation) {
  for (const std::string& pattern : rule.operations) {
    if (covers(pattern, operation)) return true;
  }
  return false;
}

// The last rule that matches decides.
template <class Matches>
bool decide(const SandboxProfile& profile, std::string_view operation, Matches matches) {
  bool allowed = false;
  for (const SbplRule& rule : rules_of(parse_sbpl(profile.text))) {
    if (!covers_any(rule, operation)) continue;
    bool applies = rule.filters.empty();
    for (const SbplNode& filter : rule.filters) applies = applies || matches(filter);
    if (applies) allowed = rule.allows;
  }
  return allowed;
}

}  // namespace

std::string_view SbplNode::head() const {
  if (kind != Kind::list || items.empty() || items[0].kind != Kind::word) return "";
  return items[0].value;
}

SbplText parse_sbpl(std::string_view text) { return Reader(text).run(); }

std::vector<SbplRule> rules_of(const SbplText& text) {
  std::vector<SbplRule> out;
  for (const SbplNode& form : text.forms) {
    if (form.head() == "version") continue;
    SbplRule rule{.allows = form.head() == "allow"};
    const bool is_rule = rule.allows || form.head() == "deny";
    for (std::size_t i = 1; is_rule && i < form.items.size(); ++i) {
      const SbplNode& item = form.items[i];
      if (item.kind == SbplNode::Kind::word) {
        rule.operations.push_back(item.value);
      } else {
        rule.filters.push_back(item);
      }
    }
    out.push_back(std::move(rule));
  }
  return out;
}

bool covers(std::string_view pattern, std::string_view operation) {
  if (pattern == "default") return true;
  if (!pattern.ends_with('*')) return pattern == operation;
  return operation.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool allows(const SandboxProfile& profile, std::string_view operation, std::string_view path) {
  return decide(profile, operation,
                [&](const SbplNode& filter) { return matches_path(profile, filter, path); });
}

bool allows_filter(const SandboxProfile& profile, std::string_view operation,
                   std::string_view filter, std::string_view argument) {
  return decide(profile, operation, [&](const SbplNode& node) {
    std::string head(node.head());
    std::size_t at = 1;
    if (node.items.size() == 3 && node.items[1].kind == SbplNode::Kind::word)
      head += concat(" ", node.items[at++].value);
    return head == filter && node.items.size() == at + 1 && node.items[at].value == argument;
  });
}

}  // namespace bawn
