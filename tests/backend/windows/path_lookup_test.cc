#include "backend/windows/path_lookup.h"

#include <gtest/gtest.h>

#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

class PathLookupTest : public ::testing::Test {
 protected:
  PathLookupTest() {
    wchar_t parent[MAX_PATH];
    GetTempPathW(MAX_PATH, parent);
    native_ = std::wstring(parent) + L"bawn-lookup-" + std::to_wstring(GetCurrentProcessId());
    CreateDirectoryW(native_.c_str(), nullptr);
    root_ = lookup().locate(portable_path(narrow(native_), "").value()).path;
    write("File.txt", "abc");
  }
  ~PathLookupTest() override {
    DeleteFileW((native_ + L"\\File.txt").c_str());
    DeleteFileW((native_ + L"\\tool.exe").c_str());
    RemoveDirectoryW(native_.c_str());
  }

  void write(const char* name, std::string_view text) const {
    const Handle file(CreateFileW((native_ + L"\\" + wide(name).value()).c_str(), GENERIC_WRITE, 0,
                                  nullptr, CREATE_ALWAYS, 0, nullptr));
    DWORD written = 0;
    WriteFile(file.get(), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
  }

  [[nodiscard]] const WindowsLookup& lookup() const { return lookup_; }
  [[nodiscard]] Located locate(std::string_view name) const {
    return lookup_.locate(concat(root_, "/", name));
  }

  WindowsLookup lookup_{"/c"};
  std::wstring native_;
  std::string root_;
};

TEST_F(PathLookupTest, FindsAFileAndReadsIt) {
  const Located file = locate("File.txt");
  EXPECT_EQ(file.kind, FileKind::regular);
  EXPECT_EQ(file.path, concat(root_, "/File.txt"));
  EXPECT_EQ(file.size, 3U);
  EXPECT_FALSE(file.executable);
  EXPECT_EQ(lookup().head(file, 2), "ab");
  EXPECT_EQ(lookup().sha256(file),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(PathLookupTest, EveryCaseIsTheSameFile) {
  EXPECT_EQ(locate("FILE.TXT").path, locate("File.txt").path);
  EXPECT_EQ(locate("FILE.TXT").inode, locate("File.txt").inode);
}

TEST_F(PathLookupTest, SaysWhereSomethingMissingWouldBe) {
  const Located missing = locate("none/deeper.txt");
  EXPECT_EQ(missing.kind, FileKind::missing);
  EXPECT_EQ(missing.error, "");
  EXPECT_EQ(missing.path, concat(root_, "/none/deeper.txt"));
}

TEST_F(PathLookupTest, NamesThatMeanSomethingElseAreTrouble) {
  for (const char* name : {"File.txt:stream", "File.txt.", "File.txt ", "con", "com1.txt"}) {
    EXPECT_NE(locate(name).error, "") << name;
    EXPECT_EQ(locate(name).kind, FileKind::missing) << name;
  }
  for (const char* path : {"/unc/server/share", "/", "/unc/c:x"})
    EXPECT_NE(lookup().locate(path).error, "") << path;
}

TEST_F(PathLookupTest, WhatNoFileCanBeCalledIsMissing) {
  for (const char* name : {"*", "a?", "key:value", "\"c\"", "*/x"}) {
    EXPECT_EQ(locate(name).error, "") << name;
    EXPECT_EQ(locate(name).path, concat(root_, "/", name)) << name;
  }
}

TEST_F(PathLookupTest, TheNullDeviceIsHarmless) { EXPECT_EQ(locate("NUL").path, "/dev/null"); }

TEST_F(PathLookupTest, AProgramIsFoundWithoutItsExtension) {
  write("tool.exe", "MZ");
  const Located tool = locate("tool");
  EXPECT_EQ(tool.path, concat(root_, "/tool.exe"));
  EXPECT_TRUE(tool.executable);
}

TEST_F(PathLookupTest, TrustsTheDirectoriesOfTheSystem) {
  ASSERT_FALSE(lookup().trusted_path().empty());
  const Located shell = lookup().locate(concat(lookup().trusted_path()[0], "/cmd"));
  EXPECT_EQ(shell.kind, FileKind::regular) << shell.path;
  EXPECT_TRUE(shell.path.ends_with("/cmd.exe")) << shell.path;
}

TEST_F(PathLookupTest, ARootedPathIsOnTheDriveOfTheDirectory) {
  EXPECT_EQ(lookup().locate("/windows").path, lookup().locate("/c/windows").path);
}

}  // namespace
}  // namespace bawn::windows
