// The doctor of macOS with a sandbox-exec that confines nothing: it must not believe it.
#include "macos/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/diagnosis.h"
#include "macos/stand_in.h"

namespace bawn::macos {
namespace {

using testing::Contains;
using testing::HasSubstr;

Finding named(const Findings& findings, std::string_view name) {
  for (const Finding& finding : findings) {
    if (finding.name == name) return finding;
  }
  ADD_FAILURE() << "no finding " << name;
  return {};
}

TEST(MacosDoctor, FindsWhatTheSystemReallyDoes) {
  const Findings findings = examine(stand_in());
  for (const char* name : {"spawn", "process-table", "sandbox-exec"}) {
    const Finding finding = named(findings, name);
    EXPECT_TRUE(finding.works) << name << ": " << finding.evidence;
  }
  EXPECT_TRUE(diagnose(findings).tier_b.works);
}

TEST(MacosDoctor, DoesNotTakeASandboxAtItsWord) {
  const Findings findings = examine(stand_in());
  const Finding files = named(findings, "file-profile");
  EXPECT_FALSE(files.works);
  EXPECT_THAT(files.evidence, HasSubstr("did not refuse reading"));
  EXPECT_FALSE(named(findings, "network-profile").works);
  const Diagnosis diagnosis = diagnose(findings);
  EXPECT_FALSE(diagnosis.tier_c.works);
  EXPECT_THAT(diagnosis.tier_c.missing, Contains("file-profile"));
}

TEST(MacosDoctor, WithoutSandboxExecThereIsNoTierC) {
  const Findings findings = examine("/no/such/sandbox-exec");
  EXPECT_THAT(named(findings, "sandbox-exec").evidence, HasSubstr("/no/such/sandbox-exec"));
  EXPECT_FALSE(diagnose(findings).tier_c.works);
}

TEST(MacosDoctor, NeverPromisesWhatMacosCannotKeep) {
  Findings findings = examine(stand_in());
  for (const char* name : {"process-tree", "tree-limits", "terminal"}) {
    const Finding finding = named(findings, name);
    EXPECT_FALSE(finding.works) << name;
    EXPECT_NE(finding.otherwise, "") << name;
  }
  for (Finding& finding : findings) {
    if (finding.for_tier_c) finding.works = true;  // as on a Mac where everything is well
  }
  std::vector<std::string> kept;
  for (const Promise& promise : diagnose(findings).promises) {
    if (promise.holds) kept.push_back(promise.text);
  }
  EXPECT_THAT(kept, Contains(HasSubstr("no other file")));
  EXPECT_THAT(kept, Contains(HasSubstr("no network")));
  EXPECT_THAT(kept, testing::Not(Contains(HasSubstr("outlives"))));
  EXPECT_THAT(kept, testing::Not(Contains(HasSubstr("memory"))));
  EXPECT_THAT(diagnosis_text(findings), HasSubstr("What tier c promises on this host"));
}

}  // namespace
}  // namespace bawn::macos
