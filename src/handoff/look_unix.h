// Looks at the files of the table below one directory.
//
// The command may have put anything there: no link is followed, nothing blocks, and names, files
// and bytes are bounded. What is beyond a bound is noted in Snapshot::unseen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "handoff/name.h"
#include "handoff/snapshot.h"
#include "sys/directory.h"

namespace bawn::handoff {

struct LookAt {
  int directory = -1;  // borrowed
  NameTable table = NameTable::work_tree;
  std::string prefix{};  // before each name when it is told
};

class Looker {
 public:
  // `before` is the snapshot to compare with, borrowed; null for the first one. A file that has the
  // state that it had then is left out and not read. `now_ns` is the time of the file systems.
  Looker(const Snapshot* before, std::int64_t now_ns) : before_(before), now_ns_(now_ns) {}

  void look(const LookAt& at);
  void miss(std::string path, std::string why);

  [[nodiscard]] Snapshot finish() &&;

 private:
  struct Place;
  void look_for(const Place& place, std::span<const HandoffName> rows);
  void look_at_name(const Place& place, const std::string& name, std::span<const HandoffName> rows);
  [[nodiscard]] std::vector<sys::DirectoryEntry> names_in(const Place& place);
  void look_at_file(int directory, const std::string& name, std::string path,
                    const HandoffName& row);
  [[nodiscard]] FileContent read(int directory, const std::string& name, const FileState& state);

  const Snapshot* before_;
  std::int64_t now_ns_;
  std::size_t bytes_ = 0;  // that were read in all
  Snapshot found_;
};

}  // namespace bawn::handoff
