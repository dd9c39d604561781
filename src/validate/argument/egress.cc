#include "validate/argument/egress.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "policy/egress_host.h"
#include "policy/egress_policy.h"
#include "policy/text/hint.h"
#include "validate/argument/host_mentions.h"

namespace bawn {
namespace {

// parse_egress_host() rejects names whose last label is a number, so digits and dots alone are an
// address.
bool is_address(std::string_view name) {
  return name.find(':') != std::string_view::npos ||
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

bool has_suffix(std::string_view name, std::string_view suffix) {
  if (suffix.empty() || !name.ends_with(suffix)) return false;
  return name.size() == suffix.size() || name[name.size() - suffix.size() - 1] == '.';
}

class EgressJudge {
 public:
  EgressJudge(const EgressPolicy& egress, Violations& violations)
      : egress_(egress), violations_(violations) {}

  void judge(const HostMention& mention, const std::string& subject) {
    std::optional<EgressHost> host;
    if (mention.ambiguity.empty()) host = parse_egress_host(mention.host);
    if (!host) return report_bad(mention, subject);
    if (host->port == 0) host->port = mention.port;
    if (egress_.mode == EgressMode::block_all) return report_blocked(*host, subject);
    if (!egress_allows(egress_, *host)) report_not_allowed(*host, subject);
  }

 private:
  void report_bad(const HostMention& mention, const std::string& subject) {
    const std::string why =
        mention.ambiguity.empty()
            ? "it is not a DNS name, an IPv4 address of four decimal numbers or an IPv6 address"
            : mention.ambiguity;
    report("egress.bad_host", mention.host, subject,
           concat(quote(mention.host), " is not a host that every program reads alike: ", why),
           "write the host as example.com, example.com:443, 192.0.2.1 or [2001:db8::1]:443");
  }

  static std::string_view list_key(const EgressHost& host) {
    return is_address(host.name) ? "egress.hosts"
                                 : "egress.hosts, or egress.dns_suffixes for its domain";
  }

  static std::string preflight_hint(const EgressHost& host) {
    return concat("try --egress preflight --allow-host ", shell_word(to_string(host)),
                  " (policy keys: egress.mode, ", list_key(host),
                  "); preflight does not isolate the network");
  }

  void report_blocked(const EgressHost& host, const std::string& subject) {
    report("egress.blocked", host.name, subject,
           concat("the policy allows no network, and this names ", quote(to_string(host))),
           preflight_hint(host));
  }

  void report_not_allowed(const EgressHost& host, const std::string& subject) {
    // Mode strict can be enforced only if the list of hosts is empty.
    const std::string hint = egress_.mode == EgressMode::strict
                                 ? preflight_hint(host)
                                 : concat("try --allow-host ", shell_word(to_string(host)),
                                          " (policy key: ", list_key(host), ")");
    report("egress.host_not_allowed", host.name, subject,
           concat(quote(to_string(host)), " is not on the policy's list of hosts"), hint);
  }

  void report(std::string_view code, const std::string& host, const std::string& subject,
              std::string message, std::string hint) {
    if (!reported_.insert(host).second) return;
    violations_.push_back({std::string(code), subject, std::move(message), std::move(hint)});
  }

  const EgressPolicy& egress_;
  Violations& violations_;
  std::set<std::string> reported_;
};

}  // namespace

bool egress_allows(const EgressPolicy& egress, const EgressHost& host) {
  const bool listed =
      std::any_of(egress.hosts.begin(), egress.hosts.end(), [&](const EgressHost& entry) {
        return entry.name == host.name &&
               (entry.port == 0 || host.port == 0 || entry.port == host.port);
      });
  if (listed || is_address(host.name)) return listed;
  return std::any_of(egress.dns_suffixes.begin(), egress.dns_suffixes.end(),
                     [&](const std::string& suffix) { return has_suffix(host.name, suffix); });
}

void judge_egress(const EgressPolicy& egress, const Request& request, Violations& violations) {
  if (egress.mode == EgressMode::allow_all) return;
  EgressJudge judge(egress, violations);
  for (const std::string& host : request.requested_egress_hosts) judge.judge({.host = host}, host);
  for (const HostMention& mention : hosts_in_words(request.command, request.args)) {
    judge.judge(mention, request.args[mention.word]);
  }
  for (const auto& [key, value] : request.env) {
    for (const HostMention& mention : hosts_in_text(value)) judge.judge(mention, key);
  }
}

}  // namespace bawn
