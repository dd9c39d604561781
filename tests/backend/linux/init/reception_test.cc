// Init's first message, sent to a real init: what it accepts, and that a malformed one ends in a
// report that names the step.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "backend/linux/spawn/init_process.h"
#include "backend/linux/wire/report.h"
#include "backend/linux/wire/sample_messages.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

using init::Step;

// Its files are those of sample_exec_unconfined(): a pidfd, stdio, an executable that is none, and
// a directory. So init gets as far as the exec, and nothing runs.
class FirstMessage : public testing::Test {
 protected:
  FirstMessage() {
    self_ = sys::open_own_process().value();
    null_ = Fd(open("/dev/null", O_RDWR | O_CLOEXEC));
    root_ = Fd(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }

  [[nodiscard]] std::vector<int> files() const {
    return {self_.get(), null_.get(), null_.get(), null_.get(), null_.get(), root_.get()};
  }

  // Init's answer to the datagram.
  static init::Report answer(std::string_view bytes, const std::vector<int>& files) {
    auto started = InitProcess::start(NamespaceSet::none);
    if (!started || !started.value().arrive()) {
      ADD_FAILURE() << "init does not start";
      return {};
    }
    InitProcess& process = started.value();
    send(process.control(), bytes, files);
    std::string report(sizeof(init::Report) + 1, '\0');
    const ssize_t got = recv(process.control(), report.data(), report.size(), 0);
    const auto decoded =
        decode_report(std::string_view(report).substr(0, got < 0 ? 0 : static_cast<size_t>(got)));
    EXPECT_TRUE(decoded);
    return decoded.value_or(init::Report{});
  }

  [[nodiscard]] init::Report answer_to(std::string_view message) const {
    return answer(message, files());
  }

  // A large message comes in a file, of which the datagram is a single byte.
  [[nodiscard]] init::Report answer_to_file(std::string_view message, int seals) const {
    Fd file(memfd_create("message", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(write(file.get(), message.data(), message.size()),
              static_cast<ssize_t>(message.size()));
    EXPECT_EQ(fcntl(file.get(), F_ADD_SEALS, seals), 0);
    std::vector<int> all = files();
    all.insert(all.begin(), file.get());
    return answer(std::string_view("\0", 1), all);
  }

 private:
  static void send(int control, std::string_view bytes, const std::vector<int>& files) {
    iovec place = {const_cast<char*>(bytes.data()), bytes.size()};
    std::vector<char> space(CMSG_SPACE(sizeof(int) * files.size()));
    msghdr header{};
    header.msg_iov = &place;
    header.msg_iovlen = 1;
    header.msg_control = space.data();
    header.msg_controllen = space.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
    std::memcpy(CMSG_DATA(rights), files.data(), sizeof(int) * files.size());
    EXPECT_EQ(sendmsg(control, &header, MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }

  Fd self_;
  Fd null_;
  Fd root_;
};

// EACCES by execveat: /dev/null is no program. Every step before it was taken.
void expect_executed(const init::Report& report) {
  EXPECT_EQ(report.step, Step::execute);
  EXPECT_EQ(report.error, EACCES);
  EXPECT_EQ(report.sequence, 1U);
}

void expect_malformed(const init::Report& report) {
  EXPECT_EQ(report.kind, init::ReportKind::failed);
  EXPECT_EQ(report.step, Step::receive_setup);
  EXPECT_EQ(report.error, EINVAL);
  EXPECT_EQ(report.sequence, 0U);
}

TEST_F(FirstMessage, IsDecodedAndNumbered) {
  std::string message = sample_exec_unconfined();
  expect_executed(answer_to(message));
  reinterpret_cast<init::ExecMessage*>(message.data())->sequence = 2;
  expect_malformed(answer_to(message));
}

TEST_F(FirstMessage, IsRefusedIfItIsMalformed) {
  std::string message = sample_exec_unconfined();
  message.back() = 'x';
  expect_malformed(answer_to(message));
  expect_malformed(answer_to(message.substr(0, 4)));
  expect_malformed(answer_to(sample_exec_in_namespaces()));
}

TEST_F(FirstMessage, NeedsAFileForEachSlot) {
  const std::string message = sample_exec_unconfined();
  std::vector<int> some = files();
  some.pop_back();
  expect_malformed(answer(message, some));
  std::vector<int> more = files();
  more.push_back(more.back());
  expect_malformed(answer(message, more));
  expect_executed(answer(message, files()));
}

// The sender of an unsealed file could change it after init has checked it, or cut it off.
TEST_F(FirstMessage, InAFileMustBeSealed) {
  const std::string message = sample_exec_unconfined();
  expect_executed(answer_to_file(message, F_SEAL_WRITE | F_SEAL_SHRINK));
  expect_malformed(answer_to_file(message, F_SEAL_WRITE));
  expect_malformed(answer_to_file(message, F_SEAL_SHRINK));
  expect_malformed(answer_to_file(message, 0));
  expect_malformed(answer_to_file(message + '\0', F_SEAL_WRITE | F_SEAL_SHRINK));
  expect_malformed(answer_to_file("", F_SEAL_WRITE | F_SEAL_SHRINK));
}

}  // namespace
}  // namespace bawn::linux_
