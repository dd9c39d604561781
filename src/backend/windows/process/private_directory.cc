#include "backend/windows/process/private_directory.h"

#include <sddl.h>

#include <memory>

#include "backend/windows/path_lookup.h"
#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

struct LocalFreer {
  void operator()(void* memory) const { LocalFree(memory); }
};
using SecurityDescriptor = std::unique_ptr<void, LocalFreer>;

// Access for the owner and SYSTEM only. The low label lets a process of low integrity write.
Result<SecurityDescriptor> owner_only(Integrity integrity) {
  const wchar_t* text = integrity == Integrity::low
                            ? L"D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)S:(ML;OICI;NW;;;LW)"
                            : L"D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)";
  PSECURITY_DESCRIPTOR made = nullptr;
  if (ConvertStringSecurityDescriptorToSecurityDescriptorW(text, SDDL_REVISION_1, &made, nullptr) ==
      0)
    return system_failure(GetLastError(), "describe who may use a private directory");
  return SecurityDescriptor(made);
}

Result<void> make(const std::string& portable, Integrity integrity) {
  BAWN_ASSIGN(const SecurityDescriptor descriptor, owner_only(integrity));
  SECURITY_ATTRIBUTES attributes{sizeof attributes, descriptor.get(), FALSE};
  BAWN_ASSIGN(const std::wstring name, exact_name(portable));
  if (CreateDirectoryW(name.c_str(), &attributes) != 0) return {};
  return system_failure(GetLastError(), concat("make ", quote(portable)));
}

// Removes links without following them. Clears the read-only attribute, which prevents deletion.
bool remove_tree(const std::wstring& directory) {
  WIN32_FIND_DATAW entry{};
  HANDLE search = FindFirstFileW((directory + L"\\*").c_str(), &entry);
  if (search == INVALID_HANDLE_VALUE) return false;
  bool all = true;
  do {
    const std::wstring name = entry.cFileName;
    if (name == L"." || name == L"..") continue;
    const std::wstring path = directory + L"\\" + name;
    if ((entry.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0)
      SetFileAttributesW(path.c_str(), FILE_ATTRIBUTE_NORMAL);
    const bool is_directory = (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    const bool is_link = (entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    if (is_directory && !is_link) {
      all = remove_tree(path) && all;
    } else {
      all = (is_directory ? RemoveDirectoryW(path.c_str()) : DeleteFileW(path.c_str())) != 0 && all;
    }
  } while (FindNextFileW(search, &entry) != 0);
  FindClose(search);
  return RemoveDirectoryW(directory.c_str()) != 0 && all;
}

}  // namespace

Result<PrivateDirectory> PrivateDirectory::create(const std::string& path, Integrity integrity) {
  BAWN_TRY(make(path, integrity));
  PrivateDirectory directory(path);
  for (const char* name : {"work", "tmp"}) BAWN_TRY(make(concat(path, "/", name), integrity));
  return directory;
}

PrivateDirectory::~PrivateDirectory() { static_cast<void>(remove()); }

bool PrivateDirectory::remove() {
  if (path_.empty()) return true;
  const auto name = exact_name(std::exchange(path_, ""));
  return name && remove_tree(name.value());
}

}  // namespace bawn::windows
