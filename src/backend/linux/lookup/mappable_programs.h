// How many programs lie in directories whose files a listed program can map.
//
// In a run whose programs are listed, libraries can be mapped as code, and so can a program that
// lies among them: `ld.so FILE` runs it. The number is for `bawn explain`. Reading whole trees of
// libraries takes about 100 ms, too long for a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bawn::linux_ {

// Executable ELF files that name a loader. What cannot be read is not counted.
[[nodiscard]] std::uint64_t count_mappable_programs(const std::vector<std::string>& directories);

}  // namespace bawn::linux_
