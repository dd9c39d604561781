#include "outcome/render.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>

#include "base/text.h"
#include "base/visible.h"
#include "outcome/evidence_text.h"

namespace bawn {
namespace {

// More lines would scroll the reason out of sight. The JSON form has all of them.
constexpr std::size_t kMostShown = 12;

struct LimitName {
  std::string_view limit;
  std::string_view words;
};

constexpr std::string_view kDenied = "denied";

constexpr auto kLimitNames = std::to_array<LimitName>({
    {"cpu_time", "CPU-time limit"},
    {"file_size", "file-size limit"},
    {"memory", "memory limit"},
    {"output", "output limit"},
    {"processes", "process limit"},
    {"tmp", "temporary-space limit"},
    {"wall_time", "wall-time limit"},
});

std::string printable(std::string_view text) { return visible(text, Layout::one_line); }

class Lines {
 public:
  explicit Lines(Colour colour) : colour_(colour) {}

  void headline(std::string_view verdict, std::string_view message) {
    out_ += styled("1", "bawn:");
    out_ += ' ';
    out_ += styled("1;31", verdict);
    if (!message.empty()) out_ += concat(": ", printable(message));
    out_ += '\n';
  }

  void detail(std::string_view label, std::string_view text) {
    if (!text.empty())
      out_ += concat("  ", styled("2", concat(label, ": ", printable(text))), "\n");
  }

  std::string text() && { return std::move(out_); }

 private:
  [[nodiscard]] std::string styled(std::string_view code, std::string_view text) const {
    return colour_ == Colour::on ? concat("\x1b[", code, "m", text, "\x1b[0m") : std::string(text);
  }

  Colour colour_;
  std::string out_;
};

// "30.0 s", "250 ms".
std::string describe_duration(std::uint64_t ms) {
  return ms < 1000 ? concat(ms, " ms") : concat(ms / 1000, ".", ms % 1000 / 100, " s");
}

std::string describe_limit(const Outcome& outcome) {
  std::string_view limit = outcome.limit;
  if (limit.empty() && outcome.status == Status::timed_out) limit = "wall_time";
  for (const LimitName& known : kLimitNames) {
    if (known.limit == limit) return concat("the ", known.words);
  }
  return limit.empty() ? "a limit" : concat("the limit ", quote(limit));
}

// A file is in the list once for each of its keys.
std::size_t count_of_files(const std::vector<Handoff>& handoff) {
  std::set<std::string_view> paths;
  for (const Handoff& each : handoff) paths.insert(each.path);
  return paths.size();
}

// ".envrc (direnv), .git/config alias.x (git), and 2 more".
std::string named_files(std::span<const Handoff> handoff) {
  constexpr std::size_t kMostNamed = 4;
  std::string names;
  for (const Handoff& each : handoff.first(std::min(handoff.size(), kMostNamed))) {
    names += concat(names.empty() ? "" : ", ", each.path, each.key.empty() ? "" : " ", each.key,
                    " (", each.obeyed_by, ")");
  }
  if (handoff.size() > kMostNamed) names += concat(", and ", handoff.size() - kMostNamed, " more");
  return names;
}

// "      1'234'567  clone".
std::string timing_line(std::uint64_t ns, std::string_view step) {
  constexpr std::size_t kWidth = 17;
  std::string number = std::to_string(ns);
  for (std::size_t at = number.size(); at > 3; at -= 3) number.insert(at - 3, 1, '\'');
  const std::size_t missing = number.size() < kWidth ? kWidth - number.size() : 0;
  return concat(std::string(missing, ' '), number, "  ", printable(step), "\n");
}

void describe_error(Lines& lines, std::string_view verdict, const std::optional<Failure>& error) {
  lines.headline(verdict, error ? std::string_view(error->message) : "");
  if (!error) return;
  lines.detail("step", error->step);
  lines.detail("hint", error->hint);
}

// "'/srv/x' cannot be executed: it is a directory" behind the verdict "cannot execute" would say it
// twice.
std::string without_verdict(const Violation& violation) {
  std::string message = violation.message;
  for (const std::string_view said : {" cannot be executed", "there is no program "}) {
    const std::size_t at = message.find(said);
    if (verdict_of(violation) != kDenied && at != std::string::npos) message.erase(at, said.size());
  }
  return message;
}

void describe_violations(Lines& lines, const Violations& violations, bool denied) {
  const std::size_t shown = std::min(violations.size(), kMostShown);
  for (const Violation& violation : std::span(violations).first(shown)) {
    if (denied)
      lines.headline(verdict_of(violation), without_verdict(violation));
    else
      lines.headline("changed", violation.message);
    lines.detail("hint", violation.hint);
  }
  const std::size_t more = violations.size() - shown;
  if (more != 0) lines.detail("and", concat(more, " more"));
}

void describe_denial(Lines& lines, const Outcome& outcome) {
  if (outcome.violations.empty()) return describe_error(lines, kDenied, outcome.error);
  describe_violations(lines, outcome.violations, true);
}

void describe_limit(Lines& lines, const Outcome& outcome) {
  if (outcome.error && !outcome.error->message.empty())
    return describe_error(lines, "stopped", outcome.error);
  lines.headline("stopped", concat(describe_limit(outcome), " was reached after ",
                                   describe_duration(outcome.duration_ms)));
}

// `text` and the blanks up to the next column.
std::string column(std::string_view text, std::size_t width) {
  std::string cell = printable(text);
  cell.resize(std::max(cell.size() + 2, width), ' ');
  return cell;
}

}  // namespace

std::string_view verdict_of(const Violation& violation) {
  if (violation.code == "executable.not_found") return "not found";
  if (violation.code == "executable.not_executable") return "cannot execute";
  return kDenied;
}

std::string render_denial(const Outcome& outcome, Colour colour) {
  Lines lines(colour);
  switch (outcome.status) {
    case Status::denied:
      describe_denial(lines, outcome);
      break;
    case Status::failed:
      describe_error(lines, "failed", outcome.error);
      break;
    case Status::timed_out:
    case Status::quota_exceeded:
      describe_limit(lines, outcome);
      break;
    case Status::cancelled:
      describe_error(lines, "cancelled", outcome.error);
      break;
    case Status::exited:
    case Status::signaled:
      if (outcome.error) describe_error(lines, "ended", outcome.error);
      if (!outcome.limit.empty()) {
        lines.headline("limit reached", concat("the command failed after ", describe_limit(outcome),
                                               " had refused it something"));
        lines.detail("hint", outcome.limit_hint);
      }
      break;
    case Status::running:
      break;
  }
  // If the command ran, the violations are what it left behind, and not why it was refused.
  if (outcome.status != Status::denied) describe_violations(lines, outcome.violations, false);
  return std::move(lines).text();
}

// "bawn: 2 files that other programs obey were written: .envrc (direnv), ...".
std::string render_handoff(const Outcome& outcome) {
  if (!outcome.handoff) return "";
  std::vector<Handoff> told = *outcome.handoff;
  const std::size_t missed = std::erase_if(
      told, [](const Handoff& each) { return each.change == HandoffChange::not_looked_at; });
  if (told.empty() && missed == 0) return "";
  const std::string places =
      concat(missed, missed == 1 ? " place was" : " places were", " not looked at");
  if (told.empty())
    return concat("bawn: files that other programs obey may have been written: ", places,
                  "; --json tells more\n");
  const std::size_t files = count_of_files(told);
  return concat("bawn: ", files, files == 1 ? " file" : " files", " that other programs obey ",
                files == 1 ? "was" : "were", " written: ", printable(named_files(told)),
                missed == 0 ? "" : concat("; ", places), "; --json tells more\n");
}

std::string render_timing(const Outcome& outcome) {
  if (outcome.timing.empty()) return "";
  std::string out = "bawn: timing in nanoseconds\n";
  std::uint64_t sum = 0;
  for (const TimedStep& timed : outcome.timing) {
    out += timing_line(timed.ns, timed.step);
    sum += timed.ns;
  }
  return out + timing_line(sum, "in all");
}

std::string render_receipt(const Outcome& outcome) {
  constexpr std::size_t kStateWidth = 15;
  constexpr std::size_t kLayerWidth = 22;
  if (outcome.enforcement.empty()) return "bawn: receipt: nothing ran, so nothing was in force\n";
  std::string out = "bawn: receipt\n";
  for (const Enforcement& line : outcome.enforcement) {
    const std::string evidence = printable(evidence_text(line.layer, line.evidence));
    out += concat("  ", column(to_string(line.state), kStateWidth),
                  evidence.empty() ? printable(line.layer) : column(line.layer, kLayerWidth),
                  evidence, "\n");
  }
  return out;
}

}  // namespace bawn
