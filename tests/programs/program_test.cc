#include "programs/program.h"

#include <gtest/gtest.h>

#include <string>

#include "programs/variable_rule.h"

namespace bawn {
namespace {

TEST(Program, IsFoundByItsExactName) {
  ASSERT_NE(find_program("tar"), nullptr);
  for (const char* name : {"", "ta", "tarr", "TAR", "/usr/bin/tar", "zzz", " "})
    EXPECT_EQ(find_program(name), nullptr) << name;
  for (std::size_t i = 0; i < program_count(); ++i) {
    EXPECT_NE(find_program(program_name_at(i)), nullptr);
    if (i > 0) {
      EXPECT_LT(program_name_at(i - 1), program_name_at(i));
    }
  }
}

TEST(Program, HasItsOptionsSortedWithRoleAndValue) {
  for (std::size_t i = 0; i < program_count(); ++i) {
    const auto options = find_program(program_name_at(i))->options();
    for (std::size_t k = 1; k < options.size(); ++k)
      EXPECT_LT(options[k - 1].name(), options[k].name()) << program_name_at(i);
  }
  const ProgramRow& ssh = *find_program("ssh");
  EXPECT_EQ(ssh.hosts, Hosts::first);
  EXPECT_TRUE(ssh.is(Trait::has_effects));
  EXPECT_FALSE(ssh.is(Trait::has_text));
  EXPECT_EQ(find_program("curl")->port, 80);
}

TEST(Program, IsLikeAnotherButForItsTraits) {
  const ProgramRow& gcc = *find_program("gcc");
  const ProgramRow& cc = *find_program("cc");
  EXPECT_EQ(gcc.options().data(), cc.options().data());
  EXPECT_TRUE(gcc.is(Trait::plain_words));
  EXPECT_FALSE(cc.is(Trait::plain_words));
}

TEST(Program, HasTheFilesThatBelongToIt) {
  const ConstantWords files = find_program("gcc")->files();
  EXPECT_TRUE(files.has("/usr/lib/gcc/") && files.has("as") && files.has("ld"));
  EXPECT_FALSE(files.has("sh"));
  EXPECT_TRUE(find_program("c++")->files().has("as")) << "like gcc";
  const ConstantWords none = find_program("nm")->files();
  EXPECT_EQ(none.begin(), none.end());
}

TEST(Program, HasListsOfWords) {
  EXPECT_TRUE(words_of(WordList::privileged).has("sudo"));
  EXPECT_FALSE(words_of(WordList::privileged).has("sud"));
  EXPECT_TRUE(words_of(WordList::ssh_host_settings).has("proxyjump"));
}

TEST(VariableRule, PrefersAnExactNameAndAnEarlierGroup) {
  EXPECT_EQ(variable_rule("SSH_AUTH_SOCK")->danger, VariableDanger::credential);
  EXPECT_EQ(variable_rule("SSH_ANYTHING")->danger, VariableDanger::code_injection);
  EXPECT_EQ(variable_rule("path")->danger, VariableDanger::reserved);
  EXPECT_EQ(variable_rule("GIT_TOKEN")->danger, VariableDanger::credential);
  EXPECT_EQ(variable_rule("http_proxy")->danger, VariableDanger::code_injection);
  EXPECT_TRUE(variable_rule("PYTHONPATH"));
  EXPECT_FALSE(variable_rule("pythonpath"));
  EXPECT_FALSE(variable_rule("PYTHONHASHSEED"));
  EXPECT_FALSE(variable_rule("MY_SETTING"));
  EXPECT_FALSE(variable_rule(""));
}

}  // namespace
}  // namespace bawn
