// The table of programs whose arguments are hosts, and which of their arguments are.
//
// The table serves the early check of egress only. A program that is missing here is still searched
// for URLs, and the kernel's enforcement does not depend on names.
#pragma once

#include <cstdint>
#include <string_view>

namespace bawn {

// Which operands (words that are no options) are hosts.
enum class HostOperands {
  none,         // none; hosts occur in options only
  every,        // each operand is a host or the rest of a URL
  first,        // the first operand; a port, a remote command or data follows
  dotted,       // operands with a dot; the others are record types and the like
  remote_path,  // operands of the form host:path
  git,          // host:path, for the subcommands that talk to remotes
  socat,        // TYPE:host:port
};

// How one program reads its words. Letters are short options with a value, attached or as the next
// word. Long options are separated by spaces. All views have static storage.
struct NetworkProgram {
  std::string_view name;
  HostOperands operands = HostOperands::none;
  std::uint16_t port = 0;            // default port; 0 if it is not fixed
  std::string_view value_letters;    // short options whose value is no host
  std::string_view setting_letters;  // short options whose value is KEY=value or KEY value (ssh -o)
  std::string_view host_letters;     // short options whose value is a host
  std::string_view value_options;
  std::string_view host_options;
};

// Null for a program that is not known to take hosts as arguments. `name` as system_program()
// returns it.
[[nodiscard]] const NetworkProgram* network_program(std::string_view name);

}  // namespace bawn
