#include "backend/macos/launch.h"

#include <sys/stat.h>

#include <utility>

#include "base/text.h"
#include "sys/call.h"

namespace bawn::macos {
namespace {

// sandbox-exec sets argv[0] to the path, so the name by which the command was called is lost.
std::vector<std::string> confined_argv(const Plan& plan, const SandboxProfile& profile) {
  std::vector<std::string> argv = {"sandbox-exec", "-p", profile.text};
  for (const SandboxProfileParameter& parameter : profile.parameters) {
    argv.emplace_back("-D");
    argv.push_back(concat(parameter.name, "=", parameter.value));
  }
  argv.emplace_back("--");
  argv.push_back(plan.program.file.path);
  argv.insert(argv.end(), plan.program.argv.begin() + 1, plan.program.argv.end());
  return argv;
}

std::string directory_of(const Plan& plan) {
  if (!plan.private_workspace) return plan.cwd.path;
  return concat(plan.private_parent.path, "/", plan.private_name, "/work");
}

posix::SpawnOrder plan_spawn(const Plan& plan, const SandboxProfile& profile,
                             const std::array<int, 3>& stdio, std::string_view sandbox_exec) {
  const bool confined = plan.boundary() == Boundary::profile;
  return {.program = confined ? std::string(sandbox_exec) : plan.program.file.path,
          .argv = confined ? confined_argv(plan, profile) : plan.program.argv,
          .environment = plan.environment,
          .directory = directory_of(plan),
          .stdio = stdio,
          .limits = plan.process_limits};
}

Result<posix::PrivateDirectory> make_directory(const Plan& plan) {
  if (plan.private_name.empty()) return posix::PrivateDirectory();
  return posix::PrivateDirectory::make(
      plan.private_parent.path, plan.private_name,
      {.home = plan.private_home, .tmp = plan.private_tmp, .work = plan.private_workspace});
}

// sandbox-exec and its profile take paths, so the path must still lead to the file that was
// checked.
Result<void> require_unchanged(const Located& judged) {
  struct stat now {};
  BAWN_TRY(sys::checked(concat("look at ", quote(judged.path)),
                        [&] { return ::lstat(judged.path.c_str(), &now); }));
  if (static_cast<std::uint64_t>(now.st_dev) == judged.device && now.st_ino == judged.inode)
    return {};
  return Error{ErrorKind::system, 0,
               concat(quote(judged.path), " is not the file that was judged any more")};
}

}  // namespace

Result<Launched> launch(const Plan& plan, const std::array<int, 3>& stdio,
                        std::string_view sandbox_exec) {
  BAWN_ASSIGN(posix::PrivateDirectory directory, make_directory(plan));
  SandboxProfile profile;
  if (plan.boundary() == Boundary::profile) profile = make_sandbox_profile(plan);
  BAWN_TRY(require_unchanged(plan.program.file));
  if (!plan.private_workspace) BAWN_TRY(require_unchanged(plan.cwd));
  BAWN_ASSIGN(posix::Spawned process, posix::spawn(plan_spawn(plan, profile, stdio, sandbox_exec)));
  return Launched{std::move(directory), std::move(profile), std::move(process)};
}

std::string forerunner(const Plan& plan, std::string_view sandbox_exec) {
  if (plan.boundary() != Boundary::profile) return "";
  return std::string(sandbox_exec.substr(sandbox_exec.rfind('/') + 1));
}

}  // namespace bawn::macos
