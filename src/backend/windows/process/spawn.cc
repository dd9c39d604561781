#include "backend/windows/process/spawn.h"

#include <algorithm>
#include <memory>

#include "backend/windows/path_lookup.h"
#include "backend/windows/syntax/command_line.h"
#include "backend/windows/syntax/path.h"
#include "backend/windows/system_text.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

// Limits inheritance to the three stdio handles: without a list the process would get every
// inheritable handle.
class HandleList {
 public:
  Result<void> make(const SpawnOrder& order) {
    for (HANDLE each : {order.stdio.in, order.stdio.out, order.stdio.err}) {
      if (each != nullptr && std::ranges::find(handles_, each) == handles_.end())
        handles_.push_back(each);
    }
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_ = std::make_unique<unsigned char[]>(size);
    if (InitializeProcThreadAttributeList(get(), 1, 0, &size) == 0)
      return system_failure(GetLastError(), "make the list of handles");
    made_ = true;
    if (UpdateProcThreadAttribute(get(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                  handles_.size() * sizeof(HANDLE), nullptr, nullptr) == 0) {
      return system_failure(GetLastError(), "fill the list of handles");
    }
    return {};
  }
  HandleList() = default;
  HandleList(const HandleList&) = delete;
  HandleList& operator=(const HandleList&) = delete;
  ~HandleList() {
    if (made_) DeleteProcThreadAttributeList(get());
  }

  [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST get() const {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.get());
  }

 private:
  std::vector<HANDLE> handles_;
  std::unique_ptr<unsigned char[]> memory_;
  bool made_ = false;
};

Result<std::wstring> environment_block(const std::vector<std::string>& entries) {
  std::wstring block;
  for (const std::string& entry : entries) {
    BAWN_ASSIGN(const std::wstring text, wide(entry));
    block += text;
    block += L'\0';
  }
  block += L'\0';
  return block;
}

// Opened without FILE_SHARE_WRITE and FILE_SHARE_DELETE: while the handle is open, the file cannot
// be written or replaced, so its name leads to the file that was checked.
Result<Handle> hold(const Located& program) {
  BAWN_ASSIGN(const std::string native, native_path(program.path));
  BAWN_ASSIGN(const std::wstring name, wide(native));
  Handle file(CreateFileW(name.c_str(), GENERIC_READ | GENERIC_EXECUTE, FILE_SHARE_READ, nullptr,
                          OPEN_EXISTING, 0, nullptr));
  if (!file) return system_failure(GetLastError(), concat("open the program ", quote(native)));
  BY_HANDLE_FILE_INFORMATION facts{};
  if (GetFileInformationByHandle(file.get(), &facts) == 0)
    return system_failure(GetLastError(), "look at the program");
  const std::uint64_t index = std::uint64_t{facts.nFileIndexHigh} << 32 | facts.nFileIndexLow;
  if (facts.dwVolumeSerialNumber != program.device || index != program.inode)
    return unsupported_error(
        concat(quote(native), " is another file than the one that was judged"));
  return file;
}

bool is_no_program(DWORD reason) {
  return reason == ERROR_BAD_EXE_FORMAT || reason == ERROR_EXE_MACHINE_TYPE_MISMATCH ||
         reason == ERROR_BAD_FORMAT || reason == ERROR_INVALID_EXE_SIGNATURE;
}

struct Suspended {
  Spawned process;
  Handle thread;
};

Result<Suspended> create_suspended(const SpawnOrder& order) {
  HandleList handles;
  BAWN_TRY(handles.make(order));
  BAWN_ASSIGN(std::wstring line, wide(order.command_line));
  if (line.size() >= kLongestCommandLine)
    return invalid_error(
        concat("the command line is longer than ", kLongestCommandLine - 1, " characters"));
  BAWN_ASSIGN(const std::wstring directory, wide(order.directory));
  BAWN_ASSIGN(std::wstring environment, environment_block(order.environment));
  BAWN_ASSIGN(const std::string program, native_path(order.program.path));
  BAWN_ASSIGN(const std::wstring name, wide(program));

  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = order.stdio.in;
  start.StartupInfo.hStdOutput = order.stdio.out;
  start.StartupInfo.hStdError = order.stdio.err;
  start.lpAttributeList = handles.get();
  const DWORD flags = CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT |
                      (order.stdio.shares_console ? CREATE_NEW_PROCESS_GROUP : CREATE_NO_WINDOW);
  PROCESS_INFORMATION made{};
  // The program is passed separately from the command line, so that Windows does not search for
  // one.
  const BOOL ok =
      order.token != nullptr
          ? CreateProcessAsUserW(order.token, name.c_str(), line.data(), nullptr, nullptr, TRUE,
                                 flags, environment.data(), directory.c_str(), &start.StartupInfo,
                                 &made)
          : CreateProcessW(name.c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                           environment.data(), directory.c_str(), &start.StartupInfo, &made);
  if (ok == 0) {
    const DWORD reason = GetLastError();
    if (is_no_program(reason)) return invalid_error(system_failure_text(reason));
    return system_failure(reason, concat("start ", quote(program)));
  }
  return Suspended{{Handle(made.hProcess), made.dwProcessId, {}}, Handle(made.hThread)};
}

// Verifies that the process has the token it was started with.
Result<void> compare_tokens(HANDLE promised, const TokenFacts& found) {
  if (promised == nullptr) return {};
  BAWN_ASSIGN(const TokenFacts wanted, read_token(promised));
  if (found == wanted) return {};
  return unsupported_error("the process has another token than the one it was started with");
}

Result<void> look_and_resume(Suspended& suspended, const Job& job, HANDLE token) {
  BAWN_TRY(job.take_in(suspended.process.process.get()));
  BAWN_ASSIGN(suspended.process.token, token_of(suspended.process.process.get()));
  BAWN_TRY(compare_tokens(token, suspended.process.token));
  if (ResumeThread(suspended.thread.get()) == static_cast<DWORD>(-1))
    return system_failure(GetLastError(), "let the process run");
  return {};
}

}  // namespace

Result<Handle> open_null(DWORD access) {
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  Handle null(CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable,
                          OPEN_EXISTING, 0, nullptr));
  if (!null) return system_failure(GetLastError(), "open NUL");
  return null;
}

Result<Spawned> spawn(const SpawnOrder& order, const Job& job) {
  BAWN_ASSIGN(const Handle held, hold(order.program));
  BAWN_ASSIGN(Suspended suspended, create_suspended(order));
  if (auto running = look_and_resume(suspended, job, order.token); !running) {
    TerminateProcess(suspended.process.process.get(), 1);
    return running.error();
  }
  return std::move(suspended.process);
}

}  // namespace bawn::windows
