#include "macos/launch.h"

#include "base/text.h"

namespace bawn::macos {
namespace {

// sandbox-exec executes a path under that path's own name, so what the command was called by is lost.
std::vector<std::string> confined_argv(const Plan& plan, const SandboxProfile& profile) {
  std::vector<std::string> argv = {"sandbox-exec", "-p", profile.text};
  for (const ProfileParameter& parameter : profile.parameters) {
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

}  // namespace

posix::SpawnOrder plan_spawn(const Plan& plan, const SandboxProfile& profile, std::string_view sandbox_exec) {
  posix::SpawnOrder order;
  const bool confined = plan.boundary == Boundary::profile;
  order.program = confined ? std::string(sandbox_exec) : plan.program.file.path;
  order.argv = confined ? confined_argv(plan, profile) : plan.program.argv;
  order.environment = plan.environment;
  order.directory = directory_of(plan);
  order.limits = plan.process_limits;
  return order;
}

std::string forerunner(const Plan& plan, std::string_view sandbox_exec) {
  if (plan.boundary != Boundary::profile) return "";
  return std::string(sandbox_exec.substr(sandbox_exec.rfind('/') + 1));
}

}  // namespace bawn::macos
