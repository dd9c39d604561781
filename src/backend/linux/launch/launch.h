// Sends init its messages and returns the two handles that a supervisor needs.
//
// Init is a child of this process; its exit raises SIGCHLD like any child's. It may be reaped by
// the caller's program as well: nothing here depends on its exit status. Any thread; one call at a
// time for one init.
#pragma once

#include <sys/types.h>

#include <array>
#include <span>

#include "backend/linux/cgroup/run_cgroup.h"
#include "backend/linux/seccomp/filter.h"
#include "backend/linux/spawn/init_process.h"
#include "backend/linux/stdio/run_stdio.h"
#include "backend/linux/wire/messages.h"
#include "base/result.h"
#include "base/stopwatch.h"
#include "host/facts.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// What launch() needs to know about the host.
struct LaunchFacts {
  int landlock_abi = 0;
  bool may_drop_bounding_set = false;    // the caller has CAP_SETPCAP
  NamespaceInodes callers_namespaces{};  // used in tier c
  std::span<const Fd> trees{};           // of the plan's mounts that have a number; borrowed
};

struct Launched {
  // SOCK_SEQPACKET: carries init::Report to us and init::ControlCode to init. After
  // shutdown(SHUT_RDWR) init kills the process tree. close() alone is not enough: a child that the
  // caller has forked may hold the socket too.
  Fd control;
  Fd init;  // pidfd
  // Init is pid 1 of a pid namespace: the kernel kills everything in it when init ends.
  bool is_init = false;
};

// For an init in namespaces: maps the ids of one user and one group (host/id_mapping.h maps
// ranges). Init waits for its first message until that is done. ErrorKind::unsupported if the host
// forbids id maps. After an error init must not be used.
[[nodiscard]] Result<void> map_own_ids(const InitProcess& init, const RunUser& user);

// Sends the SetupMessage, so that init can begin before the request has been judged. The ids must
// be mapped. After an error init must not be used.
[[nodiscard]] Result<void> send_setup(const InitProcess& init, const SetupPlan& setup_plan,
                                      const HostFacts& host, Stopwatch& stopwatch);

// Sends the ExecMessage. `init` must have the namespaces of the plan's tier and, in namespaces, the
// SetupMessage of the same policy. `cgroup` is the command's cgroup, null if the plan has none. The
// command need not have started when this returns: init's first report tells. If the stopwatch
// runs, that report also has the time at which each of init's steps ended (launch_steps.h). On
// failure nothing has run, and init has been killed and reaped.
[[nodiscard]] Result<Launched> launch(const Plan& plan, const RunFilter& filter,
                                      const LaunchFacts& facts, const Stdio& stdio,
                                      const RunCgroup* cgroup, InitProcess init,
                                      Stopwatch& stopwatch);

// Reaps init if it has ended, without waiting. Harmless if the caller's program has reaped it
// already.
void reap_init(int init_pidfd);

}  // namespace bawn::linux_
