// The prose that people see of each layer's evidence.

#include "outcome/evidence_text.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

using Words = std::vector<std::string>;
using Number = std::optional<std::uint64_t>;

TEST(EvidenceText, IsOneSentenceForEachLayerOfLinux) {
  EXPECT_EQ(evidence_text("process_tree", {{"init", "pid_1"},
                                           {"nested_pid_namespace", false},
                                           {"init_capabilities", false},
                                           {"init_seccomp", true},
                                           {"pr_get_dumpable", 0},
                                           {"made_by", "clone3"}}),
            "init is pid 1 of the run's pid namespace, without capabilities and under a seccomp "
            "filter of its own; PR_GET_DUMPABLE=0; clone3 made the command's process");
  EXPECT_EQ(evidence_text("process_tree", {{"init", "subreaper"}, {"pr_get_child_subreaper", 1}}),
            "init is a subreaper: PR_GET_CHILD_SUBREAPER=1");
  EXPECT_EQ(evidence_text("session", {{"own", true}, {"leader", "command"}}),
            "setsid: session id is the command's pid");
  EXPECT_EQ(evidence_text("session", {{"own", false}}), "not its own");
  EXPECT_EQ(evidence_text(
                "stdio", {{"stdin", "relayed"}, {"stdout", "reopened"}, {"stderr", "with_stdout"}}),
            "stdin: a pipe of bawn's own, not seekable; stdout: opened anew; stderr: the same pipe "
            "as stdout");
  EXPECT_EQ(evidence_text("keyring", {{"errno", "ENOSYS"}}), "keyctl is refused: ENOSYS");
  EXPECT_EQ(evidence_text("capabilities", {{"capget", 0}, {"bounding", 0}}),
            "capget: all sets empty; bounding set empty");
  EXPECT_EQ(evidence_text("capabilities", {{"capget", 4}, {"bounding", 6}}),
            "capget: the sets together are 4; bounding set 6 kept, no_new_privs makes it useless");
  EXPECT_EQ(evidence_text("namespace.pid",
                          {{"inode", 202}, {"callers_inode", 102}, {"command_is_pid_1", true}}),
            "inode 202, the caller's is 102; getpid: the command is its process 1");
  EXPECT_EQ(evidence_text("namespace.net", {{"inode", 103}, {"shared", true}}),
            "inode 103, which is the caller's");
  EXPECT_EQ(
      evidence_text("user",
                    {{"uid", 1}, {"gid", 2}, {"host_uid", 3}, {"host_gid", 4}, {"groups", 2}}),
      "uid 1 and gid 2 inside are 3 and 4 on the host, in 2 more groups of the caller, which only "
      "root can leave");
  EXPECT_EQ(evidence_text("user", {{"uid", 0},
                                   {"gid", 0},
                                   {"host_uid", 3},
                                   {"host_gid", 3},
                                   {"groups", 0},
                                   {"host_ids", "range"},
                                   {"idmapped_mounts", 2}}),
            "uid 0 and gid 0 inside are 3 and 3 on the host, in no other group, which own nothing "
            "there; 2 idmapped mounts, whose files are its own");
  EXPECT_EQ(
      evidence_text("user",
                    {{"host_uid", 3}, {"host_ids", "workspace_owner"}, {"reason", "an overlay"}}),
      "are 3, the owner of the workspace; no host id of the run's own: an overlay");
  EXPECT_EQ(evidence_text("id_ranges", {{"uid_map", std::vector<IdMapRow>{{0, 100, 5}, {5, 5, 1}}},
                                        {"gid_map", std::vector<IdMapRow>{{0, 200, 7}}}}),
            "uid_map, read back: 0 100 5, 5 5 1; gid_map: 0 200 7");
  EXPECT_EQ(evidence_text("root",
                          {{"statfs_flags", 4103}, {"read_only", true}, {"mounts_read_back", 21}}),
            "pivot_root; statfs('/') flags 4103: read-only; 21 mounts with their flags read back");
  EXPECT_EQ(evidence_text("landlock",
                          {{"abi", 6}, {"grants", 3}, {"probe", "open"}, {"errno", "EACCES"}}),
            "ABI 6, 3 grants; open of '/' gives EACCES");
  EXPECT_EQ(evidence_text("landlock", {{"abi", 0}, {"reason", "the mounts alone confine files"}}),
            "the kernel has no Landlock; the mounts alone confine files");
  EXPECT_EQ(evidence_text("landlock.truncate", {{"reason", "files shrink"}, {"needs_abi", 3}}),
            "files shrink; needs Landlock ABI 3");
  EXPECT_EQ(evidence_text("system_calls", {{"pr_get_seccomp", 2},
                                           {"filter", "default"},
                                           {"instructions", 7},
                                           {"hash", "sha256:1"}}),
            "PR_GET_SECCOMP=2, filter default of 7 instructions, sha256:1");
  EXPECT_EQ(evidence_text("set_id_files", {{"refused", Words{"S_ISUID", "S_ISGID"}}}),
            "the filter refuses every mode with S_ISUID or S_ISGID");
}

TEST(EvidenceText, IsOneSentenceForEachLimit) {
  EXPECT_EQ(evidence_text("limit.core", {{"rlimit", "RLIMIT_CORE"}, {"value", 1}}),
            "RLIMIT_CORE: 1");
  EXPECT_EQ(evidence_text("limit.memory", {{"rlimit", "RLIMIT_DATA"},
                                           {"value", 5},
                                           {"escapes", "shared memory is not counted"}}),
            "RLIMIT_DATA, private writable memory: 5; shared memory is not counted");
  EXPECT_EQ(
      evidence_text("limit.cpu_time", {{"counted", "alive_or_waited_for"},
                                       {"counted_by", "init"},
                                       {"rlimit", "RLIMIT_CPU"},
                                       {"value", 3}}),
      "processes that are alive or were waited for, measured by init; backstop RLIMIT_CPU=3 s "
      "per process");
  EXPECT_EQ(evidence_text("limit.memory", {{"file", "memory.max"},
                                           {"value", 999},
                                           {"swap_bounded", false},
                                           {"directory", "/cg/run"},
                                           {"scope", "tree"},
                                           {"oom_kill", Number()}}),
            "memory.max: 999 without swap, which the kernel does not count in '/cg/run', the whole "
            "tree; oom_kill not counted");
  EXPECT_EQ(evidence_text("limit.total_processes", {{"file", "pids.max"},
                                                    {"value", 20},
                                                    {"directory", "/cg/all"},
                                                    {"scope", "all_runs"},
                                                    {"first_process_bound", true},
                                                    {"at_end", 40},
                                                    {"changed", true}}),
            "pids.max: 20 in '/cg/all', all runs below it; 40 at the end: another process changed "
            "it");
  EXPECT_EQ(evidence_text("limit.output", {{"unlimited", true}}), "unlimited");
  EXPECT_EQ(evidence_text("limit.tmp", {}), "");
}

TEST(EvidenceText, IsOneSentenceForEachLayerOfTheOtherSystems) {
  EXPECT_EQ(evidence_text("process_tree",
                          {{"best_effort", true}, {"processes_seen", 3}, {"tree_gone", false}}),
            "best effort; at most 3 processes were seen at one time; some of the processes that "
            "were found were still alive when the outcome was due");
  EXPECT_EQ(evidence_text("open_files", {{"by", "PROC_THREAD_ATTRIBUTE_HANDLE_LIST"},
                                         {"inherited", Words{"stdin", "stdout", "stderr"}}}),
            "PROC_THREAD_ATTRIBUTE_HANDLE_LIST; nothing is open but stdin, stdout, stderr");
  EXPECT_EQ(evidence_text("services", {{"allowed", Words{"users_and_groups", "trustd"}}}),
            "none but names of users and groups, and trustd");
  EXPECT_EQ(evidence_text("network",
                          {{"isolated", true}, {"by", "profile"}, {"reachable", "host_loopback"}}),
            "the profile refuses every address but the machine's own loopback");
  EXPECT_EQ(evidence_text("windows_of_the_user", {{"ui_restrictions", Number()}}),
            "this system does not tell a job's restrictions");
  EXPECT_EQ(evidence_text("integrity", {{"level", 8192}, {"requested", "callers"}}),
            "the process's integrity is 8192, the caller's: its workspace is the user's own");
}

// What the table does not know is shown all the same, and tests can tell.
TEST(EvidenceText, LosesNoFieldThatHasNoWords) {
  EXPECT_EQ(evidence_text("landlock", {{"abi", 6}, {"colour", "red"}}), "ABI 6; colour red");
  EXPECT_EQ(field_text("landlock", {"colour", "red"}), std::nullopt);
  EXPECT_EQ(field_text("landlock", {"probe", "a word that nothing says"}), std::nullopt);
  EXPECT_EQ(field_text("landlock.signals", {"abi", 6}), std::nullopt)
      << "the field of another layer";
  EXPECT_EQ(field_text("limit.memory", {"reason", "why"}), "; why") << "of every layer";
  EXPECT_EQ(field_text("network", {"isolated", true}), "") << "known, and nothing to say";
}

// A value may look like a placeholder, and stands as it is.
TEST(EvidenceText, TakesNoValueForAPattern) {
  EXPECT_EQ(evidence_text("cgroup", {{"reason", "{} {name}"}}), "{} {name}");
  EXPECT_EQ(evidence_text("limit.memory", {{"directory", "/a{}b"}}), "in '/a{}b'");
}

}  // namespace
}  // namespace bawn
