#include "observer.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "policy/limit.h"
#include "policy/policy.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

Observer::Observer()
    : abstract_name_("bawn-observer-" + std::to_string(getpid())),
      path_(fixture_.workspace() + "/observer") {
  fixture_.file(fixture_.outside(), "secret");
  fixture_.file(fixture_.workspace(), "protected");
  abstract_ = Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  abstract_name_.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto length =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + abstract_name_.size());
  EXPECT_EQ(bind(abstract_.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  EXPECT_EQ(listen(abstract_.get(), 8), 0);
}

FixturePolicy Observer::policy() const {
  FixturePolicy policy = fixture_policy();
  policy.limits.cgroup_parent = cgroups_.parent();
  return policy;
}

Outcome Observer::run(First first) const {
  FixturePolicy protecting = policy();
  protecting.workspace.protect = {"protected"};
  protecting.identity.as_pid_1 = first == First::command;
  std::vector<std::string> words = {"audit", path_, fixture_.outside() + "/secret", abstract_name_,
                                    fixture_.workspace() + "/protected"};
  if (first == First::command) words.emplace_back("is-first");
  return fixture_.run_unvalidated(protecting, words);
}

std::optional<std::string> Observer::found() const {
  const bool begun = std::filesystem::remove(path_ + ".part");
  if (!std::filesystem::exists(path_)) return begun ? std::optional("ended early") : std::nullopt;
  std::string text = content(path_);
  std::filesystem::remove(path_);
  return text;
}

bool is_refusal(const Outcome& outcome) {
  return (outcome.status == Status::failed && outcome.error) ||
         (outcome.status == Status::denied && !outcome.violations.empty());
}

std::string Observer::traces() const {
  const std::filesystem::path root = std::filesystem::path(fixture_.workspace()).parent_path();
  std::string traces;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // A tmpfs of a run has the source "none"; a bind mount of the workspace has its path.
    if (line.find(" - tmpfs none ") != std::string::npos || line.find(root) != std::string::npos)
      traces += line + "\n";
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) traces += file + "\n";
  return traces + cgroups_.runs();
}

void inherit_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void wait_for_descendants() {
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

}  // namespace bawn
