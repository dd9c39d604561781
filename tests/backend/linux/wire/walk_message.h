// Reads everything that a decoded message or report leads to. A sanitizer then notices a pointer
// that leaves the message, and a bool that is none.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <initializer_list>

#include "backend/linux/wire/decode.h"

namespace bawn::linux_ {

// The sum depends on every byte that was read, so that no read can be left out.
class Walk {
 public:
  void text(const char* text) {
    if (text == nullptr) return;
    for (; *text != 0; ++text) number(static_cast<unsigned char>(*text));
  }
  void number(std::uint64_t number) { sum_ = sum_ * 31 + number; }
  void flag(bool flag) { number(flag ? 2 : 1); }

  void identity(const init::FileIdentity& identity) {
    number(identity.device);
    number(identity.inode);
  }

  void mounts(const init::MountOpList& list) {
    for (std::uint64_t i = 0; i < list.count; ++i) {
      const init::MountOp& op = list.at[i];
      number(static_cast<std::uint32_t>(op.kind));
      flag(op.writable);
      flag(op.device);
      number(static_cast<std::uint8_t>(op.exec));
      number(op.tree);
      text(op.destination);
      text(op.content);
      text(op.source.path);
      identity(op.source.identity);
    }
  }

  void setup(const init::Setup& setup) {
    for (const bool each : {setup.timing, setup.new_netns, setup.switch_user, setup.drop_groups,
                            setup.as_pid_1, setup.noexec_root})
      flag(each);
    number(setup.uid);
    number(setup.gid);
    number(setup.scratch_bytes);
    number(setup.read_access ^ setup.write_access ^ setup.device_access ^ setup.execute_access);
    mounts(setup.base_mounts);
  }

  // As execve reads them: up to the null pointer.
  void strings(const init::StringsOf<init::Pointers>& strings) {
    std::uint64_t count = 0;
    for (const char** each = strings.at; *each != nullptr; ++each, ++count) text(*each);
    if (count != strings.count) __builtin_trap();
  }

  void terminal(const init::TerminalOrder& terminal) {
    for (const bool each :
         {terminal.wanted, terminal.foreground, terminal.has_modes, terminal.led_by_command})
      flag(each);
    number(terminal.stdio);
    number(terminal.size.rows);
    number(terminal.modes.local);
  }

  void exec(const init::Exec& exec) {
    number(exec.sequence);
    strings(exec.argv);
    strings(exec.envp);
    for (std::uint64_t i = 0; i < exec.filter.count; ++i) number(exec.filter.at[i].k);
    for (std::uint32_t i = 0; i < exec.rlimit_count; ++i) number(exec.rlimits[i].value);
    for (const bool each : {exec.confine, exec.drop_bounding_set, exec.timing, exec.root_is_granted,
                            exec.cwd_is_private})
      flag(each);
    number(exec.wall_ms + exec.cpu_ms + exec.private_access);
    text(exec.private_name);
    terminal(exec.terminal);
    for (const std::uint64_t each : exec.outer_namespaces) number(each);
    mounts(exec.mounts);
    text(exec.cwd.path);
    identity(exec.cwd.identity);
    text(exec.executable.path);
    identity(exec.executable.identity);
    for (const init::StdioFile& file : exec.stdio) {
      number(static_cast<std::uint32_t>(file.origin));
      text(file.directory);
      text(file.name);
      number(static_cast<std::uint64_t>(file.position));
      identity(file.identity);
    }
    text(exec.exec_probe);
  }

  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace bawn::linux_
