// bawn-seccomp-compile inc|hash|text|source x86_64|aarch64 OUT PROFILE.json...
//
// Compiles profiles into one BPF filter at build time, so that a launch only passes it to the
// kernel. Several profiles are layers of one filter: see src/linux/seccomp_compile.h.
//
// The forms of OUT:
//  inc     a list of {code, jt, jf, k}, the initialiser of an array of sock_filter
//  hash    the filter's hash as a string literal; receipts identify the filter by it
//  text    for people and golden files: one instruction a line, jumps with their target's line
//  source  the profiles as a string literal, after they were checked; they are compiled at run time
//          together with a user's profile

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backend/linux/seccomp/compile.h"
#include "backend/linux/seccomp/filter_hash.h"
#include "backend/linux/seccomp/profile.h"
#include "base/text.h"

namespace {

using bawn::concat;
using bawn::linux_::seccomp::Architecture;
using bawn::linux_::seccomp::SeccompProfile;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

template <class T>
T value_or_fail(bawn::Result<T> result, const std::string& where) {
  if (!result) fail(where + ": " + result.error().message);
  return std::move(result).value();
}

Architecture architecture_of(std::string_view name) {
  if (name == "x86_64") return Architecture::x86_64;
  if (name == "aarch64") return Architecture::aarch64;
  fail(concat("no filters for architecture ", name));
}

std::string read_file(const char* path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) fail(concat("cannot read ", path));
  return text;
}

std::string hexadecimal(std::uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", number);
  return text;
}

std::string field_name(std::uint32_t offset) {
  if (offset == offsetof(seccomp_data, nr)) return "number";
  if (offset == offsetof(seccomp_data, arch)) return "architecture";
  const std::size_t within = offset - offsetof(seccomp_data, args);
  return concat("argument ", within / 8, within % 8 == 0 ? " low" : " high");
}

std::string action_name(std::uint32_t action) {
  switch (action & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
      return "allow";
    case SECCOMP_RET_ERRNO:
      return concat("errno ", action & SECCOMP_RET_DATA);
    case SECCOMP_RET_KILL_PROCESS:
      return "kill process";
    default:
      return hexadecimal(action);
  }
}

std::string line_of(const sock_filter& instruction, std::size_t at) {
  const std::string operand = hexadecimal(instruction.k);
  const auto branch = [&](std::string_view test) {
    return concat("if ", test, " ", operand, " then ", at + 1 + instruction.jt, " else ",
                  at + 1 + instruction.jf);
  };
  switch (instruction.code) {
    case BPF_LD | BPF_W | BPF_ABS:
      return concat("load ", field_name(instruction.k));
    case BPF_ALU | BPF_AND | BPF_K:
      return concat("and ", operand);
    case BPF_JMP | BPF_JA:
      return concat("go to ", at + 1 + instruction.k);
    case BPF_JMP | BPF_JEQ | BPF_K:
      return branch("==");
    case BPF_JMP | BPF_JGE | BPF_K:
      return branch(">=");
    case BPF_JMP | BPF_JGT | BPF_K:
      return branch(">");
    case BPF_JMP | BPF_JSET | BPF_K:
      return branch("has a bit of");
    case BPF_RET | BPF_K:
      return action_name(instruction.k);
    default:
      fail(concat("an instruction without a name: ", instruction.code));
  }
}

std::string as_text(const std::vector<sock_filter>& filter) {
  std::string text;
  for (std::size_t i = 0; i < filter.size(); ++i)
    text += concat(i, ": ", line_of(filter[i], i), "\n");
  return text;
}

std::string as_include(const std::vector<sock_filter>& filter) {
  std::string text;
  for (const sock_filter& one : filter)
    text +=
        concat("{", one.code, ", ", unsigned{one.jt}, ", ", unsigned{one.jf}, ", ", one.k, "u},\n");
  return text;
}

std::string as_hash(const std::vector<sock_filter>& filter) {
  return concat("\"", bawn::linux_::filter_hash(filter), "\"\n");
}

std::string as_source(const std::vector<std::string>& texts) {
  std::string literal;
  for (const std::string& text : texts) literal += concat("R\"json(", text, ")json\"\n");
  return literal;
}

std::string in_form(std::string_view form, const std::vector<sock_filter>& filter,
                    const std::vector<std::string>& texts) {
  if (form == "inc") return as_include(filter);
  if (form == "hash") return as_hash(filter);
  if (form == "text") return as_text(filter);
  if (form == "source") return as_source(texts);
  fail(concat("unknown form ", form));
}

void compile(const std::vector<char*>& words) {
  std::vector<std::string> texts;
  std::vector<SeccompProfile> layers;
  for (std::size_t i = 3; i < words.size(); ++i) {
    texts.push_back(read_file(words[i]));
    layers.push_back(
        value_or_fail(bawn::linux_::seccomp::parse_seccomp_profile(texts.back()), words[i]));
  }
  const auto filter = value_or_fail(
      bawn::linux_::seccomp::compile(layers, architecture_of(words[1])), words.back());
  std::ofstream out(words[2]);
  out << in_form(words[0], filter, texts);
  if (!out.flush()) fail(concat("cannot write ", words[2]));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(
        stderr, "usage: bawn-seccomp-compile inc|hash|text|source x86_64|aarch64 OUT PROFILE...\n");
    return 2;
  }
  try {
    compile({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "bawn-seccomp-compile: %s\n", problem.what());
    return 1;
  }
  return 0;
}
