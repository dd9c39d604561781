#include "profiles.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "backend/linux/seccomp/compile.h"

namespace bawn::linux_::test {
namespace {

std::string folder(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr)
    throw std::runtime_error(std::string(variable) + " is not set; run this by meson test");
  return path;
}

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

}  // namespace

std::string architecture_name(seccomp::Architecture architecture) {
  return architecture == seccomp::Architecture::x86_64 ? "x86_64" : "aarch64";
}

std::string file_text(const std::string& path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in || text.empty()) throw std::runtime_error("cannot read " + path);
  return text;
}

std::string profile_folder() { return folder("BAWN_TEST_PROFILES"); }

seccomp::SeccompProfile profile(const std::string& name) {
  return value_of(
      seccomp::parse_seccomp_profile(file_text(profile_folder() + "/" + name + ".json")));
}

std::vector<sock_filter> filter_of(const std::vector<std::string>& layers,
                                   seccomp::Architecture architecture) {
  std::vector<seccomp::SeccompProfile> profiles;
  for (const std::string& name : layers) profiles.push_back(profile(name));
  return value_of(seccomp::compile(profiles, architecture));
}

seccomp_data make_call(std::uint32_t number, seccomp::Architecture architecture,
                       const std::vector<std::uint64_t>& arguments) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = seccomp::audit_architecture(architecture);
  for (std::size_t i = 0; i < arguments.size(); ++i) call.args[i] = arguments[i];
  return call;
}

std::vector<KnownCall> known_calls() {
  std::istringstream in(file_text(folder("BAWN_TEST_DATA") + "/syscalls.txt"));
  std::vector<KnownCall> calls;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name;
    std::string first;
    std::string second;
    words >> name >> first >> second;
    const auto number = [](const std::string& word) { return word == "-" ? -1 : std::stoi(word); };
    calls.push_back({name, {number(first), number(second)}});
  }
  return calls;
}

}  // namespace bawn::linux_::test
