#include "validate/argument/egress.h"

#include <gtest/gtest.h>

#include "policy/egress_policy.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

class Egress : public ::testing::Test {
 protected:
  Words codes(const Request& request) {
    violations_.clear();
    judge_egress(policy_, request, violations_);
    Words out;
    for (const Violation& violation : violations_) out.push_back(violation.code);
    return out;
  }
  Words curl(std::string url) { return codes({.command = "curl", .args = {std::move(url)}}); }

  const Words fine_{};
  const Words not_allowed_{"egress.host_not_allowed"};
  const Words bad_{"egress.bad_host"};

  EgressPolicy policy_{
      .mode = EgressMode::preflight,
      .hosts = {{"example.com", 0}, {"api.example.net", 443}, {"127.0.0.1", 8080}, {"::1", 0}},
      .dns_suffixes = {"example.org"}};
  Violations violations_;
};

TEST_F(Egress, AllowsListedNamesAndNothingBesides) {
  EXPECT_EQ(curl("https://example.com/x"), fine_);
  EXPECT_EQ(curl("EXAMPLE.com."), fine_);
  EXPECT_EQ(curl("https://www.example.com/"), not_allowed_);
  EXPECT_EQ(curl("https://example.com.evil.net/"), not_allowed_);
}

TEST_F(Egress, MatchesSuffixesOnALabelBoundary) {
  EXPECT_EQ(curl("https://example.org"), fine_);
  EXPECT_EQ(curl("https://a.b.example.org"), fine_);
  EXPECT_EQ(curl("https://evilexample.org"), not_allowed_);
}

TEST_F(Egress, ComparesPortsWhereTheyAreKnown) {
  EXPECT_EQ(curl("https://api.example.net/"), fine_);
  EXPECT_EQ(curl("http://api.example.net/"), not_allowed_);
  EXPECT_EQ(curl("api.example.net"), not_allowed_);
  EXPECT_EQ(curl("api.example.net:443"), fine_);
  EXPECT_EQ(codes({.command = "true", .requested_egress_hosts = {"api.example.net"}}), fine_);
}

TEST_F(Egress, NeverMatchesAnAddressByASuffix) {
  policy_.dns_suffixes = {"1", "0.1"};
  EXPECT_EQ(curl("http://10.0.0.1/"), not_allowed_);
  EXPECT_EQ(curl("http://127.0.0.1:8080/"), fine_);
  EXPECT_EQ(curl("http://127.0.0.1/"), not_allowed_);
  EXPECT_EQ(curl("http://[0:0::1]/"), fine_);
  EXPECT_EQ(curl("http://169.254.169.254/"), not_allowed_);
}

TEST_F(Egress, RefusesHostileSpellings) {
  for (const char* url :
       {"http://example.com@x@y/", "http://example.com../", "http://example..com/",
        "http://ex\xc3\xa4mple.com/", "http://0x7f.1/", "http://127.1/", "http://0177.0.0.1/",
        "http://2130706433/", "http://[::ffff:127.0.0.1]/", "http://example.com:99999/",
        "http://a\\.example.com/", "http://{a,b}.example.com/", "http://[fe80::1%25eth0]/",
        "http:///example.com/"}) {
    EXPECT_EQ(curl(url), bad_) << url;
  }
  EXPECT_EQ(curl("http://" + std::string(300, 'a') + ".example.org/"), bad_);
  EXPECT_EQ(
      codes({.command = "true", .requested_egress_hosts = {std::string("example.com\0.evil", 17)}}),
      bad_);
  EXPECT_EQ(codes({.command = "true", .requested_egress_hosts = {"https://example.com"}}), bad_);
}

TEST_F(Egress, LooksAtDeclaredHostsArgumentsAndEnvironment) {
  Request request{.command = "python3", .args = {"x.py", "--api=https://a.evil"}};
  request.requested_egress_hosts = {"b.evil"};
  request.env = {{"SERVICE_URL", "https://c.evil/"}, {"NAME", "d.evil"}};
  EXPECT_EQ(codes(request), (Words{"egress.host_not_allowed", "egress.host_not_allowed",
                                   "egress.host_not_allowed"}));
  ASSERT_EQ(violations_.size(), 3U);
  EXPECT_EQ(violations_[0].subject, "b.evil");
  EXPECT_EQ(violations_[1].subject, "--api=https://a.evil");
  EXPECT_EQ(violations_[2].subject, "SERVICE_URL");
}

TEST_F(Egress, ReportsAHostOnceAndSaysWhatWouldAllowIt) {
  EXPECT_EQ(codes({.command = "curl", .args = {"https://a.evil/1", "https://a.evil/2"}}),
            not_allowed_);
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].message, "'a.evil:443' is not on the policy's list of hosts");
  EXPECT_EQ(violations_[0].hint,
            "try --allow-host a.evil:443 (policy key: egress.hosts, or egress.dns_suffixes for its "
            "domain)");
}

// The hints once led to strict egress with hosts, which every run refuses.
TEST_F(Egress, HintsNameOnlyAModeThatTakesHosts) {
  policy_ = {.mode = EgressMode::strict};
  EXPECT_EQ(curl("https://a.evil/"), not_allowed_);
  EXPECT_EQ(
      violations_[0].hint,
      "try --egress preflight --allow-host a.evil:443 (policy keys: egress.mode, egress.hosts, or "
      "egress.dns_suffixes for its domain); preflight does not isolate the network");
  policy_ = {.mode = EgressMode::block_all};
  EXPECT_EQ(curl("https://a.evil/"), Words{"egress.blocked"});
  EXPECT_EQ(
      violations_[0].hint,
      "try --egress preflight --allow-host a.evil:443 (policy keys: egress.mode, egress.hosts, or "
      "egress.dns_suffixes for its domain); preflight does not isolate the network");
}

TEST_F(Egress, AllowsNothingWithAnEmptyListAndEverythingWithoutAMode) {
  policy_ = {.mode = EgressMode::strict};
  EXPECT_EQ(curl("https://example.com"), not_allowed_);
  policy_.mode = EgressMode::allow_all;
  EXPECT_EQ(curl("https://example.com"), fine_);
  EXPECT_EQ(curl("http://a@b@c"), fine_);
}

TEST_F(Egress, BlocksEvenListedHostsWithBlockAll) {
  policy_.mode = EgressMode::block_all;
  EXPECT_EQ(curl("https://example.com"), Words{"egress.blocked"});
  EXPECT_EQ(codes({.command = "grep", .args = {"https://example.com", "x"}}), fine_);
}

}  // namespace
}  // namespace bawn
