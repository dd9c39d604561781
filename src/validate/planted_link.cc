#include "validate/planted_link.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace bawn {
namespace {

// A process that can write here controls the machine already. /private is macOS's parent of /etc,
// /tmp and /var.
constexpr std::array<std::string_view, 7> kTopDirectories = {
    "/", "/etc", "/private", "/run", "/usr", "/usr/local", "/var"};

}  // namespace

bool may_be_planted(const PassedLink& link, std::string_view home) {
  const std::string_view directory = directory_of(link.path);
  if (std::find(kTopDirectories.begin(), kTopDirectories.end(), directory) != kTopDirectories.end())
    return false;
  if (link.maker == LinkMaker::caller) return directory != home;
  return link.maker == LinkMaker::stranger;
}

const PassedLink* planted_link(const Located& file, std::string_view home) {
  const auto found =
      std::find_if(file.links.begin(), file.links.end(),
                   [&](const PassedLink& link) { return may_be_planted(link, home); });
  return found == file.links.end() ? nullptr : &*found;
}

std::string described(const PassedLink& link) {
  return concat("the link ", quote(link.path),
                link.maker == LinkMaker::stranger ? ", which belongs to another user"
                                                  : ", which an earlier run can have put there");
}

}  // namespace bawn
