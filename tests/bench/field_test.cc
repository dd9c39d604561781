// Which launchers take part in a measurement. Scripts of the test take the place of other
// launchers.

#include "bench/spawn/field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scratch.h"

namespace bawn::bench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct FieldDirectories {
  Scratch workspace{};
  Scratch programs{};

  [[nodiscard]] BenchSetup setup() const {
    return {.bawn = std::getenv("BAWN_BINARY"),
            .tier = Tier::b,
            .command = std::filesystem::canonical("/bin/true"),
            .workspace = workspace.path(),
            .search_path = programs.path(),
            .large_caller_bytes = 1 << 20};
  }
};

std::vector<std::string> names_of(const bench::Field& field) {
  std::vector<std::string> names;
  for (const auto& launcher : field.launchers) names.push_back(launcher->name());
  return names;
}

TEST(Field, WithoutPeersIsTheBaselineAndBawn) {
  const FieldDirectories place;
  const auto field = assemble_field(place.setup());
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_THAT(names_of(field.value()),
              ElementsAre(kBaseline, kBawnCold, kBawnLibrary, kBawnLibraryLarge));
  EXPECT_TRUE(field.value().left_out.empty());
  EXPECT_EQ(field.value().tier, Tier::b);
  EXPECT_THAT(field.value().launchers[1]->isolation(), HasSubstr("tier b"));
}

TEST(Field, OfTierCShowsWhatTheKernelAloneTakes) {
  const FieldDirectories place;
  BenchSetup setup = place.setup();
  setup.tier = Tier::c;
  const auto field = assemble_field(setup);
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_THAT(names_of(field.value()), ElementsAre(kBaseline, kBawnCold, kBawnLibrary,
                                                   kBawnLibraryLarge, kFloor, kFloorSameView));
}

TEST(Field, AdmitsAPeerThatWorksAndNamesOneThatDoesNot) {
  const FieldDirectories place;
  // Both scripts take the command from their last argument.
  const std::string works =
      place.programs.script("unshare", "for word; do :; done; exec \"$word\"");
  const std::string fails =
      place.programs.script("bwrap", "echo 'bwrap: no namespaces here' >&2; exit 1");
  const auto field = assemble_field(place.setup());
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_THAT(names_of(field.value()), AllOf(Contains("unshare"), Not(Contains("bwrap"))));
  EXPECT_THAT(
      field.value().left_out,
      ElementsAre(LeftOut{"bwrap", "found, but failed: bwrap: no namespaces here (exit code 1)"},
                  LeftOut{"bwrap, bawn's view",
                          "found, but failed: bwrap: no namespaces here (exit code 1)"}));
}

TEST(Field, GivesBwrapTheFilterAndEveryNamespace) {
  const FieldDirectories place;
  const std::string spy =
      place.programs.script("bwrap", "echo \"$@\" >>" + place.programs.path() +
                                         "/words; cat <&9 >" + place.programs.path() + "/filter");
  const auto field = assemble_field(place.setup());
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_THAT(
      place.programs.content("words"),
      AllOf(StartsWith("--unshare-all "), HasSubstr("--seccomp 9 "),
            HasSubstr("--ro-bind /usr /usr "), HasSubstr("--ro-bind /etc/passwd /etc/passwd "),
            HasSubstr("--bind " + place.workspace.path() + " " + place.workspace.path())));
  EXPECT_GT(place.programs.content("filter").size(), 8U);
}

TEST(Field, ShowsACommandOfItsOwnPlaceToTheSandboxes) {
  const FieldDirectories place;
  const Scratch elsewhere;
  BenchSetup setup = place.setup();
  setup.command = elsewhere.path() + "/command";
  std::filesystem::copy_file(std::filesystem::canonical("/bin/true"), setup.command);
  const std::string spy =
      place.programs.script("bwrap", "echo \"$@\" >" + place.programs.path() + "/words");
  const auto field = assemble_field(setup);
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_THAT(names_of(field.value()), AllOf(Contains(kBawnCold), Contains(kBawnLibrary)));
  EXPECT_THAT(place.programs.content("words"),
              HasSubstr("--ro-bind " + setup.command + " " + setup.command));
}

TEST(Field, GivesCrunABundleThatIsGoneAfterwards) {
  const FieldDirectories place;
  const std::string spy = place.programs.script(
      "crun",
      "echo \"$@\" >" + place.programs.path() +
          "/words; for word; do case $word in --bundle=*) cp \"${word#--bundle=}/config.json\" " +
          place.programs.path() + "/config; esac; done");
  {
    const auto field = assemble_field(place.setup());
    ASSERT_TRUE(field) << field.error().message;
    EXPECT_THAT(names_of(field.value()), Contains("crun"));
  }
  const auto config = nlohmann::json::parse(place.programs.content("config"));
  EXPECT_EQ(config["process"]["args"][0], place.setup().command);
  EXPECT_EQ(config["linux"]["namespaces"].size(), 7U);
  const std::string words = place.programs.content("words");
  EXPECT_THAT(words, HasSubstr(" bawn-bench-0\n"));
  const std::size_t begin = words.find("--bundle=") + std::string_view("--bundle=").size();
  const std::string bundle = words.substr(begin, words.find(' ', begin) - begin);
  EXPECT_THAT(bundle, StartsWith("/tmp/"));
  EXPECT_FALSE(std::filesystem::exists(bundle));
}

TEST(Field, FallsBackToTierBAndSaysSo) {
  const FieldDirectories place;
  BenchSetup setup = place.setup();
  setup.tier.reset();
  // Refuses tier c, as bawn does on a host without it.
  setup.bawn = place.programs.script(
      "bawn",
      "case \" $* \" in *' --tier c '*) echo 'no tier c' >&2; exit 126; esac; exec /bin/true");
  const auto field = assemble_field(setup);
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_EQ(field.value().tier, Tier::b);
  EXPECT_THAT(names_of(field.value()), Contains(kBawnCold));
  EXPECT_THAT(
      field.value().left_out,
      ElementsAre(LeftOut{"bawn run --tier c", "found, but failed: no tier c (exit code 126)"}));
}

TEST(Field, DoesNotFallBackFromATierThatWasAskedFor) {
  const FieldDirectories place;
  BenchSetup setup = place.setup();
  setup.tier = Tier::c;
  setup.bawn = place.programs.script(
      "bawn", "case \" $* \" in *' --tier c '*) exit 126; esac; exec /bin/true");
  const auto field = assemble_field(setup);
  ASSERT_TRUE(field) << field.error().message;
  EXPECT_EQ(field.value().tier, Tier::c);
  EXPECT_THAT(names_of(field.value()), Not(Contains(kBawnCold)));
}

TEST(Field, IsAnErrorIfTheCommandItselfFails) {
  const FieldDirectories place;
  BenchSetup setup = place.setup();
  setup.command = std::filesystem::canonical("/bin/false");
  const auto field = assemble_field(setup);
  ASSERT_FALSE(field);
  EXPECT_THAT(field.error().message, AllOf(HasSubstr(setup.command), HasSubstr("exit code 1")));
}

TEST(FindProgram, TakesTheFirstThatCanBeExecuted) {
  const Scratch first;
  const Scratch second;
  const std::string program = second.script("prog", "");
  std::ofstream(first.path() + "/prog") << "not executable";
  EXPECT_EQ(find_program("prog", first.path() + ":" + second.path()), program);
  EXPECT_EQ(find_program("prog", first.path()), "");
  EXPECT_EQ(find_program("prog", ""), "");
  EXPECT_EQ(find_program("prog", std::filesystem::relative(second.path()).string()), "")
      << "depends on where we are";
}

}  // namespace
}  // namespace bawn::bench
