#include "validate/argument/host_mentions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "base/characters.h"
#include "base/text.h"
#include "policy/egress_host.h"
#include "programs/option_word.h"
#include "validate/argument/argument_kind.h"
#include "validate/argument/command_segment.h"
#include "validate/argument/percent_encoding.h"
#include "validate/name_list.h"

namespace bawn {
namespace {

constexpr auto kNone = std::string_view::npos;

// These characters end the authority of a URL in prose, JSON or code.
constexpr std::string_view kAuthorityEnds = "/?# \t\r\n\"'<>`|,;)";
constexpr std::string_view kControls = "\t\r\n";

// Schemes whose authority is no host on a network.
constexpr std::array<std::string_view, 10> kLocalSchemes{
    "about", "android-app", "blob",   "chrome", "data",
    "file",  "resource",    "sqlite", "unix",   "vscode",
};

struct SchemePort {
  std::string_view scheme;
  std::uint16_t port;
};

constexpr std::array kSchemePorts{
    SchemePort{"ftp", 21},     SchemePort{"git", 9418},      SchemePort{"http", 80},
    SchemePort{"https", 443},  SchemePort{"postgres", 5432}, SchemePort{"postgresql", 5432},
    SchemePort{"redis", 6379}, SchemePort{"rsync", 873},     SchemePort{"sftp", 22},
    SchemePort{"ssh", 22},     SchemePort{"ws", 80},         SchemePort{"wss", 443},
};

// For these schemes some parsers skip any number of slashes, so `http:///evil.com` has a host for
// some programs and none for others.
constexpr std::array<std::string_view, 5> kSlashSkippingSchemes{"ftp", "http", "https", "ws",
                                                                "wss"};

// Top-level domains that are no suffix of files. With any other suffix, `name.xy:10` is more likely
// a file and a line.
constexpr std::array<std::string_view, 16> kPlainDomains{
    "ai",   "app", "biz",      "cloud", "com", "dev",   "edu", "gov",
    "info", "int", "internal", "io",    "lan", "local", "net", "org",
};

constexpr std::array<std::string_view, 7> kHttpMethods{"DELETE", "GET",  "HEAD", "OPTIONS",
                                                       "PATCH",  "POST", "PUT"};

bool is_scheme_char(char c) {
  return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
}
bool is_name_char(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), is_digit);
}

// The host of "user:password@host:port", and what makes it ambiguous.
HostMention mention_of_authority(std::string_view authority, std::uint16_t port) {
  HostMention mention{.host = std::string(authority), .port = port};
  if (authority.find('\\') != kNone) {
    mention.ambiguity = "a backslash ends the host for some programs and not for others";
  } else if (std::count(authority.begin(), authority.end(), '@') > 1) {
    mention.ambiguity = "with more than one '@', programs disagree where the host begins";
  } else if (const std::size_t at = authority.find('@'); at != kNone) {
    mention.host = authority.substr(at + 1);
  }
  mention.host = percent_decoded(mention.host);
  if (mention.host.ends_with(':')) mention.host.pop_back();
  return mention;
}

std::uint16_t port_of_scheme(std::string_view scheme) {
  const auto found = std::find_if(kSchemePorts.begin(), kSchemePorts.end(),
                                  [&](const SchemePort& each) { return each.scheme == scheme; });
  return found == kSchemePorts.end() ? std::uint16_t{0} : found->port;
}

// The scheme that ends at `end`, in lower case; "" if there is none.
std::string scheme_before(std::string_view text, std::size_t end) {
  std::size_t start = end;
  while (start > 0 && is_scheme_char(text[start - 1])) --start;
  while (start < end && !is_letter(text[start])) ++start;
  return ascii_lower(text.substr(start, end - start));
}

// A placeholder, which another program will fill in, names no host yet.
bool is_template(std::string_view authority) { return authority.find_first_of("${*") != kNone; }

void add_url_host(std::string_view text, std::size_t colon, std::vector<HostMention>& out) {
  const std::string scheme = scheme_before(text, colon);
  if (scheme.empty() || lists(kLocalSchemes, scheme)) return;
  const std::string_view rest = text.substr(colon + 3);
  const std::size_t end = std::min(rest.find_first_of(kAuthorityEnds), rest.size());
  const std::string_view authority = rest.substr(0, end);
  HostMention mention = mention_of_authority(authority, port_of_scheme(scheme));
  if (authority.empty()) {
    if (!rest.starts_with('/') || !lists(kSlashSkippingSchemes, scheme)) return;
    mention.host = rest;
    mention.ambiguity =
        "a URL with more than two slashes has a host for some programs and none for others";
  } else if (end + 1 < rest.size() && kControls.find(rest[end]) != kNone &&
             is_name_char(rest[end + 1])) {
    mention.ambiguity = "some programs drop tabs and line ends from a URL, others stop there";
  }
  out.push_back(std::move(mention));
}

void add_url_hosts(std::string_view text, std::vector<HostMention>& out) {
  for (std::size_t at = text.find("://"); at != kNone; at = text.find("://", at + 3)) {
    add_url_host(text, at, out);
  }
}

bool is_all_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_char);
}

bool is_dotted_address(std::string_view name) {
  return std::count(name.begin(), name.end(), '.') == 3 &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_digit(c) || c == '.'; });
}

// Whether a name can hardly be anything but a host, whatever the program.
bool is_plainly_host(std::string_view name) {
  const std::string lower = ascii_lower(name);
  if (lower == "localhost" || is_dotted_address(lower)) return true;
  const std::size_t dot = lower.rfind('.');
  return dot != kNone && dot > 0 && is_all_name(lower) &&
         lists(kPlainDomains, lower.substr(dot + 1));
}

// True for "box.example", false for "1.0".
bool is_dotted_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != kNone && dot + 1 < name.size() && is_letter(name[dot + 1]);
}

// Finds host:port, [address]:port and user@host:path if they are the whole text.
void add_plain_host(std::string_view text, std::vector<HostMention>& out) {
  if (text.starts_with('[')) {
    if (text.find(':') != kNone && parse_egress_host(text))
      out.push_back({.host = std::string(text)});
    return;
  }
  const std::size_t colon = text.find(':');
  if (colon == kNone) return;
  const std::string_view before = text.substr(0, colon);
  const std::size_t at = before.find('@');
  if (at != kNone) {
    const std::string_view host = before.substr(at + 1);
    const bool shaped =
        is_all_name(before.substr(0, at)) && is_all_name(host) && colon + 1 < text.size();
    if (shaped && (is_dotted_name(host) || is_plainly_host(host))) {
      out.push_back({.host = std::string(host), .port = 22});
    }
    return;
  }
  const std::string_view port = text.substr(colon + 1, text.find('/', colon) - colon - 1);
  if (is_port(port) && is_plainly_host(before)) out.push_back({.host = concat(before, ":", port)});
}

// Reads the words of a network program; see Hosts.
class OperandReader {
 public:
  OperandReader(const ProgramRow& program, std::span<const std::string> words)
      : program_(program), words_(words) {}

  std::vector<HostMention> read() {
    bool options_over = false;
    for (index_ = 0; index_ < words_.size(); ++index_) {
      const std::string_view word = words_[index_];
      if (options_over || word.size() < 2 || word[0] != '-') {
        read_operand(word);
      } else if (word == "--") {
        options_over = true;
      } else {
        read_option(word);
      }
    }
    return std::move(found_);
  }

 private:
  void read_option(std::string_view word) {
    after_unknown_option_ = false;
    OptionWord options(program_, word);
    for (ReadOption read; options.next(read);) {
      if (read.is(Role::host)) return read_host_value(read.value);
      if (read.is(Role::setting)) return read_setting(read.value);
      if (read.takes_next()) ++index_;
      if (read.option == nullptr && word.starts_with("--")) after_unknown_option_ = !read.attached;
    }
  }

  // `-o HostName=x` and `-o 'HostName x'`.
  void read_setting(std::string_view attached) {
    if (attached.empty() && ++index_ >= words_.size()) return;
    constexpr std::string_view kBetween = " \t\r\n\f\"=";
    std::string_view setting = attached.empty() ? std::string_view(words_[index_]) : attached;
    setting.remove_prefix(std::min(setting.find_first_not_of(kBetween), setting.size()));
    const std::size_t end = std::min(setting.find_first_of(kBetween), setting.size());
    if (!words_of(WordList::ssh_host_settings).has(ascii_lower(setting.substr(0, end)))) return;
    const std::string_view value =
        setting.substr(std::min(setting.find_first_not_of(kBetween, end), setting.size()));
    for (const std::string_view host : split(value, ',')) add_operand(host);
  }

  void read_host_value(std::string_view attached) {
    if (attached.empty() && ++index_ >= words_.size()) return;
    for (const std::string_view value : split(attached.empty() ? words_[index_] : attached, ','))
      add_operand(value);
  }

  void read_operand(std::string_view word) {
    // This word may be the value of the unknown option before it, so it must look like a host.
    const bool doubtful =
        after_unknown_option_ && word.find_first_of(".:") == kNone && word != "localhost";
    after_unknown_option_ = false;
    if (doubtful || word.empty()) return;
    ++operands_;
    switch (program_.hosts) {
      case Hosts::unknown:
      case Hosts::none:
        return;
      case Hosts::every:
        return add_operand(word);
      case Hosts::first:
        return read_first(word);
      case Hosts::dotted:
        return read_dotted(word);
      case Hosts::remote_path:
        return add_remote_path(word);
      case Hosts::git:
        return read_git(word);
      case Hosts::socat:
        return read_socat(word);
    }
  }

  void read_first(std::string_view word) {
    if (operands_ == 1 && lists(kHttpMethods, word)) {
      operands_ = 0;
      return;
    }
    if (operands_ == 1) add_operand(word);
  }

  void read_dotted(std::string_view word) {
    if (word.starts_with('+')) return;
    if (word.starts_with('@')) return add_operand(word.substr(1));
    if (word.find('.') != kNone) add_operand(word);
  }

  // host:path, user@host:path, [address]:path. A slash before the colon makes it a local file.
  void add_remote_path(std::string_view word) {
    const std::size_t from = word.find('[') == kNone ? 0 : std::min(word.find(']'), word.size());
    const std::size_t colon = word.find(':', from);
    if (colon == kNone || colon == 0 || colon > word.find('/')) return;
    if (word.find("://") == colon) return;
    add_operand(word.substr(0, colon));
  }

  void read_git(std::string_view word) {
    if (operands_ == 1) {
      git_command_ = word;
      return;
    }
    if (!words_of(WordList::git_remote_commands).has(git_command_)) return;
    // `git push origin main:main` has no host. But where a repository is expected, a name without a
    // dot can be a host.
    const bool repository = git_command_ == "clone" || git_command_ == "ls-remote";
    if (repository || word.substr(0, word.find(':')).find('.') != kNone) add_remote_path(word);
  }

  void read_socat(std::string_view word) {
    const auto parts = split(word.substr(0, word.find(',')), ':');
    if (parts.size() < 3) return;
    std::string type = ascii_lower(parts[0]);
    type = type.substr(0, type.find('-'));
    if (words_of(WordList::socat_hosts).has(type) && is_port(parts[2]))
      add_operand(concat(parts[1], ":", parts[2]));
  }

  // Adds an operand that is a host, perhaps with a user, a port and the path of a URL.
  void add_operand(std::string_view text) {
    if (text.find("://") != kNone) return;  // hosts_in_text() finds URLs
    HostMention mention =
        mention_of_authority(text.substr(0, text.find_first_of("/?#")), program_.port);
    if (mention.host.empty()) return;
    mention.word = std::min(index_, words_.size() - 1);
    found_.push_back(std::move(mention));
  }

  const ProgramRow& program_;
  std::span<const std::string> words_;
  std::size_t index_ = 0;
  std::size_t operands_ = 0;
  bool after_unknown_option_ = false;
  std::string_view git_command_;
  std::vector<HostMention> found_;
};

}  // namespace

std::vector<HostMention> hosts_in_text(std::string_view text) {
  std::vector<HostMention> found;
  add_url_hosts(text, found);
  if (!found.empty()) return found;
  add_plain_host(text, found);
  for (std::size_t at = text.find('='); at != kNone; at = text.find('=', at + 1)) {
    add_plain_host(text.substr(at + 1), found);
  }
  return found;
}

std::vector<HostMention> hosts_in_words(std::string_view command,
                                        std::span<const std::string> words) {
  std::vector<bool> is_text(words.size(), false);
  std::vector<bool> for_network(words.size(), false);
  std::vector<HostMention> operands;
  for (const CommandSegment& segment : command_segments(command, words)) {
    const auto args = words.subspan(segment.first, segment.count);
    const std::vector<bool> text = text_arguments(segment.command, args);
    const ProgramRow* row = find_program(system_program(segment.command));
    const ProgramRow* program = row != nullptr && row->hosts != Hosts::unknown ? row : nullptr;
    for (std::size_t i = 0; i < args.size(); ++i) {
      is_text[segment.first + i] = text[i];
      for_network[segment.first + i] = program != nullptr;
    }
    if (program == nullptr) continue;
    for (HostMention& mention : OperandReader(*program, args).read()) {
      if (text[mention.word]) continue;
      mention.word += segment.first;
      operands.push_back(std::move(mention));
    }
  }

  std::vector<HostMention> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_text[i]) continue;
    for (HostMention& mention : hosts_in_text(words[i])) {
      if (!for_network[i] && is_template(mention.host)) continue;
      mention.word = i;
      found.push_back(std::move(mention));
    }
  }
  std::move(operands.begin(), operands.end(), std::back_inserter(found));
  return found;
}

}  // namespace bawn
