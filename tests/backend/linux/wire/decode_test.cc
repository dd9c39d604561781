#include "backend/linux/wire/decode.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "backend/linux/wire/sample_messages.h"
#include "backend/linux/wire/walk_message.h"

namespace bawn::linux_ {
namespace {

using init::Exec;
using init::ExecContext;
using init::ExecMessage;
using init::SetupMessage;

constexpr ExecContext kInNamespaces = {.in_namespaces = true, .sequence = 1};
constexpr ExecContext kOutside = {.in_namespaces = false, .sequence = 1};

// A copy of a message in memory of exactly its size, so that a sanitizer sees a read behind it.
class Copy {
 public:
  explicit Copy(std::string_view message)
      : size_(message.size()), bytes_(std::make_unique<char[]>(message.size())) {
    message.copy(bytes_.get(), size_);
  }

  [[nodiscard]] bool is_setup() { return init::decode_setup(bytes_.get(), size_, setup); }
  [[nodiscard]] bool is_exec(const ExecContext& context) {
    return init::decode_exec(bytes_.get(), size_, context, exec);
  }

  init::Setup setup;
  Exec exec;

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

bool is_setup(std::string_view message) { return Copy(message).is_setup(); }
bool is_exec(std::string_view message, const ExecContext& context) {
  return Copy(message).is_exec(context);
}

template <class Message>
Message& fields(std::string& message) {
  return *reinterpret_cast<Message*>(message.data());
}

std::vector<std::string> list(const init::StringsOf<init::Pointers>& strings) {
  return {strings.at, strings.at + strings.count};
}

TEST(DecodeSetup, GivesTheValuesThatWereEncoded) {
  Copy copy(sample_setup());
  ASSERT_TRUE(copy.is_setup());
  const init::Setup& setup = copy.setup;
  EXPECT_TRUE(setup.timing && setup.new_netns && setup.switch_user && setup.drop_groups);
  EXPECT_TRUE(setup.as_pid_1 && setup.noexec_root);
  EXPECT_EQ(setup.uid, 0U);
  EXPECT_EQ(setup.scratch_bytes, 1U << 20);
  EXPECT_EQ(setup.execute_access, rights_of_run(3, true).execute);
  EXPECT_EQ(setup.read_access, landlock_rights(3).read & ~setup.execute_access);
  EXPECT_EQ(setup.write_access, landlock_rights(3).write & ~setup.execute_access);
  EXPECT_EQ(setup.device_access, landlock_rights(3).device);
  ASSERT_EQ(setup.base_mounts.count, 12U);
  const init::MountOp* ops = setup.base_mounts.at;
  EXPECT_EQ(ops[0].kind, MountOpKind::mirror);
  EXPECT_STREQ(ops[0].destination, "/usr");
  EXPECT_EQ(ops[0].content, nullptr);
  EXPECT_EQ(ops[0].source.path, nullptr);
  EXPECT_FALSE(ops[0].device || ops[0].writable);
  EXPECT_TRUE(ops[1].device);
  EXPECT_STREQ(ops[2].content, "127.0.0.1 localhost\n");
  EXPECT_STREQ(ops[3].content, "");
  EXPECT_STREQ(ops[4].content, "/proc/self/fd");
  EXPECT_TRUE(ops[9].writable);
  EXPECT_EQ(ops[10].kind, MountOpKind::bind);
  EXPECT_TRUE(ops[10].writable);
  EXPECT_STREQ(ops[10].destination, "/data");
  EXPECT_STREQ(ops[10].source.path, "/srv/data");
  EXPECT_EQ(ops[10].source.identity.device, (std::uint64_t{8} << 32) | 1);
  EXPECT_EQ(ops[10].source.identity.inode, 77U);
  EXPECT_EQ(ops[0].exec, MountExec::none);
  EXPECT_EQ(ops[10].exec, MountExec::execute);
  EXPECT_EQ(ops[11].kind, MountOpKind::program);
  EXPECT_STREQ(ops[11].source.path, "/usr/bin/cat");
  EXPECT_EQ(ops[11].source.identity.inode, 5U);
}

TEST(DecodeExec, GivesTheValuesThatWereEncodedForNamespaces) {
  Copy copy(sample_exec_in_namespaces());
  ASSERT_TRUE(copy.is_exec(kInNamespaces));
  const Exec& exec = copy.exec;
  EXPECT_EQ(exec.sequence, 1U);
  EXPECT_EQ(list(exec.argv), (std::vector<std::string>{"cat", "", "a b"}));
  EXPECT_EQ(exec.argv.at[3], nullptr);
  EXPECT_EQ(list(exec.envp), (std::vector<std::string>{"HOME=/home/user", "EMPTY="}));
  EXPECT_EQ(exec.envp.at[2], nullptr);
  ASSERT_EQ(exec.filter.count, kSampleFilter.size());
  EXPECT_EQ(std::memcmp(exec.filter.at, kSampleFilter.data(), sizeof kSampleFilter), 0);
  ASSERT_EQ(exec.rlimit_count, 2U);
  EXPECT_EQ(exec.rlimits[1].resource, static_cast<std::uint32_t>(RLIMIT_NOFILE));
  EXPECT_EQ(exec.rlimits[1].value, 64U);
  EXPECT_TRUE(exec.confine && exec.timing && exec.drop_bounding_set);
  EXPECT_FALSE(exec.cwd_is_private || exec.root_is_granted || exec.terminal.wanted);
  EXPECT_EQ(exec.wall_ms, 5000U);
  EXPECT_EQ(exec.cpu_ms, 2000U);
  EXPECT_EQ(exec.outer_namespaces[init::kCgroupNamespace], 7U);
  ASSERT_EQ(exec.mounts.count, 3U);
  EXPECT_EQ(exec.head.trees, 2U);
  EXPECT_EQ(exec.mounts.at[0].tree, 1U);
  EXPECT_EQ(exec.mounts.at[1].tree, 0U);
  EXPECT_EQ(exec.mounts.at[2].tree, 2U);
  EXPECT_STREQ(exec.mounts.at[1].destination, "/work/.env");
  EXPECT_STREQ(exec.cwd.path, "/work");
  EXPECT_EQ(exec.cwd.identity.inode, 6U);
  EXPECT_STREQ(exec.executable.path, "/usr/bin/cat");
  EXPECT_EQ(exec.executable.identity.inode, 5U);
  EXPECT_EQ(exec.stdio[0].origin, init::StdioOrigin::host_file);
  EXPECT_STREQ(exec.stdio[0].directory, "/home/you");
  EXPECT_STREQ(exec.stdio[0].name, "input");
  EXPECT_EQ(exec.stdio[0].position, 12);
  EXPECT_EQ(exec.stdio[1].access, static_cast<std::uint32_t>(O_WRONLY));
  EXPECT_EQ(exec.stdio[2].directory, nullptr);
  EXPECT_STREQ(exec.exec_probe, "/bin/sh");
}

TEST(DecodeExec, TakesAFileThatBawnHasOpened) {
  Copy copy(sample_exec_with_opened_stdin());
  ASSERT_TRUE(copy.is_exec(kInNamespaces));
  const init::StdioFile& input = copy.exec.stdio[0];
  EXPECT_EQ(input.origin, init::StdioOrigin::opened);
  EXPECT_EQ(input.directory, nullptr);
  EXPECT_EQ(input.position, 12);
  EXPECT_EQ(input.identity.inode, 9U);
  std::string without_file = sample_exec_with_opened_stdin();
  fields<ExecMessage>(without_file).head.slots &= ~(1U << init::slot_stdin);
  EXPECT_FALSE(is_exec(without_file, kInNamespaces));
}

TEST(DecodeExec, GivesTheValuesThatWereEncodedForTierB) {
  Copy copy(sample_exec_in_tier_b());
  ASSERT_TRUE(copy.is_exec(kOutside));
  const Exec& exec = copy.exec;
  EXPECT_TRUE(exec.cwd_is_private && exec.drop_bounding_set && exec.confine);
  EXPECT_STREQ(exec.private_name, "bawn-12345");
  EXPECT_EQ(exec.private_access, 2U);
  EXPECT_TRUE(exec.terminal.wanted && exec.terminal.foreground && exec.terminal.has_modes);
  EXPECT_EQ(exec.terminal.stdio, 3);
  EXPECT_EQ(exec.terminal.size.columns, 80);
  EXPECT_EQ(exec.mounts.at, nullptr);
  EXPECT_EQ(exec.cwd.path, nullptr);
  EXPECT_EQ(exec.exec_probe, nullptr);
}

TEST(DecodeExec, TakesAnUnconfinedCommand) {
  Copy copy(sample_exec_unconfined());
  ASSERT_TRUE(copy.is_exec(kOutside));
  EXPECT_FALSE(copy.exec.confine);
  EXPECT_EQ(copy.exec.filter.at, nullptr);
}

TEST(DecodeExec, TakesTheNextNumberOnly) {
  const auto takes = [](std::uint32_t sent, std::uint32_t expected) {
    return is_exec(sample_exec_in_namespaces(sent), {.in_namespaces = true, .sequence = expected});
  };
  EXPECT_TRUE(takes(1, 1));
  EXPECT_TRUE(takes(2, 2));
  EXPECT_FALSE(takes(1, 2)) << "a repeated message";
  EXPECT_FALSE(takes(3, 2)) << "a lost message";
  EXPECT_FALSE(takes(0, 1));
}

// A message for the other tier would make init skip steps that this tier needs.
TEST(DecodeExec, TakesNoMessageForTheOtherTier) {
  EXPECT_TRUE(is_exec(sample_exec_in_namespaces(), kInNamespaces));
  EXPECT_FALSE(is_exec(sample_exec_in_namespaces(), kOutside));
  EXPECT_TRUE(is_exec(sample_exec_in_tier_b(), kOutside));
  EXPECT_FALSE(is_exec(sample_exec_in_tier_b(), kInNamespaces));
}

TEST(DecodeMessage, TakesNoMessageOfTheOtherKind) {
  EXPECT_FALSE(is_setup(sample_exec_in_namespaces()));
  EXPECT_FALSE(is_exec(sample_setup(), kInNamespaces));
}

TEST(DecodeMessage, NeedsAnAlignedAddress) {
  const std::string message = sample_setup();
  std::string shifted(message.size() + 16, '\0');
  init::Setup setup;
  for (const std::size_t by : {0U, 1U, 4U, 8U}) {
    message.copy(shifted.data() + by, message.size());
    EXPECT_EQ(init::decode_setup(shifted.data() + by, message.size(), setup), by % 8 == 0) << by;
  }
}

// One wrong thing in a message that is right otherwise.
template <class Message>
struct Fault {
  const char* name;
  std::function<void(std::string&, Message&)> make;
};
using SetupFault = Fault<SetupMessage>;
using ExecFault = Fault<ExecMessage>;
template <class Message>
void PrintTo(const Fault<Message>& fault, std::ostream* out) {
  *out << fault.name;
}

init::MountOpIn<init::Offsets>& op(std::string& message, std::uint64_t list, std::size_t index) {
  return *reinterpret_cast<init::MountOpIn<init::Offsets>*>(
      message.data() + list + index * sizeof(init::MountOpIn<init::Offsets>));
}

std::uint64_t& word(std::string& message, std::uint64_t offset) {
  return *reinterpret_cast<std::uint64_t*>(message.data() + offset);
}

void set_byte(bool& flag, unsigned char value) { std::memcpy(&flag, &value, 1); }

void resize(std::string& message, std::size_t size) {
  message.resize(size);
  fields<init::Head>(message).size = static_cast<std::uint32_t>(size);
}

class MalformedSetup : public testing::TestWithParam<SetupFault> {};

TEST_P(MalformedSetup, IsRefused) {
  std::string message = sample_setup();
  ASSERT_TRUE(is_setup(message));
  GetParam().make(message, fields<SetupMessage>(message));
  EXPECT_FALSE(is_setup(message));
}

// The index of each kind in sample_setup().
constexpr std::size_t kMirror = 0, kFile = 2, kEmptyFile = 3, kLink = 4, kProc = 5, kHidden = 6,
                      kScratch = 9, kBind = 10, kProgram = 11;

const std::vector<SetupFault>& setup_faults() {
  static const std::vector<SetupFault> kFaults = {
      {"magic", [](auto&, auto& m) { m.head.magic ^= 1; }},
      {"size_too_small", [](auto&, auto& m) { --m.head.size; }},
      {"size_too_large", [](auto&, auto& m) { ++m.head.size; }},
      {"unknown_slot", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_count; }},
      {"highest_slot", [](auto&, auto& m) { m.head.slots |= 1U << 31; }},
      {"slot_of_exec", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_stdin; }},
      {"no_parent", [](auto&, auto& m) { m.head.slots &= ~(1U << init::slot_parent); }},
      {"timing", [](auto&, auto& m) { set_byte(m.timing, 2); }},
      {"new_netns", [](auto&, auto& m) { set_byte(m.new_netns, 0xff); }},
      {"switch_user", [](auto&, auto& m) { set_byte(m.switch_user, 2); }},
      {"drop_groups", [](auto&, auto& m) { set_byte(m.drop_groups, 2); }},
      {"as_pid_1", [](auto&, auto& m) { set_byte(m.as_pid_1, 2); }},
      {"noexec_root", [](auto&, auto& m) { set_byte(m.noexec_root, 2); }},
      {"reserved", [](auto&, auto& m) { m.reserved[1] = 1; }},
      {"trees", [](auto&, auto& m) { m.head.trees = 1; }},
      {"no_uid", [](auto&, auto& m) { m.uid = ~0U; }},
      {"no_gid", [](auto&, auto& m) { m.gid = ~0U; }},
      {"mounts_outside", [](auto& b, auto& m) { m.base_mounts.at = b.size() + 8; }},
      {"mounts_in_the_head", [](auto&, auto& m) { m.base_mounts.at = 0; }},
      {"mounts_unaligned", [](auto&, auto& m) { m.base_mounts.at += 4; }},
      {"mounts_far_away", [](auto&, auto& m) { m.base_mounts.at = ~std::uint64_t{7}; }},
      {"a_mount_more", [](auto&, auto& m) { ++m.base_mounts.count; }},
      {"a_mount_less", [](auto&, auto& m) { --m.base_mounts.count; }},
      {"no_mounts", [](auto&, auto& m) { m.base_mounts.count = 0; }},
      {"mounts_whose_size_wraps",
       [](auto&, auto& m) { m.base_mounts.count += std::uint64_t{1} << 61; }},
      {"most_mounts", [](auto&, auto& m) { m.base_mounts.count = ~std::uint64_t{0}; }},
      {"kind",
       [](auto& b, auto& m) {
         op(b, m.base_mounts.at, kMirror).kind = static_cast<MountOpKind>(10);
       }},
      {"kind_max",
       [](auto& b, auto& m) {
         op(b, m.base_mounts.at, kMirror).kind = static_cast<MountOpKind>(~0U);
       }},
      {"writable", [](auto& b, auto& m) { set_byte(op(b, m.base_mounts.at, kBind).writable, 2); }},
      {"tree", [](auto& b, auto& m) { op(b, m.base_mounts.at, kBind).tree = 1; }},
      {"device", [](auto& b, auto& m) { set_byte(op(b, m.base_mounts.at, kBind).device, 2); }},
      {"writable_mirror",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kMirror).writable = true; }},
      {"writable_proc", [](auto& b, auto& m) { op(b, m.base_mounts.at, kProc).writable = true; }},
      {"writable_cover",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kHidden).writable = true; }},
      {"device_bind", [](auto& b, auto& m) { op(b, m.base_mounts.at, kBind).device = true; }},
      {"device_scratch", [](auto& b, auto& m) { op(b, m.base_mounts.at, kScratch).device = true; }},
      {"exec",
       [](auto& b, auto& m) {
         op(b, m.base_mounts.at, kMirror).exec = static_cast<MountExec>(3);
       }},
      {"exec_of_a_file",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kFile).exec = MountExec::none; }},
      {"exec_of_a_program",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kProgram).exec = MountExec::map; }},
      {"writable_program",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kProgram).writable = true; }},
      {"program_without_source",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kProgram).source.path = 0; }},
      {"no_destination", [](auto& b, auto& m) { op(b, m.base_mounts.at, kFile).destination = 0; }},
      {"destination_outside",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kFile).destination = b.size(); }},
      {"destination_of_another",
       [](auto& b, auto& m) {
         op(b, m.base_mounts.at, kFile).destination = op(b, m.base_mounts.at, kMirror).destination;
       }},
      {"destination_unaligned",
       [](auto& b, auto& m) { ++op(b, m.base_mounts.at, kFile).destination; }},
      {"destination_relative",
       [](auto& b, auto& m) { b[op(b, m.base_mounts.at, kMirror).destination] = 'x'; }},
      {"destination_empty",
       [](auto& b, auto& m) {
         std::memset(b.data() + op(b, m.base_mounts.at, kMirror).destination, 0, 4);
       }},
      {"destination_goes_up",
       [](auto& b, auto& m) {
         std::memcpy(b.data() + op(b, m.base_mounts.at, kMirror).destination, "/../", 4);
       }},
      {"destination_ends_by_going_up",
       [](auto& b, auto& m) {
         std::memcpy(b.data() + op(b, m.base_mounts.at, kProc).destination, "/p/..", 5);
       }},
      {"destination_without_end",
       [](auto& b, auto& m) {
         const std::size_t at = op(b, m.base_mounts.at, kBind).destination;
         std::memset(b.data() + at, 'x', b.size() - at);
         b[at] = '/';
       }},
      {"nul_inside", [](auto& b, auto& m) { b[op(b, m.base_mounts.at, kFile).content + 1] = 0; }},
      {"link_without_target", [](auto& b, auto& m) { op(b, m.base_mounts.at, kLink).content = 0; }},
      {"file_without_content",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kEmptyFile).content = 0; }},
      {"mirror_with_content",
       [](auto& b, auto& m) {
         op(b, m.base_mounts.at, kMirror).content = op(b, m.base_mounts.at, kFile).content;
       }},
      {"bind_without_source",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kBind).source.path = 0; }},
      {"source_relative",
       [](auto& b, auto& m) { b[op(b, m.base_mounts.at, kBind).source.path] = 'x'; }},
      {"mirror_with_source",
       [](auto& b, auto& m) {
         op(b, m.base_mounts.at, kMirror).source.path = op(b, m.base_mounts.at, kBind).source.path;
       }},
      {"bind_turned_into_a_link",
       [](auto& b, auto& m) { op(b, m.base_mounts.at, kBind).kind = MountOpKind::link; }},
      {"padding",
       [](auto& b, auto& m) { b[op(b, m.base_mounts.at, kMirror).destination + 5] = 1; }},
      {"last_string_without_end", [](auto& b, auto&) { b.back() = 'x'; }},
      {"a_byte_more", [](auto& b, auto&) { resize(b, b.size() + 1); }},
      {"a_byte_less", [](auto& b, auto&) { resize(b, b.size() - 1); }},
      {"only_the_head", [](auto& b, auto&) { resize(b, sizeof(init::Head)); }},
  };
  return kFaults;
}

INSTANTIATE_TEST_SUITE_P(By, MalformedSetup, testing::ValuesIn(setup_faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

class MalformedExec : public testing::TestWithParam<ExecFault> {};

TEST_P(MalformedExec, IsRefused) {
  std::string message = sample_exec_in_namespaces();
  ASSERT_TRUE(is_exec(message, kInNamespaces));
  GetParam().make(message, fields<ExecMessage>(message));
  EXPECT_FALSE(is_exec(message, kInNamespaces));
}

const std::vector<ExecFault>& exec_faults() {
  static const std::vector<ExecFault> kFaults = {
      {"magic", [](auto&, auto& m) { m.head.magic = init::kSetupMagic; }},
      {"size", [](auto&, auto& m) { m.head.size = ~0U; }},
      {"unknown_slot", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_count; }},
      {"second_parent", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_parent; }},
      {"second_ruleset", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_landlock; }},
      {"executable_of_tier_b",
       [](auto&, auto& m) { m.head.slots |= 1U << init::slot_executable; }},
      {"cwd_of_tier_b", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_cwd; }},
      {"no_stderr", [](auto&, auto& m) { m.head.slots &= ~(1U << init::slot_stderr); }},
      {"stdin_twice", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_stdin; }},
      {"private_parent_without_name",
       [](auto&, auto& m) { m.head.slots |= 1U << init::slot_private_parent; }},
      {"private_name_without_parent", [](auto&, auto& m) { m.private_name[0] = 'x'; }},
      {"no_argv", [](auto&, auto& m) { m.argv.count = 0; }},
      {"argv_outside", [](auto& b, auto& m) { m.argv.at = b.size(); }},
      {"argv_in_the_head", [](auto&, auto& m) { m.argv.at = 8; }},
      {"argv_unaligned", [](auto&, auto& m) { m.argv.at += 1; }},
      {"an_argument_more", [](auto&, auto& m) { ++m.argv.count; }},
      {"an_argument_less", [](auto&, auto& m) { --m.argv.count; }},
      {"most_arguments", [](auto&, auto& m) { m.argv.count = ~std::uint64_t{0}; }},
      {"arguments_whose_size_wraps",
       [](auto&, auto& m) { m.argv.count += std::uint64_t{1} << 61; }},
      {"argument_outside", [](auto& b, auto& m) { word(b, m.argv.at) = b.size() + 64; }},
      {"argument_that_wraps", [](auto& b, auto& m) { word(b, m.argv.at) = ~std::uint64_t{0}; }},
      {"argument_zero", [](auto& b, auto& m) { word(b, m.argv.at) = 0; }},
      {"argument_in_the_array", [](auto& b, auto& m) { word(b, m.argv.at) = m.argv.at; }},
      {"argument_twice",
       [](auto& b, auto& m) { word(b, m.argv.at + 8) = word(b, m.argv.at); }},
      {"argv_without_end", [](auto& b, auto& m) { word(b, m.argv.at + 24) = 8; }},
      {"envp_without_end", [](auto& b, auto& m) { word(b, m.envp.at + 16) = 8; }},
      {"envp_is_argv", [](auto&, auto& m) { m.envp = m.argv; }},
      {"no_envp", [](auto&, auto& m) { m.envp = {}; }},
      {"variable_without_end",
       [](auto& b, auto& m) {
         const std::uint64_t at = word(b, m.envp.at + 8);
         std::memset(b.data() + at, 'x', b.size() - at);
       }},
      {"filter_outside", [](auto& b, auto& m) { m.filter.at = b.size(); }},
      {"filter_unaligned", [](auto&, auto& m) { m.filter.at += 4; }},
      {"filter_too_long", [](auto&, auto& m) { m.filter.count = init::kMaxFilterLength + 1; }},
      {"filter_beyond_the_end", [](auto&, auto& m) { m.filter.count = init::kMaxFilterLength; }},
      {"confined_without_filter", [](auto&, auto& m) { m.filter = {}; }},
      {"filter_of_the_unconfined", [](auto&, auto& m) { m.confine = false; }},
      {"rlimit_count", [](auto&, auto& m) { m.rlimit_count = init::kMaxRlimits + 1; }},
      {"rlimit_count_max", [](auto&, auto& m) { m.rlimit_count = ~0U; }},
      {"resource", [](auto&, auto& m) { m.rlimits[1].resource = 16; }},
      {"rlimit_reserved", [](auto&, auto& m) { m.rlimits[0].reserved = 1; }},
      {"confine", [](auto&, auto& m) { set_byte(m.confine, 2); }},
      {"drop_bounding_set", [](auto&, auto& m) { set_byte(m.drop_bounding_set, 2); }},
      {"timing", [](auto&, auto& m) { set_byte(m.timing, 2); }},
      {"root_is_granted", [](auto&, auto& m) { set_byte(m.root_is_granted, 2); }},
      {"cwd_is_private", [](auto&, auto& m) { set_byte(m.cwd_is_private, 2); }},
      {"trial", [](auto&, auto& m) { set_byte(m.trial, 2); }},
      {"private_cwd_in_namespaces", [](auto&, auto& m) { m.cwd_is_private = true; }},
      {"reserved", [](auto&, auto& m) { m.reserved[0] = 1; }},
      {"wall_ms", [](auto&, auto& m) { m.wall_ms = init::kMaxMilliseconds + 1; }},
      {"cpu_ms", [](auto&, auto& m) { m.cpu_ms = ~std::uint64_t{0}; }},
      {"terminal_wanted", [](auto&, auto& m) { set_byte(m.terminal.wanted, 2); }},
      {"terminal_foreground", [](auto&, auto& m) { set_byte(m.terminal.foreground, 2); }},
      {"terminal_has_modes", [](auto&, auto& m) { set_byte(m.terminal.has_modes, 2); }},
      {"terminal_led_by_command", [](auto&, auto& m) { set_byte(m.terminal.led_by_command, 2); }},
      {"terminal_reserved", [](auto&, auto& m) { m.terminal.reserved[0] = 1; }},
      {"terminal_stdio_without_terminal",
       [](auto&, auto& m) {
         m.head.slots &= ~(1U << init::slot_stderr);
         m.terminal.stdio = 4;
       }},
      {"terminal_stdio_of_a_fourth_file",
       [](auto&, auto& m) {
         m.terminal.wanted = true;
         m.terminal.stdio = 8;
       }},
      {"no_cwd", [](auto&, auto& m) { m.cwd.path = 0; }},
      {"cwd_relative", [](auto& b, auto& m) { b[m.cwd.path] = 'w'; }},
      {"no_executable", [](auto&, auto& m) { m.executable.path = 0; }},
      {"executable_is_cwd", [](auto&, auto& m) { m.executable.path = m.cwd.path; }},
      {"executable_relative", [](auto& b, auto& m) { b[m.executable.path] = 'u'; }},
      {"mounts_outside", [](auto& b, auto& m) { m.mounts.at = b.size(); }},
      {"a_tree_more", [](auto&, auto& m) { ++m.head.trees; }},
      {"a_tree_less", [](auto&, auto& m) { --m.head.trees; }},
      {"most_trees", [](auto&, auto& m) { m.head.trees = ~0U; }},
      {"tree_twice", [](auto& b, auto& m) { op(b, m.mounts.at, 2).tree = 1; }},
      {"tree_not_used", [](auto& b, auto& m) { op(b, m.mounts.at, 2).tree = 0; }},
      {"trees_in_another_order",
       [](auto& b, auto& m) {
         op(b, m.mounts.at, 0).tree = 2;
         op(b, m.mounts.at, 2).tree = 1;
       }},
      {"tree_of_a_cover",
       [](auto& b, auto& m) {
         op(b, m.mounts.at, 1).tree = 2;
         op(b, m.mounts.at, 2).tree = 0;
       }},
      {"reserved_2", [](auto&, auto& m) { m.reserved_2[3] = 1; }},
      {"mount_destination", [](auto& b, auto& m) { op(b, m.mounts.at, 1).destination -= 8; }},
      {"stdio_origin",
       [](auto&, auto& m) { m.stdio[1].origin = static_cast<init::StdioOrigin>(4); }},
      {"opened_stdio_without_file",
       [](auto&, auto& m) { m.stdio[0].origin = init::StdioOrigin::opened; }},
      {"stdio_access", [](auto&, auto& m) { m.stdio[1].access = O_RDWR; }},
      {"stdio_flags", [](auto&, auto& m) { m.stdio[1].access = O_WRONLY | O_CREAT; }},
      {"stdio_position", [](auto&, auto& m) { m.stdio[0].position = -2; }},
      {"stdio_directory", [](auto& b, auto& m) { b[m.stdio[0].directory] = 'h'; }},
      {"stdio_name_empty",
       [](auto& b, auto& m) { std::memset(b.data() + m.stdio[0].name, 0, 5); }},
      {"stdio_name_with_slash", [](auto& b, auto& m) { b[m.stdio[0].name + 2] = '/'; }},
      {"stdio_name_goes_up",
       [](auto& b, auto& m) { std::memcpy(b.data() + m.stdio[1].name, "..\0\0", 4); }},
      {"exec_probe_relative", [](auto& b, auto& m) { b[m.exec_probe] = 'b'; }},
      {"exec_probe_outside", [](auto& b, auto& m) { m.exec_probe = b.size(); }},
      {"no_exec_probe", [](auto&, auto& m) { m.exec_probe = 0; }},
      {"sent_stdio_with_path", [](auto&, auto& m) { m.stdio[2].name = m.stdio[1].name; }},
      {"sent_stdio_with_access", [](auto&, auto& m) { m.stdio[2].access = 1; }},
      {"a_byte_more", [](auto& b, auto&) { resize(b, b.size() + 1); }},
      {"eight_bytes_more", [](auto& b, auto&) { resize(b, (b.size() + 15) / 8 * 8); }},
      {"last_string_without_end", [](auto& b, auto&) { b.back() = 'x'; }},
  };
  return kFaults;
}

INSTANTIATE_TEST_SUITE_P(By, MalformedExec, testing::ValuesIn(exec_faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

class MalformedExecOfTierB : public testing::TestWithParam<ExecFault> {};

TEST_P(MalformedExecOfTierB, IsRefused) {
  std::string message = sample_exec_in_tier_b();
  ASSERT_TRUE(is_exec(message, kOutside));
  GetParam().make(message, fields<ExecMessage>(message));
  EXPECT_FALSE(is_exec(message, kOutside));
}

const std::vector<ExecFault>& exec_faults_of_tier_b() {
  static const std::vector<ExecFault> kFaults = {
      {"no_parent", [](auto&, auto& m) { m.head.slots &= ~(1U << init::slot_parent); }},
      {"no_executable", [](auto&, auto& m) { m.head.slots &= ~(1U << init::slot_executable); }},
      {"no_cwd", [](auto&, auto& m) { m.cwd_is_private = false; }},
      {"trial_outside_namespaces", [](auto&, auto& m) { m.trial = true; }},
      {"two_cwds", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_cwd; }},
      {"no_private_parent",
       [](auto&, auto& m) { m.head.slots &= ~(1U << init::slot_private_parent); }},
      {"private_cwd_without_private_directory",
       [](auto&, auto& m) {
         m.head.slots &= ~(1U << init::slot_private_parent);
         std::memset(m.private_name, 0, sizeof m.private_name);
       }},
      {"private_name_empty", [](auto&, auto& m) { m.private_name[0] = 0; }},
      {"private_name_with_slash", [](auto&, auto& m) { m.private_name[4] = '/'; }},
      {"private_name_goes_up", [](auto&, auto& m) { std::memcpy(m.private_name, "..\0", 3); }},
      {"private_name_is_here", [](auto&, auto& m) { std::memcpy(m.private_name, ".\0", 2); }},
      {"private_name_without_end",
       [](auto&, auto& m) { std::memset(m.private_name, 'x', sizeof m.private_name); }},
      {"terminal_and_slot", [](auto&, auto& m) { m.head.slots |= 1U << init::slot_stdin; }},
      {"no_terminal", [](auto&, auto& m) { m.terminal.wanted = false; }},
      {"mounts", [](auto&, auto& m) { m.mounts.count = 1; }},
      {"guest_cwd", [](auto&, auto& m) { m.cwd.path = m.argv.at; }},
      {"guest_executable", [](auto&, auto& m) { m.executable.path = m.argv.at; }},
      {"stdio_by_path",
       [](auto&, auto& m) {
         m.head.slots &= ~(1U << init::slot_stderr);
         m.stdio[2].origin = init::StdioOrigin::device;
       }},
  };
  return kFaults;
}

INSTANTIATE_TEST_SUITE_P(By, MalformedExecOfTierB, testing::ValuesIn(exec_faults_of_tier_b()),
                         [](const auto& fault) { return std::string(fault.param.name); });

// Decodes under every context. Whatever is accepted is read completely: a sanitizer would see a
// pointer that leaves the message.
std::uint64_t decode_and_walk(const std::string& message) {
  Walk walk;
  Copy setup(message);
  if (setup.is_setup()) walk.setup(setup.setup);
  for (const ExecContext& context : {kInNamespaces, kOutside}) {
    Copy exec(message);
    if (exec.is_exec(context)) walk.exec(exec.exec);
  }
  return walk.sum();
}

std::vector<std::string> samples() {
  return {sample_setup(), sample_exec_in_namespaces(), sample_exec_in_tier_b(),
          sample_exec_unconfined()};
}

TEST(DecodeMessage, StaysInsideAMessageWithAnyByteChanged) {
  for (const std::string& sample : samples()) {
    ASSERT_NE(decode_and_walk(sample), 0U);
    std::set<std::uint64_t> seen;
    for (std::size_t at = 0; at < sample.size(); ++at) {
      for (const int flip : {1, 0x80, 0xff}) {
        std::string message = sample;
        message[at] = static_cast<char>(message[at] ^ flip);
        seen.insert(decode_and_walk(message));
      }
    }
    EXPECT_TRUE(seen.contains(0)) << "no change was refused";
    EXPECT_GT(seen.size(), 10U) << "no change was accepted";
  }
}

TEST(DecodeMessage, StaysInsideAMessageWithAnyWordChanged) {
  for (const std::string& sample : samples()) {
    const std::uint64_t size = sample.size();
    for (std::size_t at = 0; at + 8 <= size; at += 4) {
      for (const std::uint64_t value :
           {std::uint64_t{0}, std::uint64_t{8}, size - 1, size, size + 8, size & ~std::uint64_t{7},
            std::uint64_t{1} << 32, std::uint64_t{1} << 61, ~std::uint64_t{0}, ~std::uint64_t{7}}) {
        std::string message = sample;
        std::memcpy(message.data() + at, &value, sizeof value);
        decode_and_walk(message);
      }
    }
  }
}

TEST(DecodeMessage, RefusesEveryPartOfAMessage) {
  for (const std::string& sample : samples()) {
    for (std::size_t size = 0; size < sample.size(); ++size) {
      std::string message = sample.substr(0, size);
      EXPECT_EQ(decode_and_walk(message), 0U) << size;
      if (size >= sizeof(init::Head)) resize(message, size);
      EXPECT_EQ(decode_and_walk(message), 0U) << size;
    }
  }
}

}  // namespace
}  // namespace bawn::linux_
