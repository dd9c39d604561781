#include "backend/posix/scratch.h"

#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "backend/posix/process_table.h"
#include "base/text.h"

namespace bawn::posix {

Scratch::Scratch() {
  std::string name = (std::filesystem::canonical("/tmp") / "bawn-posix-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Scratch::file(std::string_view name) const { return concat(path_, "/", name); }

void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_alive(pid_t pid) {
  const auto facts = find_process(pid);
  return facts && !facts->ended;
}

std::string wait_for_line(const std::string& path) {
  for (;;) {
    const std::string text = read_text(path);
    if (text.ends_with('\n')) return text.substr(0, text.size() - 1);
    ::poll(nullptr, 0, 5);
  }
}

}  // namespace bawn::posix
