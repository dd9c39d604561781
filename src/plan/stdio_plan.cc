#include "plan/stdio_plan.h"

#include <string_view>
#include <utility>

#include "plan/writable_file.h"

namespace bawn {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"stdin", "stdout", "stderr"};

bool is_on_terminal(const TerminalPlan& terminal, std::size_t fd) {
  return terminal.use == TerminalUse::own && (terminal.stdio & 1U << fd) != 0;
}

StdioFacts null_facts() {
  constexpr std::uint64_t kNull = (std::uint64_t{1} << 32) | 3;
  return {.kind = StdioKind::plain_device,
          .is_null = true,
          .directory = "/dev",
          .name = "null",
          .device = kNull};
}

class StdioPlanner {
 public:
  StdioPlanner(const Plan& plan, const StdioWish& wish, CallerStdio callers)
      : plan_(plan), wish_(wish), callers_(std::move(callers)) {}

  Result<StdioPlan> run() && {
    BAWN_ASSIGN(out_.routes[0], route_stdin());
    BAWN_ASSIGN(out_.routes[1], route_of_output(1));
    BAWN_ASSIGN(out_.routes[2], route_of_output(2));
    const bool both_relayed =
        out_.routes[1] == StdioRoute::relayed && out_.routes[2] == StdioRoute::relayed;
    if (both_relayed && callers_.outputs_share_an_end) out_.routes[2] = StdioRoute::with_stdout;
    for (const std::size_t fd : {1U, 2U}) {
      // stdin and stdout can be one open file description (`cmd <>file >&0`) with one offset. Then
      // stdin must be the caller's description too.
      const bool is_one = callers_.is_stdin[fd] && callers_.files[0].reads;
      if (out_.routes[fd] == StdioRoute::writable && is_one) out_.routes[0] = StdioRoute::writable;
    }
    out_.shares_position = callers_.is_stdin[1] || callers_.is_stdin[2];
    out_.captures_terminal = !wish_.outputs_are_callers && out_.routes[1] == StdioRoute::terminal;
    out_.files = std::move(callers_.files);
    return std::move(out_);
  }

 private:
  [[nodiscard]] RouteContext context() const {
    return {.tier = plan_.tier,
            .through_bawn = plan_.limits.output_bytes.has_value(),
            .init_opens_files = wish_.init_opens_files};
  }

  Result<StdioRoute> route_stdin() {
    if (is_on_terminal(plan_.terminal, 0)) return StdioRoute::terminal;
    if (wish_.input_is_pipe) return StdioRoute::piped;
    if (wish_.input_is_text) return StdioRoute::text;
    StdioFacts& file = callers_.files[0];
    if (!wish_.input_is_callers) {
      file = null_facts();
      return route_no_input(plan_.tier);
    }
    BAWN_ASSIGN(const StdioRoute route, route_input(file, context()));
    // The null device replaces a file that the caller cannot read either.
    if (route == StdioRoute::device && file.kind != StdioKind::plain_device) file = null_facts();
    return route;
  }

  Result<StdioRoute> route_of_output(std::size_t fd) {
    if (is_on_terminal(plan_.terminal, fd)) return StdioRoute::terminal;
    if (!wish_.outputs_are_callers) return StdioRoute::captured;
    const StdioFacts& file = callers_.files[fd];
    RouteContext context_of_file = context();
    // The caller's descriptor leads to the host's mount, which is not noexec: where programs are
    // listed, a command could write a program through it and map that.
    context_of_file.hands_over =
        !plan_.executables && file.can_be_handed_over && may_write(plan_, path_of(file));
    return route_output(kNames[fd], file, context_of_file);
  }

  const Plan& plan_;
  const StdioWish& wish_;
  CallerStdio callers_;
  StdioPlan out_;
};

}  // namespace

bool uses_callers(int fd, const StdioWish& wish, const TerminalPlan& terminal) {
  const auto index = static_cast<std::size_t>(fd);
  return (index == 0 ? wish.input_is_callers : wish.outputs_are_callers) &&
         !is_on_terminal(terminal, index);
}

Result<StdioPlan> plan_stdio(const Plan& plan, const StdioWish& wish, CallerStdio callers) {
  return StdioPlanner(plan, wish, std::move(callers)).run();
}

}  // namespace bawn
