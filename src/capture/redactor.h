// Removes secrets from a stream of text as it passes.
//
// A secret is found even if it is split between chunks, or interrupted by escape sequences and
// invisible characters. The output does not depend on how the stream is cut. At most kMaxHeld bytes
// are held back at any time; finish() decides them. Work is linear in the stream. A secret of any
// length is removed completely. Every byte of output was in the input or belongs to a marker
// "[redacted:KIND]". Code that only mentions a secret (`process.env.TOKEN`, `${PASSWORD}`,
// `<your-key>`) stays. If the stream ends in the middle of a possible secret, as after a quota, the
// part counts as a secret; the first few bytes of one may stay.
//
// This is a safety net for accidents, not a boundary: a command that wants to leak a secret can
// encode it in a way that is not listed below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hidden.h"
#include "capture/byte_filter.h"

namespace bawn {

// One stream at a time, one thread. A moved-from Redactor may only be destroyed or assigned to.
class Redactor final : public ByteFilter {
 public:
  static constexpr std::size_t kMaxHeld = 128 * 1024;

  // `literals` are removed wherever they occur. Those shorter than 4 bytes are ignored, because
  // they would match everywhere. Those of 12 bytes or more are also found if they are wrapped over
  // lines. If they have at most 16 KiB, they are also found in base64 (both alphabets, any offset)
  // and in hexadecimal, wrapped or not.
  explicit Redactor(const std::vector<std::string>& literals = {});

  // Appends to `out` the part of the stream so far that is safe to show.
  void feed(std::string_view chunk, std::string& out) override;
  // Appends the rest. Afterwards the Redactor is ready for another stream; counts() continues.
  void finish(std::string& out) override;

  // The number of bytes that are not decided yet.
  [[nodiscard]] std::size_t held() const;
  // How many secrets of each kind were replaced: url_userinfo, url_parameter, url_path,
  // authorization, assignment, private_key, token, literal. A kind that was not found is not in the
  // map.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& counts() const;

 private:
  struct State;
  Hidden<State> state_;
};

}  // namespace bawn
