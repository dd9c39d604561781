// Passwords after an option of a known program, and lines of a PostgreSQL password file (.pgpass).
#include <algorithm>

#include "capture/redaction/rule.h"
#include "capture/redaction/value.h"

namespace bawn::redaction {
namespace {

constexpr CharSet kCommandEnd("|;&\n");
constexpr CharSet kProgramName("-A-Za-z0-9_.");
constexpr CharSet kPortsAndAddresses("0-9.:");
constexpr CharSet kFieldEnd = kSpaceAndControls.with("\"'`:");
constexpr CharSet kHost("-A-Za-z0-9_.*[]");

struct PasswordProgram {
  std::string_view name;  // or the beginning of the name, with and_relatives
  bool and_relatives;     // mysqldump, mariadb-dump
  bool apart;             // the password may be the next word
};
constexpr PasswordProgram kPrograms[] = {
#define BAWN_PASSWORD_PROGRAM(name, and_relatives, apart, ...) {name, and_relatives, apart},
#include "capture/redaction/rule.inc"
};

constexpr std::string_view kPorts[] = {
#define BAWN_PGPASS_PORT(port, ...) port,
#include "capture/redaction/rule.inc"
};

bool is_called(const PasswordProgram& program, std::string_view word) {
  if (!word.starts_with(program.name)) return false;
  const std::string_view rest = word.substr(program.name.size());
  const auto of_name = [](char c) { return is_lower(c) || c == '_' || c == '-'; };
  return rest.empty() || rest == ".exe" ||
         (program.and_relatives && std::all_of(rest.begin(), rest.end(), of_name));
}

// The known program to which the option belongs; null if there is none in the same command.
const PasswordProgram* program_before(std::string_view before) {
  for (std::size_t end = before.size(); end > 0;) {
    if (kCommandEnd.has(before[end - 1])) return nullptr;
    std::size_t begin = end;
    while (begin > 0 && kProgramName.has(before[begin - 1])) --begin;
    const std::string_view word = before.substr(begin, end - begin);
    const bool alone = begin == 0 || kWordEnd.has(before[begin - 1]) || before[begin - 1] == '/' ||
                       before[begin - 1] == '\\' || before[begin - 1] == '(';
    for (const PasswordProgram& program : kPrograms) {
      if (alone && end < before.size() && is_called(program, word)) return &program;
    }
    end = begin == end ? end - 1 : begin;
  }
  return nullptr;
}

// `docker run --name mysql -p3306:3306`, `ssh mysql -p2222`.
bool is_port(std::string_view value) {
  constexpr std::size_t kDigitsOfPort = 5;
  const std::size_t digits = run_of(value, kPortsAndAddresses);
  if (digits != value.size() && value[digits] != '/') return false;
  return value.find(':') != std::string_view::npos || value.size() <= kDigitsOfPort;
}

// A real value: neither a placeholder nor a text that is filled in later.
bool is_filled_in(std::string_view value) {
  return !value.empty() && !is_reference(value) && !is_plain_word(value) &&
         !has_interpolation(value) && !is_label(value);
}

bool is_password(std::string_view value) {
  return value.size() >= 3 && value[0] != '-' && is_filled_in(value) && !is_port(value);
}

// The host must be the only field before the port: at the start of a line, or after a quote, a
// blank or "pgpass:".
bool is_host_before(std::string_view before) {
  std::size_t begin = before.size();
  while (begin > 0 && kHost.has(before[begin - 1])) --begin;
  if (begin == before.size()) return false;
  const std::string_view rest = before.substr(0, begin);
  return rest.empty() || rest.ends_with('\n') || kQuotes.has(rest.back()) ||
         rest.ends_with("pgpass:") || is_blank(rest.back());
}

// The length of ":database:user:" after ":port"; 0 if something else follows.
std::size_t fields_length(std::string_view text) {
  std::size_t at = 0;
  for (int field = 0; field < 2; ++field) {
    if (!text.substr(at).starts_with(':')) return 0;
    const std::string_view rest = text.substr(at + 1, kJudged);
    const std::string_view value = rest.substr(0, run_until(rest, kFieldEnd));
    // A number is not a database: "main.c:5432:17:", "root:*:0:0:".
    if (value.empty() || run_of(value, kDigits) == value.size()) return 0;
    at += 1 + value.size();
  }
  return text.substr(at).starts_with(':') ? at + 1 : 0;
}

std::size_t port_length(std::string_view text) {
  if (!text.starts_with(':')) return 0;
  for (const std::string_view port : kPorts) {
    if (text.starts_with(port)) return port.size();
  }
  return 0;
}

}  // namespace

// `mysql -ps3cret`, `["mysqldump", "-ps3cret"]`, `sshpass -p s3cret`.
void find_password_option(const Around& around, FoundSecrets& secrets) {
  const std::string_view text = around.after;
  if (!text.starts_with("-p") || around.before.empty() || !kWordEnd.has(around.before.back()))
    return;
  const PasswordProgram* const program = program_before(around.before);
  if (program == nullptr) return;
  std::size_t begin = 2;
  const std::size_t blanks = run_of(text.substr(begin), kBlanks);
  if (blanks != 0 && !program->apart) return;
  begin += blanks;
  const bool quoted =
      begin < text.size() && kQuotes.has(text[begin]) && text[begin] != around.before.back();
  if (quoted) ++begin;
  const std::size_t end = begin + run_until(text.substr(begin), kWordEnd);
  if (!is_password(text.substr(begin, end - begin))) return;
  secrets.push_back(
      {Kind::assignment, begin, end, around.open && end == text.size(), {&kWordEnd, {}}});
}

// host:port:database:user:password
void find_pgpass_line(const Around& around, FoundSecrets& secrets) {
  const std::string_view text = around.after;
  const std::size_t port = port_length(text);
  if (port == 0 || !is_host_before(around.before)) return;
  const std::size_t fields = fields_length(text.substr(port));
  if (fields == 0) return;
  const std::size_t begin = port + fields;
  const std::size_t end = begin + run_until(text.substr(begin), kWordEnd);
  if (!is_filled_in(text.substr(begin, end - begin))) return;
  secrets.push_back(
      {Kind::assignment, begin, end, around.open && end == text.size(), {&kWordEnd, {}}});
}

}  // namespace bawn::redaction
