#include "json/print.h"

#include <nlohmann/json.hpp>

#include "base/visible.h"

namespace bawn::json {
namespace {

using Json = nlohmann::ordered_json;

Json made_visible(const Json& value) {
  if (value.is_string()) return visible(value.get_ref<const std::string&>(), Layout::lines);
  if (!value.is_structured()) return value;
  Json out = value.is_array() ? Json::array() : Json::object();
  for (const auto& item : value.items()) {
    if (value.is_array()) {
      out.push_back(made_visible(item.value()));
    } else {
      out[visible(item.key(), Layout::lines)] = made_visible(item.value());
    }
  }
  return out;
}

}  // namespace

std::string visible_json(const Json& value) { return made_visible(value).dump(); }

}  // namespace bawn::json
