#include "caller.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace bawn {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe {
  Fd read;
  Fd write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) give_up("pipe2");
  return {Fd(ends[0]), Fd(ends[1])};
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(left, 0));
}

// Reads once; closes the descriptor at the end of the stream.
void read_some(Fd& fd, std::string& to) {
  std::array<char, 64 * 1024> block{};
  const ssize_t got = read(fd.get(), block.data(), block.size());
  if (got > 0) {
    to.append(block.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
    fd.reset();
  }
}

// Writes as much as fits. Closes the descriptor when everything is written or the reader is gone.
void write_some(Fd& fd, std::string& from) {
  if (!from.empty()) {
    const ssize_t put = write(fd.get(), from.data(), from.size());
    if (put > 0) from.erase(0, static_cast<std::size_t>(put));
    if (put < 0 && errno != EAGAIN && errno != EINTR) from.clear();
  }
  if (from.empty()) fd.reset();
}

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void place(int fd, int at) { posix_spawn_file_actions_adddup2(&actions_, fd, at); }
  void close(int fd) { posix_spawn_file_actions_addclose(&actions_, fd); }
  void change_directory(const std::string& path) {
    posix_spawn_file_actions_addchdir_np(&actions_, path.c_str());
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::vector<char*> pointers(Words& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

std::string write_file(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace

std::string named_by(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr)
    throw std::runtime_error(std::string(variable) + " is not set; see tests/cli/meson.build");
  return value;
}

std::string guest() { return named_by("BAWN_GUEST"); }

Call::Call(pid_t pid, Fd in, Fd out, Fd err, std::string text)
    : pid_(pid),
      in_(std::move(in)),
      out_(std::move(out)),
      err_(std::move(err)),
      text_(std::move(text)) {
  for (const Fd* fd : {&in_, &out_, &err_}) fcntl(fd->get(), F_SETFL, O_NONBLOCK);
}

Call::Call(Call&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::move(other.in_)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)),
      text_(std::move(other.text_)),
      answer_(std::move(other.answer_)) {}

Call::~Call() {
  if (pid_ == -1) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

// Waits for the three pipes once and moves what it can. False when all are closed, and after the
// deadline.
bool Call::step(Clock::time_point deadline) {
  std::array<pollfd, 3> polled{pollfd{in_.get(), POLLOUT, 0}, pollfd{out_.get(), POLLIN, 0},
                               pollfd{err_.get(), POLLIN, 0}};
  if (!in_ && !out_ && !err_) return false;
  const int ready = poll(polled.data(), polled.size(), milliseconds_until(deadline));
  if (ready == 0) ADD_FAILURE() << "nothing happened for " << kPatience.count() << " s";
  if (ready <= 0) return ready == -1 && errno == EINTR;
  if (polled[0].revents != 0) write_some(in_, text_);
  if (polled[1].revents != 0) read_some(out_, answer_.out);
  if (polled[2].revents != 0) read_some(err_, answer_.err);
  return true;
}

bool Call::wait_for_output(std::string_view text) {
  const auto deadline = Clock::now() + kPatience;
  while (answer_.out.find(text) == std::string::npos && out_ && step(deadline)) {
  }
  return answer_.out.find(text) != std::string::npos;
}

void Call::write_input() {
  const auto deadline = Clock::now() + kPatience;
  while (in_ && step(deadline)) {
  }
}

void Call::send_signal(int number) const { kill(pid_, number); }

void Call::reap(Clock::time_point deadline) {
  const Fd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd ended{pidfd.get(), POLLIN, 0};
  int ready = -1;
  while ((ready = poll(&ended, 1, milliseconds_until(deadline))) == -1 && errno == EINTR) {
  }
  if (ready != 1) {
    ADD_FAILURE() << "bawn did not end within " << kPatience.count() << " s";
    kill(pid_, SIGKILL);
  }
  int status = 0;
  if (waitpid(std::exchange(pid_, -1), &status, 0) == -1) give_up("waitpid");
  if (WIFEXITED(status)) answer_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) answer_.signal = WTERMSIG(status);
}

Answer Call::finish_process() {
  reap(Clock::now() + kPatience);
  return answer_;
}

Answer Call::finish() {
  const auto deadline = Clock::now() + kPatience;
  while (step(deadline)) {
  }
  reap(deadline);
  return answer_;
}

Caller::Caller() : environment_{{"PATH", "/usr/local/bin:/usr/bin:/bin"}} {
  signal(SIGPIPE, SIG_IGN);
  std::string pattern = "/tmp/bawn-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) give_up("mkdtemp");
  root_ = pattern;
  workspace_ = root_ + "/work";
  outside_ = root_ + "/outside";
  mkdir(workspace_.c_str(), 0755);
  mkdir(outside_.c_str(), 0755);
}

Caller::~Caller() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Caller::file(const std::string& name, std::string_view content) const {
  return write_file(workspace_ + "/" + name, content);
}

std::string Caller::file_outside(const std::string& name, std::string_view content) const {
  return write_file(outside_ + "/" + name, content);
}

Call Caller::start(const Words& words, const Handed& handed) const {
  return start_with_argv(joined({"bawn"}, words), handed);
}

Call Caller::start_with_argv(const Words& argv, const Handed& handed) const {
  return start_program(named_by("BAWN_BINARY"), argv, handed);
}

Call Caller::start_program(const std::string& program, const Words& argv,
                           const Handed& handed) const {
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  SpawnActions actions;
  actions.change_directory(workspace_);
  actions.place(in.read.get(), STDIN_FILENO);
  actions.place(out.write.get(), STDOUT_FILENO);
  actions.place(err.write.get(), STDERR_FILENO);
  for (const auto& [at, fd] : handed.files) actions.place(fd, at);
  for (const int fd : handed.closed) actions.close(fd);

  Words words = argv;
  Words variables;
  for (const auto& [name, value] : environment_) variables.push_back(name + "=" + value);
  // An ignored signal stays ignored across exec, and this test ignores SIGPIPE.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  errno = posix_spawn(&pid, program.c_str(), actions.get(), &attributes, pointers(words).data(),
                      pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  if (errno != 0) give_up("posix_spawn");
  return {pid, std::move(in.write), std::move(out.read), std::move(err.read), handed.in};
}

Answer Caller::call(const Words& words, const Handed& handed) const {
  return start(words, handed).finish();
}

Answer Caller::run(const Words& verb, const Handed& handed) const {
  return call(joined({"run", "--tier", "b", "--", guest()}, verb), handed);
}

std::string marker() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return "marker-" + std::to_string(getpid()) + "-" + test->name();
}

int processes_with_argument(const std::string& marker) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string words;
    // A process that ends meanwhile makes this read fail. getline() then sets the stream's error;
    // an iterator over its buffer would throw.
    std::getline(file, words, '\n');
    if (words.find(marker) != std::string::npos) ++count;
  }
  return count;
}

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace bawn
