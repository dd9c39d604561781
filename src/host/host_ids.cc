#include "host/host_ids.h"

#include <array>
#include <string_view>

#include "base/text.h"

namespace bawn {

// CAP_SETFCAP: the map of a mount contains root.
std::string lack_of_host_ids(CapabilitySet capabilities, const HostIdFacts& facts) {
  struct Needed {
    Capability capability;
    std::string_view name;
  };
  static constexpr std::array<Needed, 5> kNeeded{{{Capability::chown, "CAP_CHOWN"},
                                                  {Capability::setgid, "CAP_SETGID"},
                                                  {Capability::setuid, "CAP_SETUID"},
                                                  {Capability::sys_admin, "CAP_SYS_ADMIN"},
                                                  {Capability::setfcap, "CAP_SETFCAP"}}};
  for (const Needed& needed : kNeeded) {
    if (!capabilities.has(needed.capability)) return concat("root lacks ", needed.name);
  }
  return facts.lack;
}

}  // namespace bawn
