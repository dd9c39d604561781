// bawn-seccomp-compile OUT.inc PROFILE.json...: turns profiles (OCI format, comments allowed) into one BPF filter at
// build time. Several profiles are as strict together as each is alone; they must agree on the default.
//
// Compiling a filter costs more than starting a process, so it never happens at launch. The output is a list of
// {code, jt, jf, k}, in a binary tree over system-call numbers. Anything in the profile that is not understood is an error.

#include <seccomp.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

void check(int result, const std::string& what) {
  if (result < 0) fail(what + ": " + std::strerror(-result));
}

std::uint32_t action_of(const nlohmann::json& rule, const std::string& name) {
  if (name == "SCMP_ACT_ALLOW") return SCMP_ACT_ALLOW;
  if (name == "SCMP_ACT_KILL_PROCESS") return SCMP_ACT_KILL_PROCESS;
  if (name == "SCMP_ACT_ERRNO") return SCMP_ACT_ERRNO(rule.at("errnoRet").get<std::uint16_t>());
  fail("unknown action " + name);
}

scmp_arg_cmp comparison(const nlohmann::json& argument) {
  static const std::map<std::string, scmp_compare> kOperators = {{"SCMP_CMP_NE", SCMP_CMP_NE},
                                                                 {"SCMP_CMP_LT", SCMP_CMP_LT},
                                                                 {"SCMP_CMP_LE", SCMP_CMP_LE},
                                                                 {"SCMP_CMP_EQ", SCMP_CMP_EQ},
                                                                 {"SCMP_CMP_GE", SCMP_CMP_GE},
                                                                 {"SCMP_CMP_GT", SCMP_CMP_GT},
                                                                 {"SCMP_CMP_MASKED_EQ", SCMP_CMP_MASKED_EQ}};
  return {argument.at("index").get<unsigned>(), kOperators.at(argument.at("op").get<std::string>()),
          argument.at("value").get<std::uint64_t>(), argument.value("valueTwo", std::uint64_t{0})};
}

void add_rule(scmp_filter_ctx filter, const nlohmann::json& rule) {
  const std::uint32_t action = action_of(rule, rule.at("action").get<std::string>());
  std::vector<scmp_arg_cmp> comparisons;
  if (rule.contains("args")) {
    for (const auto& argument : rule.at("args")) comparisons.push_back(comparison(argument));
  }
  for (const auto& name : rule.at("names")) {
    const int number = seccomp_syscall_resolve_name(name.get<std::string>().c_str());
    if (number == __NR_SCMP_ERROR) fail("unknown system call " + name.get<std::string>());
    check(seccomp_rule_add_array(filter, action, number, static_cast<unsigned>(comparisons.size()),
                                 comparisons.data()),
          "rule for " + name.get<std::string>());
  }
}

Filter make_filter(const std::vector<nlohmann::json>& profiles) {
  const nlohmann::json& first = profiles.front();
  Filter filter(seccomp_init(action_of(first, first.at("defaultAction").get<std::string>())),
                seccomp_release);
  if (!filter) fail("seccomp_init");
  check(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "binary tree");
  check(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
        "foreign architectures");
  for (const nlohmann::json& profile : profiles) {
    if (profile.at("architectures") != nlohmann::json::array({"SCMP_ARCH_NATIVE"}))
      fail("architectures must be native");
    if (profile.at("defaultAction") != first.at("defaultAction")) fail("profiles with different defaults");
    for (const auto& rule : profile.at("syscalls")) add_rule(filter.get(), rule);
  }
  return filter;
}

nlohmann::json read_profile(const char* path) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  try {
    return nlohmann::json::parse(text, nullptr, true, true);
  } catch (const std::exception& problem) {
    fail(std::string(path) + ": " + problem.what());
  }
}

// libseccomp 2.5 writes BPF to a file only.
std::vector<unsigned char> bpf_of(const Filter& filter) {
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::tmpfile(), std::fclose);
  if (!file) fail("tmpfile");
  check(seccomp_export_bpf(filter.get(), fileno(file.get())), "export");
  std::vector<unsigned char> bytes(static_cast<std::size_t>(lseek(fileno(file.get()), 0, SEEK_END)));
  if (pread(fileno(file.get()), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    fail("read back");
  return bytes;
}

void write_instructions(const std::vector<unsigned char>& bytes, const char* path) {
  std::ofstream out(path);
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint16_t code = 0;
    std::uint32_t k = 0;
    std::memcpy(&code, &bytes[at], sizeof code);
    std::memcpy(&k, &bytes[at + 4], sizeof k);
    out << "{" << code << ", " << unsigned{bytes[at + 2]} << ", " << unsigned{bytes[at + 3]} << ", " << k
        << "u},\n";
  }
  if (!out.flush()) fail(std::string("write ") + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bawn-seccomp-compile OUT.inc PROFILE.json...\n");
    return 2;
  }
  try {
    std::vector<nlohmann::json> profiles;
    for (int i = 2; i < argc; ++i) profiles.push_back(read_profile(argv[i]));
    write_instructions(bpf_of(make_filter(profiles)), argv[1]);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "bawn-seccomp-compile: %s\n", problem.what());
    return 1;
  }
  return 0;
}
