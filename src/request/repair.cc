// Repairs of well-known model mistakes.
//
// In doubt a request stays as it is: an unrepaired mistake fails visibly, but a wrong repair runs
// something that the caller did not ask for.
#include <string_view>

#include "base/text.h"
#include "request/known_program.h"
#include "request/request.h"

namespace bawn {
namespace {

constexpr std::string_view kCwdOption = "--cwd";

// The full spelling, or the bare name if the command is an absolute path. For "./build.sh" the
// argument "build.sh" may be the file.
bool is_command_itself(std::string_view command, std::string_view argument) {
  return argument == command || (command.starts_with('/') && argument == program_name(command));
}

void drop_repeated_command(Request& request, std::vector<std::string>& repairs) {
  if (request.args.empty() || !is_command_itself(request.command, request.args[0])) return;
  if (takes_names_or_text(program_name(request.command))) return;
  repairs.push_back(
      concat("args[0] repeated the command ", quote(request.command), " and was dropped"));
  request.args.erase(request.args.begin());
}

bool can_be_cwd(std::string_view text) {
  return !text.empty() && text.front() != '-' && text.size() <= kMaxCwdBytes &&
         text.find('\0') == std::string_view::npos;
}

void take_leading_cwd(Request& request, std::vector<std::string>& repairs) {
  if (!request.cwd.empty() || request.args.empty() ||
      has_own_cwd_option(program_name(request.command)))
    return;
  const std::string_view first = request.args[0];
  std::string directory;
  std::ptrdiff_t used = 1;
  if (first == kCwdOption && request.args.size() > 1) {
    directory = request.args[1];
    used = 2;
  } else if (first.starts_with(kCwdOption) && first.substr(kCwdOption.size()).starts_with('=')) {
    directory = first.substr(kCwdOption.size() + 1);
  }
  if (!can_be_cwd(directory)) return;
  repairs.push_back(
      concat("--cwd ", quote(directory), " was taken from args as the request's cwd"));
  request.args.erase(request.args.begin(), request.args.begin() + used);
  request.cwd = std::move(directory);
}

}  // namespace

std::vector<std::string> normalise_request(Request& request) {
  std::vector<std::string> repairs;
  // Both mistakes can occur together, in either order. So the option is looked for again after the
  // repeated command was dropped.
  take_leading_cwd(request, repairs);
  drop_repeated_command(request, repairs);
  take_leading_cwd(request, repairs);
  return repairs;
}

}  // namespace bawn
