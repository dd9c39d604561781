#include "policy/credential_name.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

TEST(CredentialName, KnowsTheUsualSpellings) {
  for (const auto* name : {"GITHUB_TOKEN", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "api_key",
                           "APIKEY", "DB_PASS", "MYSQL_PWD", "SESSION_COOKIE", "npm_config_auth"}) {
    EXPECT_TRUE(looks_like_credential(name)) << name;
  }
}

TEST(CredentialName, LeavesOrdinaryNamesAlone) {
  for (const auto* name :
       {"PATH", "HOME", "PWD", "OLDPWD", "MONKEY", "KEYBOARD", "PASSAGE", "LANG", "AUTHOR", ""}) {
    EXPECT_FALSE(looks_like_credential(name)) << name;
  }
}

}  // namespace
}  // namespace bawn
