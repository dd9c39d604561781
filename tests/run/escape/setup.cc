#include "setup.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "policy/workspace_policy.h"

namespace bawn::escape {
namespace {

Fd listening(const sockaddr* address, socklen_t length, int type) {
  Fd fd(socket(address->sa_family, type | SOCK_CLOEXEC, 0));
  EXPECT_EQ(bind(fd.get(), address, length), 0) << std::strerror(errno);
  if (type == SOCK_STREAM) {
    EXPECT_EQ(listen(fd.get(), 8), 0);
  }
  return fd;
}

Fd listening_unix(const std::string& name, int type) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path, sizeof address.sun_path - 1);
  if (name[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  return listening(reinterpret_cast<const sockaddr*>(&address), length, type);
}

std::string port_of(int fd) {
  sockaddr_in6 address{};  // sin6_port has the same offset as sin_port
  socklen_t length = sizeof address;
  EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length), 0);
  return std::to_string(ntohs(address.sin6_port));
}

bool is_visited(const Fd& fd) {
  pollfd waiting = {fd.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) != 0;
}

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

}  // namespace

TestSetup::TestSetup() : abstract_name_("@bawn-setup-" + std::to_string(getpid())) {
  const std::string& work = fixture_.workspace();
  for (const char* directory : {"/deep", "/secrets", "/empty"})
    std::filesystem::create_directory(work + directory);
  fixture_.file(work, "file");
  fixture_.file(work + "/deep", "guarded");
  fixture_.file(work + "/deep", "other");
  fixture_.file(work + "/secrets", "key");
  fixture_.file(fixture_.outside(), "secret");
  std::filesystem::create_symlink(fixture_.outside() + "/secret", work + "/link");
  std::filesystem::create_symlink(fixture_.outside(), work + "/directory-link");
  std::filesystem::create_symlink("../outside/secret", work + "/relative-link");
  std::filesystem::create_symlink(fixture_.outside() + "/agent", work + "/agent-link");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  tcp_ = listening(reinterpret_cast<const sockaddr*>(&address), sizeof address, SOCK_STREAM);
  sockaddr_in6 address6{};
  address6.sin6_family = AF_INET6;
  address6.sin6_addr = in6addr_loopback;
  tcp6_ = listening(reinterpret_cast<const sockaddr*>(&address6), sizeof address6, SOCK_STREAM);
  tcp_port_ = port_of(tcp_.get());
  tcp6_port_ = port_of(tcp6_.get());
  abstract_ = listening_unix(abstract_name_, SOCK_STREAM);
  agent_ = listening_unix(fixture_.outside() + "/agent", SOCK_STREAM);
  log_ = listening_unix(fixture_.outside() + "/log", SOCK_DGRAM);
  state_ = outside_state();
}

FixturePolicy TestSetup::policy() const {
  FixturePolicy policy = fixture_policy();
  policy.workspace.protect = {"deep/guarded"};
  policy.workspace.hide = {"secrets"};
  return policy;
}

Words TestSetup::filled(const Words& words) const {
  Words result = words;
  for (std::string& word : result) {
    replace_all(word, "{workspace}", fixture_.workspace());
    replace_all(word, "{outside}", fixture_.outside());
    replace_all(word, "{pid}", std::to_string(getpid()));
    replace_all(word, "{group}", std::to_string(getpgrp()));
    replace_all(word, "{tcp}", tcp_port_);
    replace_all(word, "{tcp6}", tcp6_port_);
    replace_all(word, "{abstract}", abstract_name_);
  }
  return result;
}

std::string TestSetup::came_of(const FixturePolicy& policy, const Words& words) const {
  const Outcome outcome = fixture_.run_unvalidated(policy, filled(words));
  if (outcome.status == Status::signaled)
    return "SIG" + std::string(sigabbrev_np(outcome.signal.value_or(0)));
  return said(outcome);
}

std::string TestSetup::in_sandbox(const Words& words, void (*grant)(FixturePolicy&)) const {
  FixturePolicy chosen = policy();
  if (grant != nullptr) grant(chosen);
  return came_of(chosen, words);
}

std::string TestSetup::unconfined(const Words& words) const {
  const FixturePolicy none = unconfined_policy();
  return came_of(none, words);
}

std::string TestSetup::outside_state() const {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& path) {
    struct stat found {};
    EXPECT_EQ(lstat(path.c_str(), &found), 0) << path;
    std::ostringstream line;
    line << path << " mode " << found.st_mode << " links " << found.st_nlink << " owner "
         << found.st_uid << " changed " << found.st_ctim.tv_sec << "." << found.st_ctim.tv_nsec;
    if (S_ISREG(found.st_mode)) line << " content " << content(path);
    lines.push_back(line.str());
  };
  for (const auto& entry : std::filesystem::directory_iterator(fixture_.outside()))
    add(entry.path());
  std::sort(lines.begin(), lines.end());
  add(fixture_.outside());
  add(fixture_.workspace() + "/deep/guarded");
  add(fixture_.workspace() + "/secrets/key");
  std::string state;
  for (const std::string& line : lines) state += line + "\n";
  return state;
}

void TestSetup::expect_untouched() const {
  EXPECT_EQ(outside_state(), state_);
  for (const Fd* socket : {&tcp_, &tcp6_, &abstract_, &agent_, &log_})
    EXPECT_FALSE(is_visited(*socket)) << "a server outside was reached";
}

}  // namespace bawn::escape
