#include <windows.h>

#include <shellapi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include "backend/windows/path_lookup.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "base/text.h"
#include "front/cli/input/files.h"
#include "request/request.h"
#include "validate/scope.h"

namespace bawn::cli {
namespace {

constexpr std::size_t kMostForgotten = 64 << 20;

// Maps 0, 1 and 2 to the standard handles. Windows has no other numbered files.
HANDLE standard_handle(int fd) {
  constexpr std::array<DWORD, 3> kWhich{STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  if (fd < 0 || static_cast<std::size_t>(fd) >= kWhich.size()) return nullptr;
  HANDLE handle = GetStdHandle(kWhich[static_cast<std::size_t>(fd)]);
  return handle == INVALID_HANDLE_VALUE ? nullptr : handle;
}

Result<std::size_t> read_block(HANDLE file, std::span<char> block, std::string_view name) {
  DWORD got = 0;
  if (ReadFile(file, block.data(), static_cast<DWORD>(block.size()), &got, nullptr) != 0)
    return got;
  if (const DWORD reason = GetLastError();
      reason != ERROR_BROKEN_PIPE && reason != ERROR_HANDLE_EOF)
    return windows::system_failure(reason, concat("read ", name));
  return 0;
}

// Up to `most` bytes, or one more if there are more.
Result<std::string> read_start(HANDLE file, std::size_t most, std::string_view name) {
  std::string text;
  std::array<char, 16 * 1024> block{};
  while (text.size() <= most) {
    const std::size_t wanted = std::min(block.size(), most + 1 - text.size());
    BAWN_ASSIGN(const std::size_t got, read_block(file, std::span(block).first(wanted), name));
    if (got == 0) break;
    text.append(block.data(), got);
  }
  return text;
}

Result<void> forget_rest(HANDLE file, std::string_view name) {
  std::array<char, 16 * 1024> block{};
  for (std::size_t forgotten = 0; forgotten < kMostForgotten;) {
    BAWN_ASSIGN(const std::size_t got, read_block(file, block, name));
    if (got == 0) return {};
    forgotten += got;
  }
  return {};
}

Result<windows::Handle> open_named(const std::string& path) {
  BAWN_ASSIGN(const std::wstring name, windows::wide(path));
  windows::Handle file(CreateFileW(name.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                   nullptr, OPEN_EXISTING, 0, nullptr));
  if (!file) return windows::system_failure(GetLastError(), concat("open ", quote(path)));
  if (GetFileType(file.get()) != FILE_TYPE_DISK)
    return invalid_error(concat(quote(path), " is a pipe or a device, expected a regular file"));
  return file;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t most) {
  BAWN_ASSIGN(const windows::Handle file, open_named(path));
  BAWN_ASSIGN(std::string text, read_start(file.get(), most, quote(path)));
  if (text.size() > most)
    return invalid_error(concat(quote(path), " is longer than ", most, " bytes"));
  return text;
}

// Input files are not protected from the command on Windows, so their identity is not recorded.
Result<ReadInput> read_input(const std::string& path, std::size_t most) {
  BAWN_ASSIGN(std::string text, read_file(path, most));
  return ReadInput{.text = std::move(text), .file = std::nullopt};
}

Result<std::string> read_request_text(const std::string& path) {
  windows::Handle opened;
  if (path != "-") {
    BAWN_ASSIGN(opened, open_named(path));
  }
  HANDLE file = path == "-" ? standard_handle(STDIN_FILENO) : opened.get();
  const std::string name = path == "-" ? "stdin" : quote(path);
  BAWN_ASSIGN(std::string text, read_start(file, kMaxRequestBytes, name));
  if (text.size() > kMaxRequestBytes) BAWN_TRY(forget_rest(file, name));
  return text;
}

Result<void> write_text(int fd, std::string_view text) {
  HANDLE file = standard_handle(fd);
  while (!text.empty()) {
    DWORD written = 0;
    if (WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) == 0)
      return windows::system_failure(GetLastError(), concat("write to file ", fd));
    text.remove_prefix(written);
  }
  return {};
}

void tell(int fd, std::string_view text) {
  const auto told = write_text(fd, text);
  static_cast<void>(told);
}

// Returns the portable form that policies use. A path that is portable already, such as /c/work, is
// returned unchanged.
Result<std::string> absolute_path(std::string_view path) {
  const std::string directory = windows::current_directory();
  if (windows::native_path(path)) return std::string(path);
  BAWN_ASSIGN(const std::string portable, windows::portable_path(path, directory));
  return windows::WindowsLookup(directory).locate(portable).path;
}

Result<std::string> absolute_name(std::string_view path) { return absolute_path(path); }

Result<std::string> current_name() { return absolute_path("."); }

std::size_t drive_length(std::string_view path) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return path.size() >= 2 && path[1] == ':' && is_letter(path[0]) ? 2 : 0;
}

bool holds_directory(const std::string& outer, const std::string& inner) {
  const windows::WindowsLookup lookup("/c");
  const Located here = lookup.locate(outer);
  const Located there = lookup.locate(inner);
  return here.kind == FileKind::directory && there.kind == FileKind::directory &&
         path_is_within(there.path, here.path);
}

bool holds_home_of_another(const std::string& /*path*/, const Homes& /*homes*/) { return false; }

bool is_shared_directory(const std::string& /*path*/) { return false; }

Result<Homes> home_directories() {
  std::array<wchar_t, 32767> home{};
  const DWORD length = GetEnvironmentVariableW(L"USERPROFILE", home.data(), home.size());
  const auto path = windows::portable_path(windows::narrow({home.data(), length}), "");
  return path ? Homes{.own = {path.value()}, .others = {}} : Homes{};
}

Result<void> require_writable(int fd) {
  if (fd == STDOUT_FILENO || fd == STDERR_FILENO) return {};
  return invalid_error(concat(fd, " is not an open file; on Windows there are 1 and 2"));
}

// A new handle never takes the place of a missing standard handle on Windows. The command gets the
// null device for it.
Result<void> fill_standard_files() { return {}; }

std::vector<char*> command_words(int /*argc*/, char** /*argv*/) {
  // argv is not used: the C runtime converts it to the code page of the machine and expands file
  // patterns.
  static std::vector<std::string> words = [] {
    std::vector<std::string> out;
    int count = 0;
    wchar_t** const all = CommandLineToArgvW(GetCommandLineW(), &count);
    for (int i = 1; i < count; ++i) out.push_back(windows::narrow(all[i]));
    LocalFree(static_cast<void*>(all));
    return out;
  }();
  std::vector<char*> out(words.size());
  std::ranges::transform(words, out.begin(), [](std::string& word) { return word.data(); });
  return out;
}

}  // namespace bawn::cli
