#include "host/id_range_probe.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>

#include "base/text.h"
#include "sys/call.h"
#include "sys/fd.h"
#include "sys/open.h"

namespace bawn {
namespace {

// Files with many users exceed sys::read_control()'s buffer. A truncated file must not be used: its
// last line could be read as a different range.
Result<std::string> read_whole(const std::string& path) {
  constexpr std::size_t kMostText = 16 * 1024 * 1024;
  BAWN_ASSIGN(const Fd file, sys::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK));
  std::string text;
  std::array<char, 16384> piece;
  for (;;) {
    BAWN_ASSIGN(const ssize_t got, sys::checked(concat("read ", quote(path)), [&] {
                  return read(file.get(), piece.data(), piece.size());
                }));
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostText) return system_error(EFBIG, concat("read ", quote(path)));
  }
}

// Path of the program, which must be setuid root or have file capabilities; "" if not found.
std::string privileged_program(const std::vector<std::string>& directories, std::string_view name) {
  for (const std::string& directory : directories) {
    std::string path = concat(directory, "/", name);
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const bool set_id = status.st_uid == 0 && (status.st_mode & S_ISUID) != 0;
    if (set_id || getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) return path;
  }
  return "";
}

class Prober {
 public:
  Prober(std::uint32_t uid, const IdRangePlaces& places) : places_(places) {
    owner_.id = uid;
    const auto passwd = read_whole(places.passwd);
    if (passwd) owner_.name = name_in_passwd(passwd.value(), uid);
    if (!passwd) note_shortage(passwd.error());
    facts_.lack.clear();
  }

  IdRangeFacts run() && {
    facts_.mappers.users = find("newuidmap");
    facts_.mappers.groups = find("newgidmap");
    facts_.users = read(places_.users);
    facts_.groups = read(places_.groups);
    return std::move(facts_);
  }

 private:
  void note_shortage(const Error& error) {
    if (facts_.shortage == 0 && is_shortage(error.sys_errno)) facts_.shortage = error.sys_errno;
  }

  // Keeps only the first lack: it must be fixed first anyway.
  void lack(std::string what, std::string fix) {
    if (!facts_.lack.empty()) return;
    facts_.lack = std::move(what);
    facts_.fix = std::move(fix);
  }

  std::string find(std::string_view program) {
    std::string path = privileged_program(places_.programs, program);
    if (path.empty())
      lack(concat(program, " is not there, or has no privilege: looked in ",
                  enumerated(places_.programs)),
           "sudo apt-get install uidmap (Debian, Ubuntu), shadow-utils (Fedora)");
    return path;
  }

  std::vector<IdRange> read(const std::string& file) {
    const auto text = read_whole(file);
    if (!text) note_shortage(text.error());
    std::vector<IdRange> ranges;
    if (text) ranges = ranges_in(text.value(), owner_);
    if (!ranges.empty()) return ranges;
    const std::string who = owner_.name.empty() ? concat("user ", owner_.id)
                                                : concat(quote(owner_.name), " (", owner_.id, ")");
    if (!text && text.error().sys_errno != ENOENT) {
      lack(concat(file, ": ", errno_text(text.error().sys_errno)),
           concat("make ", file, " readable for ", who));
    } else {
      lack(text ? concat(file, " gives no ids to ", who) : concat(file, " does not exist"),
           concat("add the line ", quote(line_to_add(text ? text.value() : "", owner_)), " to ",
                  file));
    }
    return {};
  }

  const IdRangePlaces& places_;
  IdOwner owner_;
  IdRangeFacts facts_;
};

}  // namespace

IdRangeFacts probe_id_ranges(std::uint32_t uid, const IdRangePlaces& places) {
  return Prober(uid, places).run();
}

}  // namespace bawn
