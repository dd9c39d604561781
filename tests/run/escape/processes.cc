// Processes outside, init, and who the command is.

#include <sys/syscall.h>

#include "attempt.h"

namespace bawn::escape {

const std::vector<Attempt>& attempts_on_processes() {
  static const std::vector<Attempt> kAttempts = {
      // Outside.
      {"SignalEverything", {"signal-all"}, "ESRCH|EPERM", outside()},
      {"SignalAnOuter", {"signal", "{pid}", "0"}, "ESRCH", outside()},
      {"SignalItsThread", {"signal-thread", "{pid}"}, "ESRCH", outside()},
      {"QueueASignal", {"queue-signal", "{pid}"}, "ESRCH", outside()},
      {"SignalItsGroup", {"signal", "-{group}", "0"}, "ESRCH", outside()},
      {"OpenAnOuter", {"open-process", "{pid}"}, "ESRCH", outside()},
      {"TraceAnOuter", {"trace-process", "{pid}"}, "ESRCH", within({"do-to-child", "trace-process"})},
      {"CopyItsMemory", {"copy-memory", "{pid}"}, "ESRCH", within({"do-to-child", "copy-memory"})},
      {"WriteItsMemory", {"write-memory", "{pid}"}, "ESRCH", within({"do-to-child", "write-memory"})},
      {"StealItsFile", {"steal-file", "{pid}"}, "ESRCH", within({"do-to-child", "steal-file"})},
      {"FindItsSession", {"find-session", "{pid}"}, "ESRCH", outside()},
      {"FindItsGroup", {"find-group", "{pid}"}, "ESRCH", outside()},
      {"PinIt", {"pin", "{pid}"}, "ESRCH", outside()},
      {"LowerItsPriority", {"lower-priority", "{pid}"}, "ESRCH", outside()},
      {"LowerItsIoPriority",
       {"lower-io-priority", "{pid}"},
       "ESRCH",
       within({"do-to-child", "lower-io-priority"})},
      {"TakeItsFiles", {"take-files", "{pid}"}, "ESRCH", within({"do-to-child", "take-files"})},
      {"ReadItsArguments", {"read-command-line", "{pid}"}, "ENOENT", outside()},

      // Init.
      {"KillInit", {"signal-init"}, "EPERM|ok", within({"do-to-child", "shower-process"})},
      {"ShowerInit", {"shower-init"}, "ok", within({"do-to-child", "shower-process"})},
      {"TraceInit", {"trace-process", "1"}, "EPERM", within({"do-to-child", "trace-process"})},
      {"CopyInitsMemory", {"copy-memory", "1"}, "EPERM", within({"do-to-child", "copy-memory"})},
      {"WriteInitsMemory", {"write-memory", "1"}, "EPERM", within({"do-to-child", "write-memory"})},
      {"StealInitsFile", {"steal-file", "1"}, "EPERM", within({"do-to-child", "steal-file"})},
      {"TakeInitsFiles", {"take-files", "1"}, "EPERM", within({"do-to-child", "take-files"})},
      {"TakeInitsTime", {"take-cpu-time", "1"}, "EPERM", within({"do-to-child", "take-cpu-time"})},
      {"LimitInitWithHighBits",
       {"call", std::to_string(SYS_prlimit64), "0x100000001", "7", "buffer", "0"},
       "EPERM",
       reaches(SYS_prlimit64)},
      {"MakeInitIdle", {"make-idle", "1"}, "EPERM", within({"do-to-child", "make-idle"})},
      {"PinInit", {"pin", "1"}, "EPERM", within({"do-to-child", "pin"})},
      {"LowerInitsPriority",
       {"lower-priority", "1"},
       "EPERM",
       within({"do-to-child", "lower-priority"})},
      {"LowerInitsIoPriority",
       {"lower-io-priority", "1"},
       "EPERM",
       within({"do-to-child", "lower-io-priority"})},
      {"SlowDownTheUser", {"slow-down-user"}, "EPERM", within({"slow-down-itself"})},
      {"SlowDownTheGroup", {"slow-down-group"}, "EPERM", within({"slow-down-itself"})},
      {"SlowDownTheGroupsFiles",
       {"call", std::to_string(SYS_ioprio_set), "2", "0", "0x4007"},
       "EPERM",
       reaches(SYS_ioprio_set)},

      // Identity.
      {"BecomeAnother", {"call", std::to_string(SYS_setuid), "12345"}, "EINVAL|EPERM", reaches(SYS_setuid)},
      {"BecomeNobody",
       {"call", std::to_string(SYS_setresuid), "65534", "65534", "65534"},
       "EINVAL|EPERM",
       reaches(SYS_setresuid)},
      {"ChangeGroup", {"call", std::to_string(SYS_setgid), "12345"}, "EINVAL|EPERM", reaches(SYS_setgid)},
      {"ChangeGroups",
       {"call", std::to_string(SYS_setgroups), "1", "buffer"},
       "EPERM",
       reaches(SYS_setgroups)},
      {"RaiseCapabilities", {"raise-capabilities"}, "EPERM", reaches(SYS_capset)},
      {"UnlockSecurebits", {"call", std::to_string(SYS_prctl), "28", "0"}, "EPERM", reaches(SYS_prctl)},
      {"RaiseAmbient",
       {"call", std::to_string(SYS_prctl), "47", "2", "21", "0", "0"},
       "EPERM",
       reaches(SYS_prctl)},
      {"TakeBackNoNewPrivileges",
       {"call", std::to_string(SYS_prctl), "38", "0", "0", "0", "0"},
       "EINVAL",
       reaches(SYS_prctl)},
      {"RaiseOpenFiles", {"raise-file-limit"}, "EPERM", within({"limit-itself"})},
      {"RealTime",
       {"call", std::to_string(SYS_sched_setscheduler), "0", "1", "one"},
       "EPERM|EINVAL",
       within({"slow-down-itself"})},
      {"HigherPriority",
       {"call", std::to_string(SYS_setpriority), "0", "0", "-20"},
       "EACCES",
       within({"slow-down-itself"})},
  };
  return kAttempts;
}

}  // namespace bawn::escape
