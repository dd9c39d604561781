// The limits that the kernel keeps for each process.
#pragma once

#include <cstddef>

namespace bawn {

enum class ProcessLimit { cpu_seconds, memory_data, processes, open_files, file_bytes, core_bytes };
inline constexpr std::size_t kProcessLimitCount = 6;

}  // namespace bawn
