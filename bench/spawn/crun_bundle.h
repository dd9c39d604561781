// The files that crun needs for a run: a bundle directory with config.json, an empty root to mount
// on, and a state directory.
//
// Made in /tmp; the destructor removes them. Errors while removing are ignored.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "bench/spawn/field.h"

namespace bawn::bench {

class CrunBundle {
 public:
  // Shared, because every LaunchLine that uses the bundle keeps it alive.
  [[nodiscard]] static Result<std::shared_ptr<const CrunBundle>> create(const BenchSetup& setup);
  CrunBundle(const CrunBundle&) = delete;
  CrunBundle& operator=(const CrunBundle&) = delete;
  ~CrunBundle();

  // The bundle directory, and the directory for `crun --root`.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string state() const { return path_ + "/state"; }

 private:
  explicit CrunBundle(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace bawn::bench
