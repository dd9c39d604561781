#include <fcntl.h>
#include <sys/attr.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "backend/posix/spelling.h"
#include "base/text.h"
#include "sys/call.h"

namespace bawn::posix {
namespace {

// The buffer layout that getattrlistat fills.
struct NameAnswer {
  std::uint32_t size;
  attrreference_t name;
  std::array<char, 4 * NAME_MAX> space;
} __attribute__((aligned(4), packed));

// For a file with several hard links the system may return another link's name, which need not be
// in this directory. Such a name is not used.
bool is_one_file(int directory, const std::string& one, const std::string& other) {
  struct stat here {};
  struct stat there {};
  return ::fstatat(directory, one.c_str(), &here, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstatat(directory, other.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

}  // namespace

Result<std::string> spelled_path(int directory, const std::string& walked) {
  std::array<char, MAXPATHLEN> path{};
  BAWN_TRY(sys::checked(concat("fcntl(F_GETPATH) ", quote(walked)),
                        [&] { return ::fcntl(directory, F_GETPATH, path.data()); }));
  return std::string(path.data());
}

Result<std::string> spelled_name(int directory, const std::string& name) {
  struct attrlist wanted {};
  wanted.bitmapcount = ATTR_BIT_MAP_COUNT;
  wanted.commonattr = ATTR_CMN_NAME;
  NameAnswer answer{};
  BAWN_TRY(sys::checked(concat("getattrlistat ", quote(name)), [&] {
    return ::getattrlistat(directory, name.c_str(), &wanted, &answer, sizeof answer,
                           FSOPT_NOFOLLOW);
  }));
  const auto* const at = reinterpret_cast<const char*>(&answer) + offsetof(NameAnswer, name);
  const std::string told(at + answer.name.attr_dataoffset);
  return is_one_file(directory, name, told) ? told : name;
}

}  // namespace bawn::posix
