#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "backend/linux/cgroup/run_cgroup.h"
#include "outcome/evidence_text.h"

namespace bawn {

std::string guest() {
  const char* path = std::getenv("BAWN_GUEST");
  if (path == nullptr) throw std::runtime_error("BAWN_GUEST names the program from tests/guest");
  return path;
}

Tier fixture_tier() {
  const char* tier = std::getenv("BAWN_TEST_TIER");
  if (tier != nullptr && std::string_view(tier) == "b") return Tier::b;
  if (tier != nullptr && std::string_view(tier) == "c") return Tier::c;
  throw std::runtime_error("BAWN_TEST_TIER names the tier of the runs: b or c");
}

RunFixture::RunFixture() {
  std::string pattern = "/tmp/bawn-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  root_ = pattern;
  workspace_ = root_ + "/work";
  outside_ = root_ + "/outside";
  mkdir(workspace_.c_str(), 0755);
  mkdir(outside_.c_str(), 0755);
}

RunFixture::~RunFixture() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string RunFixture::file(const std::string& directory, const std::string& name) const {
  const std::string path = directory + "/" + name;
  std::ofstream(path) << "content";
  return path;
}

Outcome RunFixture::run(const Policy& policy, std::vector<std::string> verb_and_arguments) const {
  return bawn::run(policy, {.command = guest(), .args = std::move(verb_and_arguments)},
                   {.workspace = workspace_});
}

Outcome RunFixture::run(std::vector<std::string> verb_and_arguments) const {
  return run(fixture_policy(), std::move(verb_and_arguments));
}

Outcome RunFixture::run_unvalidated(const Policy& policy,
                                    const std::vector<std::string>& words) const {
  std::string lines;
  for (const std::string& word : words) lines += word + "\n";
  return bawn::run(policy, {.command = guest(), .args = {"from-stdin"}, .stdin_text = lines},
                   {.workspace = workspace_});
}

CgroupFixture::CgroupFixture(const CgroupControllers& controllers) {
  auto place = find_cgroup_place(CgroupView::of_this_process(), controllers, std::nullopt);
  if (!place) {
    why_not_ = place.error().message;
    return;
  }
  version_ = place.value().version;
  // In v1 the parent is the same path in every hierarchy. This process may be in a different cgroup
  // in each of them, so the parents start at the roots.
  if (version_ == CgroupVersion::v1) {
    for (CgroupParent& parent : place.value().parents)
      parent.directory = "/sys/fs/cgroup/" + std::string(to_string(parent.controllers.front()));
  }
  static int count = 0;
  const std::string name =
      "bawn-test-fixture-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  const auto shared = linux_::ensure_cgroup_parent(place.value(), name, {});
  if (!shared) throw std::runtime_error(shared.error().message);
  for (const CgroupParent& parent : shared.value().place.parents)
    directories_.push_back(parent.directory);
}

CgroupFixture::~CgroupFixture() {
  for (const std::string& directory : directories_)
    EXPECT_EQ(rmdir(directory.c_str()), 0) << directory;
}

std::string CgroupFixture::runs() const {
  std::string runs;
  for (const std::string& directory : directories_) {
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.is_directory()) runs += entry.path().string() + "\n";
    }
  }
  return runs;
}

bool can_bound_processes() {
  return getuid() != 0 || CgroupFixture({CgroupController::pids}).exists();
}

bool hide_cgroups() {
  return unshare(CLONE_NEWNS) == 0 && mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", "/sys/fs/cgroup", "tmpfs", 0, nullptr) == 0;
}

std::string said(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, Status::exited) << outcome_json(outcome);
  std::string text = outcome.stdout_stream.data;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

namespace {

const Enforcement* find_layer(const Outcome& outcome, std::string_view layer) {
  for (const Enforcement& enforcement : outcome.enforcement) {
    if (enforcement.layer != layer) continue;
    for (const EvidenceField& field : enforcement.evidence)
      EXPECT_TRUE(field_text(layer, field)) << "no words: " << layer << " " << field.name;
    return &enforcement;
  }
  ADD_FAILURE() << "no layer " << layer << " in the receipt: " << outcome_json(outcome);
  return nullptr;
}

}  // namespace

LayerState layer_state(const Outcome& outcome, std::string_view layer) {
  const Enforcement* found = find_layer(outcome, layer);
  return found == nullptr ? LayerState::absent : found->state;
}

testing::AssertionResult layer_has(const Outcome& outcome, std::string_view layer,
                                   const EvidenceField& expected) {
  const Enforcement* found = find_layer(outcome, layer);
  if (found != nullptr &&
      std::find(found->evidence.begin(), found->evidence.end(), expected) != found->evidence.end())
    return testing::AssertionSuccess() << expected.name << " is as it should not be";
  return testing::AssertionFailure()
         << expected.name << " of " << layer << " is another: " << outcome_json(outcome);
}

std::string layer_text(const Outcome& outcome, std::string_view layer, std::string_view field) {
  const Enforcement* found = find_layer(outcome, layer);
  if (found == nullptr) return "";
  for (const EvidenceField& each : found->evidence) {
    const auto* text = std::get_if<std::string>(&each.value);
    if (each.name == field && text != nullptr) return *text;
  }
  return "";
}

std::string marker() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return "marker-" + std::to_string(getpid()) + "-" + test->name();
}

void expect_nothing_alive(const std::string& mark) {
  EXPECT_FALSE(process_with_argument(mark).has_value());
}

void expect_ended(const Outcome& outcome, const std::string& mark) {
  if (layer_state(outcome, "process_tree") == LayerState::enforced) {
    expect_nothing_alive(mark);
  } else {
    EXPECT_TRUE(is_gone_soon(mark));
  }
}

bool is_gone_soon(const std::string& mark) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (process_with_argument(mark)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

int in_another_process(const std::function<int()>& deed) {
  const pid_t child = fork();
  if (child == 0) _exit(deed());
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

std::optional<int> process_with_argument(const std::string& marker) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string words;
    // A process that ends meanwhile makes this read fail. getline() then sets the stream's error;
    // an iterator over its buffer would throw.
    std::getline(file, words, '\n');
    if (words.find(marker) != std::string::npos) return std::stoi(entry.path().filename());
  }
  return std::nullopt;
}

int open_descriptors() {
  int count = 0;
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) != -1) ++count;
  }
  return count;
}

}  // namespace bawn
