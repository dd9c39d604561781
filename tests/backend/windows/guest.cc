// The program that the Windows tests run. Its first argument says what to do.
#include <windows.h>

#include <shellapi.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::wstring>;

void say(std::string_view text) {
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written,
            nullptr);
}

std::string narrow(const std::wstring& text) {
  const int size = static_cast<int>(text.size());
  std::string out(static_cast<std::size_t>(4 * size), '\0');
  out.resize(static_cast<std::size_t>(
      WideCharToMultiByte(CP_UTF8, 0, text.data(), size, out.data(), 4 * size, nullptr, nullptr)));
  return out;
}

unsigned long number(const std::wstring& word) { return std::wcstoul(word.c_str(), nullptr, 10); }

int say_words(const Words& words) {
  for (const std::wstring& word : words) {
    std::string line = "[";
    for (const char c : narrow(word)) {
      char hex[3];
      std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(c));
      line += hex;
    }
    say(line + "]\n");
  }
  return 0;
}

int say_environment(const Words&) {
  wchar_t* const block = GetEnvironmentStringsW();
  for (const wchar_t* at = block; *at != 0; at += std::wstring(at).size() + 1)
    say(narrow(at) + "\n");
  return 0;
}

int copy_input(const Words&) {
  char block[4096];
  DWORD got = 0;
  while (ReadFile(GetStdHandle(STD_INPUT_HANDLE), block, sizeof block, &got, nullptr) != 0 &&
         got > 0)
    say({block, got});
  return 0;
}

int flood(const Words& words) {
  const std::string line(1024, 'x');
  for (unsigned long left = number(words.at(0)); left > 0; --left) say(line);
  return 0;
}

PROCESS_INFORMATION start_self(const wchar_t* words, DWORD flags) {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  std::wstring line = L"\"" + name + L"\" " + words;
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION made{};
  if (CreateProcessW(name.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                     &start, &made) == 0)
    say("no process: " + std::to_string(GetLastError()) + "\n");
  return made;
}

// Leaves a process behind that holds the output open.
int leave_grandchild(const Words& words) {
  const DWORD flags = !words.empty() && words[0] == L"breakaway" ? CREATE_BREAKAWAY_FROM_JOB : 0;
  say(std::to_string(start_self(L"sleep 600000", flags).dwProcessId) + "\n");
  return 0;
}

// Two processes that print their ids and stay.
int be_family(const Words&) {
  const DWORD child = start_self(L"sleep 600000", 0).dwProcessId;
  say(std::to_string(GetCurrentProcessId()) + "\n" + std::to_string(child) + "\n");
  Sleep(INFINITE);
  return 0;
}

// Whether the value of a handle in the caller names the caller's event here too.
int signal_event(const Words& words) {
  const auto value = static_cast<ULONG_PTR>(std::wcstoull(words.at(0).c_str(), nullptr, 10));
  say(SetEvent(reinterpret_cast<HANDLE>(value)) != 0 ? "signalled\n" : "not mine\n");
  return 0;
}

int allocate(const Words& words) {
  const std::size_t size = static_cast<std::size_t>(number(words.at(0))) << 20;
  void* memory = VirtualAlloc(nullptr, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
  say(memory != nullptr ? "allocated\n" : "refused\n");
  return memory != nullptr ? 0 : 3;
}

int start_many(const Words& words) {
  unsigned long started = 0;
  for (unsigned long i = 0; i < number(words.at(0)); ++i) {
    if (start_self(L"sleep 600000", 0).hProcess != nullptr) ++started;
  }
  say(std::to_string(started) + " started\n");
  return 0;
}

int spin(const Words&) {
  volatile unsigned long turns = 0;
  for (;;) turns = turns + 1;
}

const std::map<std::wstring, std::function<int(const Words&)>> kVerbs = {
    {L"exit", [](const Words& words) { return static_cast<int>(number(words.at(0))); }},
    {L"words", say_words},
    {L"environment", say_environment},
    {L"copy", copy_input},
    {L"flood", flood},
    {L"sleep",
     [](const Words& words) {
       Sleep(number(words.at(0)));
       return 0;
     }},
    {L"grandchild", leave_grandchild},
    {L"family", be_family},
    {L"signal", signal_event},
    {L"allocate", allocate},
    {L"start", start_many},
    {L"spin", spin},
    {L"say",
     [](const Words& words) {
       say(narrow(words.at(0)) + "\n");
       return 0;
     }},
};

}  // namespace

int main() {
  int count = 0;
  wchar_t** const all = CommandLineToArgvW(GetCommandLineW(), &count);
  const Words words(all + 1, all + count);
  const auto verb = words.empty() ? kVerbs.end() : kVerbs.find(words[0]);
  if (verb == kVerbs.end()) return 99;
  return verb->second(Words(words.begin() + 1, words.end()));
}
