// Rules for the texts in a policy: absolute paths, program names, environment names, digests.
//
// One rule serves the reader (is it valid, what would be valid), the schema (`pattern`) and
// check_policy. The pattern may accept more than the rule, never less. Every rule refuses NUL bytes
// and text that is too long. The rules are constants and may be used from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bawn {

// Whether a message may repeat a refused text. Secrets and values of variables are never repeated.
enum class Echo { quoted, hidden };

struct TextRule {
  std::string_view expectation;  // "an absolute path such as /srv/data"
  std::string_view pattern;      // ECMA 262, for the schema
  std::size_t least = 1;         // bytes
  std::size_t most = 4096;       // bytes
  Echo echo = Echo::quoted;
  // Returns nothing if the text is valid; else a hint what would be valid, "" if that is not known.
  // Null: every text is valid.
  std::optional<std::string> (*refusal)(std::string_view) = nullptr;
  // Returns the normal form of a valid text. Null: every valid text is in its normal form.
  std::string (*normal)(std::string_view) = nullptr;
};

struct Fault {
  std::string message;
  std::string hint;
};

// What is wrong with `text`; nothing if it is valid.
[[nodiscard]] std::optional<Fault> check_text(const TextRule& rule, std::string_view text);

// `text` must be valid.
[[nodiscard]] std::string normal_text(const TextRule& rule, std::string_view text);

// True for `/a/b` in `/a`. It compares text only and follows no links, so use it to detect mistakes
// in a policy and never to permit an access. Both paths must be valid by kAbsolutePath.
[[nodiscard]] bool lies_below(std::string_view path, std::string_view directory);

// The variables that bawn sets for every command; no policy can change them.
inline constexpr std::array<std::string_view, 4> kOwnVariables = {"BAWN", "BAWN_RUN_ID", "PATH",
                                                                  "SANDBOX_RUNTIME"};

extern const TextRule kAbsolutePath;
extern const TextRule kDestination;      // the guest path of a grant
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
