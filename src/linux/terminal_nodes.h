// The device files of the caller's terminals: who may open them.
//
// In tier b a command can give its caller's terminal another mode or group by its path, because
// Landlock has no right for metadata. Every local user could then read what is typed there, and
// write to it. So what they were before the run comes back after it, however it ends. Known are the
// terminals behind files 0, 1 and 2 and the controlling one (/dev/tty); other terminals of the same
// user are not looked at, because a change of theirs may be the user's own (mesg y).
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn {

class TerminalNodes {
 public:
  // Opened by path only (O_PATH): a terminal that is closed meanwhile is not kept alive. One whose
  // device file is not found in this mount namespace is left out. An error if the host is short of
  // open files.
  [[nodiscard]] static Result<TerminalNodes> of_caller();

  TerminalNodes(TerminalNodes&&) = default;
  TerminalNodes& operator=(TerminalNodes&&) = delete;
  ~TerminalNodes() { restore(); }

  struct Change {
    std::string path;
    std::string what;  // "had mode 0620, group 5 and has mode 0666, group 5: put back"
  };
  // Puts owner, group, mode and access control list back where they differ, and tells each
  // difference once. A user may not give a file to a group that it is not in (tty): then the
  // terminal loses the rights of the group.
  std::vector<Change> restore();

 private:
  struct Node {
    Fd fd;
    std::string path;
    struct stat before {};
    bool had_acl = false;
  };

  TerminalNodes() = default;
  [[nodiscard]] Result<void> add_terminal(int fd);
  void add(Fd node);

  std::vector<Node> nodes_;
};

}  // namespace bawn
