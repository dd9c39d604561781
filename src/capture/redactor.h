// Removes secrets from a stream of text as it passes, also where a secret is split between two
// chunks, or broken by escape sequences and characters that are not seen: those are no part of the
// text that is looked at.
//
// The output does not depend on how the stream is cut into chunks. Bounded: it holds back at most
// kMaxHeld bytes, whatever the stream looks like; finish() decides those. Work is linear in the
// stream. A secret of any length is swallowed whole. It never invents output: every byte it emits
// was in the input or belongs to a marker "[redacted:KIND]". Code that only mentions a secret
// (`process.env.TOKEN`, `${PASSWORD}`, `<your-key>`) stays. Where the stream ends in the middle of
// what could be a secret, as it does behind a quota, the part counts as the whole; the first few
// bytes of one may stay. It is a net for accidents, not a wall: a command that wants to hide a
// secret from it can encode it in another way than those below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/byte_filter.h"

namespace bawn {

class Redactor final : public ByteFilter {
 public:
  static constexpr std::size_t kMaxHeld = 128 * 1024;

  // `literals` are removed wherever they appear; those shorter than 4 bytes are ignored (they would
  // hit everything). Those of 12 bytes and more also if they are wrapped into lines, and, up to 16
  // KiB, in base64 (both alphabets, at any offset) and in hexadecimal digits, these too over lines.
  explicit Redactor(const std::vector<std::string>& literals = {});
  Redactor(Redactor&&) noexcept;
  Redactor& operator=(Redactor&&) noexcept;
  ~Redactor() override;

  // Appends to `out` what of the stream so far is safe to show.
  void feed(std::string_view chunk, std::string& out) override;
  // Appends the rest; afterwards the redactor is ready for another stream and keeps counting.
  void finish(std::string& out) override;

  // How many bytes wait for a decision.
  [[nodiscard]] std::size_t held() const;
  // How many secrets of each kind were replaced: url_userinfo, url_parameter, url_path,
  // authorization, assignment, private_key, token, literal.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bawn
