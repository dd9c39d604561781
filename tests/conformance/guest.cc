// The command that the conformance table runs: one small program for every system. Its first
// argument says what to do.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#ifdef _WIN32
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <shellapi.h>
#else
#include <spawn.h>
extern char** environ;  // NOLINT(readability-redundant-declaration)
#endif

namespace {

using Words = std::vector<std::string>;

int say(const Words& words) {
  for (const std::string& word : words) std::printf("%s\n", word.c_str());
  return 0;
}

int complain(const Words& words) {
  std::fprintf(stderr, "%s\n", words.at(0).c_str());
  return 0;
}

int exit_with(const Words& words) { return std::atoi(words.at(0).c_str()); }

int crash(const Words& /*words*/) { std::abort(); }

int tell_variable(const Words& words) {
  const char* value = std::getenv(words.at(0).c_str());
  std::printf("%s\n", value == nullptr ? "unset" : value);
  return 0;
}

int tell_directory(const Words& /*words*/) {
  std::printf("%s\n", std::filesystem::current_path().filename().string().c_str());
  return 0;
}

int read_file(const Words& words) {
  std::ifstream file(words.at(0), std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::printf("%s\n", file.is_open() ? content.c_str() : "refused");
  return 0;
}

int write_file(const Words& words) {
  std::ofstream file(words.at(0), std::ios::binary | std::ios::app);
  file << "written";
  file.flush();
  std::printf("%s\n", file.good() ? "written" : "refused");
  return 0;
}

// Writes into the temporary directory that the environment names.
int write_temporary(const Words& /*words*/) {
  const char* place = std::getenv("TMPDIR");
  if (place == nullptr) place = std::getenv("TEMP");
  if (place == nullptr) return std::printf("none\n"), 0;
  return write_file({(std::filesystem::path(place) / "file").string()});
}

int copy_input(const Words& /*words*/) {
  for (int byte = std::getchar(); byte != EOF; byte = std::getchar()) std::putchar(byte);
  return 0;
}

int flood(const Words& words) {
  const std::string line(1024, 'x');
  for (long left = std::atol(words.at(0).c_str()); left > 0; left -= 1024)
    std::fwrite(line.data(), 1, static_cast<std::size_t>(left < 1024 ? left : 1024), stdout);
  return 0;
}

int sleep_for(const Words& words) {
  std::this_thread::sleep_for(std::chrono::milliseconds(std::atol(words.at(0).c_str())));
  return 0;
}

int spin(const Words& /*words*/) {
  std::atomic<unsigned long> turns = 0;
  for (;;) ++turns;
}

int allocate(const Words& words) {
  const std::size_t bytes = static_cast<std::size_t>(std::atol(words.at(0).c_str())) << 20;
  // volatile: a compiler would leave out a write that is never read.
  volatile char* memory = static_cast<char*>(std::malloc(bytes));
  if (memory != nullptr) {
    for (std::size_t at = 0; at < bytes; at += 1024) memory[at] = 1;
  }
  std::printf("%s\n", memory == nullptr ? "refused" : "allocated");
  std::free(const_cast<char*>(memory));
  return 0;
}

// Leaves a process behind that holds stdout open as long as it may.
int leave_behind(const std::string& self) {
  std::string program = self;
  std::string verb = "sleep";
  std::string time = "600000";
#ifdef _WIN32
  const char* argv[] = {program.c_str(), verb.c_str(), time.c_str(), nullptr};
  const bool started = _spawnv(_P_NOWAIT, self.c_str(), argv) != -1;
#else
  char* argv[] = {program.data(), verb.data(), time.data(), nullptr};
  pid_t pid = 0;
  const bool started = posix_spawn(&pid, self.c_str(), nullptr, nullptr, argv, environ) == 0;
#endif
  std::printf("%s\n", started ? "started" : "refused");
  return 0;
}

struct Verb {
  const char* name;
  std::size_t words;  // at least
  int (*act)(const Words&);
};

constexpr Verb kVerbs[] = {
    {"say", 0, say},
    {"complain", 1, complain},
    {"exit", 1, exit_with},
    {"crash", 0, crash},
    {"variable", 1, tell_variable},
    {"directory", 0, tell_directory},
    {"read", 1, read_file},
    {"write", 1, write_file},
    {"write-temporary", 0, write_temporary},
    {"copy-input", 0, copy_input},
    {"flood", 1, flood},
    {"sleep", 1, sleep_for},
    {"spin", 0, spin},
    {"allocate", 1, allocate},
};

#ifdef _WIN32
// The arguments as they were passed. On Windows the C runtime converts them to the code page of the
// machine and expands patterns.
Words own_words(int /*argc*/, char** /*argv*/) {
  Words words;
  int count = 0;
  wchar_t** const all = CommandLineToArgvW(GetCommandLineW(), &count);
  for (int i = 1; i < count; ++i) {
    std::string word(4 * std::wcslen(all[i]) + 1, '\0');
    const int size = static_cast<int>(word.size());
    const int length =
        WideCharToMultiByte(CP_UTF8, 0, all[i], -1, word.data(), size, nullptr, nullptr);
    words.push_back(word.substr(0, static_cast<std::size_t>(length - 1)));
  }
  return words;
}
#else
Words own_words(int argc, char** argv) { return {argv + 1, argv + argc}; }
#endif

}  // namespace

int main(int argc, char** argv) {
#ifdef _WIN32
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
#endif
  const Words words = own_words(argc, argv);
  if (!words.empty() && words[0] == "leave-behind") return leave_behind(argv[0]);
  for (const Verb& verb : kVerbs) {
    if (words.empty() || words[0] != verb.name || words.size() - 1 < verb.words) continue;
    return verb.act(Words(words.begin() + 1, words.end()));
  }
  std::fprintf(stderr, "guest: no such verb\n");
  return 99;
}
