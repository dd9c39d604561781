#include "record.h"

#include <gtest/gtest.h>

namespace bawn {

nlohmann::json record_of(std::string_view text) {
  EXPECT_TRUE(text.ends_with('\n')) << text.substr(0, 500);
  EXPECT_EQ(text.find('\n') + 1, text.size()) << "more than one line: " << text.substr(0, 500);
  auto record = nlohmann::json::parse(text, nullptr, false);
  EXPECT_TRUE(record.is_object()) << text.substr(0, 500);
  return record;
}

std::string at(const nlohmann::json& record, const std::string& pointer) {
  const nlohmann::json::json_pointer where(pointer);
  if (!record.is_object() || !record.contains(where)) return "absent";
  const auto& value = record.at(where);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace bawn
