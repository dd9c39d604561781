#include "bench/spawn/crun_bundle.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "bench/spawn/peer.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::bench {
namespace {

using Json = nlohmann::ordered_json;

Json bind(const std::string& path, const char* access) {
  return {
      {"destination", path}, {"source", path}, {"type", "bind"}, {"options", {"rbind", access}}};
}

Json mounts_of(const BenchSetup& setup) {
  Json mounts = {{{"destination", "/proc"}, {"source", "proc"}, {"type", "proc"}},
                 {{"destination", "/dev"}, {"source", "tmpfs"}, {"type", "tmpfs"}},
                 {{"destination", "/tmp"}, {"source", "tmpfs"}, {"type", "tmpfs"}}};
  for (const char* directory : {"/usr", "/bin", "/lib", "/lib64"}) {
    if (access(directory, F_OK) == 0) mounts.push_back(bind(directory, "ro"));
  }
  mounts.push_back(bind(setup.workspace, "rw"));
  for (const std::string& file : extra_files(setup)) mounts.push_back(bind(file, "ro"));
  return mounts;
}

Json only_root(unsigned id) { return {{{"containerID", 0}, {"hostID", id}, {"size", 1}}}; }

std::string config_of(const BenchSetup& setup) {
  Json namespaces = Json::array();
  for (const char* type : {"user", "mount", "pid", "network", "ipc", "uts", "cgroup"}) {
    namespaces.push_back({{"type", type}});
  }
  const Json config = {
      {"ociVersion", "1.0.0"},
      {"process",
       {{"user", {{"uid", 0}, {"gid", 0}}},
        {"args", {setup.command}},
        {"cwd", setup.workspace},
        {"noNewPrivileges", true}}},
      {"root", {{"path", "root"}, {"readonly", true}}},
      {"mounts", mounts_of(setup)},
      {"linux",
       {{"namespaces", namespaces},
        {"uidMappings", only_root(getuid())},
        {"gidMappings", only_root(getgid())}}},
  };
  return config.dump();
}

Result<void> write_new_file(const std::string& path, const std::string& text) {
  BAWN_ASSIGN(const int fd, sys::checked(concat("create ", quote(path)), [&] {
                return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
              }));
  const Fd file(fd);
  if (write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return {};
  return system_error(errno, concat("write ", quote(path)));
}

int remove_entry(const char* path, const struct stat* /*status*/, int /*type*/, FTW* /*place*/) {
  return std::remove(path);
}

}  // namespace

Result<std::shared_ptr<const CrunBundle>> CrunBundle::create(const BenchSetup& setup) {
  std::string path = "/tmp/bawn-bench-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return system_error(errno, concat("mkdtemp ", quote(path)));
  const std::shared_ptr<const CrunBundle> bundle(new CrunBundle(path));
  for (const std::string& directory : {path + "/root", bundle->state()}) {
    BAWN_TRY(sys::checked(concat("mkdir ", quote(directory)),
                          [&] { return mkdir(directory.c_str(), 0700); }));
  }
  BAWN_TRY(write_new_file(path + "/config.json", config_of(setup)));
  return bundle;
}

CrunBundle::~CrunBundle() {
  constexpr int kOpenDirectories = 8;
  // Not std::filesystem: every `bawn run` would pay for its relocations. What cannot be removed
  // stays in /tmp and does not fail the measurement.
  nftw(path_.c_str(), remove_entry, kOpenDirectories, FTW_DEPTH | FTW_PHYS);
}

}  // namespace bawn::bench
