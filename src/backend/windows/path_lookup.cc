#include "backend/windows/path_lookup.h"

#include <bcrypt.h>

#include <array>
#include <optional>

#include "backend/windows/syntax/path.h"
#include "backend/windows/syntax/words.h"
#include "backend/windows/system_text.h"
#include "base/text.h"
#include "validate/scope.h"

namespace bawn::windows {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view parent(std::string_view path) { return path.substr(0, path.rfind('/')); }
bool is_drive_root(std::string_view path) { return path.size() <= 2; }

Handle open_for_asking(const std::wstring& name, DWORD flags) {
  return Handle(CreateFileW(name.c_str(), FILE_READ_ATTRIBUTES, kShareAll, nullptr, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
}

Result<std::string> final_path(HANDLE file) {
  std::wstring name(1024, L'\0');
  DWORD length = GetFinalPathNameByHandleW(file, name.data(), static_cast<DWORD>(name.size()),
                                           VOLUME_NAME_DOS);
  if (length > name.size()) {
    name.resize(length);
    length = GetFinalPathNameByHandleW(file, name.data(), static_cast<DWORD>(name.size()),
                                       VOLUME_NAME_DOS);
  }
  if (length == 0 || length > name.size()) return system_failure(GetLastError(), "its final path");
  return portable_final_path(narrow({name.data(), length}));
}

Handle reopen(const Located& file) {
  if (file.file == nullptr || file.kind != FileKind::regular) return Handle();
  return Handle(ReOpenFile(handle_of(file), GENERIC_READ, kShareAll, 0));
}

std::optional<std::string> read_start(HANDLE file, std::size_t most) {
  std::string bytes(most, '\0');
  DWORD got = 0;
  if (ReadFile(file, bytes.data(), static_cast<DWORD>(most), &got, nullptr) == 0)
    return std::nullopt;
  bytes.resize(got);
  return bytes;
}

// Windows starts any file with a program header ("MZ"), and passes .bat and .cmd to cmd.exe.
bool is_executable(const Located& file) {
  const std::string name = ascii_lower(base_name(file.path));
  for (const std::string_view extension : {".exe", ".com", ".bat", ".cmd"}) {
    if (name.ends_with(extension)) return true;
  }
  const Handle open = reopen(file);
  return open && read_start(open.get(), 2) == "MZ";
}

Located failed(std::string_view path, std::string why) {
  return {.path = std::string(path), .error = std::move(why)};
}

Located found(std::string_view spelled, Handle handle) {
  const auto path = final_path(handle.get());
  if (!path) return failed(spelled, path.error().message);
  BY_HANDLE_FILE_INFORMATION facts{};
  if (GetFileInformationByHandle(handle.get(), &facts) == 0)
    return failed(spelled, system_failure_text(GetLastError()));
  Located located{.path = path.value()};
  const bool directory = (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  const bool on_disk = GetFileType(handle.get()) == FILE_TYPE_DISK;
  located.kind = !on_disk ? FileKind::other : directory ? FileKind::directory : FileKind::regular;
  located.device = facts.dwVolumeSerialNumber;
  located.inode = std::uint64_t{facts.nFileIndexHigh} << 32 | facts.nFileIndexLow;
  located.size = std::uint64_t{facts.nFileSizeHigh} << 32 | facts.nFileSizeLow;
  located.file = std::make_shared<OpenHandle>(std::move(handle));
  located.executable = located.kind == FileKind::regular && is_executable(located);
  return located;
}

Located locate_exactly(std::string_view path);

// The path at which it would be created: below the final path of its directory.
Located missing(std::string_view path) {
  if (is_drive_root(path)) return {.path = std::string(path)};
  const Located directory = locate_exactly(parent(path));
  if (!directory.error.empty()) return failed(path, directory.error);
  return {.path = concat(directory.path, "/", base_name(path))};
}

// `a:b` is a stream of the file `a` if that exists, otherwise text with a colon.
bool is_text_with_colon(std::string_view path) {
  const std::string_view name = base_name(path);
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view file = name.substr(0, colon);
  if (file.empty()) return true;
  return name_error(file).empty() &&
         locate_exactly(concat(parent(path), "/", file)).kind == FileKind::missing;
}

Located locate_exactly(std::string_view path) {
  if (!is_drive_root(path) && (!can_exist(base_name(path)) || is_text_with_colon(path)))
    return missing(path);
  const auto name = exact_name(path);
  if (!name) {
    // The invalid name may be that of a directory above.
    const bool own_fault = is_drive_root(path) || !name_error(base_name(path)).empty();
    return own_fault ? failed(path, name.error().message) : missing(path);
  }
  Handle handle = open_for_asking(name.value(), 0);
  if (handle) return found(path, std::move(handle));
  const DWORD reason = GetLastError();
  if (reason != ERROR_FILE_NOT_FOUND && reason != ERROR_PATH_NOT_FOUND)
    return failed(path, concat(quote(base_name(path)), ": ", system_failure_text(reason)));
  if (open_for_asking(name.value(), FILE_FLAG_OPEN_REPARSE_POINT))
    return failed(path, concat(quote(base_name(path)), " is a link that leads nowhere"));
  return missing(path);
}

// The BCrypt handles of one SHA-256 computation.
class Sha256 {
 public:
  Sha256() {
    if (BCryptOpenAlgorithmProvider(&algorithm_, BCRYPT_SHA256_ALGORITHM, nullptr, 0) < 0)
      algorithm_ = nullptr;
    ok_ = algorithm_ != nullptr &&
          BCryptCreateHash(algorithm_, &hash_, nullptr, 0, nullptr, 0, 0) >= 0;
  }
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256() {
    if (hash_ != nullptr) BCryptDestroyHash(hash_);
    if (algorithm_ != nullptr) BCryptCloseAlgorithmProvider(algorithm_, 0);
  }

  void add(std::span<unsigned char> bytes) {
    ok_ = ok_ && BCryptHashData(hash_, bytes.data(), static_cast<ULONG>(bytes.size()), 0) >= 0;
  }
  // "" if any step failed.
  [[nodiscard]] std::string finish() {
    std::array<unsigned char, 32> digest{};
    ok_ = ok_ && BCryptFinishHash(hash_, digest.data(), digest.size(), 0) >= 0;
    return ok_ ? hex(digest) : "";
  }

 private:
  BCRYPT_ALG_HANDLE algorithm_ = nullptr;
  BCRYPT_HASH_HANDLE hash_ = nullptr;
  bool ok_ = false;
};

using DirectoryCall = UINT (*)(wchar_t*, UINT);

std::string system_directory(DirectoryCall call) {
  std::array<wchar_t, MAX_PATH> name{};
  const UINT length = call(name.data(), name.size());
  if (length == 0 || length >= name.size()) return "";
  const auto path = portable_final_path(narrow({name.data(), length}));
  return path ? locate_exactly(path.value()).path : "";
}

}  // namespace

Result<std::wstring> exact_name(std::string_view portable) {
  BAWN_ASSIGN(const std::string native, native_path(portable));
  BAWN_ASSIGN(const std::wstring name, wide(native));
  return L"\\\\?\\" + name;
}

HANDLE handle_of(const Located& located) {
  return static_cast<const OpenHandle&>(*located.file).get();
}

WindowsLookup::WindowsLookup(std::string_view directory) : drive_(directory.substr(0, 2)) {
  const DirectoryCall calls[] = {
      [](wchar_t* name, UINT size) { return GetSystemDirectoryW(name, size); },
      [](wchar_t* name, UINT size) { return GetWindowsDirectoryW(name, size); }};
  for (const DirectoryCall call : calls) {
    if (std::string path = system_directory(call); !path.empty())
      trusted_spelled_.push_back(std::move(path));
  }
  trusted_.assign(trusted_spelled_.begin(), trusted_spelled_.end());
}

Located WindowsLookup::locate(std::string_view path) const {
  constexpr std::size_t kMostRemembered = 128;
  if (const auto known = found_.find(path); known != found_.end()) return known->second;
  Located located = look_up(path);
  if (found_.size() < kMostRemembered) found_.emplace(path, located);
  return located;
}

Located WindowsLookup::look_up(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos) return failed(path, "contains a NUL byte");
  if (path_is_within(path, kOnNoDrive))
    return failed(path,
                  "a network share, a device or the current directory of a drive cannot be judged; "
                  "write it as C:\\x");
  std::string normal = lexically_normal(path);
  if (normal == "/") return failed(path, "all drives together are no directory; name one, as /c");
  if (is_null_device(base_name(normal))) return {.path = "/dev/null", .kind = FileKind::other};
  const bool has_drive = normal.size() == 2 || normal.find('/', 1) == 2;
  if (!has_drive) normal.insert(0, drive_);
  Located located = locate_exactly(normal);
  const bool plain =
      base_name(normal).find('.') == std::string_view::npos && !is_drive_root(normal);
  if (located.kind != FileKind::missing || !located.error.empty() || !plain) return located;
  Located program = locate_exactly(concat(normal, ".exe"));
  return program.kind == FileKind::regular ? program : located;
}

std::optional<std::string> WindowsLookup::head(const Located& file, std::size_t most) const {
  const Handle open = reopen(file);
  return open ? read_start(open.get(), most) : std::nullopt;
}

std::string WindowsLookup::sha256(const Located& file) const {
  const Handle open = reopen(file);
  if (!open) return "";
  Sha256 hash;
  std::array<unsigned char, 64 * 1024> block{};
  for (;;) {
    DWORD got = 0;
    if (ReadFile(open.get(), block.data(), static_cast<DWORD>(block.size()), &got, nullptr) == 0)
      return "";
    if (got == 0) return hash.finish();
    hash.add(std::span(block).first(got));
  }
}

std::string current_directory() {
  std::wstring name(32768, L'\0');
  const DWORD length = GetCurrentDirectoryW(static_cast<DWORD>(name.size()), name.data());
  const auto path = portable_final_path(narrow({name.data(), length}));
  return path ? path.value() : "";
}

}  // namespace bawn::windows
