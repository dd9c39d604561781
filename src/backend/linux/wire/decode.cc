#include "backend/linux/wire/decode.h"

#include <linux/filter.h>

#include <new>
#include <type_traits>

namespace bawn::init {
namespace {

// No padding: every byte of a message belongs to a field, and is checked.
static_assert(std::has_unique_object_representations_v<SetupMessage>);
static_assert(std::has_unique_object_representations_v<ExecMessage>);
static_assert(std::has_unique_object_representations_v<MountOpIn<Offsets>>);
// A decoded array takes the place of the one that was sent.
static_assert(sizeof(MountOp) == sizeof(MountOpIn<Offsets>) && alignof(MountOp) <= 8);
static_assert(sizeof(Setup) == sizeof(SetupMessage) && sizeof(Exec) == sizeof(ExecMessage));
static_assert(sizeof(char*) == sizeof(std::uint64_t));

constexpr std::uint64_t kAlignment = 8;
constexpr std::uint32_t kNoId = ~std::uint32_t{0};  // "keep it", for setresuid and setresgid
constexpr std::uint32_t kRlimitCount = 16;          // RLIM_NLIMITS
constexpr std::uint32_t kWriteOnly = 1;             // O_WRONLY; O_RDONLY is 0

constexpr std::uint32_t bit(std::uint32_t slot) { return 1U << slot; }

// Looks at the byte, because a bool that is neither 0 nor 1 must not be read as a bool.
template <class... Bools>
bool are_bools(const Bools&... bools) {
  static_assert((std::is_same_v<Bools, bool> && ...));
  return ((*reinterpret_cast<const unsigned char*>(&bools) <= 1) && ...);
}

template <std::size_t kSize>
bool is_zero(const std::uint8_t (&bytes)[kSize]) {
  std::uint8_t any = 0;
  for (const std::uint8_t byte : bytes) any |= byte;
  return any == 0;
}

bool is_dots(const char* name) {
  return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

// The name of a file in a directory: it cannot lead elsewhere.
bool is_name(const char* text) {
  if (text[0] == 0 || is_dots(text)) return false;
  while (*text != 0 && *text != '/') ++text;
  return *text == 0;
}

// An absolute path without a component "..".
bool is_path(const char* text) {
  if (text[0] != '/') return false;
  for (; *text != 0; ++text) {
    const bool goes_up = text[0] == '/' && text[1] == '.' && text[2] == '.';
    if (goes_up && (text[3] == '/' || text[3] == 0)) return false;
  }
  return true;
}

// The parts of a message, from the first to the last. Each must begin where messages.h says; every
// function returns false if it does not, or if it does not end inside the message.
class Parts {
 public:
  Parts(char* message, std::size_t size, std::size_t first)
      : message_(message), size_(size), at_(first) {}

  // Offset 0, and no part.
  template <class T>
  static bool none(std::uint64_t offset, T*& part) {
    part = nullptr;
    return offset == 0;
  }

  bool text(std::uint64_t offset, const char*& text) {
    if (!enter(offset, 1)) return false;
    text = message_ + at_;
    while (at_ < size_ && message_[at_] != 0) ++at_;
    if (at_ == size_) return false;
    ++at_;
    return true;
  }

  bool path(std::uint64_t offset, const char*& path) { return text(offset, path) && is_path(path); }

  // T[count]; an empty one is no part.
  template <class T>
  bool array(std::uint64_t offset, std::uint64_t count, T*& array) {
    if (count == 0) return none(offset, array);
    if (count > size_ / sizeof(T) || !enter(offset, count * sizeof(T))) return false;
    array = reinterpret_cast<T*>(message_ + at_);
    at_ += count * sizeof(T);
    return true;
  }

  bool strings(const StringsOf<Offsets>& sent, StringsOf<Pointers>& strings) {
    std::uint64_t* offsets = nullptr;
    if (sent.count == ~std::uint64_t{0} || !array(sent.at, sent.count + 1, offsets)) return false;
    if (offsets[sent.count] != 0) return false;
    for (std::uint64_t i = 0; i < sent.count; ++i) {
      const char* each = nullptr;
      if (!text(offsets[i], each)) return false;
      new (offsets + i) const char*(each);
    }
    strings = {reinterpret_cast<const char**>(offsets), sent.count};
    return true;
  }

  // `trees` come with the message; each is used once, in order.
  bool mounts(const ListOf<Offsets, MountOpIn<Offsets>>& sent, std::uint32_t trees,
              MountOpList& list) {
    MountOpIn<Offsets>* ops = nullptr;
    if (!array(sent.at, sent.count, ops)) return false;
    std::uint32_t used = 0;
    for (std::uint64_t i = 0; i < sent.count; ++i) {
      MountOp op;
      if (!mount(ops[i], op) || (op.tree != 0 && op.tree != ++used)) return false;
      new (ops + i) MountOp(op);
    }
    if (used != trees) return false;
    list = {reinterpret_cast<MountOp*>(ops), sent.count};
    return true;
  }

  [[nodiscard]] bool ended() const { return at_ == size_; }

 private:
  bool enter(std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t start = (at_ + kAlignment - 1) / kAlignment * kAlignment;
    if (offset != start || start > size_ || bytes > size_ - start) return false;
    for (; at_ < start; ++at_) {
      if (message_[at_] != 0) return false;
    }
    return true;
  }

  bool mount(const MountOpIn<Offsets>& sent, MountOp& op) {
    if (sent.kind > kLastMountOpKind || !are_bools(sent.writable, sent.device) ||
        sent.exec > kLastMountExec)
      return false;
    const bool may_be_writable =
        sent.kind == MountOpKind::bind || sent.kind == MountOpKind::scratch;
    const bool may_be_device =
        sent.kind == MountOpKind::mirror || sent.kind == MountOpKind::terminals;
    if ((sent.writable && !may_be_writable) || (sent.device && !may_be_device) ||
        (sent.exec != MountExec::execute && !can_have_exec(sent.kind)) ||
        (sent.tree != 0 && sent.kind != MountOpKind::bind))
      return false;
    op.tree = sent.tree;
    op.kind = sent.kind;
    op.writable = sent.writable;
    op.device = sent.device;
    op.exec = sent.exec;
    op.source.identity = sent.source.identity;
    return path(sent.destination, op.destination) &&
           (has_content(sent.kind) ? text(sent.content, op.content)
                                   : none(sent.content, op.content)) &&
           (has_source(sent.kind) ? path(sent.source.path, op.source.path)
                                  : none(sent.source.path, op.source.path));
  }

  char* message_;
  std::uint64_t size_;
  std::uint64_t at_;  // the end of the last part
};

template <class Message>
const Message* with_head(const char* bytes, std::size_t size, std::uint32_t magic) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % kAlignment == 0;
  if (!aligned || size < sizeof(Message)) return nullptr;
  const auto* message = reinterpret_cast<const Message*>(bytes);
  const Head& head = message->head;
  const bool is_it = head.magic == magic && head.size == size &&
                     (head.slots & ~(bit(slot_count) - 1)) == 0 && head.trees <= kMostTrees;
  return is_it ? message : nullptr;
}

// Both forms have the same layout, so the fields without a reference are copied all at once. The
// caller then sets every reference.
template <class To, class From>
void copy_fields(const From& from, To& to) {
  __builtin_memcpy(&to, &from, sizeof to);
}

bool is_private_name(const char (&name)[kMaxPrivateName], bool sent) {
  std::size_t length = 0;
  while (length < kMaxPrivateName && name[length] != 0) ++length;
  if (length == kMaxPrivateName) return false;
  return sent ? is_name(name) : length == 0;
}

bool are_rlimits(const ExecMessage& sent) {
  if (sent.rlimit_count > kMaxRlimits) return false;
  for (std::uint32_t i = 0; i < sent.rlimit_count; ++i) {
    if (sent.rlimits[i].resource >= kRlimitCount || sent.rlimits[i].reserved != 0) return false;
  }
  return true;
}

bool is_terminal(const TerminalOrder& sent) {
  if (!are_bools(sent.wanted, sent.foreground, sent.has_modes, sent.led_by_command) ||
      !is_zero(sent.reserved))
    return false;
  return sent.stdio < bit(kStdioCount) && (sent.wanted || sent.stdio == 0);
}

bool are_numbers(const ExecMessage& sent, const ExecContext& context) {
  return sent.sequence == context.sequence && are_rlimits(sent) &&
         are_bools(sent.confine, sent.drop_bounding_set, sent.timing, sent.root_is_granted,
                   sent.cwd_is_private, sent.trial) &&
         (context.in_namespaces || !sent.trial) && is_zero(sent.reserved) &&
         is_zero(sent.reserved_2) && (context.in_namespaces || sent.head.trees == 0) &&
         sent.wall_ms <= kMaxMilliseconds && sent.cpu_ms <= kMaxMilliseconds &&
         is_terminal(sent.terminal);
}

// Each file of the command has one origin: a slot, the private terminal, or a path.
bool is_stdio_complete(const ExecMessage& sent) {
  for (std::uint32_t i = 0; i < kStdioCount; ++i) {
    const StdioOrigin origin = sent.stdio[i].origin;
    const bool has_slot = (sent.head.slots & bit(slot_stdin + i)) != 0;
    const bool has_path = origin == StdioOrigin::device || origin == StdioOrigin::host_file;
    const int origins =
        (has_slot ? 1 : 0) + ((sent.terminal.stdio & bit(i)) != 0 ? 1 : 0) + (has_path ? 1 : 0);
    if (origins != 1 || (origin == StdioOrigin::opened && !has_slot)) return false;
  }
  return true;
}

// After are_numbers(): reads bools.
bool are_slots(const ExecMessage& sent, const ExecContext& context) {
  const std::uint32_t slots = sent.head.slots;
  const bool has_private = (slots & bit(slot_private_parent)) != 0;
  if (!is_private_name(sent.private_name, has_private) || !is_stdio_complete(sent)) return false;
  constexpr std::uint32_t kInNamespaces = bit(slot_parent) | bit(slot_landlock) |
                                          bit(slot_executable) | bit(slot_cwd) |
                                          bit(slot_private_parent);
  if (context.in_namespaces) return (slots & kInNamespaces) == 0 && !sent.cwd_is_private;
  constexpr std::uint32_t kNeeded = bit(slot_parent) | bit(slot_executable);
  const bool has_cwd = (slots & bit(slot_cwd)) != 0;
  return (slots & kNeeded) == kNeeded && has_cwd != sent.cwd_is_private &&
         (has_private || !sent.cwd_is_private);
}

bool decode_stdio(const StdioFileOf<Offsets>& sent, Parts& parts, StdioFile& file) {
  if (sent.origin == StdioOrigin::sent || sent.origin == StdioOrigin::opened) {
    return sent.access == 0 && sent.position >= kNoPosition &&
           Parts::none(sent.directory, file.directory) && Parts::none(sent.name, file.name);
  }
  const bool is_known = sent.origin == StdioOrigin::device || sent.origin == StdioOrigin::host_file;
  return is_known && sent.access <= kWriteOnly && sent.position >= kNoPosition &&
         parts.path(sent.directory, file.directory) && parts.text(sent.name, file.name) &&
         is_name(file.name);
}

bool decode_root(const ExecMessage& sent, Parts& parts, Exec& exec) {
  if (!parts.mounts(sent.mounts, sent.head.trees, exec.mounts) ||
      !parts.path(sent.cwd.path, exec.cwd.path) ||
      !parts.path(sent.executable.path, exec.executable.path))
    return false;
  for (std::uint32_t i = 0; i < kStdioCount; ++i) {
    if (!decode_stdio(sent.stdio[i], parts, exec.stdio[i])) return false;
  }
  return true;
}

bool decode_probe(const ExecMessage& sent, Parts& parts, Exec& exec) {
  return sent.exec_probe == 0 ? Parts::none(sent.exec_probe, exec.exec_probe)
                              : parts.path(sent.exec_probe, exec.exec_probe);
}

bool decode_no_root(const ExecMessage& sent, Exec& exec) {
  for (std::uint32_t i = 0; i < kStdioCount; ++i) {
    if (sent.stdio[i].origin != StdioOrigin::sent ||
        !Parts::none(sent.stdio[i].directory, exec.stdio[i].directory) ||
        !Parts::none(sent.stdio[i].name, exec.stdio[i].name))
      return false;
  }
  return sent.mounts.count == 0 && Parts::none(sent.mounts.at, exec.mounts.at) &&
         Parts::none(sent.cwd.path, exec.cwd.path) &&
         Parts::none(sent.executable.path, exec.executable.path);
}

}  // namespace

bool decode_setup(char* message, std::size_t size, Setup& setup) {
  const auto* sent = with_head<SetupMessage>(message, size, kSetupMagic);
  if (sent == nullptr) return false;
  if (!are_bools(sent->timing, sent->new_netns, sent->switch_user, sent->drop_groups,
                 sent->as_pid_1, sent->noexec_root) ||
      !is_zero(sent->reserved) || sent->head.trees != 0 || sent->uid == kNoId || sent->gid == kNoId)
    return false;
  const std::uint32_t others = sent->head.slots & ~(bit(slot_parent) | bit(slot_landlock));
  if (others != 0 || (sent->head.slots & bit(slot_parent)) == 0) return false;
  copy_fields(*sent, setup);
  Parts parts(message, size, sizeof *sent);
  return parts.mounts(sent->base_mounts, 0, setup.base_mounts) && parts.ended();
}

bool decode_exec(char* message, std::size_t size, const ExecContext& context, Exec& exec) {
  const auto* sent = with_head<ExecMessage>(message, size, kExecMagic);
  if (sent == nullptr || !are_numbers(*sent, context) || !are_slots(*sent, context)) return false;
  const bool has_filter = sent->filter.count != 0;
  if (has_filter != sent->confine || sent->filter.count > kMaxFilterLength) return false;
  copy_fields(*sent, exec);
  Parts parts(message, size, sizeof *sent);
  return sent->argv.count != 0 && parts.strings(sent->argv, exec.argv) &&
         parts.strings(sent->envp, exec.envp) &&
         parts.array(sent->filter.at, sent->filter.count, exec.filter.at) &&
         (context.in_namespaces ? decode_root(*sent, parts, exec) : decode_no_root(*sent, exec)) &&
         decode_probe(*sent, parts, exec) && parts.ended();
}

}  // namespace bawn::init
