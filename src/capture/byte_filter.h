// The interface between reading a stream and changing it; the Redactor implements it.
//
// A filter sees one stream once, in order, in chunks that may be cut anywhere. It may hold bytes
// back, so the output of feed() can lag behind its input. One filter serves one stream at a time
// and one thread.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

class ByteFilter {
 public:
  virtual ~ByteFilter() = default;

  // Appends to `out` what can be decided now and holds the rest back. Never removes bytes from
  // `out`.
  virtual void feed(std::string_view chunk, std::string& out) = 0;
  // The stream is over: decides and appends what was held back.
  virtual void finish(std::string& out) = 0;
};

}  // namespace bawn
