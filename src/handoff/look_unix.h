// Looks at the files of the table below one directory.
//
// The command may have put anything there: only links that stay below the root are followed,
// nothing blocks, and names, files and bytes are bounded. A directory needs to be searchable, not
// readable. What is beyond a bound or cannot be looked at is noted in Snapshot::unseen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "handoff/name.h"
#include "handoff/snapshot.h"
#include "sys/directory.h"
#include "sys/fd.h"

namespace bawn::handoff {

struct LookAt {
  int directory = -1;  // borrowed; links may lead anywhere below it
  NameTable table = NameTable::work_tree;
  std::string prefix{};  // before each name when it is told
  std::string path{};    // of the directory that is looked at, below `directory`
};

class Looker {
 public:
  // `before` is the snapshot to compare with, borrowed; null for the first one. A file that has the
  // state that it had then is left out and not read. `now_ns` is the time of the file systems.
  Looker(const Snapshot* before, std::int64_t now_ns) : before_(before), now_ns_(now_ns) {
    found_.taken_ns = now_ns;
  }

  // Quiet if the directory is not there.
  void look(const LookAt& at);
  void miss(std::string path, std::string why);

  [[nodiscard]] Snapshot finish() &&;

 private:
  struct Place;
  void look_at_work_tree(const Place& place);
  using Rows = std::span<const HandoffName>;
  void look_for(const Place& place, Rows rows);
  void look_at_name(const Place& place, const std::string& name, Rows rows);
  void look_at_file(const Place& place, const std::string& name, const FileState& state,
                    const HandoffName& row);
  void look_at_link(const Place& place, const std::string& name, const FileState& state, Rows rows);
  void look_below(const Place& place, const std::string& name, Result<Fd> opened, Rows rows);
  void miss_place(const Place& place, const std::string& why);
  [[nodiscard]] sys::DirectoryList names_in(const Place& place);
  [[nodiscard]] bool is_wanted(SeenFile& file);
  [[nodiscard]] FileContent read(const Result<Fd>& opened, const FileState& state);

  const Snapshot* before_;
  std::int64_t now_ns_;
  int root_ = -1;          // of the present look()
  std::size_t bytes_ = 0;  // that were read in all
  Snapshot found_;
};

}  // namespace bawn::handoff
