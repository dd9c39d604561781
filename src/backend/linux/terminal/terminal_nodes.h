// The device nodes of the caller's terminals: their owner, group, mode and ACL.
//
// In tier b a command can change the mode or group of the caller's terminal by its path, because
// Landlock has no right for metadata. Every local user could then read what is typed there, and
// write to it. So the old values are restored after the run, however the command ends; only if bawn
// is killed are they not. Covered are the terminals of descriptors 0, 1 and 2 and the controlling
// terminal (/dev/tty). Other terminals of the same user are left alone, because the user may have
// changed them (mesg y).
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class TerminalNodes {
 public:
  // Remembers the current state. The nodes are opened with O_PATH, which keeps no terminal alive
  // that is closed meanwhile. A terminal whose node is not found in this mount namespace is left
  // out. An error if the host is short of open files.
  [[nodiscard]] static Result<TerminalNodes> of_caller();

  TerminalNodes(TerminalNodes&&) = default;
  TerminalNodes& operator=(TerminalNodes&&) = delete;
  ~TerminalNodes() { restore(); }

  struct Change {
    std::string path;
    // "had mode 0620, owner 1000, group 5 and got mode 0666, owner 1000, group 5; it is put back"
    std::string what;
  };
  // Restores owner, group and mode where they differ, removes an ACL that was added, and returns
  // each difference. A second call does nothing. A user may not give a file to a group that the
  // user is not in (tty): the group then loses its rights to the terminal.
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

}  // namespace bawn::linux_
