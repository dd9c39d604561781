// Any bytes as an ExecMessage: init refuses them, or can follow every pointer that it is given.
#include <cstddef>
#include <cstdint>

#include "backend/linux/wire/walk_message.h"
#include "fuzz/message_copy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bawn;
  for (const bool with_head : {false, true}) {
    for (const bool in_namespaces : {false, true}) {
      MessageCopy copy(data, size);
      if (with_head) copy.correct_head(init::kExecMagic);
      init::Exec exec;
      linux_::Walk walk;
      const init::ExecContext context = {.in_namespaces = in_namespaces, .sequence = 1};
      if (init::decode_exec(copy.bytes(), copy.size(), context, exec)) walk.exec(exec);
    }
  }
  return 0;
}
