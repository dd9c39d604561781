// Words that are hard to pass on a Windows command line. Tests compare bawn's quoting with the
// documented rules, with the system's own parser, and with what a real child receives.
#pragma once

#include <string>
#include <vector>

namespace bawn::windows {

inline std::vector<std::string> quoting_corpus() {
  return {"",
          " ",
          "a",
          "a b",
          "\t",
          "\"",
          "\"\"",
          "\\",
          "\\\\",
          "\\\"",
          "\\\\\"",
          "a\\",
          "a b\\",
          "a b\\\\",
          "a\\b",
          "a\\\"b",
          "a \\\"b\\\\\" c",
          "C:\\Program Files\\x\\",
          "--name=\"a b\"",
          "'single'",
          "%PATH%",
          "^&|<>()",
          "$(x) `y`",
          "*",
          "?.txt",
          "a\nb",
          "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
          "{\"json\": \"a \\\\ b\"}",
          "-",
          "--",
          "/c",
          "@file"};
}

}  // namespace bawn::windows
