#include "printed_json.h"

#include <gtest/gtest.h>

namespace bawn {

nlohmann::json printed_json(std::string_view text) {
  EXPECT_TRUE(text.ends_with('\n')) << text.substr(0, 500);
  EXPECT_EQ(text.find('\n') + 1, text.size()) << "more than one line: " << text.substr(0, 500);
  auto printed = nlohmann::json::parse(text, nullptr, false);
  EXPECT_TRUE(printed.is_object()) << text.substr(0, 500);
  return printed;
}

std::string at(const nlohmann::json& printed, const std::string& pointer) {
  const nlohmann::json::json_pointer where(pointer);
  if (!printed.is_object() || !printed.contains(where)) return "absent";
  const auto& value = printed.at(where);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace bawn
