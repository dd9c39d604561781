#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "request/command_line.h"
#include "request/request.h"
#include "request/rules.h"

namespace bawn {
namespace {

using json::Node;
using json::Problem;
using Kind = json::Node::Kind;

// More keys than any near miss of a request has. Beyond this the keys are not examined one by one.
constexpr std::size_t kMostKeys = 64;
constexpr std::size_t kLongestPath = 256;

struct Alias {
  std::string_view written;
  std::string_view meant;
};

// Names that the requests of other tools use. They are too far from ours to be found as typing
// mistakes.
constexpr auto kAliases = std::to_array<Alias>({
    {"arguments", "args"},
    {"argv", "args"},
    {"cmd", "command"},
    {"dir", "cwd"},
    {"environment", "env"},
    {"hosts", "requested_egress_hosts"},
    {"input", "stdin"},
    {"program", "command"},
    {"timeout", "timeout_ms"},
    {"workdir", "cwd"},
    {"working_directory", "cwd"},
});

std::string as_json(const std::vector<std::string>& words) {
  const nlohmann::ordered_json json = words;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

bool is_number_text(std::string_view text) {
  return !text.empty() && text.size() < 19 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// For `"command": ["git", "status"]`.
std::string hint_for_command_array(const Node& array) {
  std::vector<std::string> words;
  for (const Node& item : array.items) {
    if (item.kind == Kind::string) words.push_back(item.text);
  }
  const auto spelled = words.size() == array.items.size() ? spelled_request(words) : std::nullopt;
  return spelled ? concat("write ", *spelled)
                 : "the program is \"command\", its arguments are \"args\"";
}

std::string hint_for_list_in_string(std::string_view text) {
  const auto words = plain_words(text);
  if (!words || words->empty())
    return "give each as one element of an array, as in [\"-l\", \"src\"]";
  return concat("write ", as_json(*words));
}

constexpr const char* kExample = R"(for example {"command":"ls","args":["-l"]})";

// What would be right in place of `found`, for mistakes with only one answer.
std::string hint_for(std::string_view field, Kind expected, const Node& found) {
  if (found.kind == Kind::null && field == "command") return kExample;
  if (found.kind == Kind::null) return "leave it out where there is no value";
  if (expected == Kind::string) {
    if (found.kind == Kind::number && found.text.size() < 32)
      return concat("write \"", found.text, "\"");
    if (found.kind == Kind::boolean) return found.boolean ? "write \"true\"" : "write \"false\"";
    if (found.kind == Kind::array && field == "command") return hint_for_command_array(found);
  }
  if (expected == Kind::array && found.kind == Kind::string)
    return hint_for_list_in_string(found.text);
  if (expected == Kind::object && field == "env") return R"(write {"NAME":"value"})";
  if (expected == Kind::number && is_number_text(found.text))
    return concat("write ", found.text, " without quotes");
  if (expected == Kind::boolean && found.kind == Kind::string)
    return "write true or false without quotes";
  return "";
}

std::string_view expected_name(Kind kind) {
  return kind == Kind::array ? "an array of strings" : json::kind_name(kind);
}

// Turns the tree into a Request. A value that cannot be read is reported and keeps its default.
class RequestReader {
 public:
  explicit RequestReader(json::Document& document)
      : document_(document), reader_(document, document.root(), "") {}

  Request read() {
    Request request;
    if (document_.root().find("command") == nullptr) missing_command();
    request.command = string("command").value_or("");
    request.args = strings("args", kMaxArguments);
    request.cwd = string("cwd").value_or("");
    request.env = environment();
    request.stdin_text = string("stdin");
    request.requested_egress_hosts = strings("requested_egress_hosts", kMaxRequestedHosts);
    request.timeout_ms = timeout();
    request.background = boolean("background");
    request.lifetime_mode = lifetime_mode();
    request.pty = boolean("pty");
    request.run_id = run_id();
    aliases();
    reader_.finish();
    return request;
  }

 private:
  void missing_command() {
    reader_.report("command", document_.root(), "missing; expected the name or path of a program",
                   kExample);
  }

  bool is(std::string_view field, const std::string& path, const Node& node, Kind kind) {
    if (node.kind == kind) return true;
    reader_.report(path, node,
                   concat("expected ", expected_name(kind), ", found ", json::kind_name(node.kind)),
                   hint_for(field, kind, node));
    return false;
  }

  const Node* take(std::string_view field, Kind kind) {
    const Node* node = reader_.take(field);
    return node != nullptr && is(field, std::string(field), *node, kind) ? node : nullptr;
  }

  std::optional<std::string> string(std::string_view field) {
    const Node* node = take(field, Kind::string);
    return node == nullptr ? std::nullopt : std::optional(node->text);
  }

  bool boolean(std::string_view field) {
    const Node* node = take(field, Kind::boolean);
    return node != nullptr && node->boolean;
  }

  // Elements beyond the cap are not read: the request is refused already, and there may be
  // thousands.
  std::vector<std::string> strings(std::string_view field, std::size_t most) {
    std::vector<std::string> out;
    const Node* array = take(field, Kind::array);
    if (array == nullptr) return out;
    if (array->items.size() > most) {
      reader_.report(field, *array,
                     concat("expected at most ", most, " elements, found ", array->items.size()));
    }
    for (std::size_t i = 0; i < std::min(array->items.size(), most); ++i) {
      const Node& item = array->items[i];
      out.push_back(is(field, concat(field, "[", i, "]"), item, Kind::string) ? item.text : "");
    }
    return out;
  }

  std::map<std::string, std::string> environment() {
    std::map<std::string, std::string> out;
    const Node* object = take("env", Kind::object);
    if (object == nullptr) return out;
    if (object->members.size() > kMaxEnvironment) {
      reader_.report("env", *object,
                     concat("expected at most ", kMaxEnvironment, " variables, found ",
                            object->members.size()));
      return out;
    }
    for (const json::Member& member : object->members) {
      const std::string path = to_path({"env", std::nullopt, member.key});
      out[member.key] = is("", path, member.value, Kind::string) ? member.value.text : "";
    }
    return out;
  }

  std::optional<std::uint64_t> timeout() {
    if (take("timeout_ms", Kind::number) == nullptr) return std::nullopt;
    const auto value = reader_.integer("timeout_ms", 1, kMaxTimeoutMs);
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
  }

  LifetimeMode lifetime_mode() {
    const Node* node = take("lifetime_mode", Kind::string);
    if (node == nullptr || node->text == "run_owned") return LifetimeMode::run_owned;
    if (node->text == "detached") return LifetimeMode::detached;
    reader_.report("lifetime_mode", *node,
                   concat("expected 'run_owned' or 'detached', found ", quote(node->text)));
    return LifetimeMode::run_owned;
  }

  // In a Request "" means that no id was given, so an empty id can be detected only here.
  std::string run_id() {
    const Node* node = take("run_id", Kind::string);
    if (node == nullptr) return "";
    if (node->text.empty())
      reader_.report("run_id", *node, "expected an id, found nothing", "leave the key out");
    return node->text;
  }

  void aliases() {
    for (const Alias& alias : kAliases) {
      const Node* node = document_.root().find(alias.written);
      if (node == nullptr) continue;
      reader_.refuse(alias.written);
      reader_.report(alias.written, *node, concat("unknown key ", quote(alias.written)),
                     concat("did you mean ", quote(alias.meant), "?"));
    }
  }

  json::Document& document_;
  json::Reader reader_;
};

std::size_t offset_of(const Node& root, const RequestPlace& place) {
  const Node* field = root.find(place.field);
  if (field == nullptr) return root.offset;
  if (place.element) return field->items[*place.element].offset;
  const Node* value = place.key ? field->find(*place.key) : nullptr;
  return value == nullptr ? field->offset : value->offset;
}

bool already_reported(const json::Document& document, const std::string& path) {
  const auto& problems = document.problems();
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& known) { return known.where == path; });
}

void report_broken_rules(json::Document& document, const Request& request) {
  for (BrokenRule& rule : broken_rules(request, RequestSource::model)) {
    std::string path = to_path(rule.place);
    if (already_reported(document, path)) continue;
    document.report(offset_of(document.root(), rule.place), std::move(path),
                    std::move(rule.message), std::move(rule.hint));
  }
}

// A path contains unknown keys as they were written, which may be anything.
void make_printable(std::string& path) {
  const bool plain =
      std::all_of(path.begin(), path.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (!plain || path.size() > kLongestPath) path = quote(path);
}

std::vector<Problem> listed(const json::Document& document) {
  std::vector<Problem> problems = document.listed_problems();
  for (Problem& problem : problems) make_printable(problem.where);
  return problems;
}

}  // namespace

std::variant<Request, std::vector<Problem>> parse_request(std::string text) {
  if (text.size() > kMaxRequestBytes) {
    return std::vector<Problem>{
        {"", 1, 1, concat("expected at most ", kMaxRequestBytes, " bytes, found ", text.size()),
         ""}};
  }
  json::Document document = json::Document::parse(std::move(text), json::Comments::refused);
  if (!document.problems().empty()) return listed(document);
  const Node& root = document.root();
  if (root.kind == Kind::object && root.members.size() > kMostKeys) {
    document.report(
        root.offset, "",
        concat("expected a request, found an object with ", root.members.size(), " keys"));
    return listed(document);
  }
  if (root.kind != Kind::object) {
    document.report(root.offset, "",
                    concat("expected an object, found ", json::kind_name(root.kind)),
                    R"(for example {"command":"ls","args":["-l"]})");
    return listed(document);
  }
  Request request = RequestReader(document).read();
  report_broken_rules(document, request);
  if (!document.problems().empty()) return listed(document);
  return request;
}

}  // namespace bawn
