// The cases of the rules of redaction (capture/redaction/rule.inc), with their marks read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct RedactionCase {
  std::string input;
  std::string output;
  std::string kind;  // "" if nothing is removed
};

struct RedactionRow {
  std::string rule;
  std::vector<RedactionCase> cases;
};

// Of "a[-kind:secret-]b": the text without the marks, and with the marker in place of the secret.
inline RedactionCase read_case(std::string_view text) {
  const std::size_t open = text.find("[-");
  if (open == std::string_view::npos) return {std::string(text), std::string(text), ""};
  const std::size_t colon = text.find(':', open);
  const std::size_t close = text.find("-]", colon);
  const std::string before(text.substr(0, open));
  const std::string kind(text.substr(open + 2, colon - open - 2));
  const std::string secret(text.substr(colon + 1, close - colon - 1));
  const std::string behind(text.substr(close + 2));
  return {before + secret + behind, before + "[redacted:" + kind + "]" + behind, kind};
}

inline std::vector<RedactionCase> read_cases(const std::vector<std::string_view>& texts) {
  std::vector<RedactionCase> cases;
  for (const std::string_view text : texts) cases.push_back(read_case(text));
  return cases;
}

inline const std::vector<RedactionRow>& redaction_rows() {
  // clang-format off
  static const std::vector<RedactionRow> rows = {
#define BAWN_TRIGGER(bytes, letters, group, ...) {"trigger " bytes, read_cases({__VA_ARGS__})},
#define BAWN_TOKEN(prefix, body, shortest, group, ...) {"token " prefix, read_cases({__VA_ARGS__})},
#define BAWN_NAME(word, role, group, ...) {"name " word, read_cases({__VA_ARGS__})},
#define BAWN_PASSWORD_PROGRAM(name, relatives, apart, ...) {"program " name, read_cases({__VA_ARGS__})},
#define BAWN_PGPASS_PORT(port, trigger, group, ...) {"port " port, read_cases({__VA_ARGS__})},
#define BAWN_WEBHOOK(host, path, ...) {"webhook " host path, read_cases({__VA_ARGS__})},
#define BAWN_URL_SEGMENT(name, ...) {"URL segment " name, read_cases({__VA_ARGS__})},
#define BAWN_SCHEME(name, ...) {"scheme " name, read_cases({__VA_ARGS__})},
#define BAWN_KEY_QUALIFIER(word, ...) {"key qualifier " word, read_cases({__VA_ARGS__})},
#define BAWN_NAME_TAIL(word, ...) {"name tail " word, read_cases({__VA_ARGS__})},
#define BAWN_PLAIN_WORD(word, ...) {"plain word " word, read_cases({__VA_ARGS__})},
#define BAWN_OBJECT(name, ...) {"object " name, read_cases({__VA_ARGS__})},
#define BAWN_SYSTEM_FOLDER(beginning, ...) {"folder " beginning, read_cases({__VA_ARGS__})},
#define BAWN_SECRET_WORD(word, ...) {"word " word, read_cases({__VA_ARGS__})},
#define BAWN_INTERPOLATION(mark, ...) {"interpolation " mark, read_cases({__VA_ARGS__})},
#define BAWN_KEY_HEADER(name, ...) {"key header " name, read_cases({__VA_ARGS__})},
#define BAWN_UNTOUCHED(text) {"untouched", read_cases({text})},
#include "capture/redaction/rule.inc"
  };
  // clang-format on
  return rows;
}

// All cases in which something is removed (`removes`), or nothing.
inline std::vector<RedactionCase> redaction_cases(bool removes) {
  std::vector<RedactionCase> cases;
  for (const RedactionRow& row : redaction_rows()) {
    for (const RedactionCase& c : row.cases) {
      if (removes == !c.kind.empty()) cases.push_back(c);
    }
  }
  return cases;
}

}  // namespace bawn
