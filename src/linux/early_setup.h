// The setup message of 'bawn run', for the early init (early_init.h).
//
// When bawn knows what to tell, init could be half done with it. So it is told at once what 'bawn
// run' nearly always tells: the caller's own ids, a private /tmp without a limit, the base mounts.
// This is a guess and no decision: bawn makes the setup message from policy and host as ever, and
// an init that was told anything else is ended for another.
#pragma once

#include <cstdint>
#include <string_view>

#include "linux/init/messages.h"

namespace bawn {

enum class EarlyState {
  none,    // it waits for its setup message like any init
  sent,    // it has one
  failed,  // something went wrong on the way: it is of no use
};

struct EarlySetup {
  EarlyState state = EarlyState::none;
  init::SetupMessage header{};
  std::uint64_t begun_ns = 0;  // CLOCK_MONOTONIC, if the time is taken
};

struct EarlyOrder {
  long init;  // its process
  int control;
  bool timing;
};

// Runs before the C library. Gives init's user namespace its ids, and init its first message.
void send_early(const EarlyOrder& order, EarlySetup& setup);

// Whether `message` is what was sent.
[[nodiscard]] bool was_sent(const EarlySetup& setup, std::string_view message);

}  // namespace bawn
