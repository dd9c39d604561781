// Files, the standard ones and the words of the command line, for the command line only. Each
// system has its own implementation: files_unix.cc, files_windows.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/input_file.h"

namespace bawn::cli {

// Refuses what is longer than `most` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t most);

// A file that decides about a run, and which file it was.
struct ReadInput {
  std::string text;
  std::optional<InputFile> file;  // without its origin; none if no other run can come by it: a
                                  // pipe, a file without a name
};

// Only a regular file is read: a FIFO, a socket, a device or a directory that lies at the path is
// an error, and is not waited for. A pipe is read if the path itself names a descriptor that was
// handed to bawn (/dev/stdin, /dev/fd/N, /proc/self/fd/N), as the shell's <(...) does. Refuses what
// is longer than `most` bytes.
[[nodiscard]] Result<ReadInput> read_input(const std::string& path, std::size_t most);

// A request as it came, from a file as read_input() takes it or, for "-", from stdin. One that is
// too long is cut one byte after kMaxRequestBytes, so that the parser is the one to say so; the
// rest is read and forgotten, because whoever still writes it waits for an answer.
[[nodiscard]] Result<std::string> read_request_text(const std::string& path);

// A reader that is gone is an error like any other, not a signal.
[[nodiscard]] Result<void> write_text(int fd, std::string_view text);

// For words that nobody depends on: what a reader has not made room for within a tenth of a second
// is dropped. On Windows it waits for the reader.
void tell(int fd, std::string_view text);

// The real name of what is there, or "/x/y" for a "y" that is missing in the current directory
// "/x".
[[nodiscard]] Result<std::string> absolute_path(std::string_view path);

// The same with the links that are in it, for whoever judges where they lead.
[[nodiscard]] Result<std::string> absolute_name(std::string_view path);

// The current directory as the shell has come there, with the links in it ($PWD); by its real name
// if that is not told, or means another by now.
[[nodiscard]] Result<std::string> current_name();

// So many characters at the beginning of a path that are a drive: 2 of "C:/x" on Windows.
[[nodiscard]] std::size_t drive_length(std::string_view path);

// Whether both exist, and the first is the second or lies above it.
[[nodiscard]] bool holds_directory(const std::string& outer, const std::string& inner);

// The home of the user as the environment has it, and as the system has it if that is another name.
// Users that only a module of the C library knows (LDAP, systemd-homed) have the former alone: a
// static executable cannot load one. An error only for a shortage.
[[nodiscard]] Result<std::vector<std::string>> home_directories();

// Whether it is the home of another user that logs in, or lies above one. An error only for a
// shortage.
[[nodiscard]] Result<bool> holds_home_of_another(const std::string& path);

// Whether its mode is sticky, as that of /tmp: all users may make files in it.
[[nodiscard]] bool is_shared_directory(const std::string& path);

// An error if nothing can be written to the file of this number.
[[nodiscard]] Result<void> require_writable(int fd);

// A program that is started with 0, 1 or 2 closed gives the number to what it opens first, and
// would then hand that on as the command's stdin, or write its messages there. What was closed
// stays so for write_text and require_writable.
[[nodiscard]] Result<void> fill_standard_files();

// The words of the command line in UTF-8, without the program's own name. Valid as long as the
// process.
[[nodiscard]] std::vector<char*> command_words(int argc, char** argv);

}  // namespace bawn::cli
