#include "plan/writable_file.h"
#include "plan/plan_parts.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

using test::part_of;
using test::root_of;

MountOp bind(const std::string& source, const std::string& destination, bool writable) {
  const std::string host_path = source == destination ? "" : source;
  return bind_op(destination, {.path = destination, .separate_host_path = host_path}, writable,
                 "workspace");
}

Plan in_namespaces() {
  Plan plan{.tier = Tier::c};
  root_of(plan).mounts = {bind("/usr", "/usr", false),
                          bind("/home/you/work", "/home/you/work", true),
                          bind("/home/you/work/.git", "/home/you/work/.git", false),
                          path_op(MountOpKind::hidden, "/home/you/work/.env", "workspace.hide"),
                          bind("/srv/data", "/data", true),
                          bind("/srv/tools", "/home/you/work/tools", false)};
  return plan;
}

TEST(WritableFile, IsOneThatTheCommandSeesBelowAWritableMount) {
  const Plan plan = in_namespaces();
  for (const char* path :
       {"/home/you/work/out.txt", "/home/you/work/a/b", "/srv/data/x", "/home/you/work/.gitignore"})
    EXPECT_TRUE(may_write(plan, path)) << path;
  for (const char* path :
       {"/usr/bin/x", "/home/you/work-evil/x", "/home/you/x", "/home/you/work/.git/config",
        "/home/you/work/.env", "/data/x", "/home/you/work/tools/x", "/srv/tools/x", "/etc/passwd"})
    EXPECT_FALSE(may_write(plan, path)) << path;
}

TEST(WritableFile, IsOneBelowAWritableGrantWhereThereIsNoRoot) {
  Plan plan{.tier = Tier::b};
  part_of<LandlockPlan>(plan).files = {
      {.target = {.path = "/work"}, .access = FileAccess::write},
      {.target = {.path = "/ro"}, .access = FileAccess::read},
      {.target = {.path = "/dev/null"}, .access = FileAccess::device}};
  EXPECT_TRUE(may_write(plan, "/work/out.txt"));
  for (const char* path : {"/work-evil/x", "/ro/x", "/dev/null", "/"})
    EXPECT_FALSE(may_write(plan, path)) << path;
}

}  // namespace
}  // namespace bawn
