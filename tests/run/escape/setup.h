// Where an attempt takes place: a workspace with something to protect, something to hide and links
// that lead out; things outside that are worth reaching; and observers that tell whether they were.
#pragma once

#include <string>

#include "../fixture.h"
#include "attempt.h"
#include "sys/fd.h"

namespace bawn::escape {

class TestSetup {
 public:
  TestSetup();

  // What came of the words: what the program printed, or the name of the signal that ended it.
  [[nodiscard]] std::string in_sandbox(const Words& words, void (*grant)(Policy&) = nullptr) const;
  [[nodiscard]] std::string unconfined(const Words& words) const;

  // Fails the test if anything outside, protected or hidden is not as it was made.
  void expect_untouched() const;

  [[nodiscard]] const RunFixture& fixture() const { return fixture_; }
  [[nodiscard]] Policy policy() const;

 private:
  [[nodiscard]] Words filled(const Words& words) const;
  [[nodiscard]] std::string came_of(const Policy& policy, const Words& words) const;
  [[nodiscard]] std::string outside_state() const;

  RunFixture fixture_;
  Fd tcp_, tcp6_, abstract_, agent_, log_;
  std::string tcp_port_, tcp6_port_, abstract_name_;
  std::string state_;
};

}  // namespace bawn::escape
