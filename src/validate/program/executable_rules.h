// The policy's lists of programs (allow, block, sha256), matched by file and not by spelling.
//
// An entry is a bare name on the trusted path or an absolute path. It matches a program if both
// lead to the same file. Some files serve several names and behave differently under each (busybox,
// coreutils). For those the invoked name must match too: otherwise an entry for `ls` would allow
// `rm`.
//
// A path in an entry is a guest path. Entries that block or pin a program apply to the host path
// too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/executables_policy.h"
#include "validate/lookup.h"
#include "validate/program/executable_file.h"

namespace bawn {

// True for a known file that is many programs and acts on the name by which it was started.
[[nodiscard]] bool is_multi_call(const Located& file);

// Answers for one policy. Borrows policy and look-up, which must outlive it.
class ExecutableRules {
 public:
  // Locates the whole block list at once, because shell code may name thousands of commands and
  // each is compared with every entry.
  ExecutableRules(const ExecutablesPolicy& policy, const PathLookup& lookup);

  // True if the allow list has the file, under a name that behaves the same, or if everything is
  // allowed.
  [[nodiscard]] bool allows(const ExecutableFile& program) const;

  // The entry that blocks the program, or "". A bare name in the list blocks that name in every
  // directory, with every version or variant (`mkfs` blocks mkfs.ext4), whether or not the file
  // exists. Links to a blocked file, its hard links and its copies are blocked too. Other names of
  // a blocked multi-call file are not.
  [[nodiscard]] std::string blocked_by(const ExecutableFile& program) const;

  // The pinned SHA-256 of the program's file; "" if there is none.
  [[nodiscard]] std::string pinned_digest(const ExecutableFile& program) const;

  // The same questions for an applet, such as `ls` of `busybox ls`. It has no file, so only the
  // name counts.
  [[nodiscard]] bool allows_applet(std::string_view name) const;
  [[nodiscard]] std::string applet_blocked_by(std::string_view name) const;

 private:
  struct Blocked {
    const std::string* entry;  // points into policy_.block
    ExecutableFile program;
  };

  [[nodiscard]] ExecutableFile find(const std::string& entry) const;
  // True if guest paths and host paths differ.
  [[nodiscard]] bool has_other_names() const { return &lookup_.host() != &lookup_; }
  [[nodiscard]] bool is_allowed_by(const std::string& entry, const ExecutableFile& program) const;

  const ExecutablesPolicy& policy_;
  const PathLookup& lookup_;
  std::vector<Blocked> blocked_;
};

// True if both files have the same, non-empty content. Reads both files if their sizes agree, so
// ask only about files outside the trusted path.
[[nodiscard]] bool is_copy_of(const Located& file, const Located& original,
                              const PathLookup& lookup);

}  // namespace bawn
