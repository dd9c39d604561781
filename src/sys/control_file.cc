#include "sys/control_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "base/text.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::sys {
namespace {

constexpr std::size_t kMostText = 64 * 1024;

Result<Fd> open_control(int directory, const std::string& name, int flags) {
  BAWN_ASSIGN(const int fd, checked(concat("open ", quote(name)), [&] {
                return ::openat(directory, name.c_str(), flags | O_CLOEXEC | O_NOCTTY);
              }));
  return Fd(fd);
}

}  // namespace

Result<std::string> read_control(int directory, const std::string& name) {
  BAWN_ASSIGN(const Fd file, open_control(directory, name, O_RDONLY));
  std::string text;
  std::array<char, 4096> piece;
  while (text.size() < kMostText) {
    BAWN_ASSIGN(const ssize_t got, checked(concat("read ", quote(name)), [&] {
                  return ::read(file.get(), piece.data(), piece.size());
                }));
    if (got == 0) break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

Result<void> write_control(int directory, const std::string& name, std::string_view value) {
  BAWN_ASSIGN(const Fd file, open_control(directory, name, O_WRONLY));
  BAWN_ASSIGN(const ssize_t written,
              checked(concat("write ", quote(value), " to ", quote(name)),
                      [&] { return ::write(file.get(), value.data(), value.size()); }));
  if (static_cast<std::size_t>(written) == value.size()) return {};
  return Error{.message =
                   concat("write ", quote(value), " to ", quote(name), ": only a part was taken")};
}

}  // namespace bawn::sys
