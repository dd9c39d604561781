// The seam between taking output in and changing it: what stands in it sees a stream once, in
// order, in chunks cut anywhere, and appends what may be kept. Redaction is one.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

class ByteFilter {
 public:
  virtual ~ByteFilter() = default;

  // Appends to `out` what can be decided now; the rest is held back until more arrives.
  virtual void feed(std::string_view chunk, std::string& out) = 0;
  // The stream is over: appends what was held back.
  virtual void finish(std::string& out) = 0;
};

}  // namespace bawn
