#include "plan/input_protection.h"

#include <algorithm>

#include "base/text.h"
#include "validate/planted_link.h"

namespace bawn {
namespace {

constexpr std::string_view kKeepItOutside =
    "keep the file where the command cannot write: outside of the workspace and of --rw (policy "
    "key: filesystem.write)";

class InputJudge {
 public:
  InputJudge(Boundary boundary, const Scope& scope, const PathLookup& lookup)
      : boundary_(boundary), scope_(scope), lookup_(lookup) {}

  void judge(const InputFile& input) {
    Located file = lookup_.locate(input.path);
    const std::string named =
        concat("the file ", quote(file.path), ", which ", input.origin, " names,");
    if (file.kind != FileKind::regular || file.device != input.device ||
        file.inode != input.inode) {
      refuse("input.changed", file.path, concat(named, " is no longer the one that was read"),
             "stop the program that changes it, and try again");
    } else if (const std::string link = writable_link(file); !link.empty()) {
      refuse("input.link", file.path, concat(named, " was found by way of ", link),
             concat("name ", quote(file.path), " itself, if you mean that file"));
    } else if (file.link_count > 1 && shares_disk_with_run(file)) {
      refuse("input.hard_link", file.path,
             concat(named, " has ", file.link_count,
                    " names (hard links); the command could change it by another of them"),
             "make it a file of its own: cp -p FILE NEW && mv NEW FILE");
    } else if (scope_.can_change(file)) {
      protect(std::move(file), named, input.origin);
    }
  }

  InputProtection found;

 private:
  void refuse(std::string code, std::string subject, std::string message, std::string hint) {
    found.violations.push_back(
        {std::move(code), std::move(subject), std::move(message), std::move(hint)});
  }

  [[nodiscard]] std::string writable_link(const Located& file) const {
    if (const std::string_view link = scope_.writable_link(file); !link.empty())
      return concat("the link ", quote(link), ", which the command could replace");
    const auto strange = std::ranges::find_if(file.links, [](const PassedLink& link) {
      return link.maker == LinkMaker::stranger && may_be_planted(link, "");
    });
    return strange == file.links.end() ? "" : described(*strange);
  }

  // A hard link lies in the same file system as its file. So only a file on the device of a
  // writable place can have another name there.
  [[nodiscard]] bool shares_disk_with_run(const Located& file) const {
    if (file.owned_by_root) return false;
    return std::ranges::any_of(scope_.writable_on_host, [&](const std::string& place) {
      return lookup_.locate(place).device == file.device;
    });
  }

  void protect(Located file, const std::string& named, const std::string& origin) {
    if (boundary_ == Boundary::landlock) {
      refuse("input.unprotected", file.path,
             concat(named, " lies where the command may write, and tier b cannot except it"),
             concat(kKeepItOutside, ", or try --tier namespaces (policy key: tier.use)"));
      return;
    }
    found.protect.push_back({std::move(file), origin});
  }

  Boundary boundary_;
  const Scope& scope_;
  const PathLookup& lookup_;
};

}  // namespace

InputProtection protect_inputs(std::span<const InputFile> inputs, Boundary boundary,
                               const Scope& scope, const PathLookup& lookup) {
  InputJudge judge(boundary, scope, lookup);
  if (boundary == Boundary::none || boundary == Boundary::job) return {};
  for (const InputFile& input : inputs) judge.judge(input);
  return std::move(judge.found);
}

}  // namespace bawn
