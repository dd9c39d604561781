#include "bpf_machine.h"

#include <cstring>
#include <stdexcept>

namespace bawn::linux_::test {
namespace {

class Machine {
 public:
  Machine(std::span<const sock_filter> filter, const seccomp_data& call)
      : filter_(filter), call_(call) {}

  std::uint32_t run() {
    for (;;) {
      if (at_ >= filter_.size()) throw std::logic_error("the filter ends without an answer");
      const sock_filter& one = filter_[at_++];
      if (one.code == (BPF_RET | BPF_K)) return one.k;
      step(one);
    }
  }

  [[nodiscard]] bool has_read_arguments() const { return has_read_arguments_; }

 private:
  void step(const sock_filter& one) {
    switch (one.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        return load(one.k);
      case BPF_ALU | BPF_AND | BPF_K:
        accumulator_ &= one.k;
        return;
      case BPF_JMP | BPF_JA:
        at_ += one.k;
        return;
      case BPF_JMP | BPF_JEQ | BPF_K:
        return branch(one, accumulator_ == one.k);
      case BPF_JMP | BPF_JGT | BPF_K:
        return branch(one, accumulator_ > one.k);
      case BPF_JMP | BPF_JGE | BPF_K:
        return branch(one, accumulator_ >= one.k);
      case BPF_JMP | BPF_JSET | BPF_K:
        return branch(one, (accumulator_ & one.k) != 0);
      default:
        throw std::logic_error("an instruction that seccomp does not take");
    }
  }

  void load(std::uint32_t offset) {
    if (offset % sizeof accumulator_ != 0 || offset > sizeof call_ - sizeof accumulator_)
      throw std::logic_error("a load from outside of the call");
    if (offset >= offsetof(seccomp_data, args)) has_read_arguments_ = true;
    std::memcpy(&accumulator_, reinterpret_cast<const char*>(&call_) + offset, sizeof accumulator_);
  }

  void branch(const sock_filter& one, bool holds) { at_ += holds ? one.jt : one.jf; }

  std::span<const sock_filter> filter_;
  const seccomp_data& call_;
  std::size_t at_ = 0;
  std::uint32_t accumulator_ = 0;
  bool has_read_arguments_ = false;
};

}  // namespace

std::uint32_t evaluate(std::span<const sock_filter> filter, const seccomp_data& call) {
  return Machine(filter, call).run();
}

bool always_allowed(std::span<const sock_filter> filter, const seccomp_data& call) {
  Machine machine(filter, call);
  return machine.run() == SECCOMP_RET_ALLOW && !machine.has_read_arguments();
}

}  // namespace bawn::linux_::test
