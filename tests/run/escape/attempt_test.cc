#include "attempt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "setup.h"

namespace bawn::escape {

void PrintTo(const Attempt& attempt, std::ostream* out) { *out << attempt.name; }

namespace {

bool is_among(const std::string& answer, std::string answers) {
  answers = "|" + answers + "|";
  return answer.find('|') == std::string::npos &&
         answers.find("|" + answer + "|") != std::string::npos;
}

std::string run_control(const TestSetup& setup, const Attempt& attempt) {
  const Control& control = attempt.control;
  const Words& words = control.words.empty() ? attempt.words : control.words;
  switch (control.where) {
    case Control::Where::unconfined:
      return setup.unconfined(words);
    case Control::Where::sandboxed:
      return setup.in_sandbox(words);
    case Control::Where::granted:
      return setup.in_sandbox(words, control.grant);
    case Control::Where::watched: {
      Words watched = {"answering", std::to_string(control.call)};
      watched.insert(watched.end(), words.begin(), words.end());
      return setup.unconfined(watched);
    }
  }
  return "no control";
}

class Escape : public testing::TestWithParam<Attempt> {};

TEST_P(Escape, FailsInTheSandboxAndNotWhereItIsAllowed) {
  const Attempt& attempt = GetParam();
  {
    const TestSetup setup;
    const std::string answer = setup.in_sandbox(attempt.words);
    EXPECT_TRUE(is_among(answer, attempt.answers)) << answer << " instead of " << attempt.answers;
    setup.expect_untouched();
  }
  const TestSetup setup;
  const std::string answer = run_control(setup, attempt);
  EXPECT_TRUE(is_among(answer, attempt.control.answer))
      << "the control: " << answer << " instead of " << attempt.control.answer;
}

const auto kNameOf = [](const auto& attempt) { return std::string(attempt.param.name); };
INSTANTIATE_TEST_SUITE_P(Files, Escape, testing::ValuesIn(attempts_on_files()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Kernel, Escape, testing::ValuesIn(attempts_on_the_kernel()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Network, Escape, testing::ValuesIn(attempts_on_the_network()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Processes, Escape, testing::ValuesIn(attempts_on_processes()), kNameOf);

// The number of attempts must not shrink unnoticed.
TEST(Attempts, AreAtLeast250AndEachIsDifferent) {
  constexpr std::size_t kAtLeast = 250;
  std::set<Words> seen;
  std::size_t count = 0;
  for (const auto* table : {&attempts_on_files(), &attempts_on_the_kernel(),
                            &attempts_on_the_network(), &attempts_on_processes()}) {
    EXPECT_GE(table->size(), 25U);
    for (const Attempt& attempt : *table) {
      EXPECT_TRUE(seen.insert(attempt.words).second) << attempt.name;
      EXPECT_FALSE(is_among(attempt.control.answer, attempt.answers) &&
                   (attempt.control.words.empty() || attempt.control.words == attempt.words))
          << attempt.name << ": its control shows nothing";
      ++count;
    }
  }
  EXPECT_GE(count, kAtLeast);
}

}  // namespace
}  // namespace bawn::escape
