#include "validate/environment.h"

#include <gtest/gtest.h>

#include "fake_lookup.h"
#include "policy/environment_policy.h"
#include "programs/variable_rule.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

class Environment : public ::testing::Test {
 protected:
  Words build() {
    violations_.clear();
    return build_environment(policy_, request_, context_, violations_);
  }

  // The violation code for one variable of a request; "" if it is allowed.
  std::string code(const std::string& name) {
    request_.env = {{name, "x"}};
    build();
    return violations_.empty() ? "" : violations_[0].code;
  }

  const std::string path_ = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
  EnvironmentPolicy policy_;
  Request request_;
  const FakeLookup lookup_{{"/work", "dir"}};
  ValidationContext context_{.lookup = &lookup_, .workspace = "/work"};
  Violations violations_;
};

TEST_F(Environment, HoldsThreeVariablesByItself) {
  EXPECT_EQ(build(), (Words{"HOME=/work", "LANG=C.UTF-8", path_}));
  context_.workspace = "";
  EXPECT_EQ(build(), (Words{"LANG=C.UTF-8", path_}));
}

TEST_F(Environment, CopiesFromTheCallerOnlyWhatThePolicyPasses) {
  context_.caller_env = [](std::string_view name) -> std::optional<std::string> {
    if (name == "MISSING") return std::nullopt;
    return "of caller";
  };
  policy_.pass = {"TERM", "MISSING", "GITHUB_TOKEN"};
  EXPECT_EQ(build(), (Words{"GITHUB_TOKEN=of caller", "HOME=/work", "LANG=C.UTF-8", path_,
                            "TERM=of caller"}));
  EXPECT_EQ(passed_variables(policy_, context_), (Words{"TERM", "GITHUB_TOKEN"}));
}

TEST_F(Environment, LetsTheRequestAddAndThePolicyDecide) {
  policy_.set = {{"MODE", "ci"}, {"LANG", "C"}};
  request_.env = {{"DEBUG", "1\n2"}};
  EXPECT_EQ(build(), (Words{"DEBUG=1\n2", "HOME=/work", "LANG=C", "MODE=ci", path_}));
  EXPECT_TRUE(violations_.empty());
  request_.env = {{"MODE", "other"}};
  EXPECT_EQ(build(), (Words{"HOME=/work", "LANG=C", "MODE=ci", path_}));
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].code, "environment.reserved");
}

TEST_F(Environment, KeepsTheTrustedPathIfThePolicySetsAnother) {
  policy_.set = {{"PATH", "/evil"}};
  EXPECT_EQ(build(), (Words{"HOME=/work", "LANG=C.UTF-8", path_}));
}

TEST_F(Environment, RefusesReservedNames) {
  for (const char* name : {"PATH", "Path", "HOME", "BAWN_MODE", "SANDBOX_RUNTIME", "SHELL", "USER",
                           "PWD", "TMPDIR", "IFS"}) {
    EXPECT_EQ(code(name), "environment.reserved") << name;
  }
}

TEST_F(Environment, RefusesWhatMakesAProgramRunOtherCode) {
  for (const char* name : {"LD_PRELOAD",
                           "ld_preload",
                           "LD_AUDIT",
                           "DYLD_INSERT_LIBRARIES",
                           "GCONV_PATH",
                           "GLIBC_TUNABLES",
                           "BASH_ENV",
                           "ENV",
                           "BASH_FUNC_ls%%",
                           "PROMPT_COMMAND",
                           "PS4",
                           "NODE_OPTIONS",
                           "NODE_PATH",
                           "PYTHONPATH",
                           "PYTHONSTARTUP",
                           "PYTHONBREAKPOINT",
                           "PYTHONWARNINGS",
                           "PERL5OPT",
                           "PERL5LIB",
                           "RUBYOPT",
                           "RUBYLIB",
                           "GIT_SSH_COMMAND",
                           "GIT_CONFIG_COUNT",
                           "GIT_DIR",
                           "GIT_EXTERNAL_DIFF",
                           "JAVA_TOOL_OPTIONS",
                           "_JAVA_OPTIONS",
                           "JDK_JAVA_OPTIONS",
                           "MAKEFLAGS",
                           "RUSTC_WRAPPER",
                           "RUSTFLAGS",
                           "CC",
                           "CFLAGS",
                           "CARGO_HOME",
                           "GOFLAGS",
                           "EDITOR",
                           "VISUAL",
                           "PAGER",
                           "MANPAGER",
                           "DELTA_PAGER",
                           "LESSOPEN",
                           "BROWSER",
                           "HTTP_PROXY",
                           "https_proxy",
                           "ALL_PROXY",
                           "no_proxy",
                           "SSH_ASKPASS",
                           "GPG_TTY",
                           "XDG_CONFIG_HOME",
                           "npm_config_registry",
                           "PIP_INDEX_URL",
                           "SSL_CERT_FILE"}) {
    EXPECT_EQ(code(name), "environment.code_injection") << name;
  }
}

TEST_F(Environment, RefusesCredentials) {
  for (const char* name :
       {"AWS_ACCESS_KEY_ID", "AWS_PROFILE", "GITHUB_TOKEN", "my_token", "DB_PASSWORD", "X_SECRET",
        "OPENAI_API_KEY", "SSH_AUTH_SOCK", "PGPASSWORD", "KUBECONFIG"}) {
    EXPECT_EQ(code(name), "environment.credential") << name;
  }
}

TEST_F(Environment, RefusesNamesThatCouldSmuggleAnother) {
  for (const char* name : {"A=B", "", "1A", "A B", "A-B", "A\nB"}) {
    EXPECT_EQ(code(name), "environment.bad_name") << name;
  }
}

TEST_F(Environment, AllowsWhatIsOnlyData) {
  for (const char* name : {"CI",
                           "NO_COLOR",
                           "FORCE_COLOR",
                           "TERM",
                           "COLUMNS",
                           "LC_ALL",
                           "LANG",
                           "TZ",
                           "DEBIAN_FRONTEND",
                           "NODE_ENV",
                           "RUST_BACKTRACE",
                           "RUST_LOG",
                           "PYTHONUNBUFFERED",
                           "PYTHONDONTWRITEBYTECODE",
                           "GIT_AUTHOR_NAME",
                           "GIT_COMMITTER_EMAIL",
                           "GIT_TERMINAL_PROMPT",
                           "GOOS",
                           "CGO_ENABLED",
                           "CARGO_TERM_COLOR",
                           "DEBUG",
                           "MAX_TOKENS",
                           "AWS_REGION",
                           "env",
                           "MY_VAR",
                           "VERBOSE",
                           "OMP_NUM_THREADS"}) {
    EXPECT_EQ(code(name), "") << name;
  }
}

TEST_F(Environment, ReportsEveryRefusedVariableWithTheReason) {
  request_.env = {{"LD_PRELOAD", "x"}, {"HOME", "/"}, {"OK", "1"}};
  EXPECT_EQ(build(), (Words{"HOME=/work", "LANG=C.UTF-8", "OK=1", path_}));
  ASSERT_EQ(violations_.size(), 2U);
  EXPECT_EQ(violations_[1].subject, "LD_PRELOAD");
  EXPECT_EQ(violations_[1].message,
            "a request may not set 'LD_PRELOAD': it makes the loader or the C library open files "
            "of its choice");
}

}  // namespace
}  // namespace bawn
