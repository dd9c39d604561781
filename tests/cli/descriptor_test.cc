// Through stdin, stdout and stderr a command can only transfer bytes. It can change neither the
// caller's file nor the open file description that the caller shares.
//
// The guest tries everything that can be done to each descriptor it holds. The test compares the
// state of what it handed over before and after the run. Without a sandbox the same guest changes
// it, which shows that the comparison works.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <pty.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <map>

#include "caller.h"

namespace bawn {
namespace {

using State = std::map<std::string, std::string>;

std::string time_text(const timespec& time) {
  return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
}

// The file, as other processes see it.
void add_file(int fd, bool with_times, State& state) {
  struct stat found {};
  if (fstat(fd, &found) != 0) return;
  state["mode"] = std::to_string(found.st_mode);
  state["owner"] = std::to_string(found.st_uid) + ":" + std::to_string(found.st_gid);
  state["links"] = std::to_string(found.st_nlink);
  if (with_times) {
    state["size"] = std::to_string(found.st_size);
    state["mtime"] = time_text(found.st_mtim);
    state["ctime"] = time_text(found.st_ctim);
  }
  std::array<char, 256> list{};
  const ssize_t length = flistxattr(fd, list.data(), list.size());
  state["attributes"] =
      length > 0 ? std::string(list.data(), static_cast<std::size_t>(length)) : "";
  int flags = 0;
  if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) state["flags of the file"] = std::to_string(flags);
}

// The open file description, which the caller shares with everything it started.
void add_description(int fd, State& state) {
  state["flags"] = std::to_string(fcntl(fd, F_GETFL));
  state["owner of signals"] = std::to_string(fcntl(fd, F_GETOWN));
  state["signal"] = std::to_string(fcntl(fd, F_GETSIG));
  state["lease"] = std::to_string(fcntl(fd, F_GETLEASE));
  std::uint64_t hint = 0;
  if (fcntl(fd, F_GET_RW_HINT, &hint) == 0) state["hint"] = std::to_string(hint);
  state["position"] = std::to_string(lseek(fd, 0, SEEK_CUR));
}

void add_terminal(int fd, State& state) {
  termios modes{};
  winsize size{};
  int exclusive = 0;
  if (tcgetattr(fd, &modes) != 0) return;
  state["modes"] = std::to_string(modes.c_lflag);
  if (ioctl(fd, TIOCGWINSZ, &size) == 0) state["rows"] = std::to_string(size.ws_row);
  if (ioctl(fd, TIOCGEXCL, &exclusive) == 0) state["exclusive"] = std::to_string(exclusive);
}

enum class Times {
  compared,
  left_out
};  // reading and writing changes those of pipes and terminals

State state_of(int fd, Times times) {
  State state;
  add_file(fd, times == Times::compared, state);
  add_description(fd, state);
  add_terminal(fd, state);
  return state;
}

std::string differences(const State& before, const State& after) {
  std::string out;
  for (const auto& [name, value] : before) {
    const auto now = after.find(name);
    const std::string text = now == after.end() ? "gone" : now->second;
    if (text != value) out += name + ": " + value + " -> " + text + "; ";
  }
  return out;
}

// A kind of file, opened as the command's descriptor `number`. `keep` holds the other end open.
struct Kind {
  const char* name;
  std::function<Fd(const Caller&, int number, std::vector<Fd>& keep)> open;
  Times times = Times::compared;
  // Properties that the command may change of a file that is its stdout or stderr, because the
  // policy lets it change the same through the file's name.
  std::vector<std::string> allowed{};
};

int access_of(int number) { return number == 0 ? O_RDONLY : O_WRONLY; }

Fd open_file_of(const std::string& path, int number) {
  return Fd(open(path.c_str(), access_of(number) | O_CLOEXEC));
}

Fd open_outside(const Caller& caller, int number, std::vector<Fd>& /*keep*/) {
  return open_file_of(caller.file_outside("file" + std::to_string(number), "text\n"), number);
}

Fd open_in_workspace(const Caller& caller, int number, std::vector<Fd>& /*keep*/) {
  return open_file_of(caller.file("file" + std::to_string(number), "text\n"), number);
}

Fd open_removed(const Caller& caller, int number, std::vector<Fd>& keep) {
  Fd file = open_outside(caller, number, keep);
  unlink((caller.outside() + "/file" + std::to_string(number)).c_str());
  return file;
}

Fd open_memory(const Caller& /*caller*/, int /*number*/, std::vector<Fd>& /*keep*/) {
  return Fd(memfd_create("stdio", MFD_CLOEXEC));
}

Fd open_fifo(const Caller& caller, int number, std::vector<Fd>& keep) {
  const std::string path = caller.outside() + "/fifo" + std::to_string(number);
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  keep.emplace_back(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  return open_file_of(path, number);
}

Fd open_pipe(const Caller& /*caller*/, int number, std::vector<Fd>& keep) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  if (number == 0) std::swap(ends[0], ends[1]);
  keep.emplace_back(ends[0]);
  return Fd(ends[1]);
}

Fd open_socket_pair(const Caller& /*caller*/, int /*number*/, std::vector<Fd>& keep) {
  std::array<int, 2> ends{};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  keep.emplace_back(ends[0]);
  return Fd(ends[1]);
}

Fd open_connection(const Caller& /*caller*/, int /*number*/, std::vector<Fd>& keep) {
  const Fd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* where = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(listener.get(), where, length), 0);
  EXPECT_EQ(listen(listener.get(), 1), 0);
  EXPECT_EQ(getsockname(listener.get(), where, &length), 0);
  Fd ours(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(connect(ours.get(), where, length), 0);
  keep.emplace_back(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return ours;
}

Fd open_terminal(const Caller& /*caller*/, int /*number*/, std::vector<Fd>& keep) {
  int master = -1;
  int slave = -1;
  EXPECT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  fcntl(master, F_SETFD, FD_CLOEXEC);
  fcntl(slave, F_SETFD, FD_CLOEXEC);
  keep.emplace_back(master);
  return Fd(slave);
}

const Kind kKinds[] = {
    {"a file outside", open_outside},
    {"a file in the workspace",
     open_in_workspace,
     Times::compared,
     {"mode", "size", "mtime", "ctime", "attributes", "flags of the file", "position"}},
    {"a file without a name", open_removed},
    {"a file in memory", open_memory},
    {"a FIFO", open_fifo, Times::left_out},
    {"a pipe", open_pipe, Times::left_out},
    {"a socket", open_socket_pair, Times::left_out},
    {"a TCP connection", open_connection, Times::left_out},
    {"a terminal", open_terminal, Times::left_out},
};

struct HandedOver {
  std::array<Fd, 3> files;
  std::vector<Fd> others;
  std::array<State, 3> before;
};

HandedOver hand_over(const Kind& kind, const Caller& caller) {
  HandedOver out;
  for (int number = 0; number < 3; ++number) {
    const auto index = static_cast<std::size_t>(number);
    out.files[index] = kind.open(caller, number, out.others);
    out.before[index] = state_of(out.files[index].get(), kind.times);
  }
  return out;
}

std::string changed_by(const Words& words, const Kind& kind) {
  const Caller caller;
  const HandedOver handed = hand_over(kind, caller);
  const Answer answer = caller.call(
      joined(words, {"--", guest(), "change-descriptors"}),
      {.files = {
           {0, handed.files[0].get()}, {1, handed.files[1].get()}, {2, handed.files[2].get()}}});
  EXPECT_EQ(answer.exit_code, 0) << kind.name;
  std::string out;
  for (std::size_t i = 0; i < handed.files.size(); ++i) {
    State before = handed.before[i];
    if (i != STDIN_FILENO) {
      for (const std::string& name : kind.allowed) before.erase(name);
    }
    out += differences(before, state_of(handed.files[i].get(), kind.times));
    // Fails if the command left a lock on another open file description of the file.
    if (flock(handed.files[i].get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      out += "a lock is left; ";
  }
  return out;
}

TEST(Descriptors, OfTheCallerAreNotChangedByACommand) {
  for (const Kind& kind : kKinds) {
    EXPECT_EQ(changed_by({"run", "--tier", "c"}, kind), "") << kind.name << " in tier c";
    EXPECT_EQ(changed_by({"run", "--tier", "b"}, kind), "") << kind.name << " in tier b";
    EXPECT_EQ(changed_by({"run", "--tier", "c", "--output", "1M"}, kind), "")
        << kind.name << " with a limit";
  }
}

TEST(Descriptors, OfTheCallerAreChangedWithoutASandbox) {
  for (const Kind& kind : kKinds)
    EXPECT_NE(changed_by({"run", "--mode", "disabled"}, kind), "") << kind.name;
}

// A lease delays every program that opens the file for writing. A read-only mount does not prevent
// it: the kernel only checks that the user owns the file. In tier b stdin is a pipe, which has no
// leases, so this also tries a file with a read grant.
TEST(Descriptors, AFileThatIsOnlyReadCannotBeLeased) {
  const Caller caller;
  const std::string path = caller.file_outside("in", "text\n");
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto leased = [&](const Words& flags, const Words& arguments) {
    const Answer answer = caller.call(
        joined(joined({"run"}, flags), joined({"--", guest(), "lease-file"}, arguments)),
        {.files = {{0, file.get()}}});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return answer.out;
  };
  EXPECT_EQ(leased({"--mode", "disabled"}, {}), "lease granted\nhint granted\nlock granted\n");
  EXPECT_EQ(leased({"--mode", "disabled"}, {path}), "lease granted\nhint granted\nlock granted\n");
  const std::string refused = "lease EINVAL\nhint EINVAL\nlock granted\n";
  EXPECT_EQ(leased({"--tier", "c"}, {}), refused);
  for (const std::string tier : {"b", "c"})
    EXPECT_EQ(leased({"--tier", tier, "--ro", path}, {path}), refused) << tier;
  const std::string profile =
      caller.file_outside("profile.json", R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
        {"names": ["fcntl"], "action": "SCMP_ACT_ALLOW"}]})");
  EXPECT_EQ(leased({"--tier", "c", "--seccomp", profile}, {}), refused);
}

// ---- The other direction of a pipe

// /proc/self/fd lets a process open a pipe in the opposite direction.
const char* const kInject =
    "echo injected | dd of=/proc/$$/fd/0 oflag=nonblock conv=notrunc 2>/dev/null";
const char* const kSteal =
    "exec 3>&1; dd if=/proc/$$/fd/3 bs=100 count=1 iflag=nonblock >/dev/null 2>&1; true";

struct PipeEnds {
  Fd read;
  Fd write;
};

PipeEnds open_pipe_ends(const Caller& caller, bool named) {
  if (named) {
    const std::string path = caller.outside() + "/fifo";
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    Fd read(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    return {std::move(read), Fd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC))};
  }
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  return {Fd(ends[0]), Fd(ends[1])};
}

std::string left_in(int fd) {
  std::array<char, 4096> text{};
  const ssize_t got = read(fd, text.data(), text.size());
  return std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
}

// Why it matters: a shell that reads its script from a pipe would execute the injected text outside
// of the sandbox.
std::string stdin_after_injection(const Words& words, bool named) {
  const Caller caller;
  const PipeEnds ends = open_pipe_ends(caller, named);
  EXPECT_EQ(write(ends.write.get(), "the caller's\n", 13), 13);
  static_cast<void>(
      caller.call(joined(words, {"--", "sh", "-c", kInject}), {.files = {{0, ends.read.get()}}}));
  return left_in(ends.read.get());
}

std::string stdout_after_theft(const Words& words, bool named) {
  const Caller caller;
  const PipeEnds ends = open_pipe_ends(caller, named);
  EXPECT_EQ(write(ends.write.get(), "for the reader\n", 15), 15);
  static_cast<void>(
      caller.call(joined(words, {"--", "sh", "-c", kSteal}), {.files = {{1, ends.write.get()}}}));
  return left_in(ends.read.get());
}

TEST(Descriptors, OfPipesDoNotWorkInTheOtherDirection) {
  for (const bool named : {false, true}) {
    for (const std::string tier : {"b", "c"}) {
      const Words words = {"run", "--tier", tier};
      EXPECT_EQ(stdin_after_injection(words, named), "the caller's\n") << tier << named;
      EXPECT_EQ(stdout_after_theft(words, named), "for the reader\n") << tier << named;
    }
    const Words unconfined = {"run", "--mode", "disabled"};
    EXPECT_THAT(stdin_after_injection(unconfined, named), testing::HasSubstr("injected"))
        << "the control";
    EXPECT_EQ(stdout_after_theft(unconfined, named), "") << "the control";
  }
}

// As in `producer | while read line; do bawn run ...; done`: the next round must find what the
// command did not read.
TEST(Descriptors, OfPipesAndSocketsKeepWhatTheCommandHasNotRead) {
  for (const Kind& kind : kKinds) {
    if (kind.open != nullptr && kind.times == Times::compared) continue;
    if (std::string_view(kind.name) == "a terminal") continue;
    for (const std::string tier : {"b", "c"}) {
      const Caller caller;
      std::vector<Fd> keep;
      const Fd in = kind.open(caller, 0, keep);
      ASSERT_EQ(write(keep.front().get(), "one\ntwo\nthree\n", 14), 14);
      const Handed handed = {.files = {{0, in.get()}}};
      EXPECT_EQ(caller.call({"run", "--tier", tier, "--", "true"}, handed).exit_code, 0);
      EXPECT_EQ(
          caller.call({"run", "--tier", tier, "--", "sh", "-c", "read line; echo $line"}, handed)
              .out,
          "one\n");
      EXPECT_EQ(left_in(in.get()), "two\nthree\n") << kind.name << " in tier " << tier;
    }
  }
}

// Restores the mode of the host's null device, in case a command was able to change it.
class NullDevice {
 public:
  NullDevice() : file_(open("/dev/null", O_RDWR | O_CLOEXEC)) { fstat(file_.get(), &before_); }
  ~NullDevice() {
    struct stat now {};
    if (fstat(file_.get(), &now) == 0 && now.st_mode != before_.st_mode)
      fchmod(file_.get(), before_.st_mode & 07777);
  }
  NullDevice(const NullDevice&) = delete;
  NullDevice& operator=(const NullDevice&) = delete;
  [[nodiscard]] int get() const { return file_.get(); }

 private:
  Fd file_;
  struct stat before_ {};
};

// The same for a request without stdin: then bawn itself gives the command the null device.
TEST(Descriptors, OfTheNullDeviceDoNotReachTheHosts) {
  const Caller caller;
  const NullDevice null;
  State before = state_of(null.get(), Times::left_out);
  const std::map<int, int> all = {{0, null.get()}, {1, null.get()}, {2, null.get()}};
  const std::string request = R"({"command":")" + guest() + R"(","args":["change-descriptors"]})";
  for (const std::string tier : {"b", "c"}) {
    EXPECT_EQ(
        caller.call({"run", "--tier", tier, "--", guest(), "change-descriptors"}, {.files = all})
            .exit_code,
        0);
    EXPECT_EQ(differences(before, state_of(null.get(), Times::left_out)), "") << tier;
    const Answer answer =
        caller.call({"exec", "--mode", "workspace", "--tier", tier}, {.in = request});
    EXPECT_THAT(answer.out, testing::HasSubstr(R"("exit_code":0)")) << answer.err;
    EXPECT_EQ(differences(before, state_of(null.get(), Times::left_out)), "") << tier;
  }
}

// ---- What still works

struct Tried {
  std::string tier;
  std::string seek;
};

TEST(Descriptors, AnInputFileStaysSeekableInTierC) {
  const Caller caller;
  for (const Tried& tried : {Tried{"c", "seekable\n"}, Tried{"b", "ESPIPE\n"}}) {
    const Fd file(open(caller.file_outside("in", "text").c_str(), O_RDONLY | O_CLOEXEC));
    const Answer answer = caller.call({"run", "--tier", tried.tier, "--", guest(), "seek-stdin"},
                                      {.files = {{0, file.get()}}});
    EXPECT_EQ(answer.out, tried.seek) << answer.err;
  }
}

// The caller may have opened a file that the command may not open. It gave the command the bytes,
// not the path. For a run of root's bawn itself opens it again, read-only.
TEST(Descriptors, AnInputFileThatTheRunMayNotOpenIsRelayed) {
  const Caller caller;
  const std::string path = caller.file_outside("in", "text");
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  const Handed handed = {.files = {{0, file.get()}}};
  const bool by_root = getuid() == 0;
  EXPECT_EQ(caller.call({"run", "--tier", "c", "--", guest(), "seek-stdin"}, handed).out,
            by_root ? "seekable\n" : "ESPIPE\n");
  const Answer answer =
      caller.call({"run", "--tier", "c", "--json", "--", guest(), "copy-stdin"}, handed);
  EXPECT_THAT(answer.out, testing::HasSubstr("\"stdout\":\"text\"")) << answer.err;
  EXPECT_THAT(answer.out, testing::HasSubstr(by_root ? "\"evidence\":{\"stdin\":\"host_file\""
                                                     : "\"evidence\":{\"stdin\":\"relayed\""));
  ASSERT_EQ(lseek(file.get(), 0, SEEK_SET), 0);
  EXPECT_EQ(caller.call({"run", "--tier", "c", "--", "cat", "/dev/stdin"}, handed).out,
            by_root ? "" : "text");
}

TEST(Descriptors, AnInputFileBeginsAndEndsWhereTheCommandDoes) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    for (const bool named : {true, false}) {
      const std::string path = caller.file_outside("in", "0123456789");
      const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
      if (!named) unlink(path.c_str());
      ASSERT_EQ(lseek(file.get(), 3, SEEK_SET), 3);
      const Answer some = caller.call({"run", "--tier", tier, "--", guest(), "read-bytes", "4"},
                                      {.files = {{0, file.get()}}});
      EXPECT_EQ(some.exit_code, 0) << some.err;
      EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 7) << tier << named;
      const Answer rest = caller.call({"run", "--tier", tier, "--", guest(), "copy-stdin"},
                                      {.files = {{0, file.get()}}});
      EXPECT_EQ(rest.out, "789") << tier << named;
      EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 10) << tier << named;
    }
  }
}

std::string content_of(int fd) {
  std::array<char, 4096> text{};
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  return std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
}

TEST(Descriptors, OutputToOneFileKeepsItsOrderAndItsPlace) {
  const Caller caller;
  const Words both = {"--", "sh", "-c", "for i in 1 2 3; do echo out; echo err >&2; done"};
  for (const std::string tier : {"b", "c"}) {
    for (const std::string& path : {caller.file_outside("log", ""), caller.file("log", "")}) {
      const Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
      ASSERT_EQ(write(file.get(), "before\n", 7), 7);
      const Answer answer = caller.call(joined({"run", "--tier", tier}, both),
                                        {.files = {{1, file.get()}, {2, file.get()}}});
      EXPECT_EQ(answer.exit_code, 0);
      EXPECT_EQ(content_of(file.get()), "before\nout\nerr\nout\nerr\nout\nerr\n") << tier << path;
      EXPECT_EQ(write(file.get(), "after\n", 6), 6);
      EXPECT_THAT(content_of(file.get()), testing::EndsWith("err\nafter\n")) << tier << path;
    }
  }
}

// grep, tar, cat and others compare the inode of their output with their input files. With a pipe
// as stdout they would read their own output.
TEST(Descriptors, OutputToAFileInTheWorkspaceIsThatFile) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const std::string path = caller.file("found", "");
    struct stat expected {};
    ASSERT_EQ(stat(path.c_str(), &expected), 0);
    const auto inode = [&](const Words& options, const std::string& name) {
      const Fd file(open(name.c_str(), O_RDWR | O_CLOEXEC));
      const Answer answer = caller.call(joined(joined({"run", "--tier", tier}, options),
                                               {"--", "stat", "-Lc", "%i", "/proc/self/fd/1"}),
                                        {.files = {{1, file.get()}}});
      EXPECT_EQ(answer.exit_code, 0) << answer.err;
      return content_of(file.get());
    };
    EXPECT_EQ(inode({}, path), std::to_string(expected.st_ino) + "\n") << tier;
    EXPECT_NE(inode({}, caller.file_outside("found", "")), std::to_string(expected.st_ino) + "\n");
    ASSERT_EQ(truncate(path.c_str(), 0), 0);
    EXPECT_NE(inode({"--output", "1M"}, path), std::to_string(expected.st_ino) + "\n") << "counted";
  }
  const std::string path = caller.file("kept", "");
  const Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  const Answer answer = caller.call({"run", "--json", "--protect", "kept", "--", "true"},
                                    {.files = {{2, file.get()}}});
  EXPECT_THAT(answer.out, testing::HasSubstr("\"stderr\":\"captured\"}")) << answer.err;
}

// If the policy refuses access by the path, the descriptor must not give it.
TEST(Descriptors, OfAProtectedFileAreNotHandedOver) {
  const Caller caller;
  const std::string path = caller.file("kept", "");
  const Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  const Answer answer =
      caller.call({"run", "--tier", "c", "--protect", "kept", "--", guest(), "change-descriptors"},
                  {.files = {{1, file.get()}}});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  struct stat found {};
  ASSERT_EQ(fstat(file.get(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0644U & 0777U);
}

// The path leads to the file, but the command could not open it: for example a log of root in the
// workspace of an ordinary user.
TEST(Descriptors, OfAFileThatTheCommandCouldNotOpenAreNotHandedOver) {
  struct Case {
    const char* name;
    mode_t file, directory;
    std::string content;
  };
  for (const Case& tried :
       {Case{"no write permission", 0400, 0700, "old\nnew\n"},
        Case{"no way to it", 0600, 0000, "old\nnew\n"}, Case{"the control", 0600, 0700, "new\n"}}) {
    for (const std::string tier : {"b", "c"}) {
      const Caller caller;
      const std::string directory = caller.workspace() + "/logs";
      ASSERT_EQ(mkdir(directory.c_str(), 0700), 0);
      const std::string path = caller.file("logs/audit", "old\n");
      const Fd file(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
      const Fd reader(open(path.c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_EQ(fchmod(file.get(), tried.file), 0);
      ASSERT_EQ(chmod(directory.c_str(), tried.directory), 0);
      const Answer answer = caller.call(
          {"run", "--tier", tier, "--", "perl", "-e", "truncate(STDOUT, 0); print \"new\\n\""},
          {.files = {{1, file.get()}}});
      ASSERT_EQ(chmod(directory.c_str(), 0700), 0);
      EXPECT_EQ(answer.exit_code, 0) << answer.err;
      EXPECT_EQ(content_of(reader.get()), tried.content) << tried.name << " in tier " << tier;
    }
  }
}

TEST(Descriptors, ThatAnotherRunHasAreNotHandedOver) {
  const Caller caller;
  const std::string path = caller.file("log", "");
  const Fd file(open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
  const Words waits = {"run", "--", "sh", "-c", "echo ready >&2; read line"};
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const Fd in(ends[0]);
  Fd writer(ends[1]);
  Call first = caller.start(waits, {.files = {{0, in.get()}, {1, file.get()}, {2, file.get()}}});
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (content_of(file.get()) != "ready\n") ASSERT_LT(std::chrono::steady_clock::now(), deadline);
  const Answer second = caller.call({"run", "--", "stat", "-Lc", "%F", "/proc/self/fd/1"},
                                    {.files = {{1, file.get()}}});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(content_of(file.get()), "ready\nfifo\n");
  writer.reset();
  static_cast<void>(first.finish_process());
  EXPECT_EQ(fcntl(file.get(), F_GETOWN), 0);
}

// Otherwise the command could release the caller's lock for good.
TEST(Descriptors, WithALockAreNotHandedOver) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const std::string path = caller.file("locked", "");
    const Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(flock(file.get(), LOCK_EX), 0);
    EXPECT_EQ(
        caller.call({"run", "--tier", tier, "--", "flock", "-u", "1"}, {.files = {{1, file.get()}}})
            .exit_code,
        0);
    const Fd other(open(path.c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_NE(flock(other.get(), LOCK_EX | LOCK_NB), 0) << tier;
  }
  const std::string path = caller.file("locked", "");
  const Fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(flock(file.get(), LOCK_EX), 0);
  EXPECT_EQ(caller
                .call({"run", "--mode", "disabled", "--", "flock", "-u", "1"},
                      {.files = {{1, file.get()}}})
                .exit_code,
            0);
  const Fd other(open(path.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_EQ(flock(other.get(), LOCK_EX | LOCK_NB), 0) << "the control";
}

TEST(Descriptors, OfFilesGrowNoFurtherThanTheFileSizeLimit) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const Fd file(open(caller.file_outside("log", "").c_str(), O_RDWR | O_CLOEXEC));
    const Answer answer = caller.call({"run", "--tier", tier, "--file-size", "1000", "--", "yes"},
                                      {.files = {{1, file.get()}}});
    EXPECT_EQ(answer.exit_code, 137) << answer.err;
    EXPECT_THAT(answer.err, testing::HasSubstr("stdout reached the file-size limit of 1000 bytes"));
    EXPECT_EQ(lseek(file.get(), 0, SEEK_END), 1000) << tier;
  }
}

// The run ends at its deadline, even if its output is not read.
TEST(Descriptors, OutputThatWasNotReadInTimeIsTold) {
  const Caller caller;
  for (const Kind& kind : {Kind{"a pipe", open_pipe}, Kind{"a socket", open_socket_pair}}) {
    std::vector<Fd> keep;
    const Fd out = kind.open(caller, 1, keep);
    const Answer answer =
        caller.call({"run", "--timeout", "500ms", "--", "yes"}, {.files = {{1, out.get()}}});
    EXPECT_EQ(answer.exit_code, 124) << kind.name;
    EXPECT_THAT(answer.err,
                testing::HasSubstr("bytes of its stdout were not read in time and are lost"))
        << kind.name;
  }
}

TEST(Descriptors, OutputThatIsAppendedTwiceKeepsItsOrder) {
  const Caller caller;
  const Words both = {"--", "sh", "-c", "for i in 1 2 3; do echo out; echo err >&2; done"};
  for (const std::string tier : {"b", "c"}) {
    const std::string path = caller.file_outside("log", "");
    const Fd out(open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
    const Fd err(open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
    const Answer answer = caller.call(joined({"run", "--tier", tier}, both),
                                      {.files = {{1, out.get()}, {2, err.get()}}});
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_EQ(content_of(out.get()), "out\nerr\nout\nerr\nout\nerr\n") << tier;
  }
}

// As in `cmd >fifo 2>fifo`.
TEST(Descriptors, OutputToOnePipeThatIsOpenTwiceKeepsItsOrder) {
  const Words both = {"--", "sh", "-c", "for i in 1 2 3; do echo out; echo err >&2; done"};
  for (const std::string tier : {"b", "c"}) {
    const Caller caller;
    const PipeEnds first = open_pipe_ends(caller, true);
    const Fd second(open((caller.outside() + "/fifo").c_str(), O_WRONLY | O_CLOEXEC));
    const Answer answer = caller.call(joined({"run", "--tier", tier}, both),
                                      {.files = {{1, first.write.get()}, {2, second.get()}}});
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_EQ(left_in(first.read.get()), "out\nerr\nout\nerr\nout\nerr\n") << tier;
  }
}

// As in `cmd <>file >&0`: afterwards the offset is behind what was written.
TEST(Descriptors, AFileThatIsReadAndWrittenIsNotRewound) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const Fd file(open(caller.file_outside("both", "12345\n").c_str(), O_RDWR | O_CLOEXEC));
    const Answer answer =
        caller.call({"run", "--tier", tier, "--", "sh", "-c", "read a; echo got $a; echo more"},
                    {.files = {{0, file.get()}, {1, file.get()}}});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    ASSERT_EQ(write(file.get(), "after\n", 6), 6);
    EXPECT_THAT(content_of(file.get()), testing::EndsWith("more\nafter\n")) << tier;
  }
}

TEST(Descriptors, OfTheCallerDoNotGoPastTheEndOfTheFile) {
  const Caller caller;
  const Fd file(open(caller.file_outside("in", "0123456789").c_str(), O_RDONLY | O_CLOEXEC));
  const Answer answer =
      caller.call({"run", "--tier", "c", "--", "perl", "-e", "sysseek(STDIN, 1 << 40, 0)"},
                  {.files = {{0, file.get()}}});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 10);
}

// The offset is shared: output goes behind what was read, as without a sandbox.
TEST(Descriptors, AFileInTheWorkspaceCanBeReadAndWrittenByOneDescription) {
  const Caller caller;
  for (const Words& mode :
       {Words{"--tier", "b"}, Words{"--tier", "c"}, Words{"--mode", "disabled"}}) {
    const Fd file(open(caller.file("both", "abcdef").c_str(), O_RDWR | O_CLOEXEC));
    const Answer answer = caller.call(
        joined(joined({"run"}, mode), {"--", "sh", "-c", "head -c 2 >/dev/null; echo Z"}),
        {.files = {{0, file.get()}, {1, file.get()}}});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_EQ(content_of(file.get()), "abZ\nef");
  }
}

// If the command could rewind stdin, a shell that reads its script from it would start over for
// ever.
TEST(Descriptors, OfTheCallerAreNotRewoundByTheCommand) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const Fd file(open(caller.file_outside("in", "0123456789").c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(lseek(file.get(), 5, SEEK_SET), 5);
    const Answer answer = caller.call({"run", "--tier", tier, "--", guest(), "rewind-stdin"},
                                      {.files = {{0, file.get()}}});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_GE(lseek(file.get(), 0, SEEK_CUR), 5) << tier;
  }
}

TEST(Descriptors, EveryKindCarriesItsBytesBothWays) {
  for (const std::string tier : {"b", "c"}) {
    for (const Kind& kind : kKinds) {
      const Caller caller;
      std::vector<Fd> keep;
      const Fd in = kind.open(caller, 0, keep);
      if (keep.empty()) {
        const Answer answer = caller.call({"run", "--tier", tier, "--", guest(), "copy-stdin"},
                                          {.files = {{0, in.get()}}});
        EXPECT_EQ(answer.out, kind.open == nullptr ? "" : content_of(in.get()))
            << kind.name << answer.err;
        continue;
      }
      ASSERT_EQ(write(keep.front().get(), "text\n", 5), 5);
      const Answer answer = caller.call({"run", "--tier", tier, "--", guest(), "read-bytes", "5"},
                                        {.files = {{0, in.get()}}});
      EXPECT_EQ(answer.exit_code, 0) << kind.name << " in tier " << tier << answer.err;
    }
  }
}

TEST(Descriptors, ThatAreNoFilesAreRefusedByName) {
  const Caller caller;
  const Fd directory(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Fd datagrams(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const Fd path(open("/etc/passwd", O_PATH | O_CLOEXEC));
  for (const std::string tier : {"b", "c"}) {
    for (const int fd : {directory.get(), datagrams.get(), path.get()}) {
      const Answer answer =
          caller.call({"run", "--tier", tier, "--", "true"}, {.files = {{0, fd}}});
      EXPECT_EQ(answer.exit_code, 125) << tier;
      EXPECT_THAT(answer.err, testing::HasSubstr("stdin is ")) << tier;
    }
  }
}

}  // namespace
}  // namespace bawn
