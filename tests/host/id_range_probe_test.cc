#include "host/id_range_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t kYou = 1000;

// The files of a host that has everything. The programs are the host's: every Debian has some with
// the privilege.
class IdRangeProbe : public testing::Test {
 protected:
  IdRangeProbe() : directory_(testing::TempDir() + "bawn-ranges-XXXXXX") {
    if (mkdtemp(directory_.data()) == nullptr) throw std::runtime_error("mkdtemp");
    places_.passwd =
        file("passwd", "root:x:0:0::/root:/bin/sh\nyou:x:1000:1000::/home/you:/bin/sh\n");
    places_.users = file("subuid", "other:100000:65536\nyou:200000:65536\n");
    places_.groups = file("subgid", "1000:300000:10\n");
  }
  ~IdRangeProbe() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string file(const std::string& name, std::string_view content) const {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path) << content;
    return path;
  }

  std::string directory_;
  IdRangePlaces places_;
};

TEST_F(IdRangeProbe, FindsWhatAUserHas) {
  const IdRangeFacts facts = probe_id_ranges(kYou, places_);
  EXPECT_EQ(facts.lack, "");
  EXPECT_EQ(facts.users, (std::vector<IdRange>{{200000, 65536}}));
  EXPECT_EQ(facts.groups, (std::vector<IdRange>{{300000, 10}}));
  EXPECT_THAT(facts.mappers.users, testing::EndsWith("/newuidmap"));
  EXPECT_THAT(facts.mappers.groups, testing::EndsWith("/newgidmap"));
}

TEST_F(IdRangeProbe, NamesTheFileThatGivesNothingAndTheLineForIt) {
  const IdRangeFacts stranger = probe_id_ranges(77, places_);
  EXPECT_EQ(stranger.lack, places_.users + " gives no ids to user 77");
  EXPECT_EQ(stranger.fix, "add the line '77:265536:65536' to " + places_.users);
  places_.groups = file("empty", "");
  const IdRangeFacts facts = probe_id_ranges(kYou, places_);
  EXPECT_EQ(facts.lack, places_.groups + " gives no ids to 'you' (1000)");
  EXPECT_EQ(facts.fix, "add the line 'you:100000:65536' to " + places_.groups);
}

TEST_F(IdRangeProbe, NamesAFileThatIsNotThere) {
  places_.users = directory_ + "/absent";
  const IdRangeFacts facts = probe_id_ranges(kYou, places_);
  EXPECT_THAT(facts.lack, AllOf(HasSubstr(places_.users), HasSubstr("does not exist")));
  EXPECT_THAT(facts.fix, HasSubstr("add the line 'you:100000:65536' to " + places_.users));
}

TEST_F(IdRangeProbe, GoesByNumberWithoutPasswd) {
  places_.passwd = directory_ + "/absent";
  EXPECT_THAT(probe_id_ranges(kYou, places_).lack, HasSubstr("gives no ids to user 1000"));
  places_.users = places_.groups;
  EXPECT_EQ(probe_id_ranges(kYou, places_).lack, "");
}

TEST_F(IdRangeProbe, PassesOverProgramsWithoutPrivilege) {
  places_.programs = {directory_};
  EXPECT_THAT(probe_id_ranges(kYou, places_).lack,
              AllOf(HasSubstr("newuidmap is not there"), HasSubstr(directory_)));
  for (const char* name : {"newuidmap", "newgidmap"}) {
    ASSERT_EQ(chmod(file(name, "#!/bin/sh\n").c_str(), 0755), 0);
  }
  const IdRangeFacts plain = probe_id_ranges(kYou, places_);
  EXPECT_THAT(plain.lack, HasSubstr("newuidmap is not there, or has no privilege"));
  EXPECT_THAT(plain.fix, HasSubstr("apt-get install uidmap"));
  if (getuid() != 0) GTEST_SKIP() << "only root can give a program its privilege";
  ASSERT_EQ(chmod((directory_ + "/newuidmap").c_str(), 04755), 0);
  EXPECT_THAT(probe_id_ranges(kYou, places_).lack,
              HasSubstr("newgidmap is not there, or has no privilege"));
  ASSERT_EQ(chmod((directory_ + "/newgidmap").c_str(), 04755), 0);
  EXPECT_EQ(probe_id_ranges(kYou, places_).lack, "");
}

TEST_F(IdRangeProbe, ReadsFilesOfManyUsersToTheEnd) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "somebody" + std::to_string(i) + ":1:1\n";
  ASSERT_GT(text.size(), 256U * 1024);
  places_.users = file("long", text + "you:200000:65536\n");
  EXPECT_EQ(probe_id_ranges(kYou, places_).users, (std::vector<IdRange>{{200000, 65536}}));
}

}  // namespace
}  // namespace bawn
