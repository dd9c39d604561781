#include "request/rules.h"

#include <algorithm>
#include <utility>

#include "base/characters.h"
#include "base/text.h"
#include "request/command_line.h"

namespace bawn {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::string_view without_blanks_around(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Walks a Request once and collects the broken rules, usually one for each wrong value.
class RuleBook {
 public:
  RuleBook(const Request& request, RequestSource source) : request_(request), source_(source) {}

  std::vector<BrokenRule> all() {
    command();
    arguments();
    text({"cwd"}, request_.cwd, kMaxCwdBytes);
    environment();
    if (request_.stdin_text) text({"stdin"}, *request_.stdin_text, kMaxStdinBytes);
    hosts();
    timeout();
    run_id();
    return std::move(broken_);
  }

 private:
  void add(RequestPlace place, std::string message, std::string hint = "") {
    broken_.push_back({place, std::move(message), std::move(hint)});
  }

  void text(RequestPlace place, std::string_view value, std::size_t most_bytes) {
    if (has_nul(value)) {
      add(place, concat("expected text without NUL bytes, found ", quote(value)),
          "remove the \\u0000");
    } else if (value.size() > most_bytes) {
      add(place, concat("expected at most ", most_bytes, " bytes, found ", value.size()));
    }
  }

  void count(std::string_view field, std::size_t found, std::size_t most, std::string_view noun) {
    if (found > most) add({field}, concat("expected at most ", most, " ", noun, ", found ", found));
  }

  void command() {
    const std::string& command = request_.command;
    const std::string_view name = without_blanks_around(command);
    if (has_nul(command)) return text({"command"}, command, kMaxCommandBytes);
    if (name.empty()) {
      add({"command"}, "expected the name or path of a program, found nothing",
          from_model() ? R"(for example {"command":"ls","args":["-l"]})"
                       : "for example ls, or ./build.sh");
    } else if (auto advice = advice_on_command()) {
      add({"command"}, std::move(advice->message), std::move(advice->hint));
    } else if (name.size() != command.size()) {
      add({"command"}, concat("expected a name without blanks around it, found ", quote(command)),
          concat("write ", quote(name)));
    } else if (std::any_of(command.begin(), command.end(), is_control)) {
      add({"command"}, concat("expected a name without control bytes, found ", quote(command)));
    } else if (from_model()) {
      text({"command"}, command, kMaxCommandBytes);
    }
  }

  // A person types a blank in a path on purpose. A bare name with a blank is a command line even
  // then.
  [[nodiscard]] std::optional<CommandLineAdvice> advice_on_command() const {
    if (!from_model() && request_.command.find_first_of("/\\") != std::string::npos)
      return std::nullopt;
    auto advice = command_line_in_command(request_);
    if (advice && !from_model())
      advice->hint =
          "write its words without quotes around all of them, or give the line to a shell, as in "
          "sh -c 'LINE'";
    return advice;
  }

  void arguments() {
    if (from_model()) count("args", request_.args.size(), kMaxArguments, "arguments");
    for (std::size_t i = 0; i < request_.args.size(); ++i) {
      text({"args", i}, request_.args[i], from_model() ? kMaxArgumentBytes : std::string::npos);
    }
    if (!from_model()) return;
    if (auto advice = command_line_in_argument(request_)) {
      add({"args", 0}, std::move(advice->message), std::move(advice->hint));
    }
  }

  void environment() {
    count("env", request_.env.size(), kMaxEnvironment, "variables");
    for (const auto& [key, value] : request_.env) {
      const RequestPlace place{"env", std::nullopt, key};
      if (!is_environment_name(key)) {
        add(place, concat("expected a variable's name, found ", quote(key)),
            "a name is made of letters, digits and _, and does not start with a digit");
      } else if (key.size() > kMaxEnvironmentKeyBytes) {
        add(place, concat("expected a name of at most ", kMaxEnvironmentKeyBytes, " bytes, found ",
                          key.size()));
      } else {
        text(place, value, kMaxEnvironmentValueBytes);
      }
    }
  }

  void hosts() {
    const auto& hosts = request_.requested_egress_hosts;
    count("requested_egress_hosts", hosts.size(), kMaxRequestedHosts, "hosts");
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const RequestPlace place{"requested_egress_hosts", i};
      if (hosts[i].empty())
        add(place, "expected a host, found nothing", R"(for example "example.org:443")");
      text(place, hosts[i], kMaxHostBytes);
    }
  }

  void timeout() {
    constexpr auto kMost = static_cast<std::uint64_t>(kMaxTimeoutMs);
    if (!request_.timeout_ms || (*request_.timeout_ms >= 1 && *request_.timeout_ms <= kMost))
      return;
    add({"timeout_ms"}, concat("expected a whole number from 1 to ", kMaxTimeoutMs, ", found ",
                               *request_.timeout_ms));
  }

  void run_id() {
    const std::string& id = request_.run_id;
    const bool well_spelled = std::all_of(id.begin(), id.end(), [](char c) {
      return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
    });
    if (well_spelled && id.size() <= kMaxRunIdBytes && id != "." && id != "..") return;
    add({"run_id"},
        concat("expected 1 to ", kMaxRunIdBytes, " letters, digits, '.', '_' or '-', found ",
               quote(id)),
        "leave it out and bawn makes one");
  }

  [[nodiscard]] bool from_model() const { return source_ == RequestSource::model; }

  const Request& request_;
  RequestSource source_;
  std::vector<BrokenRule> broken_;
};

}  // namespace

bool is_environment_name(std::string_view key) {
  if (key.empty() || is_digit(key.front())) return false;
  return std::all_of(key.begin(), key.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::string to_path(const RequestPlace& place) {
  if (place.element) return concat(place.field, "[", *place.element, "]");
  if (!place.key) return std::string(place.field);
  if (is_environment_name(*place.key) && place.key->size() <= kMaxEnvironmentKeyBytes) {
    return concat(place.field, ".", *place.key);
  }
  return concat(place.field, "[", quote(*place.key), "]");
}

std::vector<BrokenRule> broken_rules(const Request& request, RequestSource source) {
  return RuleBook(request, source).all();
}

std::vector<json::Problem> check_request(const Request& request, RequestSource source) {
  std::vector<json::Problem> out;
  for (BrokenRule& rule : broken_rules(request, source)) {
    out.push_back({to_path(rule.place), 0, 0, std::move(rule.message), std::move(rule.hint)});
  }
  return out;
}

}  // namespace bawn
