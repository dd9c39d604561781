// Filters that were compiled from profiles of the user's own, kept between runs: to compile one takes 1 ms of a cold
// start, to find it here 0.2.
//
// What is kept here decides what the next command may do, so it must be out of reach of the commands themselves, which run
// as the same user: hence the user's runtime directory ($XDG_RUNTIME_DIR), whose other contents (the bus, the display) no
// policy can give away without giving everything away, and not ~/.cache, which policies do grant. Nothing is taken from a
// directory or file that anyone but this user owns or may write to. A cache that is absent, foreign or damaged is not an
// error: the filter is compiled again.
#pragma once

#include <linux/filter.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sys/fd.h"

namespace bawn {

// The bits that no mode may have, whatever the profile says.
enum class RefusedSetId { user, user_and_group };

class ProfileCache {
 public:
  // In the folder `bawn` of this directory, which is made if need be. Empty if it cannot be used or may not be trusted.
  [[nodiscard]] static std::optional<ProfileCache> open(const std::string& runtime_directory);

  // By the text of the profile, by what holds besides it, and by what compiler would make a filter of both.
  [[nodiscard]] std::optional<std::vector<sock_filter>> find(std::string_view profile_text,
                                                             RefusedSetId refused) const;

  // Appears under its name whole or not at all. Failure is silent: it only costs the next run its time.
  void keep(std::string_view profile_text, RefusedSetId refused, std::span<const sock_filter> filter) const;

 private:
  explicit ProfileCache(Fd folder) : folder_(std::move(folder)) {}

  Fd folder_;
};

}  // namespace bawn
