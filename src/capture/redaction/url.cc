// Secrets in a URL before its query: user info and path segments. find_assignment handles the query
// and the fragment.
#include <algorithm>

#include "capture/redaction/rule.h"
#include "capture/redaction/value.h"

namespace bawn::redaction {
namespace {

constexpr CharSet kUrlEnd = kSpaceAndControls.with("\"'`<>");
constexpr CharSet kAuthorityEnd = kUrlEnd.with("/?#");
constexpr CharSet kSegmentEnd = kUrlEnd.with("/?#)]},;|\\");
constexpr CharSet kPathEnd = kUrlEnd.with("?#)]},;|\\");

constexpr std::string_view kSegmentNames[] = {
#define BAWN_URL_SEGMENT(name, ...) name,
#include "capture/redaction/rule.inc"
};

struct Webhook {
  std::string_view host;  // matches the end of the URL's host
  std::string_view path;  // this part is kept
};
constexpr Webhook kWebhooks[] = {
#define BAWN_WEBHOOK(host, path, ...) {host, path},
#include "capture/redaction/rule.inc"
};

constexpr std::size_t kMark = 3;  // "://"

// The '@' after the user info, or npos. A password may contain a raw slash; then the text after the
// colon is not a port.
std::size_t find_at(std::string_view text, std::size_t authority_end) {
  const std::string_view authority = text.substr(0, authority_end);
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) return at;
  const std::size_t colon = authority.find(':', kMark);
  if (colon == std::string_view::npos || colon + 1 >= authority.size() ||
      is_digit(authority[colon + 1])) {
    return std::string_view::npos;
  }
  const std::string_view near = text.substr(0, authority_end + kJudged);
  const std::size_t at = near.find('@', authority_end);
  if (at == std::string_view::npos) return at;
  return run_until(near.substr(kMark), kUrlEnd) + kMark > at ? at : std::string_view::npos;
}

bool is_secret_userinfo(std::string_view userinfo) {
  const std::size_t colon = userinfo.find(':');
  if (colon == std::string_view::npos) return looks_random(userinfo, 16);
  const std::string_view password = userinfo.substr(colon + 1);
  return !password.empty() && !is_reference(password) && !has_interpolation(password);
}

// The stream ends within "postgres://app:s3cr". The text after the colon may also be a port or a
// placeholder for one.
bool is_cut_userinfo(std::string_view authority) {
  const std::size_t colon = authority.find(':');
  if (colon == std::string_view::npos || authority.starts_with('[')) return false;
  const std::string_view password = authority.substr(colon + 1);
  return is_secret_userinfo(authority) && !is_number(password) && !equal_folded(password, "port");
}

void add(const Around& around, Kind kind, std::size_t begin, std::size_t end, const CharSet& stop,
         FoundSecrets& secrets) {
  if (begin == end) return;
  secrets.push_back({kind, begin, end, around.open && end == around.after.size(), {&stop, {}}});
}

// True if the URL is a webhook, whether or not there is something to hide in it.
bool find_webhook(const Around& around, std::string_view host, std::size_t path,
                  FoundSecrets& secrets) {
  const std::string_view text = around.after;
  for (const Webhook& webhook : kWebhooks) {
    if (!ends_with_folded(host, webhook.host) || !text.substr(path).starts_with(webhook.path))
      continue;
    const std::size_t begin = path + webhook.path.size();
    const std::size_t end = begin + run_until(text.substr(begin), kPathEnd);
    if (looks_random(text.substr(begin, end - begin), 8) &&
        !has_interpolation(text.substr(begin, end - begin))) {
      add(around, Kind::url_path, begin, end, kPathEnd, secrets);
    }
    return true;
  }
  return false;
}

// bot123456:AAE...: the part after "bot" lets everyone act as the bot.
bool is_bot(std::string_view segment) {
  if (!segment.starts_with("bot")) return false;
  const std::size_t digits = run_of(segment.substr(3), kDigits);
  return digits >= 6 && segment.substr(3 + digits).starts_with(':') &&
         segment.size() >= digits + 24;
}

bool is_segment_name(std::string_view segment) {
  return std::any_of(std::begin(kSegmentNames), std::end(kSegmentNames),
                     [&](auto name) { return equal_folded(segment, name); });
}

void find_in_path(const Around& around, std::size_t path, FoundSecrets& secrets) {
  const std::string_view text = around.after;
  bool announced = false;
  while (path < text.size() && text[path] == '/') {
    const std::size_t begin = path + 1;
    const std::size_t end = begin + run_until(text.substr(begin), kSegmentEnd);
    const std::string_view segment = text.substr(begin, end - begin);
    // A URL inside this URL has a separate trigger.
    if (segment.ends_with(':')) return;
    if (announced && looks_random(segment, 8) && !is_reference(segment) &&
        !has_interpolation(segment)) {
      add(around, Kind::url_path, begin, end, kSegmentEnd, secrets);
    } else if (is_bot(segment)) {
      add(around, Kind::url_path, begin + 3, end, kSegmentEnd, secrets);
    }
    announced = is_segment_name(segment);
    path = end;
  }
}

}  // namespace

void find_url_secret(const Around& around, FoundSecrets& secrets) {
  const std::string_view text = around.after;
  if (!text.starts_with("://") || around.before.empty() || !kWord.has(around.before.back())) return;
  std::size_t authority_end = kMark + run_until(text.substr(kMark), kAuthorityEnd);
  std::size_t host = kMark;
  if (const std::size_t at = find_at(text, authority_end); at != std::string_view::npos) {
    if (is_secret_userinfo(text.substr(kMark, at - kMark))) {
      add(around, Kind::url_userinfo, kMark, at, kAuthorityEnd, secrets);
    }
    host = at + 1;
    authority_end = host + run_until(text.substr(host), kAuthorityEnd);
  } else if (around.last && authority_end == text.size() && is_cut_userinfo(text.substr(kMark))) {
    return add(around, Kind::url_userinfo, kMark, authority_end, kAuthorityEnd, secrets);
  }
  if (find_webhook(around, text.substr(host, authority_end - host), authority_end, secrets)) return;
  find_in_path(around, authority_end, secrets);
}

}  // namespace bawn::redaction
