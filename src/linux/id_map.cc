#include "linux/id_map.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn {
namespace {

Result<void> write_file(int directory, const char* name, const std::string& text) {
  const auto what = [&] {
    return concat("write ", quote(text), " to the keeper's /proc/PID/", std::string_view(name));
  };
  const Fd file(openat(directory, name, O_WRONLY | O_CLOEXEC));
  if (!file) return system_error(errno, what());
  const ssize_t written = sys::retried([&] { return write(file.get(), text.data(), text.size()); });
  if (written == -1) return system_error(errno, what());
  return {};
}

std::string line(const IdMap& map) { return concat(map.inside, " ", map.outside, " 1"); }

}  // namespace

Result<void> write_id_maps(pid_t process, const IdMap& user, const IdMap& group) {
  const std::string path = concat("/proc/", process);
  const Fd directory(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return system_error(errno, concat("open ", path));
  // Whoever may map only itself must first give up changing groups, or a group that denies could be dropped.
  if (geteuid() != 0) BAWN_TRY(write_file(directory.get(), "setgroups", "deny"));
  BAWN_TRY(write_file(directory.get(), "uid_map", line(user)));
  return write_file(directory.get(), "gid_map", line(group));
}

}  // namespace bawn
