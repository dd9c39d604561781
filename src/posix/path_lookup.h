// Looks paths up with what every Unix has: component by component, links read and never followed by
// the kernel.
//
// What is found is held open where it may be read: content that is asked for later is that of the
// file that was judged. The answer is the one path by which the system itself knows the file,
// whatever case, Unicode form or volume it was spelled with. What changes while it is looked at is
// an error, and an error is refused.
#pragma once

#include <map>
#include <string>

#include "sys/fd.h"
#include "validate/lookup.h"
#include "validate/shortage.h"

namespace bawn::posix {

// One lives as long as one decision: what it has found once, it finds again without looking.
class UnixLookup final : public PathLookup {
 public:
  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;
  [[nodiscard]] std::optional<Error> shortage() const override { return shortage_.first(); }

 private:
  mutable std::map<std::string, Located, std::less<>> found_;
  mutable Shortage shortage_;
};

}  // namespace bawn::posix
