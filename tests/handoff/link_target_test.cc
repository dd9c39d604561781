#include "handoff/link_target.h"

#include <gtest/gtest.h>

namespace bawn::handoff {
namespace {

TEST(LinkTarget, LeadsOut) {
  EXPECT_TRUE(leads_out("/etc/passwd", "", "/work"));
  EXPECT_TRUE(leads_out("/work-evil/x", "", "/work"));
  EXPECT_TRUE(leads_out("/", "a", "/work"));
  EXPECT_TRUE(leads_out("..", "", "/work"));
  EXPECT_TRUE(leads_out("../../x", "a", "/work"));
  EXPECT_TRUE(leads_out("./../x", "", "/work"));
  EXPECT_TRUE(leads_out("/work/../etc", "a", "/work"));
}

TEST(LinkTarget, StaysInside) {
  EXPECT_FALSE(leads_out("x", "", "/work"));
  EXPECT_FALSE(leads_out("../x", "a", "/work"));
  EXPECT_FALSE(leads_out("../../x", "a/b", "/work"));
  EXPECT_FALSE(leads_out("..", "a", "/work"));
  EXPECT_FALSE(leads_out("/work", "a", "/work"));
  EXPECT_FALSE(leads_out("/work/b", "a", "/work"));
  EXPECT_FALSE(leads_out("/etc", "", "/"));
}

// b may be a link to "."; then b/.. is the directory above the root.
TEST(LinkTarget, MayLeadOutBehindAName) {
  EXPECT_TRUE(leads_out("b/../x", "", "/work"));
  EXPECT_TRUE(leads_out("b/../x", "a", "/work"));
  EXPECT_TRUE(leads_out("../b/../x", "a/b", "/work"));
}

}  // namespace
}  // namespace bawn::handoff
