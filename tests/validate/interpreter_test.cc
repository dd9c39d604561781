#include "validate/program/interpreter.h"

#include <gtest/gtest.h>

#include "validate/program/program_name.h"
#include "validate/program/script.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

CodeUse use_of(std::string_view name, const Words& args) {
  const ProgramRow* interpreter = find_interpreter(name);
  EXPECT_NE(interpreter, nullptr) << name;
  return interpreter == nullptr ? CodeUse{} : find_code(*interpreter, args);
}

TEST(ProgramName, StripsVersionsAndVariants) {
  EXPECT_EQ(program_family("python3.11"), "python");
  EXPECT_EQ(program_family("perl5.36-x86_64-linux-gnu"), "perl");
  EXPECT_EQ(program_family("bash-static"), "bash");
  EXPECT_EQ(program_family("vim.basic"), "vim");
  EXPECT_EQ(program_family("guile-3.0"), "guile");
  EXPECT_EQ(program_family("CMD.EXE"), "cmd");
  EXPECT_EQ(program_family("7z"), "7z");
  EXPECT_EQ(program_family(""), "");
}

TEST(Interpreter, IsFoundUnderVersionedNames) {
  for (const auto* name :
       {"sh", "/bin/bash", "python3.11", "perl5.36.0", "lua5.4", "nodejs", "ruby3.1", "php8.2",
        "tclsh8.6", "ksh93", "Rscript", "vim.tiny", "gawk", "m4", "sqlite3", "powershell.exe"}) {
    EXPECT_NE(find_interpreter(name), nullptr) << name;
  }
}

TEST(Interpreter, IsNotFoundUnderOrdinaryNames) {
  for (const auto* name :
       {"ls", "grep", "sed", "git", "tar", "shasum", "sha256sum", "bashful", "nodemon", "perldoc-x",
        "pythonic", "jq", "base64", "md5sum", "rsync", "readelf", "exiftool"}) {
    EXPECT_EQ(find_interpreter(name), nullptr) << name;
  }
}

TEST(Interpreter, FindsTheCodeOfAShellBehindItsOptions) {
  EXPECT_EQ(use_of("bash", {"-euo", "pipefail", "-c", "ls", "x"}).code, "ls");
  EXPECT_EQ(use_of("sh", {"-ce", "ls"}).code, "ls");
  EXPECT_EQ(use_of("bash", {"+o", "history", "-c", "ls"}).code, "ls");
  EXPECT_FALSE(use_of("sh", {"script", "-c", "ls"}).inline_code);
  EXPECT_FALSE(use_of("sh", {"--", "-c"}).inline_code);
}

TEST(Interpreter, KnowsWhenAShellReadsStandardInput) {
  EXPECT_TRUE(use_of("sh", {}).reads_stdin);
  EXPECT_TRUE(use_of("bash", {"-s", "x"}).reads_stdin);
  EXPECT_FALSE(use_of("sh", {"script"}).reads_stdin);
  EXPECT_FALSE(use_of("sh", {"-c", "ls"}).reads_stdin);
}

TEST(Interpreter, FindsCodeAttachedAndApart) {
  EXPECT_EQ(use_of("python3", {"-Bcprint(1)"}).code, "print(1)");
  EXPECT_EQ(use_of("node", {"--eval=1"}).code, "1");
  EXPECT_EQ(use_of("node", {"--eval", "2"}).code, "2");
  EXPECT_EQ(use_of("awk", {"-F", ":", "{print}", "x"}).code, "{print}");
  EXPECT_FALSE(use_of("awk", {"-f", "x.awk", "x"}).inline_code);
  EXPECT_FALSE(use_of("python3", {"-W", "c", "x.py"}).inline_code);
  EXPECT_FALSE(use_of("python3", {"x.py", "-c", "y"}).inline_code);
}

TEST(Shebang, IsReadAsTheKernelReadsIt) {
  EXPECT_FALSE(read_shebang("echo"));
  EXPECT_FALSE(read_shebang(""));
  EXPECT_EQ(read_shebang("#!/bin/sh\nx")->interpreter, "/bin/sh");
  EXPECT_EQ(read_shebang("#! /bin/sh")->interpreter, "/bin/sh");
  EXPECT_EQ(read_shebang("#!/usr/bin/env -S a  b \t\nx")->argument, "-S a  b");
  EXPECT_EQ(read_shebang("#!/bin/sh\r\nx")->interpreter, "/bin/sh\r");
  EXPECT_EQ(read_shebang("#!\n")->interpreter, "");
  EXPECT_EQ(read_shebang("#!" + std::string(300, 'x'))->interpreter, "");
}

}  // namespace
}  // namespace bawn
