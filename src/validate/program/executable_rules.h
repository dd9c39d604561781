// The policy's lists of programs, matched by what a program is and not by how it is spelled.
//
// An entry is a name on the trusted path or an absolute path. It means a program if both lead to
// the same file. One file can serve several names and behave differently under each (busybox,
// coreutils); for such files the invoked name must agree too, or allowing `ls` would allow `rm`.
//
// A path is a name of the run. What blocks or pins a program does so by the host's name for it as
// well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/program/executable_file.h"

namespace bawn {

// True for files that are many programs and look at the name they are started by.
[[nodiscard]] bool is_multi_call(const Located& file);

class ExecutableRules {
 public:
  // Looks the block list up at once: shell code may name thousands of commands, each asked about.
  ExecutableRules(const Policy::Executables& policy, const PathLookup& lookup);

  [[nodiscard]] bool allows(const ExecutableFile& program) const;

  // The entry that blocks the program, or "". A blocked name is blocked in every directory and with
  // every version or variant (`mkfs` blocks mkfs.ext4), whether or not such a program exists; links
  // to, hard links of and copies of a blocked file are blocked too.
  [[nodiscard]] std::string blocked_by(const ExecutableFile& program) const;

  // The pinned digest of the program's file, or "" if nothing is pinned for it.
  [[nodiscard]] std::string pinned_digest(const ExecutableFile& program) const;

  // An applet of a multi-call program has no file of its own: it is matched by name.
  [[nodiscard]] bool allows_applet(std::string_view name) const;
  [[nodiscard]] std::string applet_blocked_by(std::string_view name) const;

 private:
  struct Blocked {
    const std::string* entry;  // of policy_.block
    ExecutableFile program;
  };

  [[nodiscard]] ExecutableFile find(const std::string& entry) const;
  [[nodiscard]] bool has_other_names() const { return &lookup_.host() != &lookup_; }
  [[nodiscard]] bool is_allowed_by(const std::string& entry, const ExecutableFile& program) const;

  const Policy::Executables& policy_;
  const PathLookup& lookup_;
  std::vector<Blocked> blocked_;
};

// True if both files have the same content. Only asked for files outside the trusted path.
[[nodiscard]] bool is_copy_of(const Located& file, const Located& original,
                              const PathLookup& lookup);

}  // namespace bawn
