#include "plan/stdio_route.h"

#include "base/text.h"

namespace bawn {
namespace {

// Through a directory the command could reach the host's files (openat). It could connect or
// otherwise use an object of another kind.
Result<void> require_bytes(std::string_view name, const StdioFacts& facts) {
  if (facts.kind == StdioKind::directory)
    return invalid_error(
        concat(name,
               " is a directory, through which the command would reach outside its sandbox; it "
               "must be a file, pipe, terminal or connected stream socket"));
  if (facts.kind == StdioKind::other)
    return invalid_error(
        concat(name,
               " is neither a file, pipe nor terminal, and no connected stream socket, so its "
               "bytes cannot be passed on; connect it to one of these"));
  return {};
}

// Tier c uses the node in its own root. In tier b a reopened node that the user owns could be
// changed by the command (fchmod), so its bytes are relayed.
StdioRoute route_plain_device(const StdioFacts& facts, Tier tier) {
  if (tier == Tier::c) return StdioRoute::device;
  return facts.owned || !facts.opens_anew ? StdioRoute::relayed : StdioRoute::reopened;
}

bool init_can_open(const StdioFacts& facts, const RouteContext& context) {
  return context.tier == Tier::c && context.init_opens_files && !facts.name.empty();
}

}  // namespace

Result<StdioRoute> route_input(const StdioFacts& facts, const RouteContext& context) {
  if (context.tier == Tier::unconfined) return StdioRoute::callers;
  BAWN_TRY(require_bytes("stdin", facts));
  if (!facts.reads) return route_no_input(context.tier);
  switch (facts.kind) {
    case StdioKind::regular:
      return init_can_open(facts, context) ? StdioRoute::host_file : StdioRoute::relayed;
    case StdioKind::plain_device:
      return facts.is_null ? route_no_input(context.tier) : route_plain_device(facts, context.tier);
    default:
      return StdioRoute::relayed;
  }
}

// A regular output file is not reopened: other writers share its position, and a new open file
// description would overwrite what they wrote.
Result<StdioRoute> route_output(std::string_view name, const StdioFacts& facts,
                                const RouteContext& context) {
  if (context.tier == Tier::unconfined)
    return context.through_bawn ? StdioRoute::relayed : StdioRoute::callers;
  BAWN_TRY(require_bytes(name, facts));
  if (!facts.writes)
    return invalid_error(concat(name, " is not open for writing; open it on /dev/null"));
  if (context.through_bawn) return StdioRoute::relayed;
  switch (facts.kind) {
    case StdioKind::regular:
      return context.hands_over ? StdioRoute::writable : StdioRoute::relayed;
    case StdioKind::plain_device:
      return route_plain_device(facts, context.tier);
    default:
      return StdioRoute::relayed;
  }
}

StdioRoute route_no_input(Tier tier) {
  return tier == Tier::c ? StdioRoute::device : StdioRoute::empty;
}

std::string path_of(const StdioFacts& facts) {
  if (facts.name.empty()) return "";
  return concat(facts.directory == "/" ? "" : facts.directory, "/", facts.name);
}

std::string_view to_string(StdioRoute route) {
  switch (route) {
    case StdioRoute::callers:
      return "callers";
    case StdioRoute::writable:
      return "writable";
    case StdioRoute::terminal:
      return "terminal";
    case StdioRoute::captured:
      return "captured";
    case StdioRoute::relayed:
      return "relayed";
    case StdioRoute::with_stdout:
      return "with_stdout";
    case StdioRoute::reopened:
      return "reopened";
    case StdioRoute::device:
      return "device";
    case StdioRoute::host_file:
      return "host_file";
    case StdioRoute::text:
      return "text";
    case StdioRoute::piped:
      return "piped";
    case StdioRoute::empty:
      return "empty";
  }
  return "unknown";
}

}  // namespace bawn
