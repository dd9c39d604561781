// What a caller (often a model) asks to run: the Request as a plain value, its JSON form and its
// caps.
//
// Nothing in a Request can weaken a Policy; a field that is absent is simply not asked for. The
// JSON form is closed and at most kMaxRequestBytes long. Two well-known model mistakes are
// repaired, and each repair is reported; everything else that is wrong is refused with every
// problem at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json/document.h"

namespace bawn {

inline constexpr std::size_t kMaxRequestBytes = 128 * 1024;
inline constexpr std::size_t kMaxCommandBytes = 256;
inline constexpr std::size_t kMaxArguments = 128;
inline constexpr std::size_t kMaxArgumentBytes = 4096;
inline constexpr std::size_t kMaxEnvironment = 32;
inline constexpr std::size_t kMaxEnvironmentKeyBytes = 128;
inline constexpr std::size_t kMaxEnvironmentValueBytes = 4096;
inline constexpr std::size_t kMaxStdinBytes = 64 * 1024;
inline constexpr std::size_t kMaxRequestedHosts = 64;
inline constexpr std::size_t kMaxHostBytes = 262;  // 253 for the name, brackets, colon and port
inline constexpr std::size_t kMaxCwdBytes = 4096;
inline constexpr std::size_t kMaxRunIdBytes = 64;
inline constexpr std::int64_t kMaxTimeoutMs = 24LL * 60 * 60 * 1000;

enum class LifetimeMode { run_owned, detached };

struct Request {
  std::string command{};
  std::vector<std::string> args{};
  std::string cwd{};  // "" = the workspace root; relative = below it
  std::map<std::string, std::string> env{};
  std::optional<std::string> stdin_text{};
  std::vector<std::string> requested_egress_hosts{};
  std::optional<std::uint64_t> timeout_ms{};  // may only shorten the policy's wall time
  bool background = false;
  LifetimeMode lifetime_mode = LifetimeMode::run_owned;
  bool pty = false;
  std::string run_id{};  // [A-Za-z0-9._-], not "." or ".."; "" = bawn makes one

  bool operator==(const Request&) const = default;
};

// The request, or the problems found in the text, as json::Document lists them.
[[nodiscard]] std::variant<Request, std::vector<json::Problem>> parse_request(std::string text);

// Repairs the request in place and says what it did, one line each:
//  - the command repeated as args[0] (`{"command":"git","args":["git","status"]}`), only where the
//    program would not take its own name as an argument;
//  - a leading `--cwd X` or `--cwd=X` in args of a request without cwd, only where the program has
//    no such option of its own.
// A request within the caps stays within them.
[[nodiscard]] std::vector<std::string> normalise_request(Request& request);

// The caps and rules above for a Request that was not parsed from JSON (a command line, the
// library). The paths in the problems are the JSON ones; line and column are 0. What exists for
// model input applies only with `RequestSource::model`: the size caps on argv (count, length), and
// the search for command lines in arguments and in paths, since a person's shell has already split
// the words. NUL bytes and the rest apply always.
enum class RequestSource { model, person };
[[nodiscard]] std::vector<json::Problem> check_request(const Request& request,
                                                       RequestSource source);

}  // namespace bawn
