// Decodes the messages of messages.h: checks everything and turns offsets into pointers.
//
// The sender is not trusted. A message that is accepted has every part inside itself, every string
// terminated, every bool 0 or 1, every enum and count in range, and no byte that belongs to no
// field. What the kernel checks anyway is left to it: Landlock rights, the instructions of a
// filter, the modes of a terminal, whether a path exists.
//
// Freestanding: compiled into init, and into a library for bawn's tests and fuzzers. Pure, but for
// the message, which is changed in place: arrays of offsets become arrays of pointers. So the
// results borrow the message, which must stay where it is, writable and out of the sender's reach
// for as long as they are used. A message can be decoded once. After a refusal its content is
// undefined.
#pragma once

#include <cstddef>

#include "backend/linux/wire/messages.h"

namespace bawn::init {

// The messages as init uses them. A text or list that a message does not have is null.
using Setup = SetupMessageOf<Pointers>;
using Exec = ExecMessageOf<Pointers>;
using MountOp = MountOpIn<Pointers>;
using StdioFile = StdioFileOf<Pointers>;
using MountOpList = ListOf<Pointers, MountOp>;

// What an ExecMessage must fit.
struct ExecContext {
  bool in_namespaces;      // a SetupMessage came before it
  std::uint32_t sequence;  // the number that it must have
};

// False if the message is malformed; then `setup` or `exec` must not be used. `message` must be
// aligned to 8.
[[nodiscard]] bool decode_setup(char* message, std::size_t size, Setup& setup);
[[nodiscard]] bool decode_exec(char* message, std::size_t size, const ExecContext& context,
                               Exec& exec);

}  // namespace bawn::init
