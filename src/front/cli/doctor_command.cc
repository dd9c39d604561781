#include <unistd.h>

#include "base/text.h"
#include "doctor/diagnosis.h"
#include "doctor/doctor.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"

namespace bawn::cli {
namespace {

// The only use of exit code 1 by bawn itself. It is an answer, as with grep, and not a failure.
constexpr int kExitTierCDoesNotWork = 1;

enum class Form { text, json };

Result<Form> form_of(Words words) {
  for (const std::string_view word : words) {
    if (word != "--json")
      return invalid_error(
          concat(quote(word), " is not an option of doctor: expected 'bawn doctor [--json]'"));
  }
  return words.empty() ? Form::text : Form::json;
}

Result<int> examine(Words words) {
  BAWN_ASSIGN(const Form form, form_of(words));
  const CheckResults results = examine_host();
  BAWN_TRY(write_text(STDOUT_FILENO,
                      form == Form::json ? diagnosis_json(results) : diagnosis_text(results)));
  return diagnose(results).tier_c.works ? 0 : kExitTierCDoesNotWork;
}

}  // namespace

int doctor_command(Words words) {
  for (const std::string_view word : words) {
    if (word == "--help" || word == "-h") return print_help("doctor");
  }
  const auto code = examine(words);
  return code ? code.value() : report_failure("doctor", code.error());
}

}  // namespace bawn::cli
