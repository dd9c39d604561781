// A directory for one test of the benchmarks, and shell scripts in it that take the place of
// launchers.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace bawn::bench {

// The destructor removes the directory with its content.
class Scratch {
 public:
  Scratch() {
    std::string path = testing::TempDir() + "/bawn-launcher-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    path_ = std::filesystem::canonical(path);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  // Makes an executable file that runs `text` in a shell, and returns its path.
  [[nodiscard]] std::string script(const std::string& name, std::string_view text) const {
    std::string path = path_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::all);
    return path;
  }

  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(path_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

}  // namespace bawn::bench
