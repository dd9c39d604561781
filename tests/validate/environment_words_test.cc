// The parts of names by which a variable of a request is refused, each tested alone, so that none
// can be lost unnoticed. The corpus has a sample of the long lists of names for languages, builds
// and programs.

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "policy/environment_policy.h"
#include "validate/environment.h"

namespace bawn {
namespace {

std::string code_for(const std::string& name) {
  const auto violation = judge_variable(EnvironmentPolicy{}, name);
  return violation ? violation->code : "";
}

void expect_each(std::string_view words, std::string_view before, std::string_view after,
                 std::string_view code) {
  for (const std::string_view word : split(words, ' '))
    EXPECT_EQ(code_for(concat(before, word, after)), code) << word;
}

TEST(EnvironmentWords, ThatAreReserved) {
  expect_each(
      "CDPATH EUID HOME IFS LOGNAME OLDPWD PATH PATHEXT PPID PWD SANDBOX_RUNTIME SHELL SHLVL "
      "SYSTEMROOT TEMP TMP TMPDIR UID USER USERNAME USERPROFILE WINDIR _ path Home",
      "", "", "environment.reserved");
  expect_each("BAWN bawn_", "", "X", "environment.reserved");
}

TEST(EnvironmentWords, ThatTellOfCredentials) {
  expect_each(
      "ANTHROPIC_API_KEY APIKEY API_KEY BOTO_CONFIG DOCKER_CONFIG DOCKER_HOST GH_TOKEN "
      "GITHUB_TOKEN GNUPGHOME GOOGLE_APPLICATION_CREDENTIALS GPG_AGENT_INFO KRB5CCNAME KUBECONFIG "
      "MYSQL_PWD NETRC PASSWORD PGPASSFILE PGPASSWORD SECRET SSHPASS SSH_AGENT_PID SSH_AUTH_SOCK "
      "TOKEN token",
      "", "", "environment.credential");
  expect_each("AWS_ AZURE_ CLOUDSDK_ VAULT_", "", "X", "environment.credential");
  expect_each(
      "_ACCESS_KEY _ACCESS_KEY_ID _APIKEY _API_KEY _CREDENTIAL _CREDENTIALS _PASSPHRASE _PASSWD "
      "_PASSWORD _PRIVATE_KEY _SECRET _SECRET_KEY _TOKEN",
      "X", "", "environment.credential");
  expect_each("AWS_DEFAULT_REGION AWS_REGION X_TOKENS SECRETARY", "", "", "");
}

TEST(EnvironmentWords, ThatMakeTheLoaderOrAShellOpenFiles) {
  expect_each(
      "GCONV_PATH GETCONF_DIR GLIBC_TUNABLES HOSTALIASES LIBPATH LOCALDOMAIN LOCPATH MALLOC_TRACE "
      "NIS_PATH NLSPATH RESOLV_HOST_CONF RES_OPTIONS SHLIB_PATH TERMCAP TERMINFO TERMINFO_DIRS "
      "TZDIR BASHOPTS BASH_COMPAT BASH_ENV BASH_LOADABLES_PATH BASH_XTRACEFD ENV FPATH HISTFILE "
      "INPUTRC NULLCMD PROMPT_COMMAND PS0 PS1 PS2 PS4 READNULLCMD SHELLOPTS ZDOTDIR",
      "", "", "environment.code_injection");
  expect_each("DYLD_ LD_ _RLD ld_ BASH_FUNC_ FISH_ __BASH_FUNC", "", "X",
              "environment.code_injection");
}

TEST(EnvironmentWords, ThatBeginOrEndTheNamesOfWholeFamilies) {
  expect_each(
      "BUNDLE_ CORECLR_ COR_ DOTNET_ GUILE_ JUPYTER_ LUA_ PERL PYTHON TS_NODE_ UV_ VIRTUALENV_ "
      "GIT_ CARGO_ CCACHE_ CGO_ CMAKE_ DISTCC_ ICECC_ NIX_ SCCACHE_ COMPOSER_ CONDA_ COREPACK_ "
      "HOMEBREW_ NPM_CONFIG_ PIPX_ PIP_ POETRY_ YARN_ npm_config_ ANSIBLE_ DIRENV_ GPG GROFF_ "
      "GST_PLUGIN_ HG MAGICK_ OCL_ICD_ PARALLEL QEMU_ SSH_ SSLKEYLOG TEXMF TF_CLI_ VALGRIND_ VK_",
      "", "X", "environment.code_injection");
  expect_each("PAGER _ASKPASS _EDITOR _PROXY _proxy", "X", "", "environment.code_injection");
}

TEST(EnvironmentWords, ThatMoveSettingsOrTrust) {
  expect_each(
      "DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY "
      "XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR "
      "XDG_STATE_HOME CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED "
      "REQUESTS_CA_BUNDLE SSL_CERT_DIR SSL_CERT_FILE",
      "", "", "environment.code_injection");
}

TEST(EnvironmentWords, OfThePolicyAreNotTheRequests) {
  EnvironmentPolicy policy;
  EXPECT_FALSE(judge_variable(policy, "COLOUR"));
  policy.set = {{"COLOUR", "blue"}};
  ASSERT_TRUE(judge_variable(policy, "COLOUR"));
  EXPECT_EQ(judge_variable(policy, "COLOUR")->code, "environment.reserved");
}

TEST(EnvironmentWords, ThatAreNoNames) {
  expect_each("A=B 1A A-B A.B Ä", "", "", "environment.bad_name");
  EXPECT_EQ(code_for(""), "environment.bad_name");
  expect_each("A _A1 a_b", "", "", "");
}

}  // namespace
}  // namespace bawn
