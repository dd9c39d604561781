// Which settings of git run a program or redirect one. The table is git_key.inc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handoff/git_config.h"

namespace bawn::handoff {

// The values of a key that count.
enum class GitValue {
  any,
  shell,    // begins with '!'
  runs,     // the same, or words that make git run another command
  program,  // no boolean
  allows,   // not "never"
  off,      // a boolean that is false
  helper,   // an address that names a remote helper, as in ext::command
};

// The texts are in the row: pointers to them would be relocated at every start of bawn.
struct GitKey {
  char key[32] = "";
  GitValue value = GitValue::any;
  char effect[60] = "";
};

[[nodiscard]] std::span<const GitKey> git_keys();

// Null if git runs nothing because of it.
[[nodiscard]] const GitKey* find_git_key(const GitSetting& setting);

// The key for people. A subsection that is or can be an address is left out: it can hold a
// password.
[[nodiscard]] std::string shown_key(const GitSetting& setting);

struct GitKeyChange {
  std::string key;  // as shown_key() writes it
  std::string_view effect;
  bool is_new = true;  // false if the key had another value before
};

// What `after` has and `before` has not. A key counts once, with all its values.
[[nodiscard]] std::vector<GitKeyChange> changed_git_keys(const GitConfig& before,
                                                         const GitConfig& after);

}  // namespace bawn::handoff
