// The texts of --help, at most 80 columns wide.
//
// The options in them are those of policy/text/option.h, in groups. Pure.
#pragma once

#include <string>
#include <string_view>

namespace bawn::cli {

// The help of a subcommand, or the overview if there is no such subcommand.
[[nodiscard]] std::string help_text(std::string_view subcommand);

}  // namespace bawn::cli
