#include "run/identity.h"

#include <chrono>

#include "base/run_id.h"
#include "base/text.h"

namespace bawn {

namespace {

std::uint32_t draw_of(const RandomBytes& random) {
  std::uint32_t draw = 0;
  for (std::size_t i = 0; i < sizeof draw; ++i) draw = draw << 8 | random[i];
  return draw;
}

}  // namespace

RunIdentity fresh_identity(const Request& request, const RandomBytes& random) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::string id = make_run_id(static_cast<std::uint64_t>(ms), random);
  return {.run_id = request.run_id.empty() ? id : request.run_id,
          .private_name = concat("bawn-", id),
          .draw = draw_of(random)};
}

RunIdentity unnamed_identity(const Request& request) {
  return {.run_id = request.run_id.empty() ? "<run-id>" : request.run_id,
          .private_name = "bawn-<run-id>"};
}

}  // namespace bawn
