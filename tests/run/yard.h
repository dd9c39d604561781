// A workspace of its own for one test, and runs of the misbehaving program in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/bawn.h"

namespace bawn {

// The program from tests/sandboxee.
[[nodiscard]] std::string sandboxee();

// Preset agent with the misbehaving program on its allow list and room to run on a loaded machine.
[[nodiscard]] Policy yard_policy();

class Yard {
 public:
  Yard();
  ~Yard();
  Yard(const Yard&) = delete;
  Yard& operator=(const Yard&) = delete;

  [[nodiscard]] const std::string& workspace() const { return workspace_; }
  // A directory beside the workspace that no policy grants.
  [[nodiscard]] const std::string& outside() const { return outside_; }

  // Makes a file with some content and returns its path.
  std::string file(const std::string& directory, const std::string& name) const;

  [[nodiscard]] Outcome run(const Policy& policy, std::vector<std::string> verb_and_arguments) const;
  [[nodiscard]] Outcome run(std::vector<std::string> verb_and_arguments) const;

 private:
  std::string root_;
  std::string workspace_;
  std::string outside_;
};

[[nodiscard]] LayerState layer_state(const Outcome& outcome, std::string_view layer);
[[nodiscard]] std::string layer_evidence(const Outcome& outcome, std::string_view layer);

// A process on this machine that has `marker` among its arguments and was really exec'd with it.
[[nodiscard]] std::optional<int> process_with_argument(const std::string& marker);

// The open descriptors of this process.
[[nodiscard]] int open_descriptors();

}  // namespace bawn
