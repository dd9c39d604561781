// A file tree from a table, for tests of everything that looks at paths. Touches no real file.
//
//   FakeLookup lookup{{"/work", "dir"}, {"/usr/bin/git", "exe"}, {"/work/out", "link:/etc"}};
//
// Specs:
//   dir, file, exe, setuid    as they say; exe and setuid begin like an ELF file
//   elf:LOADER                an executable that names this ELF interpreter
//   device                    neither file nor directory: a device, socket or FIFO
//   link:TARGET               a symbolic link, absolute or relative, that only the administrator
//                             can have made
//   own link:TARGET           a link that the caller can have made
//   stranger's link:TARGET    a link that a third user can have made
//   script:#!LINE             an executable text file that begins with this line
//   text:WORDS                a file that holds these words
//   unreadable                executable, cannot be read, owned by the caller
//   root's unreadable         executable, cannot be read, owned by root
//   copy:/abs/path            executable, same content and size as that file, another inode
//   hardlink:/abs/path        the same inode under a second name
//   denied                    error "permission denied", also for everything below it
//   magic                     error "a magic link", as /proc/self/fd/3 gives
// Parent directories need no spec. An unknown spec throws std::invalid_argument.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "validate/lookup.h"

namespace bawn {

// Follows links and resolves ".." as the kernel does. Never changes after construction.
class FakeLookup : public PathLookup {
 public:
  explicit FakeLookup(const std::map<std::string, std::string>& specs);
  FakeLookup(std::initializer_list<std::pair<const std::string, std::string>> specs)
      : FakeLookup(std::map<std::string, std::string>(specs)) {}

  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::string link_text(std::string_view path) const override;
  [[nodiscard]] std::vector<std::string> names_in(const Located& directory,
                                                  std::size_t most) const override;
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;

  // The result of sha256() for the exe, setuid or file at `path`. It is not a real hash, so that
  // test data can be written by hand: the hex digits of the last 32 bytes of the path, padded with
  // zeros.
  [[nodiscard]] static std::string sha256_of_path(std::string_view path);

 private:
  struct Entry {
    FileKind kind = FileKind::missing;
    bool executable = false;
    bool set_id = false;
    bool unreadable = false;
    bool owned_by_root = false;
    std::uint64_t inode = 0;
    std::string content;
    std::string made_at;  // path of the first file with this content; copies share it
    std::string link;     // target, if this is a link
    LinkMaker maker = LinkMaker::administrator;
    std::string error;
  };
  struct Walk;

  void add(const std::string& path, const std::string& spec);
  void add_parents(const std::string& path);
  void add_alias(const std::string& path, const std::string& original, bool same_inode);
  [[nodiscard]] const Entry* find(const std::string& path) const;

  std::map<std::string, Entry> entries_;
  std::uint64_t next_inode_ = 2;
};

}  // namespace bawn
