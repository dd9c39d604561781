// What a caller (often a model) asks to run: the Request as a plain value, its JSON form and its
// caps.
//
// Nothing in a Request can weaken a Policy; an absent field asks for nothing. The JSON form is
// closed and at most kMaxRequestBytes long. Two well-known mistakes of models are repaired, and
// each repair is reported. Everything else that is wrong is refused, with all problems at once.
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
  std::string cwd{};  // "": the workspace root; a relative path is below it
  std::map<std::string, std::string> env{};
  std::optional<std::string> stdin_text{};
  std::vector<std::string> requested_egress_hosts{};
  std::optional<std::uint64_t> timeout_ms{};  // can only shorten the policy's wall time
  bool background = false;
  LifetimeMode lifetime_mode = LifetimeMode::run_owned;
  bool pty = false;
  std::string run_id{};  // [A-Za-z0-9._-], not "." or ".."; "": bawn makes one

  bool operator==(const Request&) const = default;
};

// Returns the request, or the problems as json::Document lists them; never both. Does not repair:
// call normalise_request afterwards.
[[nodiscard]] std::variant<Request, std::vector<json::Problem>> parse_request(std::string text);

// Repairs the request in place and returns one line for each repair:
//  - the command repeated as args[0] (`{"command":"git","args":["git","status"]}`), unless the
//    program may take its name as an argument;
//  - a leading `--cwd X` or `--cwd=X` in args of a request without cwd, unless the program has such
//    an option.
//
// A request that is within the caps stays within them.
[[nodiscard]] std::vector<std::string> normalise_request(Request& request);

// Checks a Request that was not parsed from JSON (a command line, the library) against the caps and
// rules above. Paths in the problems are those of the JSON form; line and column are 0. Two checks
// apply to `RequestSource::model` only: the size caps on argv (count and length), and the search
// for command lines in arguments and in paths, because a person's shell has already split the
// words. All other checks, such as that for NUL bytes, always apply.
enum class RequestSource { model, person };
[[nodiscard]] std::vector<json::Problem> check_request(const Request& request,
                                                       RequestSource source);

}  // namespace bawn
