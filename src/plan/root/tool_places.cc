#include "plan/root/tool_places.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "validate/planted_link.h"

namespace bawn {
namespace {

// Paths are relative to the home. A tool has up to five places; unused entries are empty.
struct Tool {
  std::string_view within;
  std::array<std::string_view, 5> places;
};

constexpr Tool kTools[] = {
    {".asdf", {".asdf"}},
    {".bun", {".bun/bin", ".bun/install/global"}},
    {".cargo/bin", {".cargo/bin", ".rustup"}},
    {".deno/bin", {".deno/bin"}},
    {".fnm", {".fnm"}},
    {".ghcup", {".ghcup"}},
    {".local/bin",
     {".local/bin", ".local/lib", ".local/pipx", ".local/share/pipx", ".local/share/uv"}},
    {".local/share/fnm", {".local/share/fnm"}},
    {".local/share/mise", {".local/share/mise"}},
    {".local/share/pnpm", {".local/share/pnpm"}},
    {".local/state/fnm_multishells", {".local/state/fnm_multishells", ".local/share/fnm"}},
    {".nvm", {".nvm"}},
    {".pyenv", {".pyenv"}},
    {".rbenv", {".rbenv"}},
    {".rustup", {".rustup"}},
    {".sdkman/candidates", {".sdkman/candidates"}},
    {".volta", {".volta"}},
    {"anaconda3", {"anaconda3"}},
    {"mambaforge", {"mambaforge"}},
    {"miniconda3", {"miniconda3"}},
    {"miniforge3", {"miniforge3"}},
    {"sdk", {"sdk"}},
};

}  // namespace

bool is_led_astray(const Located& directory, const Scope& scope, std::string_view home) {
  if (!scope.writable_link(directory).empty()) return true;
  const bool is_a_tools = tool_places(directory.path, home).size() > 1;
  return std::ranges::any_of(directory.links, [&](const PassedLink& link) {
    const bool leads_away = !is_a_tools && !path_is_within(directory.path, directory_of(link.path));
    return leads_away && may_be_planted(link, home);
  });
}

std::vector<std::string> tool_places(std::string_view directory, std::string_view home) {
  std::vector<std::string> out{std::string(directory)};
  if (home.empty() || !path_is_within(directory, home)) return out;
  for (const Tool& tool : kTools) {
    if (!path_is_within(directory, concat(home, "/", tool.within))) continue;
    for (const std::string_view place : tool.places) {
      if (!place.empty()) out.push_back(concat(home, "/", place));
    }
  }
  return out;
}

}  // namespace bawn
