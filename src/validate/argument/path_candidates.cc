#include "validate/argument/path_candidates.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/characters.h"
#include "base/text.h"
#include "validate/argument/percent_encoding.h"

namespace bawn {
namespace {

constexpr std::size_t kLongestComponent = 255;
constexpr std::size_t kLongestPath = 4095;
constexpr std::size_t kLongestCluster = 4;  // "-xzf"
constexpr std::string_view kNeverInPlainPaths = "|^$*?()[]{}\\<>;&!\"'` ";

// Schemes of the network. Any other word before "://" may as well be the first item of a path list.
constexpr std::array<std::string_view, 24> kNetworkSchemes{
    "amqp",       "ftp",   "ftps",  "git",     "git+https", "git+ssh", "grpc", "gs",
    "http",       "https", "ldap",  "mongodb", "mysql",     "nats",    "oci",  "postgres",
    "postgresql", "redis", "rsync", "s3",      "sftp",      "ssh",     "ws",   "wss",
};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool can_be_opened(std::string_view text) {
  if (text.empty() || text.size() > kLongestPath) return false;
  std::size_t start = 0;
  while (text.size() - start > kLongestComponent) {
    const std::size_t slash = text.rfind('/', start + kLongestComponent);
    if (slash == std::string_view::npos || slash < start) return false;
    start = slash + 1;
  }
  return true;
}

// "https" for "HTTPS://x"; "" for text that does not start with a scheme and "://".
std::string url_scheme(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos || end < 2 || !is_letter(text[0])) return "";
  const std::string_view scheme = text.substr(0, end);
  const bool plain = std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
  return plain ? ascii_lower(scheme) : "";
}

// True for ~, ~/x, ~user and ~user/x; false for ~1.2, which is a version.
bool is_home(std::string_view text) {
  if (!text.starts_with('~')) return false;
  const std::string_view user = text.substr(1, text.find('/') - 1);
  if (user.empty()) return true;
  return (is_lower(user[0]) || user[0] == '_') && std::all_of(user.begin(), user.end(), [](char c) {
           return is_lower(c) || is_digit(c) || c == '_' || c == '-';
         });
}

// `-xzf/etc/x` -> "/etc/x". Longer or upper-case letters before the slash are more likely the start
// of a relative path, as in `-Isrc/lib`.
std::string_view behind_cluster(std::string_view option) {
  const std::size_t slash = option.find('/');
  if (slash > kLongestCluster) return "";  // also if there is no slash
  const std::string_view letters = option.substr(1, slash - 1);
  return std::all_of(letters.begin(), letters.end(), is_lower) ? option.substr(slash) : "";
}

class Collector {
 public:
  std::vector<PathCandidate> collect(std::string_view word) {
    add(word, PathForm::whole);
    if (!holds_list(word)) return std::move(found_);
    std::size_t start = 0;
    while (start <= word.size()) {
      const std::size_t end = std::min(word.find_first_of(",;", start), word.size());
      add_list_item(word.substr(start, end - start), word);
      start = end + 1;
    }
    return std::move(found_);
  }

 private:
  // The commas, colons and equal signs of a URL separate no paths.
  static bool holds_list(std::string_view word) { return url_scheme(word).empty(); }

  void add_list_item(std::string_view item, std::string_view word) {
    if (item.size() != word.size()) add_item(item);
    add_values(item);
    add_attached(item);
    if (const std::size_t at = item.find("://"); at != std::string_view::npos) {
      // jar:file:///x
      if (const std::size_t colon = item.substr(0, at).rfind(':');
          colon != std::string_view::npos) {
        add(item.substr(colon + 1), PathForm::part);
      }
      return;
    }
    const auto pieces = split(item, ':');
    for (const std::string_view piece : pieces) {
      if (pieces.size() == 1) break;
      add_item(piece);
      add_values(piece);
    }
  }

  // Adds the text after each '=', and after each '@' or '<' if it looks like a path: `curl -F
  // x=@/etc/y`.
  void add_values(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      const std::string_view rest = text.substr(i + 1);
      if (text[i] == '=') {
        add(rest, PathForm::part);
        if (!url_scheme(rest).empty()) return;
      } else if ((text[i] == '@' || text[i] == '<') &&
                 (rest.starts_with('/') || rest.starts_with(".."))) {
        add(rest, PathForm::part);
      }
    }
  }

  void add_attached(std::string_view text) {
    if (text.size() < 3 || text[0] != '-' || text[1] == '-') return;
    add(text.substr(2), PathForm::part);
    add(behind_cluster(text), PathForm::part);
  }

  // Adds an item of a list. Prose, JSON and code are full of commas and colons, so an item must
  // look like a path. A lone "/" is git's `:/` or a delimiter.
  void add_item(std::string_view item) {
    if (item == "/" || !(item.starts_with('/') || item.starts_with("..") || has_path_shape(item)))
      return;
    add(item, PathForm::part);
  }

  void add(std::string_view text, PathForm form) {
    if (text.empty() || text == "-") return;
    const std::string scheme = url_scheme(text);
    if (ascii_lower(text.substr(0, 6)) == "file:/") return add_file_url(text.substr(5));
    if (!scheme.empty()) return add_other_url(text.substr(scheme.size() + 1), scheme);
    if (text.starts_with('@')) add(text.substr(1), PathForm::part);
    keep(std::string(text), is_home(text) ? PathForm::home : form);
  }

  // `rest` begins with the slash. Some programs skip the host of the URL, others only cut off
  // "file://", so both paths are candidates.
  void add_file_url(std::string_view rest) {
    rest = rest.substr(0, rest.find_first_of("?#"));
    if (!rest.starts_with("//")) return keep(percent_decoded(rest), PathForm::url);
    rest.remove_prefix(2);
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos) keep(percent_decoded(rest.substr(slash)), PathForm::url);
    if (slash != 0) keep(percent_decoded(rest), PathForm::url);
  }

  void add_other_url(std::string_view slashes, std::string_view scheme) {
    const bool network =
        std::find(kNetworkSchemes.begin(), kNetworkSchemes.end(), scheme) != kNetworkSchemes.end();
    if (!network) keep(std::string(slashes), PathForm::part);
  }

  void keep(std::string text, PathForm form) {
    if (!can_be_opened(text)) return;
    const bool known = std::any_of(found_.begin(), found_.end(),
                                   [&](const PathCandidate& other) { return other.text == text; });
    if (!known) found_.push_back({std::move(text), form});
  }

  std::vector<PathCandidate> found_;
};

}  // namespace

bool has_path_shape(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<std::uint8_t>(c);
    return byte < 0x20 || byte == 0x7f || kNeverInPlainPaths.find(c) != std::string_view::npos;
  });
}

std::vector<PathCandidate> path_candidates(std::string_view word) {
  return Collector().collect(word);
}

}  // namespace bawn
