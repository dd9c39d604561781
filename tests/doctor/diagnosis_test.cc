#include "doctor/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

namespace bawn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CheckResult needed_for_both(bool works) {
  return {.name = "seccomp",
          .for_tier_b = true,
          .for_tier_c = true,
          .works = works,
          .evidence = "seen"};
}
CheckResult needed_for_c(bool works) {
  return {.name = "user-namespace",
          .for_tier_c = true,
          .works = works,
          .evidence = works ? "made" : "clone: refused",
          .fix = works ? "" : "do this\nand that"};
}
CheckResult optional(bool works) {
  return {.name = "cgroup", .otherwise = "limits are weaker", .works = works, .evidence = "looked"};
}

TEST(Diagnosis, SaysWhichTiersWork) {
  const Diagnosis all = diagnose({needed_for_both(true), needed_for_c(true), optional(true)});
  EXPECT_TRUE(all.tier_b.works);
  EXPECT_TRUE(all.tier_c.works);
  const Diagnosis only_b = diagnose({needed_for_both(true), needed_for_c(false), optional(true)});
  EXPECT_TRUE(only_b.tier_b.works);
  EXPECT_FALSE(only_b.tier_c.works);
  EXPECT_THAT(only_b.tier_c.missing, ElementsAre("user-namespace"));
  EXPECT_FALSE(diagnose({needed_for_both(false), needed_for_c(true)}).tier_b.works);
}

TEST(Diagnosis, LetsATierWorkWithoutWhatIsOptional) {
  EXPECT_TRUE(diagnose({needed_for_both(true), needed_for_c(true), optional(false)}).tier_c.works);
}

TEST(Diagnosis, OfNothingPromisesNothing) {
  const Diagnosis diagnosis = diagnose({});
  EXPECT_FALSE(diagnosis.tier_b.works);
  EXPECT_FALSE(diagnosis.tier_c.works);
  ASSERT_FALSE(diagnosis.promises.empty());
  for (const Promise& promise : diagnosis.promises) EXPECT_FALSE(promise.holds) << promise.text;
}

TEST(Diagnosis, NamesWhatAPromiseLacks) {
  for (const bool works : {true, false}) {
    bool seen = false;
    for (const Promise& promise : diagnose({optional(works)}).promises) {
      if (promise.text.find("memory and processes") == std::string::npos) continue;
      seen = true;
      EXPECT_EQ(promise.holds, works);
      EXPECT_EQ(promise.missing,
                works ? std::vector<std::string>() : std::vector<std::string>{"cgroup"});
    }
    EXPECT_TRUE(seen);
  }
}

// If the kernel refuses a new /proc, the command has none, so it sees no process there either.
TEST(Diagnosis, LetsProcessesBeHiddenWithoutANewProc) {
  CheckResults results = {needed_for_c(true)};
  for (const char* name : {"pid-namespace", "fresh-proc"})
    results.push_back({.name = name, .works = results.size() == 1, .evidence = "tried"});
  for (const Promise& promise : diagnose(results).promises) {
    if (promise.text != "it sees and signals no process outside the run") continue;
    EXPECT_TRUE(promise.holds);
    results[1].works = false;
    EXPECT_THAT(diagnosis_text(results), HasSubstr(promise.text + ": needs pid-namespace"));
    return;
  }
  FAIL() << "there is no such promise";
}

// On Windows tier b has other promises.
TEST(Diagnosis, OfAJobSaysWhatAJobHolds) {
  const CheckResults results = {
      {.name = "job-object", .for_tier_b = true, .works = true, .evidence = "tried"},
      {.name = "network-isolation", .for_tier_c = true, .evidence = "none"}};
  const Diagnosis diagnosis = diagnose(results);
  EXPECT_TRUE(diagnosis.tier_b.works);
  EXPECT_FALSE(diagnosis.tier_c.works);
  const auto holds = [&](std::string_view text) -> std::optional<bool> {
    for (const Promise& promise : diagnosis.promises) {
      if (promise.text == text) return promise.holds;
    }
    return std::nullopt;
  };
  EXPECT_EQ(holds("nothing it starts outlives the run"), true);
  EXPECT_EQ(holds("it has no network unless one is granted"), false);
  EXPECT_THAT(diagnosis_text(results), HasSubstr("What tier b promises on this host"));
}

TEST(DiagnosisText, HasTheFixOnlyWhereItIsNeeded) {
  const std::string text =
      diagnosis_text({needed_for_both(true), needed_for_c(false), optional(false)});
  EXPECT_THAT(text, HasSubstr("ok    seccomp             seen\n"));
  EXPECT_THAT(text, HasSubstr("no    user-namespace      clone: refused\n"
                              "      fix   do this\n"
                              "            and that\n"));
  EXPECT_THAT(text, HasSubstr("      then  limits are weaker\n"));
  EXPECT_THAT(text, HasSubstr("tier b works\n"));
  EXPECT_THAT(text, HasSubstr("tier c does not work here: it needs user-namespace\n"));
  EXPECT_THAT(diagnosis_text({optional(true)}), Not(HasSubstr("weaker")));
}

TEST(DiagnosisJson, HoldsEverything) {
  const auto json =
      nlohmann::json::parse(diagnosis_json({needed_for_both(true), needed_for_c(false)}));
  EXPECT_EQ(json.at("schema"), "bawn.doctor.v1");
  EXPECT_EQ(json.at("tiers").at("b").at("works"), true);
  EXPECT_EQ(json.at("tiers").at("c").at("missing").at(0), "user-namespace");
  const auto& result = json.at("findings").at(1);
  EXPECT_EQ(result.at("name"), "user-namespace");
  EXPECT_EQ(result.at("works"), false);
  EXPECT_EQ(result.at("needed_for_tiers"), nlohmann::json::array({"c"}));
  EXPECT_EQ(result.at("evidence"), "clone: refused");
  EXPECT_EQ(result.at("fix"), "do this\nand that");
  EXPECT_FALSE(json.at("promises").empty());
}

}  // namespace
}  // namespace bawn
