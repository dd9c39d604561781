#include "backend/posix/process_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace bawn::posix {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr pid_t kRoot = 100;

ProcessFacts process(pid_t pid, pid_t parent, pid_t group = 1, pid_t session = 1,
                     std::uint64_t started = 1) {
  return {.pid = pid, .parent = parent, .group = group, .session = session, .started = started};
}

ProcessFacts root() { return process(kRoot, 1, kRoot, kRoot); }

ProcessFacts ended(ProcessFacts process) {
  process.ended = true;
  return process;
}

std::vector<pid_t> alive_after(ProcessTree& tree, const std::vector<ProcessFacts>& table) {
  tree.look(table);
  return tree.alive();
}

TEST(ProcessTree, HoldsTheSessionTheGroupAndDescendantsInAnyOrder) {
  ProcessTree tree(kRoot);
  EXPECT_THAT(alive_after(tree, {process(7, 6), process(6, 5), process(5, kRoot), root(),
                                 process(8, 1, 8, kRoot), process(9, 1, kRoot, 9), process(50, 1),
                                 process(51, 50)}),
              UnorderedElementsAre(kRoot, 5, 6, 7, 8, 9));
}

// A daemon: its parents are gone and it has its own session, but it was seen before.
TEST(ProcessTree, RemembersWhoWasSeenBefore) {
  ProcessTree tree(kRoot);
  tree.look(std::vector{root(), process(5, kRoot), process(6, 5)});
  EXPECT_THAT(alive_after(tree, {root(), process(6, 1, 6, 6)}), UnorderedElementsAre(kRoot, 6));
  EXPECT_THAT(alive_after(tree, {ended(root()), process(6, 1, 6, 6), process(7, 6, 6, 6)}),
              UnorderedElementsAre(6, 7));
}

TEST(ProcessTree, AReusedPidIsNotPartOfTheTree) {
  ProcessTree tree(kRoot);
  tree.look(std::vector{root(), process(5, kRoot)});
  EXPECT_THAT(alive_after(tree, {root(), process(5, 1, 5, 5, 2), process(6, 5, 5, 5)}),
              UnorderedElementsAre(kRoot));
}

TEST(ProcessTree, WhoHasEndedIsNotAlive) {
  ProcessTree tree(kRoot);
  EXPECT_THAT(alive_after(tree, {ended(root()), ended(process(5, kRoot))}), IsEmpty());
}

TEST(ProcessTree, CountsTheTimeOfThoseThatAreGone) {
  ProcessTree tree(kRoot);
  ProcessFacts child = process(5, kRoot);
  child.cpu_us = 300;
  ProcessFacts first = root();
  first.cpu_us = 10;
  tree.look(std::vector{first, child});
  EXPECT_EQ(tree.cpu_us(), 310U);
  first.cpu_us = 50;
  tree.look(std::vector{first});
  EXPECT_EQ(tree.cpu_us(), 350U);
}

TEST(ProcessTable, KnowsThisProcess) {
  const auto self = find_process(getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->parent, getppid());
  EXPECT_EQ(self->session, getsid(0));
  EXPECT_EQ(self->group, getpgrp());
  EXPECT_FALSE(self->ended);
  const std::vector<ProcessFacts> all = list_processes();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                          [](const ProcessFacts& one) { return one.pid == getpid(); }));
  EXPECT_FALSE(find_process(0x7ffffff0));
}

}  // namespace
}  // namespace bawn::posix
