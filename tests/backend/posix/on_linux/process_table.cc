#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <memory>
#include <string_view>

#include "backend/posix/process_table.h"
#include "base/text.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::posix {
namespace {

std::string stat_of(pid_t pid) {
  const Fd file(::open(concat("/proc/", pid, "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return "";
  std::array<char, 1024> text{};
  const ssize_t got = sys::retried([&] { return ::read(file.get(), text.data(), text.size()); });
  return got <= 0 ? "" : std::string(text.data(), static_cast<std::size_t>(got));
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::uint64_t microseconds(std::string_view ticks) {
  static const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return number(ticks) * 1'000'000 / per_second;
}

}  // namespace

// Parses "PID (NAME) STATE PPID PGRP SESSION ...". NAME may contain any character, also ')'.
std::optional<ProcessFacts> find_process(pid_t pid) {
  const std::string text = stat_of(pid);
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open ||
      close + 2 >= text.size())
    return std::nullopt;
  const std::vector<std::string_view> fields = split(std::string_view(text).substr(close + 2), ' ');
  if (fields.size() < 20) return std::nullopt;
  return ProcessFacts{.pid = pid,
                      .parent = static_cast<pid_t>(number(fields[1])),
                      .group = static_cast<pid_t>(number(fields[2])),
                      .session = static_cast<pid_t>(number(fields[3])),
                      .started = number(fields[19]),
                      .cpu_us = microseconds(fields[11]) + microseconds(fields[12]),
                      .ended = fields[0] == "Z" || fields[0] == "X",
                      .name = text.substr(open + 1, close - open - 1)};
}

std::vector<ProcessFacts> list_processes() {
  struct Closer {
    void operator()(DIR* directory) const { ::closedir(directory); }
  };
  std::vector<ProcessFacts> out;
  const std::unique_ptr<DIR, Closer> proc(::opendir("/proc"));
  if (!proc) return out;
  while (const dirent* entry = ::readdir(proc.get())) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    if (auto facts = find_process(static_cast<pid_t>(number(entry->d_name))))
      out.push_back(std::move(*facts));
  }
  return out;
}

}  // namespace bawn::posix
