// Compares the compiled filter of each profile, instruction by instruction. So a review sees what a
// change to a profile or to the compiler does to the filters. After an intended change:
//   ninja -C build && cp build/seccomp/*.txt tests/seccomp/golden/

#include <gtest/gtest.h>

#include <cstdlib>

#include "claims.h"

namespace bawn::linux_::test {
namespace {

TEST(Golden, EveryFilterIsTheOneThatWasReviewed) {
  const char* built = std::getenv("BAWN_TEST_FILTERS");
  const char* data = std::getenv("BAWN_TEST_DATA");
  ASSERT_NE(built, nullptr);
  ASSERT_NE(data, nullptr);
  for (const Column& filter : claims().columns) {
    for (const seccomp::Architecture architecture : kArchitectures) {
      const std::string name = filter.name + "." + architecture_name(architecture) + ".txt";
      EXPECT_EQ(file_text(std::string(built) + "/" + name),
                file_text(std::string(data) + "/golden/" + name))
          << name << ": if the change is meant, copy " << built
          << "/*.txt to tests/seccomp/golden/";
    }
  }
}

}  // namespace
}  // namespace bawn::linux_::test
