#include "backend/linux/wire/report.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "backend/linux/wire/sample_messages.h"

namespace bawn::linux_ {
namespace {

using init::Report;
using init::ReportKind;

constexpr ReportKind kKinds[] = {ReportKind::failed,          ReportKind::started,
                                 ReportKind::command_stopped, ReportKind::command_exited,
                                 ReportKind::tree_gone,       ReportKind::cpu_time};

TEST(DecodeReport, TakesEveryKindThatInitSends) {
  for (const ReportKind kind : kKinds) {
    const auto report = decode_report(bytes_of(sample_report(kind)));
    ASSERT_TRUE(report) << static_cast<int>(kind);
    EXPECT_EQ(report->kind, kind);
    EXPECT_EQ(report->sequence, 1U);
    EXPECT_EQ(report->wait_status, sample_report(kind).wait_status);
  }
}

// The command may still run, or init may have lost track of it.
TEST(DecodeReport, TakesATreeThatIsGoneWithoutAStatus) {
  Report report = sample_report(ReportKind::tree_gone);
  report.wait_status = init::kNoWaitStatus;
  EXPECT_TRUE(decode_report(bytes_of(report)));
}

TEST(DecodeReport, RefusesAnotherSize) {
  const std::string bytes = bytes_of(sample_report(ReportKind::started));
  EXPECT_TRUE(decode_report(bytes));
  EXPECT_FALSE(decode_report(bytes + '\0'));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_report(std::string_view(bytes).substr(0, size))) << size;
}

struct Fault {
  const char* name;
  ReportKind kind;
  std::function<void(Report&)> make;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class MalformedReport : public testing::TestWithParam<Fault> {};

TEST_P(MalformedReport, IsRefused) {
  Report report = sample_report(GetParam().kind);
  ASSERT_TRUE(decode_report(bytes_of(report)));
  GetParam().make(report);
  EXPECT_FALSE(decode_report(bytes_of(report)));
}

void set_byte(bool& flag) {
  const unsigned char two = 2;
  __builtin_memcpy(&flag, &two, 1);
}

const Fault kFaults[] = {
    {"kind", ReportKind::started, [](Report& r) { r.kind = static_cast<ReportKind>(6); }},
    {"kind_max", ReportKind::started, [](Report& r) { r.kind = static_cast<ReportKind>(~0U); }},
    {"step", ReportKind::failed, [](Report& r) { r.step = init::Step::count; }},
    {"step_max", ReportKind::failed, [](Report& r) { r.step = static_cast<init::Step>(~0U); }},
    {"failed_without_error", ReportKind::failed, [](Report& r) { r.error = 0; }},
    {"negative_error", ReportKind::failed, [](Report& r) { r.error = -38; }},
    {"no_errno", ReportKind::failed, [](Report& r) { r.error = 4096; }},
    {"negative_index", ReportKind::failed, [](Report& r) { r.index = -1; }},
    {"failed_after_the_end", ReportKind::failed, [](Report& r) { r.wait_status = 0; }},
    {"no_pid", ReportKind::started, [](Report& r) { r.pid = 0; }},
    {"negative_pid", ReportKind::started, [](Report& r) { r.pid = -1; }},
    {"started_after_the_end", ReportKind::started, [](Report& r) { r.wait_status = 0; }},
    {"exited_without_status", ReportKind::command_exited,
     [](Report& r) { r.wait_status = init::kNoWaitStatus; }},
    {"exited_by_a_stop", ReportKind::command_exited, [](Report& r) { r.wait_status = 0x137f; }},
    {"exited_by_continuing", ReportKind::command_exited, [](Report& r) { r.wait_status = 0xffff; }},
    {"large_status", ReportKind::command_exited, [](Report& r) { r.wait_status = 0x10000; }},
    {"negative_status", ReportKind::command_exited, [](Report& r) { r.wait_status = -256; }},
    {"stopped_by_an_exit", ReportKind::command_stopped, [](Report& r) { r.wait_status = 0; }},
    {"stopped_without_status", ReportKind::command_stopped,
     [](Report& r) { r.wait_status = init::kNoWaitStatus; }},
    {"gone_by_a_stop", ReportKind::tree_gone, [](Report& r) { r.wait_status = 0x137f; }},
    {"position", ReportKind::tree_gone, [](Report& r) { r.stdin_position = -2; }},
    {"scratch_full", ReportKind::tree_gone, [](Report& r) { set_byte(r.scratch_full); }},
    {"wall_over", ReportKind::tree_gone, [](Report& r) { set_byte(r.wall_over); }},
    {"cpu_over", ReportKind::tree_gone, [](Report& r) { set_byte(r.cpu_over); }},
    {"cloned_by_clone3", ReportKind::started,
     [](Report& r) { set_byte(r.readback.cloned_by_clone3); }},
    {"cloned_into_cgroup", ReportKind::started,
     [](Report& r) { set_byte(r.readback.cloned_into_cgroup); }},
    {"is_pid_1", ReportKind::started, [](Report& r) { set_byte(r.readback.is_pid_1); }},
};

INSTANTIATE_TEST_SUITE_P(By, MalformedReport, testing::ValuesIn(kFaults),
                         [](const auto& fault) { return std::string(fault.param.name); });

}  // namespace
}  // namespace bawn::linux_
