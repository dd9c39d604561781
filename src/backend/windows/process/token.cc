#include "backend/windows/process/token.h"

#include <array>
#include <vector>

#include "backend/windows/system_text.h"

namespace bawn::windows {
namespace {

using SidBuffer = std::array<unsigned char, SECURITY_MAX_SID_SIZE>;

Result<SidBuffer> well_known(WELL_KNOWN_SID_TYPE type) {
  SidBuffer sid{};
  DWORD size = sid.size();
  if (CreateWellKnownSid(type, nullptr, sid.data(), &size) == 0)
    return system_failure(GetLastError(), "name a group of the system");
  return sid;
}

Result<std::vector<unsigned char>> information(HANDLE token, TOKEN_INFORMATION_CLASS kind) {
  DWORD size = 0;
  GetTokenInformation(token, kind, nullptr, 0, &size);
  std::vector<unsigned char> out(size);
  if (size == 0 || GetTokenInformation(token, kind, out.data(), size, &size) == 0)
    return system_failure(GetLastError(), "read a token");
  return out;
}

Result<DWORD> count_privileges(HANDLE token) {
  BAWN_ASSIGN(const std::vector<unsigned char> bytes, information(token, TokenPrivileges));
  const auto& held = *reinterpret_cast<const TOKEN_PRIVILEGES*>(bytes.data());
  LUID notify{};
  if (LookupPrivilegeValueW(nullptr, L"SeChangeNotifyPrivilege", &notify) == 0)
    return system_failure(GetLastError(), "look a privilege up");
  DWORD count = 0;
  for (DWORD i = 0; i < held.PrivilegeCount; ++i) {
    const LUID& each = held.Privileges[i].Luid;
    if (each.LowPart != notify.LowPart || each.HighPart != notify.HighPart) ++count;
  }
  return count;
}

Result<bool> is_administrator(HANDLE token) {
  BAWN_ASSIGN(SidBuffer administrators, well_known(WinBuiltinAdministratorsSid));
  BAWN_ASSIGN(const std::vector<unsigned char> bytes, information(token, TokenGroups));
  const auto& groups = *reinterpret_cast<const TOKEN_GROUPS*>(bytes.data());
  for (DWORD i = 0; i < groups.GroupCount; ++i) {
    const SID_AND_ATTRIBUTES& group = groups.Groups[i];
    if (EqualSid(group.Sid, administrators.data()) == 0) continue;
    return (group.Attributes & SE_GROUP_ENABLED) != 0 &&
           (group.Attributes & SE_GROUP_USE_FOR_DENY_ONLY) == 0;
  }
  return false;
}

Result<DWORD> integrity_of(HANDLE token) {
  BAWN_ASSIGN(const std::vector<unsigned char> bytes, information(token, TokenIntegrityLevel));
  PSID label = reinterpret_cast<const TOKEN_MANDATORY_LABEL*>(bytes.data())->Label.Sid;
  return *GetSidSubAuthority(label, *GetSidSubAuthorityCount(label) - 1U);
}

Result<void> lower_integrity(HANDLE token) {
  BAWN_ASSIGN(SidBuffer low, well_known(WinLowLabelSid));
  TOKEN_MANDATORY_LABEL label{{low.data(), SE_GROUP_INTEGRITY}};
  if (SetTokenInformation(token, TokenIntegrityLevel, &label,
                          sizeof label + GetLengthSid(low.data())) != 0)
    return {};
  return system_failure(GetLastError(), "lower a token's integrity");
}

Result<Handle> open_token(HANDLE process, DWORD access) {
  HANDLE token = nullptr;
  if (OpenProcessToken(process, access, &token) == 0)
    return system_failure(GetLastError(), "open a process's token");
  return Handle(token);
}

}  // namespace

Result<Handle> restricted_token(Integrity integrity) {
  BAWN_ASSIGN(const Handle own, open_token(GetCurrentProcess(), TOKEN_ALL_ACCESS));
  BAWN_ASSIGN(SidBuffer administrators, well_known(WinBuiltinAdministratorsSid));
  SID_AND_ATTRIBUTES denied{administrators.data(), 0};
  HANDLE made = nullptr;
  if (CreateRestrictedToken(own.get(), DISABLE_MAX_PRIVILEGE, 1, &denied, 0, nullptr, 0, nullptr,
                            &made) == 0)
    return system_failure(GetLastError(), "make a restricted token");
  Handle token(made);
  if (integrity == Integrity::low) BAWN_TRY(lower_integrity(token.get()));
  return token;
}

Result<TokenFacts> read_token(HANDLE token) {
  TokenFacts facts;
  BAWN_ASSIGN(facts.privileges, count_privileges(token));
  BAWN_ASSIGN(facts.administrator, is_administrator(token));
  BAWN_ASSIGN(facts.integrity, integrity_of(token));
  return facts;
}

Result<TokenFacts> token_of(HANDLE process) {
  BAWN_ASSIGN(const Handle token, open_token(process, TOKEN_QUERY));
  return read_token(token.get());
}

}  // namespace bawn::windows
