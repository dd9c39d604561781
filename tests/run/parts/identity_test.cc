#include "run/identity.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/run_id.h"

namespace bawn {
namespace {

constexpr RandomBytes kRandom = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

std::string id_of_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return make_run_id(static_cast<std::uint64_t>(ms), kRandom);
}

TEST(FreshIdentity, IsMadeOfTheTimeAndTheRandomBytes) {
  const std::string before = id_of_now();
  const RunIdentity identity = fresh_identity({}, kRandom);
  EXPECT_LE(before, identity.run_id);
  EXPECT_LE(identity.run_id, id_of_now());
  EXPECT_EQ(identity.private_name, "bawn-" + identity.run_id);
}

TEST(FreshIdentity, HasTheCallersIdButNeverAPrivateNameThatTheCallerKnows) {
  const RunIdentity identity = fresh_identity({.run_id = "mine"}, kRandom);
  EXPECT_EQ(identity.run_id, "mine");
  EXPECT_EQ(identity.private_name.size(), id_of_now().size() + std::string_view("bawn-").size());
  EXPECT_NE(identity.private_name.substr(15),
            fresh_identity({.run_id = "mine"}, {}).private_name.substr(15))
      << "what follows the time is random";
}

TEST(UnnamedIdentity, HasAWordForWhatIsNewWithEveryRun) {
  EXPECT_EQ(unnamed_identity({}).run_id, "<run-id>");
  EXPECT_EQ(unnamed_identity({.run_id = "mine"}).run_id, "mine");
  EXPECT_EQ(unnamed_identity({.run_id = "mine"}).private_name, "bawn-<run-id>");
}

}  // namespace
}  // namespace bawn
