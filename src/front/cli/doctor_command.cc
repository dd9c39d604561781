#include <unistd.h>

#include "base/text.h"
#include "doctor/diagnosis.h"
#include "doctor/doctor.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#include "front/cli/invocation.h"

namespace bawn::cli {
namespace {

// The only use of exit code 1 by bawn itself. It is an answer, as with grep, and not a failure.
constexpr int kExitTierCDoesNotWork = 1;

Result<void> take_words(Words words, Invocation& invocation) {
  BAWN_TRY(parse_invocation(Subcommand::doctor, words, invocation));
  if (invocation.command.empty()) return {};
  return invalid_error(concat(quote(invocation.command.front()), " is not an option"));
}

Result<int> examine(Words words) {
  Invocation invocation;
  if (const auto taken = take_words(words, invocation); !taken)
    return invalid_error(concat(taken.error().message, "; expected 'bawn doctor [--json]'"));
  const CheckResults results = examine_host();
  BAWN_TRY(write_text(STDOUT_FILENO,
                      invocation.json ? diagnosis_json(results) : diagnosis_text(results)));
  return diagnose(results).tier_c.works ? 0 : kExitTierCDoesNotWork;
}

}  // namespace

int doctor_command(Words words) {
  if (asks_for_help(Subcommand::doctor, words)) return print_help("doctor");
  const auto code = examine(words);
  return code ? code.value() : report_failure("doctor", code.error());
}

}  // namespace bawn::cli
