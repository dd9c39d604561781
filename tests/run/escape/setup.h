// The place of one attempt: a workspace with a protected file, a hidden directory and links that
// lead out; and outside of it files and listening sockets that an attempt would reach.
//
// expect_untouched() compares the outside with its state at construction. Make a fresh TestSetup
// for each run that must leave no trace, since a control may change things.
#pragma once

#include <string>

#include "../fixture.h"
#include "attempt.h"
#include "sys/fd.h"

namespace bawn::escape {

// Owns the workspace and the sockets. An attempt that connects leaves its connection in their
// queues.
class TestSetup {
 public:
  TestSetup();

  // Runs the guest with these words and returns what it printed, or the name of the signal that
  // ended it. `grant` may widen the policy first.
  [[nodiscard]] std::string in_sandbox(const Words& words,
                                       void (*grant)(FixturePolicy&) = nullptr) const;
  // The same without a sandbox: for controls.
  [[nodiscard]] std::string unconfined(const Words& words) const;

  // Fails the test if a file outside, the protected file or the hidden one has changed, or if a
  // socket outside was reached.
  void expect_untouched() const;

  [[nodiscard]] const RunFixture& fixture() const { return fixture_; }
  // The policy of in_sandbox(): deep/guarded is protected, secrets is hidden.
  [[nodiscard]] FixturePolicy policy() const;

 private:
  [[nodiscard]] Words filled(const Words& words) const;
  [[nodiscard]] std::string came_of(const FixturePolicy& policy, const Words& words) const;
  [[nodiscard]] std::string outside_state() const;

  RunFixture fixture_;
  Fd tcp_, tcp6_, abstract_, agent_, log_;
  std::string tcp_port_, tcp6_port_, abstract_name_;
  std::string state_;
};

}  // namespace bawn::escape
