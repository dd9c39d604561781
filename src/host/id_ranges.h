// The host ids that a user may map beside the user's own id: its ranges in /etc/subuid and
// /etc/subgid.
//
// Only those files are read. Ranges from an nsswitch "subid" module are not seen. libsubid would
// ask the modules, but it loads code into the process and keeps state in globals, which neither a
// static executable nor a threaded program can accept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/id_map.h"

namespace bawn {

// A user by name and number; a line may use either.
struct IdOwner {
  std::string name;  // "" if it has none
  std::uint32_t id = 0;
};

// The user name of the first /etc/passwd line with `uid`; "" if there is none.
[[nodiscard]] std::string name_in_passwd(std::string_view passwd, std::uint32_t uid);

// The ranges of `owner` in lines "OWNER:FIRST:COUNT", in file order. Malformed lines are skipped,
// as newuidmap does. A range that exceeds the largest id is cut there.
[[nodiscard]] std::vector<IdRange> ranges_in(std::string_view text, const IdOwner& owner);

// The line to add to `text` that gives `owner` a range that no other line uses.
[[nodiscard]] std::string line_to_add(std::string_view text, const IdOwner& owner);

// The setuid programs that may write a map of more than one id. They check /etc/subuid and
// /etc/subgid themselves.
struct IdMappers {
  std::string users;   // path of newuidmap
  std::string groups;  // path of newgidmap
};

// What the caller may map. If `lack` is set, the other members mean nothing.
struct IdRangeFacts {
  std::string lack = "the id ranges were not looked for";
  std::string fix;
  std::vector<IdRange> users{};
  std::vector<IdRange> groups{};
  IdMappers mappers{};
  // errno, if a resource shortage (memory, open files) cut the search short; then the rest cannot
  // be trusted.
  int shortage = 0;
};

}  // namespace bawn
