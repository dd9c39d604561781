// The roles of init's program: the word in argv[1] with which bawn starts it.
//
// One program has them all, because a library can hold one image without a file on disk. The words
// are arrays: a pointer would need a relocation, and init has no loader to apply it.
#pragma once

namespace bawn::init {

inline constexpr char kInit[] = "init";
inline constexpr char kInitWithNetns[] = "init-with-netns";  // makes a network namespace at once
inline constexpr char kReapCgroups[] = "reap-cgroups";       // the arguments behind it: directories

[[nodiscard]] inline bool is_role(const char* word, const char* role) {
  while (*word == *role && *role != 0) ++word, ++role;
  return *word == *role;
}

}  // namespace bawn::init
