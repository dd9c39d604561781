#include "backend/windows/syntax/environment.h"

#include <array>
#include <map>

#include "backend/windows/syntax/path.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

constexpr std::array<std::string_view, 9> kSystemVariables{"ComSpec",
                                                           "NUMBER_OF_PROCESSORS",
                                                           "OS",
                                                           "PATHEXT",
                                                           "PROCESSOR_ARCHITECTURE",
                                                           "PROCESSOR_REVISION",
                                                           "SystemDrive",
                                                           "SystemRoot",
                                                           "windir"};

struct ByName {
  bool operator()(std::string_view a, std::string_view b) const {
    return ascii_lower(a) < ascii_lower(b);
  }
};
using Variables = std::map<std::string, std::string, ByName>;

// Directories that are not on a drive (the validator's defaults) are left out.
std::string native_search_path(std::string_view portable) {
  std::string out;
  for (const std::string_view directory : split(portable, ':')) {
    const auto native = native_path(directory);
    if (native) out += concat(out.empty() ? "" : ";", native.value());
  }
  return out;
}

// A path that the policy sets may be native already.
void add_path(Variables& variables, std::string_view path,
              std::initializer_list<const char*> names) {
  const auto native = native_path(path);
  for (const char* name : names) variables.emplace(name, native ? native.value() : path);
}

void add(Variables& variables, std::string_view name, std::string_view value) {
  if (name == "PATH") {
    variables.emplace("PATH", native_search_path(value));
  } else if (name == "HOME") {
    add_path(variables, value, {"HOME", "USERPROFILE"});
  } else if (name == "TMPDIR") {
    add_path(variables, value, {"TEMP", "TMP"});
  } else {
    variables.emplace(name, value);
  }
}

}  // namespace

std::vector<std::string> native_environment(std::span<const std::string> portable,
                                            const CallerVariable& caller) {
  Variables variables;
  for (const std::string_view name : kSystemVariables) {
    if (const auto value = caller(name)) variables.emplace(name, *value);
  }
  for (const std::string& entry : portable) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos)
      add(variables, std::string_view(entry).substr(0, equals),
          std::string_view(entry).substr(equals + 1));
  }
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(concat(name, "=", value));
  return out;
}

}  // namespace bawn::windows
