// Which ids of the host a user may have mapped for it, beside its own: what /etc/subuid and
// /etc/subgid give it.
//
// Only those files are read. Ranges that a module of the C library answers for ("subid" in
// nsswitch.conf) are not seen: libsubid, which asks the modules, loads code into the process and
// keeps the files in globals, and neither a static executable nor a program with threads can have
// that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/id_map.h"

namespace bawn {

// A user by name and number; lines may call it either.
struct IdOwner {
  std::string name;  // "" if it has none
  std::uint32_t id = 0;
};

// The first name that /etc/passwd has for `uid`; "" if it has none.
[[nodiscard]] std::string name_in_passwd(std::string_view passwd, std::uint32_t uid);

// The home of the first name that /etc/passwd has for `uid`; "" if it has none.
[[nodiscard]] std::string home_in_passwd(std::string_view passwd, std::uint32_t uid);

// Of lines "OWNER:FIRST:COUNT" those of `owner`, in their order. What is no such line is passed
// over, as newuidmap does; of a range that leads beyond the last id there is, what lies before it
// counts.
[[nodiscard]] std::vector<IdRange> ranges_in(std::string_view text, const IdOwner& owner);

// The line to add to `text` for `owner` to have ids that nobody else has.
[[nodiscard]] std::string line_to_add(std::string_view text, const IdOwner& owner);

// The programs that may write a map of more than one id: they have the privilege, and look into the
// files for themselves.
struct IdMappers {
  std::string users;   // the path of newuidmap
  std::string groups;  // of newgidmap
};

// What the host gives to the caller. If there is a lack, the rest means nothing.
struct IdRangeFacts {
  std::string lack = "the id ranges were not looked for";
  std::string fix;
  std::vector<IdRange> users{};
  std::vector<IdRange> groups{};
  IdMappers mappers{};
  int shortage = 0;  // errno, if the host was short of something and the rest is not to be trusted
};

}  // namespace bawn
