// Reading input files, writing to the standard files, resolving typed paths, and the arguments of
// the process. There is one implementation per system: files_unix.cc, files_windows.cc.
//
// For the command line only. These functions use the current directory and the environment of the
// process, which the library must not do. An `int fd` is always borrowed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/input_file.h"

namespace bawn::cli {

// The content of a file as read_input() takes it. An error if it is longer than `most` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t most);

// The content of a file that decides about a run, and the identity of that file.
struct ReadInput {
  std::string text;
  // `origin` is empty; the caller fills it in. No value for a pipe or a file without a name, which
  // the command cannot open by a path, and never a value on Windows.
  std::optional<InputFile> file;
};

// Reads a regular file. A FIFO, a socket, a device or a directory at the path is an error at once;
// the call does not block on it. Exception, not on Windows: a pipe is read if the path itself names
// a descriptor that bawn inherited (/dev/stdin, /dev/fd/N, /proc/self/fd/N), as the shell's <(...)
// does. An error if the content is longer than `most` bytes.
[[nodiscard]] Result<ReadInput> read_input(const std::string& path, std::size_t most);

// The unparsed text of a request, from a file as read_input() takes it or, for "-", from stdin. A
// longer text is cut one byte after kMaxRequestBytes, so that the parser reports the excess. Up to
// 64 MiB of the rest are read and discarded: a caller that is still writing would otherwise not get
// to read the outcome.
[[nodiscard]] Result<std::string> read_request_text(const std::string& path);

// Writes all of `text`, and waits for a slow reader. A closed pipe is an error (EPIPE); SIGPIPE
// does not end bawn. After an error, a part of the text may have been written.
[[nodiscard]] Result<void> write_text(int fd, std::string_view text);

// Writes text that may be lost. If the reader does not make room within a tenth of a second, the
// rest is dropped; errors are ignored. On Windows it waits for the reader.
void tell(int fd, std::string_view text);

// The absolute path with all symbolic links resolved. If the file does not exist, the path is made
// absolute and normalised by its text only: "y" in the current directory "/x" becomes "/x/y".
[[nodiscard]] Result<std::string> absolute_path(std::string_view path);

// The absolute path with its symbolic links kept, so that the planner can judge where they lead. An
// error if ".." follows a link. On Windows the same as absolute_path().
[[nodiscard]] Result<std::string> absolute_name(std::string_view path);

// The current directory as the shell names it, with symbolic links kept ($PWD). Without links if
// $PWD is not set, is not a normal absolute path, or is another directory by now.
[[nodiscard]] Result<std::string> current_name();

// The length of the drive at the beginning of a path: 2 for "C:/x" on Windows, otherwise 0.
[[nodiscard]] std::size_t drive_length(std::string_view path);

// True if both exist and `outer` is `inner` or a directory above it.
[[nodiscard]] bool holds_directory(const std::string& outer, const std::string& inner);

// The homes that the user of this process and the other users have.
struct Homes {
  // From $HOME and from /etc/passwd; may hold one path twice. Users who are known only to an NSS
  // module (LDAP, systemd-homed) get $HOME alone, because a static executable cannot load the
  // module. On Windows, %USERPROFILE%.
  std::vector<std::string> own;
  // Of users with a login shell in /etc/passwd. Empty on Windows, where system_place.cc lists the
  // directory of all homes.
  std::vector<std::string> others;
};

// Reads /etc/passwd once. A host without that file has no other users. An error if it cannot be
// read: then no directory is known to be safe.
[[nodiscard]] Result<Homes> home_directories();

// True if `path` is the home of another user or a directory above one.
[[nodiscard]] bool holds_home_of_another(const std::string& path, const Homes& homes);

// True if the sticky bit is set, as on /tmp, where all users may create files. Always false on
// Windows.
[[nodiscard]] bool is_shared_directory(const std::string& path);

// An error unless `fd` was open for writing when bawn was started. On Windows, an error unless it
// is 1 or 2.
[[nodiscard]] Result<void> require_writable(int fd);

// Opens /dev/null for each of the descriptors 0, 1 and 2 that is closed. Otherwise the next file
// that bawn opens would get that number; bawn would pass it to the command as stdin or write
// messages into it. write_text() and require_writable() still treat such a descriptor as closed.
// Call it first in main(), before other files are opened. Does nothing on Windows.
[[nodiscard]] Result<void> fill_standard_files();

// The arguments of the process without argv[0]; on Windows converted to UTF-8. The strings stay
// valid until the process ends.
[[nodiscard]] std::vector<char*> command_words(int argc, char** argv);

}  // namespace bawn::cli
