// Writes the seeds of the message fuzzers: real messages and reports. Run it after a change of the
// format, with tests/fuzz/corpus as its argument.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "backend/linux/wire/sample_messages.h"

namespace {

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bawn::linux_;
  using bawn::init::ReportKind;
  if (argc != 2) {
    std::cerr << "usage: write_message_seeds CORPUS\n";
    return 2;
  }
  const std::filesystem::path corpus = argv[1];
  write(corpus / "setup_message" / "every_kind", sample_setup());
  write(corpus / "exec_message" / "namespaces", sample_exec_in_namespaces());
  write(corpus / "exec_message" / "opened_stdin", sample_exec_with_opened_stdin());
  write(corpus / "exec_message" / "tier_b", sample_exec_in_tier_b());
  write(corpus / "exec_message" / "unconfined", sample_exec_unconfined());
  write(corpus / "report" / "failed", bytes_of(sample_report(ReportKind::failed)));
  write(corpus / "report" / "started", bytes_of(sample_report(ReportKind::started)));
  write(corpus / "report" / "stopped", bytes_of(sample_report(ReportKind::command_stopped)));
  write(corpus / "report" / "exited", bytes_of(sample_report(ReportKind::command_exited)));
  write(corpus / "report" / "tree_gone", bytes_of(sample_report(ReportKind::tree_gone)));
  write(corpus / "report" / "cpu_time", bytes_of(sample_report(ReportKind::cpu_time)));
  return 0;
}
