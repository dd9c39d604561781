#include "backend/macos/doctor.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "backend/posix/live_run.h"
#include "backend/posix/process_table.h"
#include "backend/posix/spawn.h"
#include "base/text.h"
#include "sys/call.h"

namespace bawn::macos {
namespace {

constexpr std::string_view kOpenProfile = "(version 1)(allow default)";

using Words = std::vector<std::string>;

posix::SpawnOrder order_for(const Words& argv, int nowhere) {
  return {.program = argv.front(),
          .argv = argv,
          .environment = {},
          .directory = "/",
          .stdio = {nowhere, nowhere, nowhere},
          .limits = {{ProcessLimit::open_files, 64}}};
}

// Starts `argv` as a run starts its command, and returns its exit code.
Result<int> exit_code_of(const Words& argv) {
  const Fd nowhere(sys::retried([] { return ::open("/dev/null", O_RDWR | O_CLOEXEC); }));
  if (!nowhere) return system_error(errno, "open /dev/null");
  BAWN_ASSIGN(posix::Spawned spawned, posix::spawn(order_for(argv, nowhere.get())));
  Limits limits;
  limits.wall_time_ms = 10'000;
  BAWN_ASSIGN(const posix::Supervised ended, posix::supervise(std::move(spawned), limits));
  if (!ended.wait_status || !WIFEXITED(*ended.wait_status))
    return Error{ErrorKind::system, 0, concat(quote(argv.front()), " did not exit by itself")};
  return WEXITSTATUS(*ended.wait_status);
}

Words confined(const std::string& sandbox_exec, std::string_view profile, const Words& command) {
  Words words = {sandbox_exec, "-p", std::string(profile), "--"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

enum class For { both_tiers, tier_c };

CheckResult check(std::string_view name, For needed, const Result<std::string>& seen) {
  return {.name = std::string(name),
          .for_tier_b = needed == For::both_tiers,
          .for_tier_c = true,
          .works = seen.ok(),
          .evidence = seen ? seen.value() : seen.error().message};
}

Error disappointment(std::string message) {
  return Error{ErrorKind::unsupported, 0, std::move(message)};
}

// Verifies that a command works under an open profile and fails under a closed one. Either alone
// proves nothing.
Result<std::string> refuses(const std::string& sandbox_exec, std::string_view rule,
                            const Words& command, std::string_view what) {
  BAWN_ASSIGN(const int open, exit_code_of(confined(sandbox_exec, kOpenProfile, command)));
  if (open != 0)
    return disappointment(
        concat("could not be tried: ", quote(command.front()), " exited with ", open));
  BAWN_ASSIGN(const int closed,
              exit_code_of(confined(sandbox_exec, concat(kOpenProfile, rule), command)));
  if (closed == 0) return disappointment(concat("a profile that denies it did not refuse ", what));
  return concat(what, " worked, and was refused under a profile that denies it");
}

Result<std::string> spawns() {
  BAWN_ASSIGN(const int code, exit_code_of({"/usr/bin/true"}));
  if (code != 0) return disappointment(concat("'/usr/bin/true' exited with ", code));
  return std::string("a program was started with a limit that was read back, and its end was seen");
}

Result<std::string> has_process_table() {
  if (posix::find_process(::getpid())) return std::string("this process was found in it");
  return disappointment("this process is not in it");
}

Result<std::string> takes_profile(const std::string& sandbox_exec) {
  BAWN_ASSIGN(const int code,
              exit_code_of(confined(sandbox_exec, kOpenProfile, {"/usr/bin/true"})));
  if (code != 0) return disappointment(concat(quote(sandbox_exec), " exited with ", code));
  return std::string("a small profile was taken, and the program in it ran");
}

Result<std::string> refuses_file(const std::string& sandbox_exec) {
  std::error_code missing;
  const std::string file = std::filesystem::canonical("/etc/hosts", missing).string();
  if (missing) return disappointment("could not be tried: there is no '/etc/hosts'");
  return refuses(sandbox_exec, concat("(deny file-read* (literal \"", file, "\"))"),
                 {"/bin/cat", file}, concat("reading ", quote(file)));
}

// Listens on the loopback and returns the port.
Result<std::uint16_t> listen_somewhere(Fd& listener) {
  // NOLINTNEXTLINE(android-cloexec-socket): macOS has no SOCK_CLOEXEC; a run closes it anyway.
  listener = Fd(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (!listener || ::bind(listener.get(), generic, size) != 0 || ::listen(listener.get(), 4) != 0 ||
      ::getsockname(listener.get(), generic, &size) != 0) {
    return system_error(errno, "listen on the loopback");
  }
  return ntohs(address.sin_port);
}

Result<std::string> refuses_network(const std::string& sandbox_exec) {
  Fd listener;
  BAWN_ASSIGN(const std::uint16_t port, listen_somewhere(listener));
  return refuses(sandbox_exec, "(deny network*)", {"/usr/bin/nc", "-z", "127.0.0.1", concat(port)},
                 "connecting to this process");
}

// A feature that macOS lacks.
CheckResult lacking(std::string_view name, std::string_view why, std::string_view otherwise) {
  return {
      .name = std::string(name), .otherwise = std::string(otherwise), .evidence = std::string(why)};
}

}  // namespace

CheckResults examine(const std::string& sandbox_exec) {
  return {
      check("spawn", For::both_tiers, spawns()),
      check("process-table", For::both_tiers, has_process_table()),
      check("sandbox-exec", For::tier_c, takes_profile(sandbox_exec)),
      check("file-profile", For::tier_c, refuses_file(sandbox_exec)),
      check("network-profile", For::tier_c, refuses_network(sandbox_exec)),
      lacking("process-tree",
              "macOS has no subreaper: no process can own the descendants of another",
              "the session, the process group and every descendant that is seen are ended; the "
              "receipt says so"),
      lacking("tree-limits",
              "macOS does not limit memory, and limits processes for a whole user only",
              "a policy that limits memory or the temporary directory is refused, unless it calls "
              "that optional"),
      lacking("terminal", "a run has no terminals of its own", "the command has the caller's own"),
  };
}

}  // namespace bawn::macos
