// Programs whose arguments are hosts, and how to tell which of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace bawn {

enum class HostOperands {
  none,         // only in options
  every,        // each operand is a host or the rest of a URL
  first,        // the first operand; what follows is a port, a remote command or data
  dotted,       // operands with a dot in them; the others are record types and the like
  remote_path,  // operands of the form host:path
  git,          // host:path, for the subcommands that talk to remotes
  socat,        // TYPE:host:port
};

// Letters are short options with a value, attached or as the next word; long options are separated
// by blanks.
struct NetworkProgram {
  std::string_view name;
  HostOperands operands = HostOperands::none;
  std::uint16_t port = 0;            // used if none is given; 0 if that depends
  std::string_view value_letters;    // the value is no host
  std::string_view setting_letters;  // short options whose value is KEY=value or KEY value (ssh -o)
  std::string_view host_letters;     // the value is a host
  std::string_view value_options;
  std::string_view host_options;
};

// Null for a program that is not known to use its arguments as hosts.
[[nodiscard]] const NetworkProgram* network_program(std::string_view name);

}  // namespace bawn
