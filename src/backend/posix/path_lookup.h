// PathLookup with calls that every Unix has: it walks component by component and reads links
// itself, so the kernel never follows one.
//
// A readable file that was found is held open, so content that is read later belongs to the file
// that was checked. The returned path is the one that the system itself uses, whatever case,
// Unicode form or volume was spelled. A file that changes during the lookup is an error, and the
// validator refuses errors.
#pragma once

#include <map>
#include <string>

#include "sys/fd.h"
#include "validate/lookup.h"
#include "validate/shortage.h"

namespace bawn::posix {

// Use one object for one decision: it caches what it has found. Not thread-safe.
class UnixLookup final : public PathLookup {
 public:
  [[nodiscard]] Located locate(std::string_view path) const override;
  [[nodiscard]] std::vector<std::string> names_in(const Located& directory,
                                                  std::size_t most) const override;
  [[nodiscard]] std::optional<std::string> head(const Located& file,
                                                std::size_t most) const override;
  [[nodiscard]] std::string sha256(const Located& file) const override;
  [[nodiscard]] std::optional<Error> shortage() const override { return shortage_.first(); }

 private:
  mutable std::map<std::string, Located, std::less<>> found_;
  mutable Shortage shortage_;
};

}  // namespace bawn::posix
