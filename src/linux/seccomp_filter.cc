#include "linux/seccomp_filter.h"

namespace bawn {
namespace {

constexpr sock_filter kFence[] = {
#include "fence.inc"
};

constexpr sock_filter kNoNetwork[] = {
#include "no_network.inc"
};

}  // namespace

std::span<const sock_filter> fence_filter() { return kFence; }
std::span<const sock_filter> no_network_filter() { return kNoNetwork; }

}  // namespace bawn
