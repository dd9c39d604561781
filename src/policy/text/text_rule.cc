#include "policy/text/text_rule.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/characters.h"
#include "base/text.h"
#include "policy/egress_host.h"

namespace bawn {
namespace {

using Refusal = std::optional<std::string>;

bool is_lower_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

// Removes empty components and `.`, which is safe. Removing `..` is not, because a symbolic link
// before it changes its meaning.
std::string without_idle_components(std::string_view path) {
  std::string out;
  for (const std::string_view component : split(path, '/')) {
    if (component.empty() || component == ".") continue;
    out += concat("/", component);
  }
  return out.empty() ? "/" : out;
}

bool has_parent_component(std::string_view path) {
  const std::vector<std::string_view> components = split(path, '/');
  return std::ranges::find(components, "..") != components.end();
}

// Permits one spelling for each path, so that lists can be compared and duplicates found.
Refusal refuse_untidy(std::string_view path) {
  if (has_parent_component(path)) return "write it without '..'";
  const bool absolute = path.starts_with('/');
  const std::string tidy = without_idle_components(path);
  const std::string wanted = absolute ? tidy : tidy.substr(1);
  if (wanted == path) return std::nullopt;
  return wanted.empty() ? "name something below the workspace" : concat("write ", quote(wanted));
}

// True for `C:\x` and `C:/x`.
bool names_drive(std::string_view path) {
  return path.size() > 2 && is_name_start(path[0]) && path[0] != '_' && path[1] == ':' &&
         (path[2] == '\\' || path[2] == '/');
}

Refusal absolute_path(std::string_view path) {
  if (path.starts_with('~')) return "'~' is not expanded; write the path out";
  if (names_drive(path)) {
    std::string portable = concat("/", ascii_lower(path.substr(0, 1)), path.substr(2));
    std::replace(portable.begin(), portable.end(), '\\', '/');
    return concat("write ", quote(portable));
  }
  if (!path.starts_with('/')) return "";
  return refuse_untidy(path);
}

Refusal destination(std::string_view path) {
  constexpr std::size_t kLongestComponent = 255;
  if (path == "/") return "the root is made for each run; name a place below it";
  for (const std::string_view name : split(path, '/')) {
    if (name.size() > kLongestComponent) return "a name in a path has at most 255 bytes";
  }
  return absolute_path(path);
}

Refusal workspace_path(std::string_view path) {
  if (path == "/") return "name something below the workspace";
  return refuse_untidy(path);
}

Refusal program(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return absolute_path(name);
  if (name == "." || name == "..") return "";
  if (name == "*") return "to allow every program write \"allow\": \"all\"";
  if (name.find_first_of(" \t*?") != std::string_view::npos)
    return "name the program only: no arguments, no wildcards";
  return std::ranges::any_of(name, is_control) ? Refusal("") : std::nullopt;
}

// bawn would silently replace the policy's value, so refuse it.
Refusal own_variable(std::string_view name) {
  const std::string lower = ascii_lower(name);  // some systems ignore the case of names
  if (lower == "path") {
    return "bawn makes it of the directories that programs are looked for in; "
           "executables.caller_path adds the caller's";
  }
  const auto is_it = [&](std::string_view own) { return ascii_lower(own) == lower; };
  if (std::ranges::any_of(kOwnVariables, is_it)) return "bawn sets it for every run";
  return std::nullopt;
}

Refusal environment_name(std::string_view name) {
  if (name.find('=') != std::string_view::npos)
    return "name the variable only; values belong into environment.set";
  if (name.find('*') != std::string_view::npos)
    return "wildcards are not supported; name each variable";
  if (!is_name_start(name.front()) || !std::ranges::all_of(name, is_name_char)) return "";
  return own_variable(name);
}

Refusal host(std::string_view text) {
  if (parse_egress_host(text)) return std::nullopt;
  if (text.starts_with("*.") || text.starts_with('.'))
    return "to allow a whole domain use egress.dns_suffixes";
  if (text.find("://") != std::string_view::npos)
    return "write the host only, without scheme and path";
  return "";
}

Refusal dns_suffix(std::string_view text) {
  if (parse_dns_name(text)) return std::nullopt;
  const std::size_t start = text.find_first_not_of("*.");
  const std::string_view rest = start == std::string_view::npos ? "" : text.substr(start);
  if (start != 0 && parse_dns_name(rest)) {
    return concat("write ", quote(rest), "; it covers the name itself and everything below it");
  }
  return parse_egress_host(text) ? "an address, or a name with a port, belongs into egress.hosts"
                                 : "";
}

Refusal sha256(std::string_view digest) {
  if (digest.size() == 64 && std::ranges::all_of(digest, is_lower_hex)) return std::nullopt;
  const std::string lower = ascii_lower(digest);
  const bool only_case = lower.size() == 64 && std::ranges::all_of(lower, is_lower_hex);
  return only_case ? "write it in lower case" : "";
}

Refusal optional_limit(std::string_view name) {
  constexpr std::array<std::string_view, 6> kOptional{"memory_bytes", "processes", "open_files",
                                                      "file_bytes",   "tmp_bytes", "cpu_percent"};
  if (std::ranges::find(kOptional, name) != kOptional.end()) return std::nullopt;
  const std::string_view meant = nearest(name, kOptional);
  return meant.empty() ? "every other limit is enforced, or nothing runs"
                       : concat("did you mean ", quote(meant), "?");
}

std::optional<std::string> seccomp_profile(std::string_view text) {
  constexpr std::array<std::string_view, 2> kBuiltIn = {"default", "strict"};
  if (std::ranges::find(kBuiltIn, text) != kBuiltIn.end()) return std::nullopt;
  if (text.starts_with('/')) return absolute_path(text);
  const std::string_view meant = nearest(text, kBuiltIn);
  return meant.empty() ? "" : concat("did you mean ", quote(meant), "?");
}

Fault fault(const TextRule& rule, std::string_view text, std::string_view what, std::string hint) {
  const std::string subject = rule.echo == Echo::quoted ? quote(text) : std::string("the text");
  return {concat(subject, what, ": expected ", rule.expectation), std::move(hint)};
}

}  // namespace

std::optional<Fault> check_text(const TextRule& rule, std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return fault(rule, text, " contains a NUL byte", "");
  if (text.empty() && rule.least > 0) {
    return Fault{concat("the text is empty: expected ", rule.expectation), ""};
  }
  if (text.size() < rule.least || text.size() > rule.most) {
    return fault(rule, text, concat(" has ", text.size(), " bytes"),
                 concat("from ", rule.least, " to ", rule.most, " bytes are allowed"));
  }
  if (rule.refusal == nullptr) return std::nullopt;
  std::optional<std::string> hint = rule.refusal(text);
  if (!hint) return std::nullopt;
  return fault(rule, text, " is not valid", std::move(*hint));
}

std::string normal_text(const TextRule& rule, std::string_view text) {
  return rule.normal == nullptr ? std::string(text) : rule.normal(text);
}

bool lies_below(std::string_view path, std::string_view directory) {
  if (directory == "/") return path.size() > 1;
  return path.size() > directory.size() && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

constinit const TextRule kAbsolutePath{
    .expectation = "an absolute path such as /srv/data",
    .pattern = "^/",
    .refusal = absolute_path,
};
constinit const TextRule kDestination{
    .expectation = "an absolute path inside the run such as /data",
    .pattern = "^/.",
    .refusal = destination,
};
constinit const TextRule kWorkspacePath{
    .expectation = "a path below the workspace such as .git/hooks",
    .pattern = "^[^\\u0000]+$",
    .refusal = workspace_path,
};
constinit const TextRule kProgram{
    .expectation = "a program name such as git, or an absolute path",
    .pattern = "^(/[^\\u0000]*|[^/\\u0000 \\t*?]+)$",
    .refusal = program,
};
constinit const TextRule kShellPattern{
    .expectation = "a literal text such as \"| sh\"",
    .pattern = "^[^\\u0000]+$",
};
constinit const TextRule kEnvironmentName{
    .expectation =
        "the name of a variable that bawn does not set itself: letters, digits and '_', not "
        "starting with a digit",
    .pattern = "^[A-Za-z_][A-Za-z0-9_]*$",
    .most = 128,
    .refusal = environment_name,
};
constinit const TextRule kEnvironmentValue{
    .expectation = "the value of a variable",
    .pattern = "^[^\\u0000]*$",
    .least = 0,
    .most = 32 * 1024,
    .echo = Echo::hidden,
};
// The initialiser is constant: the lambda is called later.
// NOLINTNEXTLINE(cert-err58-cpp)
constinit const TextRule kHost{
    .expectation = "a host such as example.com, example.com:443, 10.0.0.1 or [::1]:8080",
    .pattern = "^[A-Za-z0-9._:\\[\\]-]+$",
    .most = 262,
    .refusal = host,
    .normal =
        [](std::string_view text) {
          return to_string(parse_egress_host(text).value_or(EgressHost{}));
        },
};
// The initialiser is constant: the lambda is called later.
// NOLINTNEXTLINE(cert-err58-cpp)
constinit const TextRule kDnsSuffix{
    .expectation = "a domain such as example.org",
    .pattern = "^[A-Za-z0-9._-]+$",
    .most = 254,
    .refusal = dns_suffix,
    .normal = [](std::string_view text) { return parse_dns_name(text).value_or(""); },
};
constinit const TextRule kSha256{
    .expectation = "a SHA-256 digest of 64 lower-case hex digits",
    .pattern = "^[0-9a-f]{64}$",
    .refusal = sha256,
};
constinit const TextRule kSeccompProfile{
    .expectation = "default, strict, or an absolute path such as /etc/bawn/profile.json",
    .pattern = "^(default|strict|/.*)$",
    .refusal = seccomp_profile,
};
constinit const TextRule kOptionalLimit{
    .expectation = "memory_bytes, processes, open_files, file_bytes, tmp_bytes or cpu_percent",
    .pattern = "^(memory_bytes|processes|open_files|file_bytes|tmp_bytes|cpu_percent)$",
    .refusal = optional_limit,
};
constinit const TextRule kSecret{
    .expectation = "a text of 4 bytes or more (a shorter one would hit everything)",
    .pattern = "^[^\\u0000]+$",
    .least = 4,
    .echo = Echo::hidden,
};

}  // namespace bawn
