// Any bytes as a SetupMessage: init refuses them, or can follow every pointer that it is given.
#include <cstddef>
#include <cstdint>

#include "backend/linux/wire/walk_message.h"
#include "fuzz/message_copy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bawn;
  for (const bool with_head : {false, true}) {
    MessageCopy copy(data, size);
    if (with_head) copy.correct_head(init::kSetupMagic);
    init::Setup setup;
    linux_::Walk walk;
    if (init::decode_setup(copy.bytes(), copy.size(), setup)) walk.setup(setup);
  }
  return 0;
}
