// Every file in malformed/ is a text that is not a request, each for another reason.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "request/request.h"

namespace bawn {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(MalformedRequests, AreAllRefusedWithAPositionAndAReason) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BAWN_TEST_DATA) + "/malformed")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const auto result = parse_request(contents(entry.path()));
    const auto* problems = std::get_if<std::vector<json::Problem>>(&result);
    ASSERT_NE(problems, nullptr) << entry.path();
    EXPECT_FALSE(problems->empty()) << entry.path();
    for (const json::Problem& problem : *problems) {
      EXPECT_GE(problem.line, 1U) << entry.path();
      EXPECT_GE(problem.column, 1U) << entry.path();
      EXPECT_FALSE(problem.message.empty()) << entry.path();
    }
  }
  EXPECT_GE(files, 30U);
}

}  // namespace
}  // namespace bawn
