// `bawn exec` as on macOS, on any Unix: the same run with a fake sandbox-exec
// (BAWN_FAKE_SANDBOX_EXEC), which confines nothing. Only for the conformance table.
//
//   macos_exec exec --policy FILE < REQUEST
//   macos_exec doctor --json
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

#include "backend/macos/doctor.h"
#include "backend/macos/run.h"
#include "base/text.h"
#include "doctor/diagnosis.h"
#include "host/system_facts.h"
#include "json/document.h"
#include "outcome/denial.h"
#include "policy/text/policy_json.h"

namespace {

std::string all_of(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bawn::macos::Host host(const std::string& fake_sandbox_exec) {
  bawn::macos::Host host{.facts = bawn::macos_facts(), .sandbox_exec = fake_sandbox_exec};
  host.facts.private_parent =
      std::filesystem::canonical(std::filesystem::temp_directory_path()).string();
  host.facts.uid = geteuid();
  host.facts.gid = getegid();
  return host;
}

int exec(const char* policy_file, const std::string& fake_sandbox_exec) {
  std::ifstream file(policy_file);
  const auto policy = bawn::parse_policy(all_of(file), policy_file);
  if (std::holds_alternative<std::vector<bawn::json::Problem>>(policy)) return 125;
  auto request = bawn::parse_request(all_of(std::cin));
  const auto* problems = std::get_if<std::vector<bawn::json::Problem>>(&request);
  const bawn::RunOptions options{.workspace = std::filesystem::current_path().string()};
  const bawn::Outcome outcome =
      problems != nullptr
          ? bawn::invalid_request_outcome(*problems)
          : bawn::macos::run(std::get<0>(policy).policy, std::get<0>(std::move(request)), options,
                             host(fake_sandbox_exec));
  std::cout << bawn::outcome_json(outcome) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* fake_sandbox_exec = std::getenv("BAWN_FAKE_SANDBOX_EXEC");
  if (fake_sandbox_exec == nullptr || argc < 2) return 125;
  if (std::string_view(argv[1]) == "doctor") {
    std::cout << bawn::diagnosis_json(bawn::macos::examine(fake_sandbox_exec));
    return 1;
  }
  return argc == 4 ? exec(argv[3], fake_sandbox_exec) : 125;
}
