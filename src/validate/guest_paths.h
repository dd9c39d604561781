// The files by the names that a run has for them, where the policy shows some of the host at other
// places.
//
// With "/a" granted at "/b", "/b/x" is the host's "/a/x", whatever the host itself has at "/b"; and
// there is no "/a", unless something else shows it. Of two places, one inside the other, the inner
// one has its names, as with mounts. Links are followed as the kernel will follow them in the run,
// so their text is a name of the run, too. What cannot be told by these rules is an error, and an
// error is refused.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/path_walk.h"
#include "validate/validate.h"

namespace bawn {

// Something of the host, and where the run sees it. Both canonical.
struct GuestMapping {
  std::string destination;
  std::string source;
};

[[nodiscard]] bool remaps_grants(const Policy::Filesystem& filesystem);

// The workspace, the grants, the system, and the directories in which programs are looked for.
[[nodiscard]] std::vector<GuestMapping> guest_mappings(const Policy& policy,
                                                       const Located& workspace,
                                                       const ValidationContext& context);

class GuestPaths final : public PathLookup {
 public:
  // `host` is borrowed and knows the host's names.
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

  [[nodiscard]] const GuestMapping* mapping_of(std::string_view path) const;
  [[nodiscard]] std::string separate_host_path(std::string_view path) const;
  [[nodiscard]] bool leads_to_mapping(std::string_view path) const;
  [[nodiscard]] bool is_remapped_away(std::string_view path) const;

  const PathLookup& host_;
  std::vector<GuestMapping> mappings_;  // inner ones before those around them
};

}  // namespace bawn
