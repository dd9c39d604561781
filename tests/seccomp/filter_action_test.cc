// Properties of every filter as a whole: newer calls, other architectures, cost. Single calls are
// in claims_test.cc.

#include <gtest/gtest.h>
#include <linux/audit.h>

#include <cerrno>
#include <map>
#include <stdexcept>

#include "backend/linux/seccomp/filter.h"
#include "backend/linux/seccomp/filter_hash.h"
#include "bpf_machine.h"
#include "claims.h"

namespace bawn::linux_::test {
namespace {

using seccomp::Architecture;

constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;

class FilterAction : public testing::TestWithParam<Architecture> {
 protected:
  [[nodiscard]] static std::vector<sock_filter> filter(const std::string& name) {
    for (const Column& column : claims().columns) {
      if (column.name == name) return filter_of(column.layers, GetParam());
    }
    throw std::runtime_error("no filter " + name);
  }
  // Every filter gives this answer.
  static void expect_answer(const seccomp_data& call, std::uint32_t answer) {
    for (const Column& column : claims().columns)
      EXPECT_EQ(evaluate(filter_of(column.layers, GetParam()), call), answer)
          << column.name << ": " << call.nr << " of " << call.arch;
  }
  static void expect_no_more_lenient(std::span<const sock_filter> filter,
                                     std::span<const sock_filter> than) {
    for (std::uint32_t number = 0; number < 600; ++number) {
      for (std::uint64_t value :
           {0ULL, 1ULL, 2ULL, 8ULL, 16ULL, 02000ULL, 04100ULL, 0x5412ULL, ~0ULL}) {
        const seccomp_data call =
            make_call(number, GetParam(), std::vector<std::uint64_t>(6, value));
        if (evaluate(than, call) == SECCOMP_RET_ALLOW) continue;
        EXPECT_NE(evaluate(filter, call), SECCOMP_RET_ALLOW) << number << " with " << value;
      }
    }
  }
};

TEST_P(FilterAction, OfACallThatIsNewerThanTheProfileIsThatOfAnOlderKernel) {
  for (const std::uint32_t number : {470U, 500U, 0x3fffffffU, 0xffffffffU})
    expect_answer(make_call(number, GetParam()), kNoSuchCall);
}

TEST_P(FilterAction, OfAnotherArchitectureEndsTheProcess) {
  const auto number = *seccomp::syscall_number("read", GetParam());
  const std::uint32_t own = seccomp::audit_architecture(GetParam());
  for (const std::uint32_t architecture :
       {std::uint32_t{AUDIT_ARCH_I386}, std::uint32_t{AUDIT_ARCH_X86_64},
        std::uint32_t{AUDIT_ARCH_ARM}, std::uint32_t{AUDIT_ARCH_AARCH64}, 0U}) {
    seccomp_data call = make_call(number, GetParam());
    call.arch = architecture;
    expect_answer(call, architecture == own ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS);
  }
}

// x32 has the architecture of x86_64 and an extra bit in the number. -1 is not an x32 call: a
// tracer uses it to skip a call.
TEST_P(FilterAction, OfX32EndsTheProcess) {
  const bool has_x32 = GetParam() == Architecture::x86_64;
  for (const std::uint32_t number :
       {0x40000000U, 0x40000000U + 59, 0x40000000U + 512, 0xfffffffeU}) {
    expect_answer(make_call(number, GetParam()), has_x32 ? SECCOMP_RET_KILL_PROCESS : kNoSuchCall);
  }
}

// A later layer can never allow what an earlier layer refuses.
TEST_P(FilterAction, OfMoreLayersIsNeverMoreLenient) {
  for (const Column& column : claims().columns) {
    const auto whole = filter_of(column.layers, GetParam());
    for (std::size_t count = 1; count < column.layers.size(); ++count) {
      const auto end = column.layers.begin() + static_cast<std::ptrdiff_t>(count);
      expect_no_more_lenient(whole, filter_of({column.layers.begin(), end}, GetParam()));
    }
  }
}

// For frequent calls the kernel must not run the filter. fcntl is not among them, because its
// leases are refused (no-lease.json).
TEST_P(FilterAction, OfFrequentCallsIsKnownToTheKernelBeforehand) {
  for (const char* name :
       {"read",          "write",    "close",          "fstat",   "newfstatat", "mmap",
        "munmap",        "mprotect", "futex",          "lseek",   "pread64",    "epoll_pwait",
        "clock_gettime", "getpid",   "rt_sigprocmask", "recvmsg", "sendmsg",    "execve",
        "wait4",         "statx",    "readlinkat"}) {
    const auto number = seccomp::syscall_number(name, GetParam());
    ASSERT_TRUE(number) << name;
    for (const Column& column : claims().columns) {
      const auto filter = filter_of(column.layers, GetParam());
      EXPECT_TRUE(always_allowed(filter, make_call(*number, GetParam())))
          << column.name << ": " << name;
    }
  }
  const auto ioctl = *seccomp::syscall_number("ioctl", GetParam());
  EXPECT_FALSE(always_allowed(filter("default"), make_call(ioctl, GetParam())));
}

// Loading a filter costs time for each instruction. Raise these numbers only on purpose.
TEST_P(FilterAction, TakesFewInstructions) {
  EXPECT_LE(filter("tier_b").size(), 155U);
  EXPECT_LE(filter("no_network").size(), 155U);
  EXPECT_LE(filter("default").size(), 216U);
  EXPECT_LE(filter("default_root").size(), 216U);
  EXPECT_LE(filter("strict").size(), 288U);
}

INSTANTIATE_TEST_SUITE_P(Both, FilterAction, testing::ValuesIn(kArchitectures),
                         [](const auto& one) { return architecture_name(one.param); });

bool same(std::span<const sock_filter> a, std::span<const sock_filter> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const sock_filter& x, const sock_filter& y) {
                      return x.code == y.code && x.jt == y.jt && x.jf == y.jf && x.k == y.k;
                    });
}

std::span<const sock_filter> built_in(std::string_view name) {
  return built_in_filter(name).value().built_in;
}

// The build lists the layers in seccomp/meson.build.
TEST(BuiltInFilter, IsTheOneThatTheClaimsAreAbout) {
  const std::map<std::string, std::span<const sock_filter>> built = {
      {"tier_b", built_in("tier-b")},
      {"no_network", built_in("no-network")},
      {"default", built_in("default")},
      {"default_root", built_in("default-root")},
      {"strict", built_in("strict")}};
  ASSERT_EQ(built.size(), claims().columns.size());
  for (const Column& column : claims().columns)
    EXPECT_TRUE(same(built.at(column.name), filter_of(column.layers, seccomp::kNativeArchitecture)))
        << column.name;
}

TEST(BuiltInFilter, HasOneLayerMoreWhereProgramsAreListed) {
  for (Column column : claims().columns) {
    column.layers.emplace_back("no-memfd");
    std::string name = column.name;
    std::ranges::replace(name, '_', '-');
    const auto filter = load_filter({.name = name, .refuse_memfd = true});
    ASSERT_TRUE(filter.ok()) << name;
    EXPECT_EQ(filter.value().name, name + "-no-memfd");
    EXPECT_TRUE(
        same(filter.value().built_in, filter_of(column.layers, seccomp::kNativeArchitecture)))
        << name;
  }
}

TEST(BuiltInFilter, IsTheOneThatThePlanNames) {
  for (const std::string name : {"tier-b", "no-network", "default", "default-root", "strict"})
    EXPECT_EQ(load_filter({.name = name}).value().name, name);
  EXPECT_FALSE(load_filter({.name = "none"}));
  EXPECT_FALSE(load_filter({}));
}

TEST(FilterHash, NamesAFilterInSixteenDigits) {
  const std::string hash = filter_hash(built_in("default"));
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(hash, filter_hash(built_in("default")));
  EXPECT_NE(hash, filter_hash(built_in("strict")));
  // SHA-256 of {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW} in the kernel's layout.
  const sock_filter allow[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  EXPECT_EQ(filter_hash(allow), "40b2a31e1a78576b");
}

TEST(FilterHash, OfTheBuildIsWhatItWouldBeNow) {
  for (const std::string name : {"tier-b", "no-network", "default", "default-root", "strict"}) {
    const auto filter = load_filter({.name = name});
    ASSERT_TRUE(filter) << filter.error().message;
    EXPECT_EQ(filter.value().hash, filter_hash(filter.value().code())) << name;
  }
}

}  // namespace
}  // namespace bawn::linux_::test
