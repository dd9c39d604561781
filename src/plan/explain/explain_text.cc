#include <algorithm>

#include "base/text.h"
#include "base/visible.h"
#include "plan/explain/explain.h"
#include "policy/text/names.h"

namespace bawn {
namespace {

// Unquoted if it is unambiguous, otherwise quoted.
std::string shown(std::string_view text) {
  const auto plain = [](char c) {
    return c > ' ' && c < 0x7f && c != '\'' && c != '\\' && c != '"';
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return std::string(text);
  return quote(text);
}

std::string describe_origin(const ExplainedOrigin& origin) {
  const bool plain = origin.source.starts_with("preset ");
  const std::string source = plain ? origin.source : shown(origin.source);
  return origin.key.empty() ? source : concat(origin.key, ": ", source);
}

// Lines of aligned cells, two spaces apart; the last cell of a line is not padded.
class Table {
 public:
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  [[nodiscard]] std::string text() const {
    const std::vector<std::size_t> widths = column_widths();
    std::string out;
    for (const std::vector<std::string>& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += concat(" ", row[i]);
        if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 1, ' ');
      }
      out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> column_widths() const {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i + 1 < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    }
    return widths;
  }

  std::vector<std::vector<std::string>> rows_;
};

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  std::string out;
  for (const std::string& item : items) out += concat(out.empty() ? "" : separator, item);
  return out;
}

std::string repair_lines(const Explanation& explanation) {
  std::string out;
  for (const std::string& repair : explanation.repairs)
    out += concat("repaired: ", visible(repair, Layout::one_line), "\n");
  return out;
}

std::string tier_line(const Explanation& explanation) {
  return concat("tier ", to_string(explanation.tier), "  (",
                describe_origin(explanation.tier_origin), ")",
                explanation.fallback.empty() ? "" : concat("; ", explanation.fallback), "\n");
}

std::string program_lines(const Explanation& explanation) {
  Table table;
  table.add({"file", shown(explanation.program)});
  for (const std::string& script : explanation.scripts) table.add({"script", shown(script)});
  for (const std::string& word : explanation.argv) table.add({"argument", shown(word)});
  table.add({"directory", shown(explanation.cwd)});
  return concat("program\n", table.text());
}

std::string pid_1_words(const Explanation& explanation) {
  if (!explanation.command_is_pid_1) return "bawn's init is pid 1";
  return concat("the command is pid 1; bawn's init is outside  (",
                describe_origin(explanation.pid_1_origin), ")");
}

std::string host_id_words(const Explanation& explanation) {
  const std::string ids = concat("; uid ", explanation.host_uid, ", gid ", explanation.host_gid);
  if (explanation.host_ids == "range")
    return concat(ids, " on the host, chosen anew for each run; mounts are idmapped");
  if (explanation.host_ids == "workspace_owner")
    return concat(ids, " on the host, the owner of the workspace");
  return concat(ids, " on the host");
}

std::string identity_lines(const Explanation& explanation) {
  Table table;
  const bool same =
      explanation.uid == explanation.host_uid && explanation.gid == explanation.host_gid;
  if (explanation.has_ids)
    table.add({"user", concat("uid ", explanation.uid, ", gid ", explanation.gid,
                              same ? ", as on the host" : host_id_words(explanation))});
  if (!explanation.host_ids_lack.empty())
    table.add({"user", concat("no host id of the run's own: ", explanation.host_ids_lack)});
  if (const auto& ranges = explanation.id_ranges) {
    table.add({"users", concat(describe_id_map(ranges->maps.users), " on the host  (",
                               describe_origin(ranges->origin), ")")});
    table.add({"groups", concat(describe_id_map(ranges->maps.groups), " on the host  (",
                                describe_origin(ranges->origin), ")")});
  }
  for (const std::string& privilege : explanation.privileges) table.add({"privileges", privilege});
  if (explanation.has_ids)
    table.add({"namespaces",
               explanation.namespaces.empty()
                   ? "the caller's"
                   : concat(joined(explanation.namespaces, ", "), "; ", pid_1_words(explanation))});
  return concat("identity\n", table.text());
}

std::string place_lines(const Explanation& explanation) {
  if (explanation.tier == Tier::unconfined) return "files\n  the caller's, all of them\n";
  Table table;
  for (const ExplainedPath& path : explanation.paths) {
    table.add({path.access, shown(path.path), path.what, describe_origin(path.origin)});
  }
  const std::string_view title =
      !explanation.namespaces.empty()
          ? "root: new and read-only, made of these mounts in this order\n"
      : explanation.paths_are_all ? "files of the host that can be opened, and no others\n"
                                  : "files of the host that arguments may name; the command itself "
                                    "can open whatever the user can\n";
  return concat(title, table.text());
}

std::string library_line(const ExplainedExecutables& executables) {
  if (executables.all_can_be_mapped)
    return "  a listed program can load any file that it can read: tier b has no mounts of its "
           "own\n";
  const std::string programs = executables.mappable_programs
                                   ? concat(", among them ", *executables.mappable_programs,
                                            " programs, which ld.so can run")
                                   : "";
  return concat("  files can be loaded from ", joined(executables.library_directories, ", "),
                programs, "\n");
}

std::string executable_lines(const Explanation& explanation) {
  if (!explanation.executables) return "";
  Table table;
  for (const ExplainedExecutable& file : explanation.executables->files)
    table.add({file.why, shown(file.path),
               file.of.empty() ? "of the request" : concat("for ", shown(file.of))});
  const std::string_view title = explanation.landlock_abi == 0
                                     ? "programs that are listed; without Landlock the kernel also "
                                       "executes what lies in library directories  ("
                                     : "programs that the kernel executes, and no others  (";
  return concat(title, describe_origin(explanation.executables->origin), ")\n", table.text(),
                library_line(*explanation.executables));
}

std::string environment_lines(const Explanation& explanation) {
  Table table;
  for (const ExplainedVariable& variable : explanation.environment) {
    table.add({shown(variable.name),
               variable.value ? shown(*variable.value) : concat("(", variable.why_hidden, ")"),
               describe_origin(variable.origin)});
  }
  return concat("environment, and no other variables\n", table.text());
}

std::string limit_lines(const Explanation& explanation) {
  Table table;
  for (const ExplainedLimit& limit : explanation.limits) {
    table.add({limit.name, limit.value ? std::to_string(*limit.value) : "unlimited",
               describe_origin(limit.origin),
               concat(limit.absent    ? "not enforced: "
                      : limit.partial ? "in part: "
                                      : "",
                      limit.mechanism)});
  }
  return concat("limits\n", table.text());
}

std::string layer_lines(const Explanation& explanation) {
  Table table;
  table.add({"network",
             concat(explanation.network, "  (", describe_origin(explanation.network_origin), ")")});
  if (explanation.filter) {
    const ExplainedFilter& filter = *explanation.filter;
    table.add({"system calls", concat("filter ", filter.name, " of ", filter.instructions,
                                      " instructions, SHA-256 ", filter.hash)});
  }
  if (!explanation.landlock.empty()) {
    table.add({"landlock", explanation.landlock_abi == 0 ? explanation.landlock
                                                         : concat("ABI ", explanation.landlock_abi,
                                                                  ", ", explanation.landlock)});
  }
  for (const ExplainedGap& gap : explanation.landlock_gaps)
    table.add({"not enforced", concat(gap.layer, ": ", gap.why)});
  return concat("layers\n", table.text());
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  return visible(
      concat(repair_lines(explanation), tier_line(explanation), program_lines(explanation),
             identity_lines(explanation), place_lines(explanation), executable_lines(explanation),
             environment_lines(explanation), limit_lines(explanation), layer_lines(explanation)),
      Layout::lines);
}

}  // namespace bawn
