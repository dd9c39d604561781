#include "backend/windows/syntax/path.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/characters.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

bool is_slash(char c) { return c == '/' || c == '\\'; }

// The part before the first dot or colon, without final blanks: Windows recognises devices by it.
std::string device_stem(std::string_view name) {
  std::string stem = ascii_lower(name.substr(0, name.find_first_of(".:")));
  while (!stem.empty() && stem.back() == ' ') stem.pop_back();
  return stem;
}

// COM and LPT are followed by a digit; three superscript digits count too.
bool is_port_number(std::string_view text) {
  if (text.size() == 1) return text[0] >= '0' && text[0] <= '9';
  return text == "\xc2\xb9" || text == "\xc2\xb2" || text == "\xc2\xb3";
}

bool is_device(std::string_view name) {
  constexpr std::array<std::string_view, 7> kDevices{"con",    "prn",     "aux",   "nul",
                                                     "conin$", "conout$", "clock$"};
  const std::string stem = device_stem(name);
  if (std::ranges::find(kDevices, stem) != kDevices.end()) return true;
  return (stem.starts_with("com") || stem.starts_with("lpt")) &&
         is_port_number(std::string_view(stem).substr(3));
}

bool is_plain(char c) {
  constexpr std::string_view kNever = "<>\"|?*\\";
  return static_cast<unsigned char>(c) >= 0x20 && kNever.find(c) == std::string_view::npos;
}

Error refused(std::string_view path, std::string_view why) {
  return invalid_error(concat(quote(path), why));
}

// `rest` below `root`; "." and ".." are removed, and ".." stops at the root.
std::string joined(std::string_view root, std::string_view rest) {
  std::vector<std::string_view> kept;
  for (const std::string_view name : split(rest, '/')) {
    if (name.empty() || name == ".") continue;
    if (name != "..") {
      kept.push_back(name);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string out(root);
  for (const std::string_view name : kept) out += concat("/", name);
  return out;
}

std::string drive_root(char letter) {
  return concat("/", ascii_lower(std::string_view(&letter, 1)));
}

bool has_drive(std::string_view path) {
  return path.size() >= 2 && path[0] == '/' && is_letter(path[1]) &&
         (path.size() == 2 || path[2] == '/');
}

}  // namespace

std::string with_slashes(std::string_view path) {
  std::string out(path);
  std::replace(out.begin(), out.end(), '\\', '/');
  return out;
}

std::string name_error(std::string_view name) {
  if (name.empty()) return "is an empty name";
  if (name == "." || name == "..") return "";
  if (is_device(name)) return "is the name of a device, wherever it stands";
  if (name.find(':') != std::string_view::npos)
    return "names an alternate stream or a drive, because of the colon";
  if (name.back() == '.' || name.back() == ' ')
    return "ends in a dot or a blank, which Windows cuts off";
  if (!can_exist(name)) return "holds a character that no file name of Windows can have";
  return "";
}

bool can_exist(std::string_view name) { return std::ranges::all_of(name, is_plain); }

bool is_null_device(std::string_view name) { return device_stem(name) == "nul"; }

Result<std::string> portable_path(std::string_view native, std::string_view directory) {
  const std::string path = with_slashes(native);
  if (path.starts_with("//?/") || path.starts_with("//./") ||
      path.starts_with("/?"
                       "?/"))
    return refused(native,
                   " is a device path, which goes around every rule for names; write C:\\...");
  if (path.starts_with("//"))
    return refused(native, " is on a network share; copy the file to a drive first");
  if (path.size() >= 2 && is_letter(path[0]) && path[1] == ':') {
    if (path.size() == 2 || path[2] != '/')
      return refused(native,
                     concat(" is relative to the current directory of drive ", path.substr(0, 2),
                            ", which a run does not know; write ", path.substr(0, 2), "\\..."));
    return joined(drive_root(path[0]), path.substr(2));
  }
  if (!has_drive(directory)) return refused(native, " is relative to nothing; write C:\\...");
  if (path.starts_with('/')) return joined(directory.substr(0, 2), path);
  return joined(directory.substr(0, 2), concat(directory.substr(2), "/", path));
}

Result<std::string> native_path(std::string_view portable) {
  if (!has_drive(portable))
    return refused(portable, " is on no drive; a path of Windows is written /c/Users/you");
  std::string out = concat(ascii_lower(portable.substr(1, 1)), ":");
  out[0] = static_cast<char>(out[0] - 'a' + 'A');
  for (const std::string_view name : split(portable.substr(2), '/')) {
    if (name.empty()) continue;
    if (const std::string error = name_error(name); !error.empty())
      return refused(name, concat(" ", error));
    out += concat("\\", name);
  }
  if (out.size() == 2) out += '\\';
  return out;
}

Result<std::string> portable_final_path(std::string_view final_path) {
  std::string_view path = final_path;
  if (path.starts_with("\\\\?\\")) path.remove_prefix(4);
  if (path.size() < 3 || !is_letter(path[0]) || path[1] != ':' || !is_slash(path[2]))
    return refused(final_path, " is on no drive");
  return joined(drive_root(path[0]), with_slashes(path.substr(2)));
}

}  // namespace bawn::windows
