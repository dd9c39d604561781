#include "plan/writable_file.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

MountOp bind_op(const std::string& source, const std::string& destination, bool writable) {
  return {
      .kind = MountOpKind::bind,
      .destination = destination,
      .writable = writable,
      .source = {.path = destination, .separate_host_path = source == destination ? "" : source}};
}

Plan in_namespaces() {
  Plan plan{.tier = Tier::c};
  plan.root.mounts = {bind_op("/usr", "/usr", false),
                      bind_op("/home/you/work", "/home/you/work", true),
                      bind_op("/home/you/work/.git", "/home/you/work/.git", false),
                      {.kind = MountOpKind::hidden, .destination = "/home/you/work/.env"},
                      bind_op("/srv/data", "/data", true),
                      bind_op("/srv/tools", "/home/you/work/tools", false)};
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
  plan.files = {{.target = {.path = "/work"}, .access = FileAccess::write},
                {.target = {.path = "/ro"}, .access = FileAccess::read},
                {.target = {.path = "/dev/null"}, .access = FileAccess::device}};
  EXPECT_TRUE(may_write(plan, "/work/out.txt"));
  for (const char* path : {"/work-evil/x", "/ro/x", "/dev/null", "/"})
    EXPECT_FALSE(may_write(plan, path)) << path;
}

}  // namespace
}  // namespace bawn
