#include "policy/text/names.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

template <class Enum>
void every_name_round_trips() {
  for (const EnumName<Enum>& name : vocabulary<Enum>().names) {
    EXPECT_EQ(vocabulary<Enum>().find(name.text), name.value) << name.text;
    EXPECT_EQ(vocabulary<Enum>().find(to_string(name.value)), name.value) << name.text;
  }
}

TEST(Names, EveryNameReadsBackToItsValue) {
  every_name_round_trips<Tier>();
  every_name_round_trips<TierChoice>();
  every_name_round_trips<WorkspaceMode>();
  every_name_round_trips<Tmp>();
  every_name_round_trips<EgressMode>();
}

TEST(Names, ParsesEachEnumeration) {
  EXPECT_EQ(parse_tier("auto").value(), TierChoice::automatic);
  EXPECT_EQ(parse_tier("unconfined").value(), TierChoice::unconfined);
  EXPECT_EQ(vocabulary<Tier>().find("c"), Tier::c);
  EXPECT_EQ(vocabulary<WorkspaceMode>().find("private"), WorkspaceMode::private_dir);
  EXPECT_EQ(vocabulary<Tmp>().find("none"), Tmp::none);
  EXPECT_EQ(parse_egress_mode("block_all").value(), EgressMode::block_all);
}

TEST(Names, ATierHasAWordAndALetterAndTheLetterIsPrinted) {
  EXPECT_EQ(parse_tier("process").value(), TierChoice::b);
  EXPECT_EQ(parse_tier("namespaces").value(), TierChoice::c);
  EXPECT_EQ(vocabulary<Tier>().find("process"), Tier::b);
  EXPECT_EQ(vocabulary<Tier>().find("namespaces"), Tier::c);
  EXPECT_EQ(to_string(TierChoice::b), "b");
  EXPECT_EQ(to_string(TierChoice::c), "c");
  EXPECT_EQ(to_string(Tier::b), "b");
  EXPECT_EQ(to_string(Tier::c), "c");
}

TEST(Names, TierAIsRefusedWithTheReason) {
  for (const std::string word : {"a", "wasm"}) {
    const std::string expected = "'" + word +
                                 "' is not a tier: this version has no tier a (wasm): say "
                                 "'process' (tier b) or 'namespaces' (tier c)";
    EXPECT_EQ(parse_tier(word).error().message, expected);
    EXPECT_EQ(vocabulary<Tier>().refusal(word), expected);
  }
}

// Some users read "none" as no restriction, others as no network.
TEST(Names, NoneIsNoEgressModeAndBothThatItCouldMeanAreNamed) {
  const Result<EgressMode> mode = parse_egress_mode("none");
  ASSERT_FALSE(mode.ok());
  EXPECT_EQ(mode.error().message,
            "'none' is not an egress mode: it can mean no restriction or no network: say "
            "'allow_all' for an open network, or 'block_all' for none");
  EXPECT_EQ(parse_egress_mode("allow_all").value(), EgressMode::allow_all);
  EXPECT_EQ(to_string(EgressMode::allow_all), "allow_all");
}

TEST(Names, AnUnknownWordNamesTheListAndTheNearest) {
  const Result<EgressMode> mode = parse_egress_mode("strct");
  ASSERT_FALSE(mode.ok());
  EXPECT_EQ(mode.error().kind, ErrorKind::invalid);
  EXPECT_EQ(mode.error().message,
            "'strct' is not an egress mode: expected allow_all, preflight, strict or block_all "
            "(did you mean 'strict'?)");
}

TEST(Names, NothingIsADefaultAndCaseMatters) {
  EXPECT_FALSE(parse_egress_mode("").ok());
  EXPECT_FALSE(parse_tier("B").ok());
  EXPECT_FALSE(vocabulary<Tier>().find("auto"));
  EXPECT_FALSE(parse_tier("disabled").ok());
}

}  // namespace
}  // namespace bawn
