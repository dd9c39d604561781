// Looks guest paths up, for a policy that shows parts of the host at other paths (tier c).
//
// With the host's "/a" granted at "/b":
//  - the guest path "/b/x" is the host path "/a/x", whatever the host itself has at "/b";
//  - the guest path "/a" does not exist, unless another mapping shows it.
// Where one destination lies inside another, the inner one wins, as with mounts. The text of a
// symbolic link is a guest path too, because the kernel will follow the link inside the sandbox. A
// path that these rules cannot settle gets an `error`, and the validator refuses it.
//
// Not for grants and the workspace of the policy: those are host paths.
#pragma once

#include <string>
#include <vector>

#include "validate/lookup.h"
#include "validate/path_walk.h"
#include "validate/validate.h"

namespace bawn {

struct FilesystemPolicy;

// One file or directory of the host and the guest path at which the command sees it. Both paths are
// canonical.
struct GuestMapping {
  std::string destination;  // guest path
  std::string source;       // host path
};

// True if some grant has a destination (Grant::at), so that guest paths and host paths differ.
[[nodiscard]] bool remaps_grants(const FilesystemPolicy& filesystem);

// Everything of the host that the command will see: the system's trees, the workspace, the grants
// and the search directories. Left out are grants that cannot be located, and search directories
// that a remapped grant covers. `context.lookup` must look host paths up.
[[nodiscard]] std::vector<GuestMapping> guest_mappings(const FilesystemPolicy& filesystem,
                                                       const Located& workspace,
                                                       const ValidationContext& context);

// A PathLookup for guest paths. A Located from here has the guest path in `path`, and the host path
// in `separate_host_path` where the two differ. Its `links` have host paths, but their `maker` is
// not determined: ask host() where that matters.
class GuestPaths final : public PathLookup {
 public:
  // `host` looks host paths up. It is borrowed and must outlive this object.
  GuestPaths(const PathLookup& host, std::vector<GuestMapping> mappings);

  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] const PathLookup& host() const override { return host_; }
  [[nodiscard]] std::span<const std::string_view> trusted_path() const override {
    return host_.trusted_path();
  }
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;
  [[nodiscard]] std::optional<Error> shortage() const override { return host_.shortage(); }

 private:
  class Tree;

  // The innermost mapping at or above the guest path; null if none covers it.
  [[nodiscard]] const GuestMapping* mapping_of(std::string_view path) const;
  // The host path of a guest path if a remapped grant covers it; otherwise "".
  [[nodiscard]] std::string separate_host_path(std::string_view path) const;
  // True if the guest path is a directory that init makes on the way to a destination.
  [[nodiscard]] bool leads_to_mapping(std::string_view path) const;
  // True if the path lies in the source of a remapped grant, so the command does not see it there.
  [[nodiscard]] bool is_remapped_away(std::string_view path) const;

  const PathLookup& host_;
  std::vector<GuestMapping> mappings_;  // longest destination first, so the inner one wins
};

}  // namespace bawn
