#include "validate/argument/host_mentions.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

Words hosts(std::string_view command, const Words& words) {
  Words out;
  for (const HostMention& mention : hosts_in_words(command, words)) {
    out.push_back(mention.ambiguity.empty() ? mention.host : concat("?", mention.host));
  }
  return out;
}

// The hosts in an argument of a program that is no network client.
Words hosts(std::string_view word) { return hosts("python3", {std::string(word)}); }

TEST(HostMentions, AreFoundInUrls) {
  EXPECT_EQ(hosts("https://example.com/x"), Words{"example.com"});
  EXPECT_EQ(hosts("HTTPS://Example.COM:8443"), Words{"Example.COM:8443"});
  EXPECT_EQ(hosts("ssh://git@[2001:db8::1]:22/x"), Words{"[2001:db8::1]:22"});
  EXPECT_EQ(hosts("--url=http://a.example?u=http://b.example/"), (Words{"a.example", "b.example"}));
  EXPECT_EQ(hosts("jdbc:postgresql://db.example/x"), Words{"db.example"});
  EXPECT_EQ(hosts("see https://a.example, or (https://b.example)"),
            (Words{"a.example", "b.example"}));
  EXPECT_EQ(hosts("http://%65vil.example/"), Words{"evil.example"});
}

TEST(HostMentions, StandBehindTheUserInfo) {
  EXPECT_EQ(hosts("http://good.example@evil.example/"), Words{"evil.example"});
  EXPECT_EQ(hosts("http://good.example:80@evil.example/"), Words{"evil.example"});
  EXPECT_EQ(hosts("http://evil.example#@good.example/"), Words{"evil.example"});
  EXPECT_EQ(hosts("http://evil.example?@good.example/"), Words{"evil.example"});
}

TEST(HostMentions, AreTroubledWhereProgramsDisagree) {
  EXPECT_EQ(hosts("http://a@b@c/"), Words{"?a@b@c"});
  EXPECT_EQ(hosts(R"(http://good.example\@evil.example/)"),
            Words{R"(?good.example\@evil.example)"});
  EXPECT_EQ(hosts("http:///evil.example/"), Words{"?/evil.example/"});
  EXPECT_EQ(hosts("http://good.example\n.evil.example/"), Words{"?good.example"});
}

TEST(HostMentions, HavePortsThatTheSchemeImplies) {
  EXPECT_EQ(hosts_in_text("https://a.example").at(0).port, 443);
  EXPECT_EQ(hosts_in_text("foo://a.example").at(0).port, 0);
}

TEST(HostMentions, ArePlainOnlyWhereTheyCanHardlyBeAnythingElse) {
  EXPECT_EQ(hosts("example.com:443"), Words{"example.com:443"});
  EXPECT_EQ(hosts("--server=localhost:8080"), Words{"localhost:8080"});
  EXPECT_EQ(hosts("10.0.0.1:5432"), Words{"10.0.0.1:5432"});
  EXPECT_EQ(hosts("[::1]:80"), Words{"[::1]:80"});
  EXPECT_EQ(hosts("git@github.com:org/repo.git"), Words{"github.com"});
  for (const char* word : {"main.cc",
                           "README.md",
                           "v1.2.3",
                           "foo.py:10",
                           "a:b",
                           "12:30",
                           "key: value",
                           "com.example.Foo",
                           "main.cc:10:5",
                           "origin/main",
                           "^1.2.3",
                           "A <a@b.c>",
                           "1.2.3.4",
                           "user@example.com",
                           "ubuntu:22.04",
                           "lib.rs:3",
                           "example.com",
                           "pkg@1.0:x",
                           "https://",
                           "https://${HOST}/x",
                           "https://*.example.com",
                           "file:///x",
                           "unix:///run/x",
                           "[0-9]:3"}) {
    EXPECT_EQ(hosts(word), Words{}) << word;
  }
}

TEST(HostMentions, AreTheOperandsOfNetworkPrograms) {
  EXPECT_EQ(hosts("curl", {"-s", "example.com/x"}), Words{"example.com"});
  EXPECT_EQ(hosts("curl", {"localhost"}), Words{"localhost"});
  EXPECT_EQ(hosts("/usr/bin/wget", {"-q", "example.com"}), Words{"example.com"});
  EXPECT_EQ(hosts("ssh", {"-p", "22", "me@box", "cat", "a.b"}), Words{"box"});
  EXPECT_EQ(hosts("nc", {"-zv", "box", "80"}), Words{"box"});
  EXPECT_EQ(hosts("ping", {"-c", "1", "router"}), Words{"router"});
  EXPECT_EQ(hosts("dig", {"+short", "@9.9.9.9", "x.example", "MX"}),
            (Words{"9.9.9.9", "x.example"}));
  EXPECT_EQ(hosts("scp", {"a.txt", "box:/tmp", "./a:b"}), Words{"box"});
  EXPECT_EQ(hosts("rsync", {"-a", "src/", "me@box::module"}), Words{"box"});
  EXPECT_EQ(hosts("socat", {"-", "TCP4-CONNECT:evil.example:80,crnl"}), Words{"evil.example:80"});
  EXPECT_EQ(hosts("openssl", {"s_client", "-connect", "a.example:443"}), (Words{"a.example:443"}));
  EXPECT_EQ(hosts("http", {"POST", "api.example", "name=x"}), Words{"api.example"});
}

TEST(HostMentions, AreNotTheValuesOfOtherOptions) {
  EXPECT_EQ(
      hosts("curl", {"-X", "POST", "-o", "out.json", "-H", "A: b", "--data", "x", "a.example"}),
      Words{"a.example"});
  EXPECT_EQ(hosts("curl", {"-sSLo", "install.sh", "a.example"}), Words{"a.example"});
  EXPECT_EQ(hosts("curl", {"--strange", "word", "a.example"}), Words{"a.example"});
  EXPECT_EQ(hosts("wget", {"-O", "x.tar.gz", "a.example"}), Words{"a.example"});
}

TEST(HostMentions, AreTheValuesOfHostOptions) {
  EXPECT_EQ(hosts("curl", {"-x", "proxy.example:3128", "a.example"}),
            (Words{"proxy.example:3128", "a.example"}));
  EXPECT_EQ(hosts("curl", {"--url=b.example"}), Words{"b.example"});
  EXPECT_EQ(hosts("ssh", {"-J", "j1,u@j2", "box"}), (Words{"j1", "j2", "box"}));
}

TEST(HostMentions, AreFoundWhereGitTalksToRemotes) {
  EXPECT_EQ(hosts("git", {"clone", "box:repo"}), Words{"box"});
  EXPECT_EQ(hosts("git", {"-C", "x", "fetch", "box.example:repo"}), Words{"box.example"});
  EXPECT_EQ(hosts("git", {"push", "origin", "main:main"}), Words{});
  EXPECT_EQ(hosts("git", {"show", "HEAD:a.b"}), Words{});
  EXPECT_EQ(hosts("git", {"commit", "-m", "see https://example.com"}), Words{});
}

TEST(HostMentions, AreFoundBehindLaunchers) {
  EXPECT_EQ(hosts("timeout", {"5", "curl", "-s", "evil.example"}), Words{"evil.example"});
  EXPECT_EQ(hosts("env", {"A=b", "nice", "-n", "5", "ssh", "box"}), Words{"box"});
  EXPECT_EQ(hosts("timeout", {"5", "grep", "https://example.com", "x"}), Words{});
  EXPECT_EQ(hosts("timeout", {"5", "cat", "curl", "main.cc"}), Words{});
}

TEST(HostMentions, AreNotSeenInTextOfTheProgram) {
  EXPECT_EQ(hosts("grep", {"-r", "https://example.com", "src"}), Words{});
  EXPECT_EQ(hosts("echo", {"https://example.com"}), Words{});
  EXPECT_EQ(hosts("./grep", {"-r", "https://example.com"}), Words{"example.com"});
}

}  // namespace
}  // namespace bawn
