#include "backend/windows/syntax/path.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace bawn::windows {
namespace {

std::string from_work(std::string_view native) {
  const auto path = portable_path(native, "/c/work");
  return path ? path.value() : concat("refused: ", path.error().message);
}

TEST(Path, EveryPlainSpellingHasOnePortableForm) {
  EXPECT_EQ(from_work("C:\\Users\\you"), "/c/Users/you");
  EXPECT_EQ(from_work("c:/Users/you/"), "/c/Users/you");
  EXPECT_EQ(from_work("D:\\"), "/d");
  EXPECT_EQ(from_work("sub\\file"), "/c/work/sub/file");
  EXPECT_EQ(from_work(".\\sub\\..\\file"), "/c/work/file");
  EXPECT_EQ(from_work("..\\..\\..\\x"), "/c/x");
  EXPECT_EQ(from_work("\\Windows"), "/c/Windows");
  EXPECT_EQ(from_work("/Windows"), "/c/Windows");
}

TEST(Path, WhatIsOnNoDriveIsRefusedWithTheReason) {
  for (const char* path : {"\\\\server\\share\\x", "//server/share"})
    EXPECT_NE(from_work(path).find("network share"), std::string::npos) << path;
  for (const char* path : {"\\\\?\\C:\\x", "\\\\.\\PhysicalDrive0",
                           "\\?"
                           "?\\C:\\x",
                           "//?/C:/x"})
    EXPECT_NE(from_work(path).find("device path"), std::string::npos) << path;
  for (const char* path : {"C:", "C:file", "c:..\\x"})
    EXPECT_NE(from_work(path).find("current directory of drive"), std::string::npos) << path;
  EXPECT_FALSE(portable_path("x", ""));
}

TEST(Path, NamesThatWindowsReadsOtherwiseAreRefused) {
  for (const char* name :
       {"con", "NUL", "nul.txt", "Com1", "LPT9.log", "aux ", "CONIN$", "com\xc2\xb9", "nul:x"})
    EXPECT_NE(name_error(name).find("device"), std::string::npos) << name;
  for (const char* name : {"file:stream", "file::$DATA"})
    EXPECT_NE(name_error(name).find("stream"), std::string::npos) << name;
  for (const char* name : {"x.", "x ", "x. ", "..."})
    EXPECT_NE(name_error(name).find("cuts off"), std::string::npos) << name;
  for (const char* name : {"a*", "a?", "a<b", "a|b", "a\tb"})
    EXPECT_NE(name_error(name).find("character"), std::string::npos) << name;
  for (const char* name :
       {"console", "com", "com10", "lpt", "nullable.txt", ".git", "a b.c", "PROGRA~1", "\xc3\xa4"})
    EXPECT_EQ(name_error(name), "") << name;
}

TEST(Path, ThePortableFormLeadsBack) {
  EXPECT_EQ(native_path("/c/Users/you").value(), "C:\\Users\\you");
  EXPECT_EQ(native_path("/d").value(), "D:\\");
  EXPECT_EQ(native_path("/d/").value(), "D:\\");
  for (const char* path : {"/usr/bin", "/", "c/x", "/unc/server/x", "/c/con", "/c/a:b", "/c/a./b"})
    EXPECT_FALSE(native_path(path)) << path;
}

TEST(Path, TheSystemsOwnSpellingIsUnderstood) {
  EXPECT_EQ(portable_final_path("\\\\?\\C:\\windows\\system32").value(), "/c/windows/system32");
  EXPECT_EQ(portable_final_path("\\\\?\\Z:\\").value(), "/z");
  EXPECT_FALSE(portable_final_path("\\\\?\\UNC\\server\\share"));
  EXPECT_FALSE(portable_final_path("\\\\?\\Volume{1}\\x"));
}

TEST(Path, TheNullDeviceIsKnown) {
  EXPECT_TRUE(is_null_device("NUL"));
  EXPECT_TRUE(is_null_device("nul.txt"));
  EXPECT_FALSE(is_null_device("null"));
}

}  // namespace
}  // namespace bawn::windows
