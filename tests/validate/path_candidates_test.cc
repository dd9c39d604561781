#include "validate/argument/path_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bawn {
namespace {

std::vector<std::string> texts(std::string_view word) {
  std::vector<std::string> out;
  for (const PathCandidate& candidate : path_candidates(word)) out.push_back(candidate.text);
  return out;
}

bool finds(std::string_view word, std::string_view text) {
  const auto found = texts(word);
  return std::find(found.begin(), found.end(), text) != found.end();
}

PathForm form_of(std::string_view word, std::string_view text) {
  for (const PathCandidate& candidate : path_candidates(word)) {
    if (candidate.text == text) return candidate.form;
  }
  ADD_FAILURE() << text << " not found in " << word;
  return PathForm::whole;
}

TEST(PathCandidates, BeginWithTheWordItself) {
  EXPECT_EQ(texts("src/main.cc"), std::vector<std::string>{"src/main.cc"});
  EXPECT_EQ(form_of("/etc/passwd", "/etc/passwd"), PathForm::whole);
}

TEST(PathCandidates, FindWhatAnOptionCarries) {
  EXPECT_TRUE(finds("--file=/etc/passwd", "/etc/passwd"));
  EXPECT_TRUE(finds("-C/etc", "/etc"));
  EXPECT_TRUE(finds("-I../include", "../include"));
  EXPECT_TRUE(finds("-olink", "link"));
  EXPECT_TRUE(finds("-xzf/etc/x.tgz", "/etc/x.tgz"));
  EXPECT_TRUE(finds("-DPREFIX=/opt/x", "/opt/x"));
  EXPECT_TRUE(finds("--a=--b=/etc", "/etc"));
  EXPECT_EQ(form_of("--file=/etc/passwd", "/etc/passwd"), PathForm::part);
}

TEST(PathCandidates, TakeARelativePathBehindAnOptionAsOnePiece) {
  EXPECT_FALSE(finds("-Isrc/lib/x", "/lib/x"));
  EXPECT_FALSE(finds("-obuild/bin/x", "/bin/x"));
}

TEST(PathCandidates, FindKeysAndResponseFiles) {
  EXPECT_TRUE(finds("of=/dev/sda", "/dev/sda"));
  EXPECT_TRUE(finds("@/etc/passwd", "/etc/passwd"));
  EXPECT_TRUE(finds("-d@/etc/passwd", "/etc/passwd"));
  EXPECT_TRUE(finds("file=@/etc/passwd", "/etc/passwd"));
  EXPECT_TRUE(finds("field@/etc/passwd", "/etc/passwd"));
}

TEST(PathCandidates, TakeListsApart) {
  for (const char* word :
       {"a:b:/etc/shadow", "a,b,/etc/shadow", "a;/etc/shadow", "/etc/shadow:b", "--p=/etc/shadow:b",
        "--p=b:/etc/shadow", "type=bind,source=/etc/shadow,ro", "-Wl,-rpath,/etc/shadow"}) {
    EXPECT_TRUE(finds(word, "/etc/shadow")) << word;
  }
  EXPECT_TRUE(finds("--p=link:b", "link"));
}

TEST(PathCandidates, DecodeFileUrls) {
  for (const char* word :
       {"file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd",
        "file://localhost/etc/passwd", "file:///etc/%70asswd", "file:///%65tc/passwd?x#y",
        "--url=file:///etc/passwd", "jar:file:///etc/passwd"}) {
    EXPECT_TRUE(finds(word, "/etc/passwd")) << word;
  }
  EXPECT_EQ(form_of("file:///etc/passwd", "/etc/passwd"), PathForm::url);
  EXPECT_TRUE(finds("file://../../etc/passwd", "../../etc/passwd"));
}

TEST(PathCandidates, FindNothingInOtherUrls) {
  for (const char* word : {"https://example.com/etc/passwd", "--url=https://h/?f=/etc/passwd",
                           "s3://etc/passwd", "HTTP://h:80/etc,/etc"}) {
    const auto found = texts(word);
    EXPECT_TRUE(std::none_of(found.begin(), found.end(), [](const auto& each) {
      return each[0] == '/';
    })) << word;
  }
}

TEST(PathCandidates, DoNotTrustAnUnknownSchemeToBeAUrl) {
  EXPECT_TRUE(finds("ab://etc/shadow", "//etc/shadow"));
}

TEST(PathCandidates, TellHomesFromVersions) {
  EXPECT_EQ(form_of("~/.ssh/id", "~/.ssh/id"), PathForm::home);
  EXPECT_EQ(form_of("~root/x", "~root/x"), PathForm::home);
  EXPECT_EQ(form_of("--key=~/.ssh/id", "~/.ssh/id"), PathForm::home);
  EXPECT_EQ(form_of("~1.2.3", "~1.2.3"), PathForm::whole);
}

TEST(PathCandidates, LeaveOutWhatNoSystemOpens) {
  EXPECT_TRUE(texts(std::string(256, 'x')).empty());
  EXPECT_TRUE(texts("-").empty());
  EXPECT_TRUE(texts("").empty());
  EXPECT_FALSE(texts(std::string(255, 'x')).empty());
}

TEST(PathCandidates, DoNotCutUpJson) {
  EXPECT_EQ(texts(R"({"path":"/etc/passwd","n":[1,2]})").size(), 1U);
}

}  // namespace
}  // namespace bawn
