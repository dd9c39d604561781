// The foundation of 'bawn run', for the early keeper (early_keeper.h).
//
// When bawn knows what to tell, the keeper could be half done with it. So it is told at once what 'bawn run' nearly always
// tells: the caller's own ids, a private /tmp without a limit, the standing parts. This is a guess and no decision: bawn
// makes the foundation from policy and host as ever, and a keeper that was told anything else is ended for another.
#pragma once

#include <cstdint>
#include <string_view>

#include "linux/keeper/program.h"

namespace bawn {

enum class EarlyWord {
  none,    // it waits for its foundation like any keeper
  said,    // it has one
  spoilt,  // something went wrong on the way: it is of no use
};

struct EarlyFoundation {
  EarlyWord word = EarlyWord::none;
  keeper::Foundation header{};
  std::uint64_t begun_ns = 0;  // CLOCK_MONOTONIC, if the time is taken
};

struct EarlyOrder {
  long keeper;  // its process
  int control;
  bool timing;
};

// Runs before the C library. Gives the keeper's user namespace its ids, and the keeper its first text.
void tell_early(const EarlyOrder& order, EarlyFoundation& foundation);

// Whether `text` is all that was said.
[[nodiscard]] bool was_said(const EarlyFoundation& foundation, std::string_view text);

}  // namespace bawn
