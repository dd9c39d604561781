// Gives an init its messages and hands back the two handles a supervisor needs.
//
// Init is this process's child; its exit raises SIGCHLD like any child's, and nothing here depends
// on who waits for it.
#pragma once

#include <sys/types.h>

#include <array>

#include "base/result.h"
#include "base/stopwatch.h"
#include "host/facts.h"
#include "host/id_mapping.h"
#include "linux/encode_message.h"
#include "linux/init/messages.h"
#include "linux/init_process.h"
#include "linux/run_cgroup.h"
#include "linux/seccomp_filter.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn {

// What the command gets as 0, 1 and 2.
struct Stdio {
  std::array<int, init::kStdioCount> files = {
      -1, -1, -1};  // borrowed until launch() returns; -1: init opens it
  std::array<StdioOpening, init::kStdioCount> openings{};  // for those
  init::TerminalOrder terminal{};
};

struct Launched {
  Fd control;  // SOCK_SEQPACKET: init::Report to us, init::ControlCode to it. Closing it kills the
               // tree.
  Fd init;     // pidfd
  bool is_init = false;  // of a pid namespace: init's end is the end of everything in it
};

// For an init that is in namespaces: what it can begin with before anybody knows what is to run.
// ErrorKind::unsupported if the host forbids to give a user namespace its users,
// ErrorKind::cancelled if `wait` was ended by the caller. An early init that has been told just
// this is left alone; one that has been told anything else is exchanged.
[[nodiscard]] Result<void> send_setup(InitProcess& init, const NamespacePlan& namespace_plan,
                                      const HostFacts& host, const MappingWait& wait,
                                      Stopwatch& stopwatch);

// `cgroup` is the one that the command lives in, null if the plan has none; `init` must be where
// the command belongs, and have the setup message of the same policy if that is in namespaces. The
// command has not necessarily started when this returns: the first report tells. With a stopwatch
// that runs, it also tells when each of init's steps ended (launch_steps.h).
[[nodiscard]] Result<Launched> launch(const Plan& plan, const RunFilter& filter,
                                      const HostFacts& host, const Stdio& stdio,
                                      const RunCgroup* cgroup, InitProcess init,
                                      Stopwatch& stopwatch);

// Waits for init if it has ended. Harmless if the caller's program has reaped it already.
void reap_init(int init_pidfd);

}  // namespace bawn
