// The setup message of 'bawn run', for the early init (early_init.h).
//
// When bawn knows what to tell, init could be half done with it. So it is told at once what 'bawn run' nearly always
// tells: the caller's own ids, a private /tmp without a limit, the base mounts. This is a guess and no decision: bawn
// makes the setup message from policy and host as ever, and an init that was told anything else is ended for another.
#pragma once

#include <cstdint>
#include <string_view>

#include "linux/init/messages.h"

namespace bawn {

enum class EarlyWord {
  none,    // it waits for its setup message like any init
  said,    // it has one
  spoilt,  // something went wrong on the way: it is of no use
};

struct EarlySetup {
  EarlyWord word = EarlyWord::none;
  init::SetupMessage header{};
  std::uint64_t begun_ns = 0;  // CLOCK_MONOTONIC, if the time is taken
};

struct EarlyOrder {
  long init;  // its process
  int control;
  bool timing;
};

// Runs before the C library. Gives init's user namespace its ids, and init its first text.
void tell_early(const EarlyOrder& order, EarlySetup& setup);

// Whether `text` is all that was said.
[[nodiscard]] bool was_said(const EarlySetup& setup, std::string_view text);

}  // namespace bawn
