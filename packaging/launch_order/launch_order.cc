// Writes the linker script that puts the code of one `bawn run` side by side.
//
//     bawn-launch-order PROGRAM MAP SCRIPT
//
// PROGRAM is bawn in the linker's own order, MAP the linker's map of it. With each page of code
// that a run touches the kernel maps its neighbours, so code that lies scattered over the whole
// executable makes nearly all of it resident.
//
// Sets a breakpoint at each function, runs commands under PROGRAM and notes which functions are
// reached. Where that is not possible, SCRIPT changes nothing and says why: the order saves memory,
// so its absence must not stop a build. x86-64 only.
#include <elf.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace bawn {
namespace {

constexpr int kRounds = 5;
constexpr unsigned kMostSeconds = 60;
constexpr long kBreakpoint = 0xcc;  // int3

// All addresses are those of the file, not of the running process.
using Addresses = std::set<std::uint64_t>;
// How many runs have reached each function.
using Reached = std::map<std::uint64_t, int>;

struct Program {
  std::string path;
  std::uint64_t entry = 0;
  Addresses functions;
};

struct CodeSection {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::string name;  // .text._ZN4bawn3runE...
  std::string file;  // path/libc.a(malloc.o), path/main.cc.o
};

// Symbols without a size are labels. A breakpoint on data would change it.
Program read_program(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file(std::istreambuf_iterator<char>(stream), {});
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file.data() + header->e_shoff);
  Program out{.path = path, .entry = header->e_entry};
  for (const auto* table = sections; table != sections + header->e_shnum; ++table) {
    if (table->sh_type != SHT_SYMTAB) continue;
    const auto* symbol = reinterpret_cast<const Elf64_Sym*>(file.data() + table->sh_offset);
    const auto* end = symbol + table->sh_size / sizeof *symbol;
    for (; symbol != end; ++symbol) {
      const int type = ELF64_ST_TYPE(symbol->st_info);
      if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_size != 0)
        out.functions.insert(symbol->st_value);
    }
  }
  return out;
}

// A line of the map is " .text.NAME 0xADDRESS 0xSIZE FILE"; a long name has a line of its own.
std::vector<CodeSection> code_sections(const char* map) {
  std::vector<CodeSection> out;
  std::ifstream lines(map);
  for (std::string line, rest; std::getline(lines, line);) {
    if (!line.starts_with(" .text")) continue;
    if (line.find(" 0x") == std::string::npos && std::getline(lines, rest)) line += rest;
    CodeSection one;
    std::istringstream words(line);
    if (words >> one.name >> std::hex >> one.begin >> one.size >> one.file && one.begin != 0)
      out.push_back(one);  // at 0 are those that are left out
  }
  return out;
}

// The kind of stdin, stdout and stderr decides which code moves them.
enum class Stdio { null, file, pipe, terminal };

void take_stdio(Stdio kind) {
  int ends[2] = {-1, -1};
  int master = -1;  // stays open in bawn
  if (kind == Stdio::null) ends[0] = ends[1] = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (kind == Stdio::file) ends[0] = ends[1] = open("out", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (kind == Stdio::pipe && pipe2(ends, O_CLOEXEC) != 0) _exit(125);
  if (kind == Stdio::terminal && openpty(&master, &ends[0], nullptr, nullptr, nullptr) == 0) {
    setsid();
    ioctl(ends[1] = ends[0], TIOCSCTTY, 0);
  }
  dup2(ends[0], 0);
  dup2(ends[1], 1);
  dup2(ends[1], 2);
}

// Stopped before its first instruction, unless ptrace is refused. The workspace is its directory.
pid_t start(const Program& program, const std::string& workspace, const char* tier, Stdio stdio) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(workspace.c_str()) != 0) _exit(125);
  take_stdio(stdio);
  const char* path = program.path.c_str();
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0)
    execl(path, path, "run", "--tier", tier, "--", "/bin/true", "argument", nullptr);
  _exit(125);
}

// Returns the byte that was there.
long exchange_byte(pid_t process, std::uint64_t address, long byte) {
  const long word = ptrace(PTRACE_PEEKTEXT, process, address, nullptr);
  ptrace(PTRACE_POKETEXT, process, address, (word & ~0xffL) | byte);
  return word & 0xff;
}

// The breakpoints of bawn and of the processes that it starts, which share or copy its memory until
// they execute a program of their own.
class Breakpoints {
 public:
  // A static program has no loader: it stops first at its entry point.
  Breakpoints(pid_t process, const Program& program) {
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, process, nullptr, &registers);
    base_ = registers.rip - program.entry;
    for (const std::uint64_t at : program.functions)
      original_[at] = exchange_byte(process, base_ + at, kBreakpoint);
  }

  // Notes the function at which the process has stopped, and removes its breakpoint.
  void pass(pid_t process, Reached& reached) const {
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, process, nullptr, &registers);
    const auto found = original_.find(--registers.rip - base_);
    if (found == original_.end()) return;
    ++reached[found->first];
    exchange_byte(process, registers.rip, found->second);
    ptrace(PTRACE_SETREGS, process, nullptr, &registers);
  }

 private:
  std::uint64_t base_ = 0;
  std::map<std::uint64_t, long> original_;
};

// One that has executed another program is left alone from then on.
void resume(pid_t process, int status, const Breakpoints& breakpoints, Reached& reached) {
  const int event = status >> 16;
  int signal = WSTOPSIG(status);
  if (event == 0 && signal == SIGTRAP) breakpoints.pass(process, reached);
  if (signal == SIGTRAP || signal == SIGSTOP) signal = 0;  // ptrace's own
  ptrace(event == PTRACE_EVENT_EXEC ? PTRACE_DETACH : PTRACE_CONT, process, nullptr, signal);
}

// Adds the functions that the run reaches. Returns why it could not be followed; "" if it was.
std::string follow(pid_t bawn, const Program& program, Reached& reached) {
  int status = 0;
  waitpid(bawn, &status, 0);
  if (!WIFSTOPPED(status)) return "bawn cannot be started with ptrace";
  ptrace(PTRACE_SETOPTIONS, bawn, nullptr,
         PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
             PTRACE_O_TRACEEXEC);
  const Breakpoints breakpoints(bawn, program);
  for (pid_t process = bawn; WIFSTOPPED(status) || process != bawn;) {
    if (WIFSTOPPED(status)) resume(process, status, breakpoints, reached);
    process = waitpid(-1, &status, __WALL);
    if (process == -1) return "a run did not end";
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "a run failed";
}

// Many runs, because some code is executed only if one process is faster than another.
std::string follow_runs(const Program& program, const std::string& workspace, const char* tier,
                        Reached& reached) {
  alarm(kMostSeconds);
  for (int round = 0; round < kRounds; ++round) {
    for (const Stdio stdio : {Stdio::null, Stdio::file, Stdio::pipe, Stdio::terminal}) {
      const pid_t bawn = start(program, workspace, tier, stdio);
      if (std::string error = follow(bawn, program, reached); !error.empty()) return error;
    }
  }
  return "";
}

// Compiled C++ has the function in the section's name. In the C library the object tells them
// apart.
std::string pattern(const CodeSection& section) {
  if (section.name.find("._Z") != std::string::npos) return "*(" + section.name + ")";
  std::string file = section.file.substr(section.file.rfind('/') + 1);
  if (const auto object = file.find('('); object != std::string::npos) {
    file[object] = ':';
    file.pop_back();
  }
  return "*" + file + "(" + section.name + ")";
}

// Of the function in it that most runs have reached.
int runs_through(const CodeSection& section, const Reached& reached) {
  int most = 0;
  for (auto at = reached.lower_bound(section.begin);
       at != reached.end() && at->first - section.begin < section.size; ++at)
    most = std::max(most, at->second);
  return most;
}

// What all runs need comes first, and what a terminal or a file needs behind it.
// A script without SECTIONS would replace the linker's own, so they are there even if empty.
void write_script(std::ostream& out, const Reached& reached,
                  const std::vector<CodeSection>& sections) {
  out << "SECTIONS {\n  .text.launch : {\n";
  std::vector<std::pair<int, const CodeSection*>> order;
  for (const CodeSection& section : sections) {
    if (const int runs = runs_through(section, reached); runs != 0)
      order.emplace_back(runs, &section);
  }
  std::ranges::stable_sort(order, std::greater{}, &std::pair<int, const CodeSection*>::first);
  for (const auto& [runs, section] : order) out << "    " << pattern(*section) << "\n";
  out << "  }\n} INSERT BEFORE .text;\n";
}

}  // namespace
}  // namespace bawn

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::string workspace = std::filesystem::temp_directory_path() / "bawn-launch-order-XXXXXX";
  if (mkdtemp(workspace.data()) == nullptr) {
    std::perror("bawn-launch-order: mkdtemp");
    return 1;
  }
  struct sigaction interrupt {};
  interrupt.sa_handler = [](int) {};  // ends waitpid()
  sigaction(SIGALRM, &interrupt, nullptr);

  bawn::Reached reached;
  const auto program = bawn::read_program(std::filesystem::absolute(argv[1]));
  std::string error = bawn::follow_runs(program, workspace, "c", reached);
  if (!error.empty()) {  // without namespaces, most of the code is the same
    const std::string second = bawn::follow_runs(program, workspace, "b", reached);
    error = (second.empty() ? "ordered for tier b only: " : "not ordered: ") + error;
    if (!second.empty()) reached.clear();
  }
  std::error_code ignored;
  std::filesystem::remove_all(workspace, ignored);
  std::ofstream script(argv[3]);
  if (!error.empty()) {
    std::cerr << "bawn takes more memory than it should: its code is " << error << "\n";
    script << "/* " << error << " */\n";
  }
  bawn::write_script(script, reached, bawn::code_sections(argv[2]));
  return script.flush() ? 0 : 1;
}
