#include "request/known_program.h"

#include "programs/program.h"

namespace bawn {

std::string_view program_name(std::string_view command) {
  return command.substr(command.rfind('/') + 1);  // npos + 1 == 0
}

bool takes_names_or_text(std::string_view program) {
  return program_is(program, Trait::names_or_text);
}

bool has_own_cwd_option(std::string_view program) {
  return program_is(program, Trait::own_cwd_option);
}

bool has_subcommands(std::string_view program) { return program_is(program, Trait::subcommands); }

bool takes_plain_words(std::string_view program) {
  return program_is(program, Trait::plain_words) || has_subcommands(program);
}

bool is_common_tool(std::string_view program) {
  return takes_plain_words(program) || program_is(program, Trait::follower);
}

}  // namespace bawn
