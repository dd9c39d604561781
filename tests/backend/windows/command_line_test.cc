#include "backend/windows/syntax/command_line.h"

#include <gtest/gtest.h>

#include <random>

#include "backend/windows/corpus.h"

namespace bawn::windows {
namespace {

// The documented rules, written again from the reader's side: 2n backslashes and a quote are n
// backslashes and a delimiter, 2n + 1 are n backslashes and a literal quote; other backslashes are
// literal.
std::vector<std::string> split_as_documented(const std::string& line) {
  std::vector<std::string> words;
  std::size_t at = line.find('"', 1) + 1;
  words.push_back(line.substr(1, at - 2));
  for (;;) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at >= line.size()) return words;
    std::string word;
    bool quoted = false;
    while (at < line.size() && (quoted || (line[at] != ' ' && line[at] != '\t'))) {
      std::size_t backslashes = 0;
      while (at < line.size() && line[at] == '\\') ++backslashes, ++at;
      const bool mark = at < line.size() && line[at] == '"';
      word.append(mark ? backslashes / 2 : backslashes, '\\');
      if (mark) {
        if (backslashes % 2 == 1) {
          word += '"';
        } else {
          quoted = !quoted;
        }
        ++at;
      } else if (backslashes == 0) {
        word += line[at++];
      }
    }
    words.push_back(word);
  }
}

std::vector<std::string> round_trip(const std::vector<std::string>& words) {
  return split_as_documented(command_line(words).value());
}

TEST(CommandLine, GivesEveryWordOfTheCorpusBack) {
  for (const std::string& word : quoting_corpus()) {
    const std::vector<std::string> words{R"(C:\tools\x.exe)", word, "end"};
    EXPECT_EQ(round_trip(words), words);
  }
}

TEST(CommandLine, GivesRandomWordsBack) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same words every time
  constexpr std::string_view kAlphabet = "ab \t\\\"\\\"'%^&";
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::string> words{R"(C:\x.exe)"};
    for (int i = 0; i < 4; ++i) {
      std::string word;
      for (std::size_t n = random() % 8; n > 0; --n) word += kAlphabet[random() % kAlphabet.size()];
      words.push_back(word);
    }
    ASSERT_EQ(round_trip(words), words);
  }
}

TEST(CommandLine, LeavesPlainWordsUnquoted) {
  EXPECT_EQ(quoted_word(R"(C:\dir\)"), R"(C:\dir\)");
  EXPECT_EQ(quoted_word(R"(a b\)"), R"("a b\\")");
  EXPECT_EQ(quoted_word(R"(say "hi")"), R"("say \"hi\"")");
  EXPECT_EQ(quoted_word(""), R"("")");
}

TEST(CommandLine, RefusesWhatNoQuotingCanCarry) {
  EXPECT_FALSE(command_line(std::vector<std::string>{"a\"b.exe"}));
  EXPECT_FALSE(command_line(std::vector<std::string>{"a.exe", std::string("x\0y", 3)}));
  EXPECT_FALSE(command_line(std::vector<std::string>{}));
  EXPECT_TRUE(command_line(std::vector<std::string>{"a.exe", "x y"}));
}

}  // namespace
}  // namespace bawn::windows
