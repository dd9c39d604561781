// The backend and the doctor for the Mac that this runs on.
#include "backend/macos/doctor.h"
#include "backend/macos/macos_backend.h"
#include "doctor/doctor.h"
#include "host/probe.h"

namespace bawn {

std::unique_ptr<Backend> make_backend() {
  return std::make_unique<macos::MacosBackend>(macos::Host{probe_host()});
}

CheckResults examine_host() { return macos::examine(std::string(macos::kSandboxExec)); }

}  // namespace bawn
