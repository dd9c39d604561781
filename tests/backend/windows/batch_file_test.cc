#include "backend/windows/syntax/batch_file.h"

#include <gtest/gtest.h>

namespace bawn::windows {
namespace {

TEST(BatchFile, IsToldByItsExtension) {
  for (const char* path : {"/c/x.bat", "x.CMD", "C:\\dir.x\\y.Bat"})
    EXPECT_TRUE(is_batch_file(path)) << path;
  for (const char* path : {"/c/x.exe", "bat", "x.bat.exe", "C:\\dir.bat\\y"})
    EXPECT_FALSE(is_batch_file(path)) << path;
}

TEST(BatchFile, TheCommandProcessorIsToldByItsName) {
  for (const char* path : {"cmd", "CMD.EXE", "/c/Windows/System32/cmd.exe"})
    EXPECT_TRUE(is_command_processor(path)) << path;
  for (const char* path : {"cmdkey.exe", "x/cmd/y.exe"})
    EXPECT_FALSE(is_command_processor(path)) << path;
}

TEST(BatchFile, WordsThatMeanMoreToItAreNamed) {
  EXPECT_EQ(reinterpreted_in("plain word, with-dashes_and.dots=1;2"), "");
  for (const char* word :
       {"%PATH%", "a&calc", "a|b", "a>b", "a<b", "a^b", "\"", "!x!", "(a)", "a\nb"})
    EXPECT_NE(reinterpreted_in(word), "") << word;
}

TEST(BatchFile, GoesToTheProcessorWithEveryWordQuoted) {
  const std::vector<std::string> words{"C:\\a b\\x.bat", "one", "two words"};
  EXPECT_EQ(batch_command_line("C:\\Windows\\System32\\cmd.exe", words).value(),
            "\"C:\\Windows\\System32\\cmd.exe\" /d /v:off /s /c \"\"C:\\a b\\x.bat\" \"one\" \"two "
            "words\"\"");
}

TEST(BatchFile, IsNotStartedWithAWordThatWouldBeCode) {
  const std::vector<std::string> words{"C:\\x.bat", "a\"&calc"};
  const auto line = batch_command_line("cmd.exe", words);
  ASSERT_FALSE(line);
  EXPECT_NE(line.error().message.find("&calc"), std::string::npos) << line.error().message;
  EXPECT_FALSE(batch_command_line("cmd.exe", std::vector<std::string>{"C:\\100%\\x.bat"}));
}

}  // namespace
}  // namespace bawn::windows
