// What a text in a policy must look like: absolute paths, program names, environment names,
// digests.
//
// One rule serves the reader (is it right, what would be right), the schema (`pattern`) and
// check_policy. The pattern may be looser than the rule, never stricter. Every rule refuses NUL and
// over-long text.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bawn {

// Whether a refused text may be repeated in a message. Secrets and values of variables never are.
enum class Echo { quoted, hidden };

struct TextRule {
  std::string_view expectation;  // "an absolute path such as /srv/data"
  std::string_view pattern;      // ECMA 262, for the schema
  std::size_t least = 1;         // bytes
  std::size_t most = 4096;       // bytes
  Echo echo = Echo::quoted;
  // What would be right instead, "" if that is not known; empty if the text is right.
  std::optional<std::string> (*refusal)(std::string_view) = nullptr;
  // The one spelling of a text that is right; null if there is only one.
  std::string (*normal)(std::string_view) = nullptr;
};

struct Fault {
  std::string message;
  std::string hint;
};

// What is wrong with `text`, if anything is.
[[nodiscard]] std::optional<Fault> check_text(const TextRule& rule, std::string_view text);

[[nodiscard]] std::string normal_text(const TextRule& rule, std::string_view text);

// True for `/a/b` in `/a`. By spelling alone: for telling a slip in a policy, never for granting
// anything. Both paths follow kAbsolutePath.
[[nodiscard]] bool lies_below(std::string_view path, std::string_view directory);

// The variables that bawn itself gives to every command; no policy can change them.
inline constexpr std::array<std::string_view, 4> kOwnVariables = {"BAWN", "BAWN_RUN_ID", "PATH",
                                                                  "SANDBOX_RUNTIME"};

extern const TextRule kAbsolutePath;
extern const TextRule kDestination;      // where a run sees a grant
extern const TextRule kWorkspacePath;    // below the workspace: relative to it, or absolute
extern const TextRule kProgram;          // a bare name, or an absolute path
extern const TextRule kShellPattern;     // a literal text, not a glob
extern const TextRule kEnvironmentName;  // none of kOwnVariables
extern const TextRule kEnvironmentValue;
extern const TextRule kHost;
extern const TextRule kDnsSuffix;
extern const TextRule kSha256;
extern const TextRule kSeccompProfile;  // "default", "strict" or an absolute path
extern const TextRule kOptionalLimit;   // a limit that some hosts cannot enforce
extern const TextRule kSecret;

}  // namespace bawn
