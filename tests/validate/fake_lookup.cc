#include "fake_lookup.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <vector>

#include "base/text.h"

namespace bawn {
namespace {

constexpr std::size_t kMostLinks = 40;  // as Linux

class FakeOpenFile : public OpenFile {};

// The rest of `spec` after `prefix`; null if it does not start with it.
const char* after(const std::string& spec, std::string_view prefix) {
  return spec.starts_with(prefix) ? spec.c_str() + prefix.size() : nullptr;
}

std::string joined(const std::vector<std::string>& components) {
  std::string out;
  for (const std::string& component : components) out += concat('/', component);
  return out.empty() ? "/" : out;
}

// The smallest ELF file of 64 bits that names a loader: a header, and one segment with the name.
std::string elf_file(std::string_view loader) {
  constexpr std::size_t kHeader = 64;
  constexpr std::size_t kSegment = 56;
  constexpr char kInterpreter = 3;  // PT_INTERP
  std::string bytes("\177ELF\2\1\1", 7);
  bytes.resize(kHeader + kSegment);
  bytes[32] = kHeader;
  bytes[54] = kSegment;
  bytes[56] = 1;
  bytes[kHeader] = kInterpreter;
  bytes[kHeader + 8] = kHeader + kSegment;
  bytes[kHeader + 32] = static_cast<char>(loader.size() + 1);
  return concat(bytes, loader, std::string_view("\0", 1));
}

}  // namespace

// One path resolution: the components that were walked and those still ahead.
struct FakeLookup::Walk {
  std::vector<std::string> done;
  std::deque<std::string> ahead;
  std::vector<PassedLink> links;
  bool missing = false;
  std::string error;

  void prepend(std::string_view path) {
    const auto components = split(path, '/');
    ahead.insert(ahead.begin(), components.begin(), components.end());
  }

  void follow(const std::string& target, LinkMaker maker) {
    links.push_back({joined(done), maker});
    if (links.size() > kMostLinks) {
      error = "too many links";
      return;
    }
    done.pop_back();
    if (target.starts_with('/')) done.clear();
    prepend(target);
  }
};

FakeLookup::FakeLookup(const std::map<std::string, std::string>& specs) {
  entries_["/"] = Entry{.kind = FileKind::directory, .inode = 1};
  const auto is_alias = [](const std::string& spec) {
    return spec.starts_with("copy:") || spec.starts_with("hardlink:");
  };
  for (const auto& [path, spec] : specs) {
    if (!is_alias(spec)) add(path, spec);
  }
  for (const auto& [path, spec] : specs) {
    if (const char* original = after(spec, "copy:")) add_alias(path, original, false);
    if (const char* original = after(spec, "hardlink:")) add_alias(path, original, true);
  }
}

void FakeLookup::add_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    Entry& parent = entries_[path.substr(0, slash)];
    if (parent.inode == 0) parent = Entry{.kind = FileKind::directory, .inode = next_inode_++};
  }
}

void FakeLookup::add(const std::string& path, const std::string& spec) {
  add_parents(path);
  Entry entry{.kind = FileKind::regular, .inode = next_inode_++, .made_at = path};
  if (spec == "dir") {
    entry.kind = FileKind::directory;
  } else if (spec == "device") {
    entry.kind = FileKind::other;
  } else if (spec == "file") {
    entry.content = concat("text of ", path, "\n");
  } else if (spec == "exe" || spec == "setuid") {
    entry.content = concat("\x7f", "ELF\x02\x01\x01 ", path);
    entry.executable = true;
    entry.set_id = spec == "setuid";
  } else if (const char* loader = after(spec, "elf:")) {
    entry.content = elf_file(loader);
    entry.executable = true;
  } else if (const char* line = after(spec, "script:")) {
    entry.content = concat(std::string_view(line), "\n");
    entry.executable = true;
  } else if (const char* text = after(spec, "text:")) {
    entry.content = text;
  } else if (spec == "unreadable" || spec == "root's unreadable") {
    entry.executable = true;
    entry.unreadable = true;
    entry.owned_by_root = spec != "unreadable";
  } else if (const char* target = after(spec, "link:")) {
    entry.link = target;
  } else if (const char* own = after(spec, "own link:")) {
    entry.link = own;
    entry.maker = LinkMaker::caller;
  } else if (const char* strange = after(spec, "stranger's link:")) {
    entry.link = strange;
    entry.maker = LinkMaker::stranger;
  } else if (spec == "denied") {
    entry.error = "permission denied";
  } else if (spec == "magic") {
    entry.error = "a magic link";
  } else {
    throw std::invalid_argument(concat(path, ": ", quote(spec), " is not a spec of the fake tree"));
  }
  entries_[path] = entry;
}

void FakeLookup::add_alias(const std::string& path, const std::string& original, bool same_inode) {
  const Entry* source = find(original);
  if (source == nullptr || source->kind != FileKind::regular) {
    throw std::invalid_argument(
        concat(path, ": ", quote(original), " is not a file of the fake tree"));
  }
  Entry entry = *source;
  if (!same_inode) {
    entry.inode = next_inode_++;
    entry.executable = true;
    entry.set_id = false;
  }
  add_parents(path);
  entries_[path] = entry;
}

const FakeLookup::Entry* FakeLookup::find(const std::string& path) const {
  const auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

Located FakeLookup::locate(std::string_view path) const {
  Walk walk;
  walk.prepend(path);
  while (!walk.ahead.empty() && walk.error.empty()) {
    const std::string component = walk.ahead.front();
    walk.ahead.pop_front();
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      if (!walk.done.empty()) walk.done.pop_back();
      continue;
    }
    walk.done.push_back(component);
    const Entry* entry = find(joined(walk.done));
    if (entry == nullptr) {
      walk.missing = true;
    } else if (!entry->error.empty()) {
      walk.error = entry->error;
    } else if (!entry->link.empty()) {
      walk.follow(entry->link, entry->maker);
    }
  }

  Located located;
  located.links = walk.links;
  located.path = joined(walk.done);
  located.error = walk.error;
  const Entry* entry = find(located.path);
  if (entry == nullptr || walk.missing || !walk.error.empty()) return located;
  located.kind = entry->kind;
  located.executable = entry->executable;
  located.set_id = entry->set_id;
  located.owned_by_root = entry->owned_by_root;
  located.device = 1;
  located.inode = entry->inode;
  located.size = entry->content.size();
  located.link_count = static_cast<std::uint64_t>(
      std::count_if(entries_.begin(), entries_.end(),
                    [&](const auto& each) { return each.second.inode == entry->inode; }));
  located.file = std::make_shared<FakeOpenFile>();
  return located;
}

std::string FakeLookup::link_text(std::string_view path) const {
  const Entry* entry = find(std::string(path));
  return entry == nullptr ? "" : entry->link;
}

std::vector<std::string> FakeLookup::names_in(const Located& directory, std::size_t most) const {
  std::vector<std::string> names;
  const std::string below = concat(directory.path, "/");
  for (const auto& [path, entry] : entries_) {
    const bool is_child =
        path.starts_with(below) && path.find('/', below.size()) == std::string::npos;
    if (is_child && names.size() < most) names.push_back(path.substr(below.size()));
  }
  return names;
}

std::optional<std::string> FakeLookup::head(const Located& file, std::size_t most) const {
  const Entry* entry = find(file.path);
  if (entry == nullptr || entry->kind != FileKind::regular || entry->unreadable)
    return std::nullopt;
  return entry->content.substr(0, most);
}

std::string FakeLookup::sha256(const Located& file) const {
  const Entry* entry = find(file.path);
  if (entry == nullptr || entry->kind != FileKind::regular || entry->unreadable) return "";
  return sha256_of_path(entry->made_at);
}

std::string FakeLookup::sha256_of_path(std::string_view path) {
  constexpr std::size_t kHashBytes = 32;
  if (path.size() > kHashBytes) path.remove_prefix(path.size() - kHashBytes);
  const std::vector<unsigned char> bytes(path.begin(), path.end());
  std::string digits = hex(bytes);
  digits.resize(2 * kHashBytes, '0');
  return digits;
}

}  // namespace bawn
