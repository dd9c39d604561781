// The setup message of 'bawn run', sent early to the early init (early_init.h).
//
// Init could be half done by the time bawn knows what to send. So init is sent at once what 'bawn
// run' nearly always sends: the caller's ids, a private /tmp without a limit, the base mounts. This
// is a guess, not a decision: bawn still builds the setup message from policy and host, and
// replaces an init whose early message differs from it.
#pragma once

#include <cstdint>
#include <string_view>

#include "linux/init/messages.h"

namespace bawn {

enum class EarlyState {
  none,    // init waits for its setup message as usual
  sent,    // init has its setup message
  failed,  // an error occurred on the way: init cannot be used
};

struct EarlySetup {
  EarlyState state = EarlyState::none;
  init::SetupMessage header{};
  std::uint64_t begun_ns = 0;  // CLOCK_MONOTONIC; 0 without timing
};

struct EarlyOrder {
  long init;    // pid
  int control;  // borrowed
  bool timing;
};

// Runs before the C library. Writes the id maps of init's user namespace and sends init its first
// message. Afterwards `setup.state` is `sent` or `failed`; no descriptor is left open.
void send_early(const EarlyOrder& order, EarlySetup& setup);

// Whether `message` equals the message that was sent, byte by byte. The id maps are not part of it.
[[nodiscard]] bool was_sent(const EarlySetup& setup, std::string_view message);

}  // namespace bawn
