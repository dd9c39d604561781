#include "backend/posix/spelling.h"

namespace bawn::posix {

Result<std::string> spelled_path(int /*directory*/, const std::string& walked) { return walked; }

Result<std::string> spelled_name(int /*directory*/, const std::string& name) { return name; }

}  // namespace bawn::posix
