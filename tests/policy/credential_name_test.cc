#include "policy/credential_name.h"

#include <gtest/gtest.h>

#include <string>

namespace bawn {
namespace {

TEST(CredentialName, KnowsTheUsualSpellings) {
  for (const auto* name :
       {"GITHUB_TOKEN", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "api_key",
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

// In each name one word alone marks a credential, so that no word can be lost unnoticed.
TEST(CredentialName, KnowsEachWordByItself) {
  for (const std::string word : {"apikey", "bearer", "cookie", "credential", "passphrase", "passwd",
                                 "password", "private", "secret", "token"}) {
    EXPECT_TRUE(looks_like_credential("x" + word + "y")) << word;
    EXPECT_TRUE(is_credential("x" + word + "y", "main")) << word;
  }
  for (const std::string word : {"pass", "pwd"}) {
    EXPECT_TRUE(is_credential("db_" + word, "main")) << word;
    EXPECT_TRUE(is_credential(word + "_db", "main")) << word;
    EXPECT_FALSE(looks_like_credential("x" + word + "y")) << word << " inside of a word";
  }
  for (const std::string word :
       {"auth", "cert", "key", "keys", "pat", "pin", "pw", "salt", "session", "signature"}) {
    EXPECT_TRUE(looks_like_credential("x_" + word + "_y")) << word;
    EXPECT_TRUE(is_credential("x_" + word + "_y", "open sesame")) << word;
    EXPECT_FALSE(is_credential("x_" + word + "_y", "main")) << word << " may be a setting's";
    EXPECT_FALSE(looks_like_credential("x" + word + "y")) << word << " inside of a word";
  }
}

// "main", "wayland" and the path of the certificates were once removed from all output, because of
// the names of their variables.
TEST(Credential, IsNoShortWordAndNoPathUnderANameThatMayBeASettings) {
  struct Variable {
    const char* name;
    const char* value;
  };
  for (const auto& [name, value] : {Variable{"SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"},
                                    {"SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"},
                                    {"DEPLOY_KEY", "C:\\Users\\you\\deploy.pem"},
                                    {"DEPLOY_KEY", "c:/keys/deploy.pem"},
                                    {"SESSION_FILE", "/Users/you/session"},
                                    {"XDG_SESSION_TYPE", "wayland"},
                                    {"MODEL_KEY", "main"},
                                    {"MONKEY", "open sesame"},
                                    {"PWD", "/home/you/work"},
                                    {"", "open sesame"}}) {
    EXPECT_FALSE(is_credential(name, value)) << name << "=" << value;
  }
  for (const auto& [name, value] : {Variable{"API_KEY", "12345678"},
                                    {"NPM_AUTH", "open sesame"},
                                    {"DEPLOY_KEY", "keys/deploy"},
                                    {"API_KEY", "/wJalrXUtnFEMI7K7MDENG/bPxRfiCYEXAMPLE"},
                                    {"API_KEY", "/secretword"},
                                    {"API_KEY", "/x/JalrXUtn"},
                                    {"API_KEY", "//etc/secretword"},
                                    {"API_KEY", "c:secretword"},
                                    {"PGPASSWORD", "main"},
                                    {"DB_PASS", "main"},
                                    {"GITHUB_TOKEN", "/etc/token"},
                                    {"AWS_SECRET_ACCESS_KEY", "main"}}) {
    EXPECT_TRUE(is_credential(name, value)) << name << "=" << value;
  }
}

}  // namespace
}  // namespace bawn
