// The part of a policy about files beside the workspace.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bawn {

// A host path that the command sees beside its workspace.
struct Grant {
  std::string path;  // host path, absolute
  // Guest path; "": the same as the host path. A different one needs tier c on Linux.
  std::string at;
  // In a run whose programs are listed: any program in it may be executed, and any file mapped as
  // code. Without a list everything may be.
  bool exec = false;

  Grant() = default;
  // A path alone is the usual grant: `policy.filesystem.read = {"/srv/data"}`.
  Grant(std::string source) : path(std::move(source)) {}  // NOLINT(google-explicit-constructor)
  Grant(const char* source) : path(source) {}             // NOLINT(google-explicit-constructor)
  Grant(std::string source, std::string shown_at)
      : path(std::move(source)), at(std::move(shown_at)) {}

  // The guest path as the policy spells it: symbolic links of the host are not followed.
  [[nodiscard]] const std::string& place() const { return at.empty() ? path : at; }

  bool operator==(const Grant&) const = default;
};

enum class Tmp { none, private_dir };

struct FilesystemPolicy {
  std::vector<Grant> read;
  std::vector<Grant> write;  // reading included
  Tmp tmp = Tmp::none;
  bool operator==(const FilesystemPolicy&) const = default;
};

}  // namespace bawn
