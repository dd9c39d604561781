// Reading whole files and writing whole texts, for the command line only.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::cli {

// Refuses what is longer than `most` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t most);

// A request as it came, from a file or, for "-", from stdin. One that is too long is cut one byte after kMaxRequestBytes, so
// that the parser is the one to say so; the rest is read and forgotten, because whoever still writes it waits for an answer.
[[nodiscard]] Result<std::string> read_request_text(const std::string& path);

// A reader that is gone is an error like any other, not a signal.
[[nodiscard]] Result<void> write_text(int fd, std::string_view text);

// The real name of what is there, or "/x/y" for a "y" that is missing in the current directory "/x".
[[nodiscard]] Result<std::string> absolute_path(std::string_view path);

}  // namespace bawn::cli
