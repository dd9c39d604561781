// A policy that lists its programs, on a real kernel and behind the validator's back: the guest,
// which is on the list, starts the commands itself, from words that the validator does not read.
//
// Each row of the table is a way to start or load something else. It must work where every program
// is allowed (the control) and not where they are listed. The observer is a file that the other
// program makes. Tier b has no mounts, so it cannot keep a listed program from mapping a file;
// those rows say so.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/limit.h"

namespace bawn {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += word + " ";
  return out;
}

void must_run(const std::string& command) {
  if (std::system(concat("{ ", command, "; } > /dev/null 2>&1").c_str()) != 0)
    throw std::runtime_error("cannot set up: " + command);
}

void write_file(const std::string& path, const std::string& text, bool executable = false) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
  if (executable) fs::permissions(path, fs::perms::owner_all);
}

// A library that makes the file in $RAN when it is loaded.
constexpr const char* kPlugin = R"(
#include <fcntl.h>
#include <stdlib.h>
int plugin_is_GPL_compatible;
__attribute__((constructor)) static void ran(void) {
  const char* path = getenv("RAN");
  if (path) open(path, O_CREAT | O_WRONLY, 0600);
}
)";

// A repository and whatever the rows need, made once and removed when the test program ends.
class Prepared {
 public:
  Prepared() {
    if (mkdtemp(place.data()) == nullptr) throw std::runtime_error("mkdtemp");
    write_file(place + "/a.c", "int main(void) { return 0; }\n");
    write_file(place + "/plugin.c", kPlugin);
    write_file(place + "/.gitattributes", "filtered filter=f\ntext diff=d merge=m\n");
    write_file(place + "/filtered", "one\n");
    write_file(place + "/text", "one\n");
    write_file(place + "/big", std::string(40000, 'x'));
    const std::string git = concat("cd ", place, " && git -c user.name=n -c user.email=e ");
    must_run(concat("cd ", place, " && gcc -shared -fPIC -o plugin.so plugin.c && gcc -c a.c"));
    must_run(concat("cd ", place, " && tar -cf in.tar a.c && git init -q --template= -b main ."));
    must_run(git + "add . && git -C . -c user.name=n -c user.email=e commit -qm one");
    must_run(git + "checkout -qb other && echo theirs > text");
    must_run(git + "commit -qam theirs && git checkout -q main && echo ours > text");
    must_run(git + "commit -qam ours && git bundle create -q theirs.bundle other");
  }
  ~Prepared() { fs::remove_all(place); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::string place = fs::temp_directory_path() / "bawn-listed-XXXXXX";
};

const std::string& prepared() {
  static const Prepared kPrepared;
  return kPrepared.place;
}

// The workspace of one row: a copy, and the files that name its own path.
class ListedFixture : public RunFixture {
 public:
  ListedFixture() {
    must_run(concat("cp -a ", prepared(), "/. ", workspace()));
    const std::string deed = concat("#!/bin/sh\n: > ", ran(), "\n");
    for (const char* name : {"planted.sh", "hooks/pre-commit", "hooks/post-checkout",
                             "hooks/post-merge", "hooks/reference-transaction", "hooks/commit-msg",
                             "hooks/prepare-commit-msg", "hooks/post-commit", "hooks/pre-rebase",
                             "bin/as", "bin/cc1", "bin/ld", "bin/gzip", "bin/git-x", "bin/touch"})
      write_file(concat(workspace(), "/", name), deed, true);
    write_file(workspace() + "/bare", concat(": > ", ran(), "\n"), true);
    write_file(workspace() + "/specs", concat("*link_command:\n/usr/bin/touch ", ran(), "\n\n"));
    write_file(workspace() + "/words", concat("-wrapper ", workspace(), "/planted.sh\n"));
    fs::copy("/usr/bin/touch", workspace() + "/touch");
  }

  [[nodiscard]] std::string ran() const { return workspace() + "/ran"; }
  [[nodiscard]] bool something_ran() const { return fs::exists(ran()); }

  // $W is the workspace, $T makes the observer's file, $G is the guest.
  [[nodiscard]] Words filled(const Words& words) const {
    Words out;
    for (std::string word : words) {
      for (const auto& [name, value] :
           {std::pair<std::string, std::string>("$T", "/usr/bin/touch $W/ran"),
            {"$P", "$W/planted.sh"},
            {"$G", guest()},
            {"$W", workspace()}}) {
        for (std::size_t at = 0; (at = word.find(name)) != std::string::npos;)
          word.replace(at, name.size(), value);
      }
      out.push_back(std::move(word));
    }
    return out;
  }
};

FixturePolicy listed(const Words& more = {}) {
  FixturePolicy policy = fixture_policy();
  policy.limits.wall_time_ms = 30'000;
  policy.executables.allow = {guest(), "git", "nm", "gcc", "find", "tar"};
  policy.executables.allow.insert(policy.executables.allow.end(), more.begin(), more.end());
  return policy;
}

FixturePolicy all_allowed() {
  FixturePolicy policy = fixture_policy();
  policy.limits.wall_time_ms = 30'000;
  policy.executables.allow_all = true;
  policy.executables.allow = {};
  policy.executables.interpreters = policy.executables.from_workspace = true;
  return policy;
}

enum class InTierB {
  refused,
  runs,    // by mapping a file, which tier b cannot refuse
  absent,  // there is no such place in tier b
};

struct Way {
  const char* name;
  Words words;
  InTierB in_tier_b = InTierB::refused;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

Words run(Words words) {
  words.insert(words.begin(), "execute");
  return words;
}

Words git(Words words) {
  words.insert(words.begin(),
               {"execute", "git", "-C", "$W", "-c", "user.name=n", "-c", "user.email=e"});
  return words;
}

const std::vector<Way>& ways_of_git() {
  static const std::vector<Way> kWays = {
      {"GitAlias", git({"-c", "alias.x=!$T", "x"})},
      {"GitAliasOfAPlantedScript", git({"-c", "alias.x=!$P", "x"})},
      {"GitFsmonitor", git({"-c", "core.fsmonitor=$P", "status"})},
      {"GitSshCommand", git({"-c", "core.sshCommand=$T", "fetch", "ssh://x/y"})},
      {"GitSshVariable", run({"GIT_SSH=$P", "git", "-C", "$W", "fetch", "ssh://x/y"})},
      {"GitSshCommandVariable",
       run({"GIT_SSH_COMMAND=$T", "git", "-C", "$W", "fetch", "ssh://x/y"})},
      {"GitProxy", git({"-c", "core.gitProxy=$P", "fetch", "git://x/y"})},
      {"GitEditor", git({"-c", "core.editor=$T", "commit", "--amend"})},
      {"GitEditorVariable", run({"GIT_EDITOR=$T", "git", "-C", "$W", "-c", "user.name=n", "-c",
                                 "user.email=e", "commit", "--amend"})},
      {"GitSequenceEditor", git({"-c", "sequence.editor=$T", "rebase", "-i", "HEAD~1"})},
      {"GitHookBeforeCommit",
       git({"-c", "core.hooksPath=$W/hooks", "commit", "--allow-empty", "-m", "x"})},
      {"GitHookAfterCheckout", git({"-c", "core.hooksPath=$W/hooks", "checkout", "-b", "y"})},
      {"GitHookOfReferences",
       git({"-c", "core.hooksPath=$W/hooks", "update-ref", "refs/heads/z", "HEAD"})},
      {"GitHookOfAWorktree",
       git({"-c", "core.hooksPath=$W/hooks", "worktree", "add", "-q", "$W/tree"})},
      {"GitHookBeforeRebase", git({"-c", "core.hooksPath=$W/hooks", "rebase", "other"})},
      {"GitFilterClean", git({"-c", "filter.f.clean=$T", "add", "--renormalize", "filtered"})},
      {"GitFilterProcess", git({"-c", "filter.f.process=$P", "add", "--renormalize", "filtered"})},
      {"GitFilterSmudge", git({"-c", "filter.f.smudge=$T", "worktree", "add", "-q", "$W/tree"})},
      {"GitExternalDiff", git({"-c", "diff.external=$P", "diff", "HEAD~1"})},
      {"GitExternalDiffVariable",
       run({"GIT_EXTERNAL_DIFF=$P", "git", "-C", "$W", "diff", "HEAD~1"})},
      {"GitDiffDriver", git({"-c", "diff.d.command=$P", "diff", "HEAD~1"})},
      {"GitTextconv", git({"-c", "diff.d.textconv=$P", "diff", "HEAD~1"})},
      {"GitMergeDriver", git({"-c", "merge.m.driver=$T", "merge", "other"})},
      {"GitSigning", git({"-c", "gpg.program=$P", "commit", "-S", "--allow-empty", "-m", "x"})},
      {"GitUploadPack", git({"fetch", "--upload-pack=$T", "$W", "main"})},
      {"GitLsRemote", git({"ls-remote", "--upload-pack=$T", "$W"})},
      {"GitClone", git({"clone", "--no-local", "-u", "$T", "$W", "$W/clone"})},
      {"GitReceivePack", git({"push", "--receive-pack=$T", "$W", "HEAD:refs/heads/x"})},
      {"GitExternalProtocol",
       git({"-c", "protocol.ext.allow=always", "fetch", "ext::/usr/bin/touch $W/ran"})},
      {"GitDifftool", git({"difftool", "-y", "-x", "$T", "HEAD~1"})},
      {"GitFilterBranch", run({"FILTER_BRANCH_SQUELCH_WARNING=1", "git", "filter-branch", "-f",
                               "--env-filter", "$T", "HEAD"})},
      {"GitRebaseExec", git({"rebase", "-x", "$T", "HEAD~1"})},
      {"GitGrepPager", git({"grep", "--open-files-in-pager=$P", "-e", "main"})},
      {"GitArchive", git({"-c", "tar.x.command=$T", "archive", "--format=x", "HEAD"})},
      {"GitExecPath", git({"--exec-path=$W/bin", "x"})},
      {"GitExecPathVariable", run({"GIT_EXEC_PATH=$W/bin", "git", "-C", "$W", "x"})},
      {"GitOnThePath", run({"PATH=$W/bin", "/usr/bin/git", "-C", "$W", "x"})},
      {"GitTrailer", git({"-c", "trailer.t.key=T", "-c", "trailer.t.command=$T", "commit",
                          "--allow-empty", "-m", "x", "--trailer", "t"})},
  };
  return kWays;
}

const std::vector<Way>& other_ways() {
  static const std::vector<Way> kWays = {
      {"GccWrapper", run({"gcc", "-wrapper", "/bin/sh,-c,$T", "-c", "$W/a.c"})},
      {"GccPlantedWrapper", run({"gcc", "-wrapper", "$P", "-c", "$W/a.c"})},
      {"GccOptionsInAFile", run({"gcc", "@$W/words", "-c", "$W/a.c"})},
      {"GccPrefix", run({"gcc", "-B", "$W/bin/", "-c", "$W/a.c"})},
      {"GccSpecs", run({"gcc", "-specs=$W/specs", "$W/a.o"})},
      {"GccCompilerPath", run({"COMPILER_PATH=$W/bin", "gcc", "-c", "$W/a.c"})},
      {"GccAssemblerOnThePath",
       run({"PATH=$W/bin", "/usr/bin/gcc", "-c", "$W/a.c", "-o", "$W/b.o"})},
      {"GccPlugin", run({"RAN=$W/ran", "gcc", "-fplugin=$W/plugin.so", "-c", "$W/a.c"}),
       InTierB::runs},
      {"LinkerPlugin", run({"RAN=$W/ran", "gcc", "-Wl,-plugin,$W/plugin.so", "$W/a.o"}),
       InTierB::runs},
      {"GccPreload", run({"RAN=$W/ran", "LD_PRELOAD=$W/plugin.so", "gcc", "--version"}),
       InTierB::runs},
      {"NmPlugin", run({"RAN=$W/ran", "nm", "--plugin", "$W/plugin.so", "$W/a.o"}), InTierB::runs},
      {"NmPreload", run({"RAN=$W/ran", "LD_PRELOAD=$W/plugin.so", "nm", "--version"}),
       InTierB::runs},
      {"FindExec", run({"find", "$W/a.c", "-exec", "/usr/bin/touch", "$W/ran", ";"})},
      {"FindExecOfMany", run({"find", "$W/a.c", "-exec", "/usr/bin/touch", "$W/ran", "{}", "+"})},
      {"FindExecOfAShell", run({"find", "$W/a.c", "-exec", "sh", "-c", "$T", ";"})},
      {"FindExecOfAPlantedScript", run({"find", "$W/a.c", "-exec", "$P", ";"})},
      {"FindExecInItsDirectory",
       run({"PATH=/usr/bin", "find", "$W/a.c", "-execdir", "/usr/bin/touch", "$W/ran", ";"})},
      {"TarToCommand", run({"tar", "--to-command=$T", "-xf", "$W/in.tar"})},
      {"TarCheckpoint", run({"tar", "-cf", "$W/out.tar", "--checkpoint=1",
                             "--checkpoint-action=exec=$T", "$W/big"})},
      {"TarOptionsVariable", run({"TAR_OPTIONS=--checkpoint=1 --checkpoint-action=exec=$P", "tar",
                                  "-cf", "$W/out.tar", "$W/big"})},
      {"TarCompressor", run({"tar", "-I", "$P", "-cf", "$W/out.tar", "$W/a.c"})},
      {"TarGzipOnThePath", run({"PATH=$W/bin", "/usr/bin/tar", "-czf", "$W/out.tar", "$W/a.c"})},
      {"TarInfoScript", run({"tar", "-cM", "-L", "10", "-F", "$P", "-f", "$W/out.tar", "$W/big"})},

      {"ExecOfAProgram", run({"/usr/bin/touch", "$W/ran"})},
      {"ExecOfAShell", run({"/bin/sh", "-c", "$T"})},
      {"ExecOfALauncher", run({"/usr/bin/env", "/usr/bin/touch", "$W/ran"})},
      {"ExecOfPerl", run({"/usr/bin/perl", "-e", "open F, '>', '$W/ran'"})},
      {"ExecByAnotherName", run({"/usr/lib/../bin/touch", "$W/ran"})},
      {"ExecThroughProc", run({"/proc/self/root/usr/bin/touch", "$W/ran"})},
      {"ExecOfAnOpenFile", {"execute-opened", "/usr/bin/touch", "touch", "$W/ran"}},
      {"ExecOfALink", {"execute-link", "/usr/bin/touch", "$W/link", "$W/ran"}},
      {"ExecOfACopyInTheWorkspace", run({"$W/touch", "$W/ran"})},
      {"ExecOfAPlantedScript", run({"$P"})},
      {"ExecOfAScriptWithoutAFirstLine", run({"$W/bare"})},
      {"ExecOfAScriptOfGit",
       run({"PATH=/usr/lib/git-core:/usr/bin", "FILTER_BRANCH_SQUELCH_WARNING=1",
            "/usr/lib/git-core/git-filter-branch", "-f", "--env-filter", "$T", "HEAD"})},
      {"ExecOfAProgramMadeInTheWorkspace", {"execute-copy", "/usr/bin/touch", "$W/made", "$W/ran"}},
      {"ExecOfAProgramMadeInTmp",
       {"execute-copy", "/usr/bin/touch", "/tmp/made", "$W/ran"},
       InTierB::absent},
      {"ExecOfAProgramMadeInVarTmp",
       {"execute-copy", "/usr/bin/touch", "/var/tmp/made", "$W/ran"},
       InTierB::absent},
      {"ExecOfAProgramMadeInSharedMemory",
       {"execute-copy", "/usr/bin/touch", "/dev/shm/made", "$W/ran"},
       InTierB::absent},
      {"ExecOfAProgramInMemory", {"execute-in-memory", "/usr/bin/touch", "touch", "$W/ran"}},
      {"ExecOfANamelessFile", {"execute-nameless", "/usr/bin/touch", "$W", "touch", "$W/ran"}},

      {"LoaderOfAProgram", run({"$L", "/usr/bin/touch", "$W/ran"}), InTierB::runs},
      {"LoaderOfACopy", run({"$L", "$W/touch", "$W/ran"}), InTierB::runs},
      {"LoaderWithALibrary",
       run({"RAN=$W/ran", "$L", "--preload", "$W/plugin.so", "/usr/bin/nm", "--version"}),
       InTierB::runs},
      {"LoaderOfAShell", run({"$L", "/bin/sh", "-c", ": > $W/ran"}), InTierB::runs},
      {"LoaderOfPerl", run({"$L", "/usr/bin/perl", "-e", "open F, '>', '$W/ran'"}), InTierB::runs},
  };
  return kWays;
}

std::string loader() {
#if defined(__aarch64__)
  return "/lib/ld-linux-aarch64.so.1";
#else
  return "/lib64/ld-linux-x86-64.so.2";
#endif
}

class AnotherProgram : public testing::TestWithParam<Way> {
 protected:
  // Whether something else ran.
  static bool runs(const Policy& policy) {
    const ListedFixture fixture;
    Words words = fixture.filled(GetParam().words);
    for (std::string& word : words) {
      if (word == "$L") word = loader();
    }
    const Outcome outcome = fixture.run_unvalidated(policy, words);
    EXPECT_TRUE(outcome.status == Status::exited || outcome.status == Status::signaled)
        << outcome_json(outcome);
    return fixture.something_ran();
  }
};

TEST_P(AnotherProgram, DoesNotRun) {
  const InTierB in_tier_b = GetParam().in_tier_b;
  if (fixture_tier() == Tier::b && in_tier_b == InTierB::absent) return;
  ASSERT_TRUE(runs(all_allowed())) << "the control: nothing was tried";
  const bool escapes = fixture_tier() == Tier::b && in_tier_b == InTierB::runs;
  EXPECT_EQ(runs(listed()), escapes);
}

INSTANTIATE_TEST_SUITE_P(OfGit, AnotherProgram, testing::ValuesIn(ways_of_git()),
                         [](const auto& one) { return std::string(one.param.name); });
INSTANTIATE_TEST_SUITE_P(OfOthers, AnotherProgram, testing::ValuesIn(other_ways()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(ListedPrograms, AreTriedInManyWays) {
  EXPECT_GE(ways_of_git().size() + other_ways().size(), 60U);
}

// The kernel's own answers. /tmp and the rest have the flag of their mount; libraries have not.
TEST(ListedPrograms, AloneCanBeMapped) {
  const bool has_mounts = fixture_tier() == Tier::c;
  const ListedFixture fixture;
  const auto answer = [&](const Policy& policy, const char* verb, const std::string& path) {
    return said(fixture.run_unvalidated(policy, {verb, path}));
  };
  for (const char* verb : {"map-as-code", "turn-into-code"}) {
    const std::string refused = !has_mounts                          ? "ok"
                                : std::string(verb) == "map-as-code" ? "EPERM"
                                                                     : "EACCES";
    for (const std::string& path :
         {fixture.workspace() + "/plugin.so", std::string("/usr/bin/touch"),
          std::string("/etc/ld.so.cache"), std::string("/etc/hosts")}) {
      EXPECT_EQ(answer(all_allowed(), verb, path), "ok") << path;
      EXPECT_EQ(answer(listed(), verb, path), refused) << verb << " " << path;
    }
    EXPECT_EQ(answer(listed(), verb, "/usr/bin/git"), "ok") << "on the list";
    EXPECT_EQ(answer(listed(), verb, loader()), "ok");
  }
}

TEST(ListedPrograms, WorkAsTheyDoOutside) {
  const std::vector<Words> uses = {
      git({"status"}),
      git({"log", "--stat"}),
      git({"diff", "HEAD~1"}),
      git({"add", "a.c"}),
      git({"commit", "-q", "--allow-empty", "-m", "x"}),
      git({"branch", "new"}),
      git({"checkout", "-q", "new"}),
      git({"merge", "-q", "-s", "ours", "other"}),
      git({"fetch", "-q", "$W/theirs.bundle", "other"}),
      git({"gc", "-q"}),
      git({"stash"}),
      run({"gcc", "-c", "$W/a.c", "-o", "$W/b.o"}),
      run({"gcc", "-O2", "-flto", "$W/a.c", "-o", "$W/program"}),
      run({"nm", "$W/a.o"}),
      run({"find", "$W", "-name", "*.c"}),
      run({"tar", "-cf", "$W/out.tar", "$W/a.c"}),
      run({"tar", "-xf", "$W/in.tar", "-C", "$W"}),
      run({"$G", "print", "again"}),
  };
  const ListedFixture fixture;
  for (const Words& use : uses) {
    const Outcome outcome = fixture.run_unvalidated(listed(), fixture.filled(use));
    EXPECT_EQ(outcome.exit_code, 0) << joined(use) << outcome.stderr_stream.data;
  }
}

// git passes the path of a repository to a shell, and tar the compressor. The list must name both.
TEST(ListedPrograms, NeedTheProgramsThatTheyStart) {
  const ListedFixture fixture;
  const auto exit_code = [&](const Words& words, const Words& more) {
    return fixture.run_unvalidated(listed(more), fixture.filled(words)).exit_code;
  };
  const Words fetch = git({"fetch", "-q", "$W", "other"});
  EXPECT_NE(exit_code(fetch, {}), 0);
  EXPECT_EQ(exit_code(fetch, {"sh"}), 0);
  const Words compress = run({"tar", "-czf", "$W/out.tgz", "$W/a.c"});
  EXPECT_NE(exit_code(compress, {}), 0);
  EXPECT_NE(exit_code(compress, {"sh"}), 0);
  EXPECT_EQ(exit_code(compress, {"sh", "gzip"}), 0);
}

TEST(ListedPrograms, CanRunFromAWorkspaceThatThePolicyOpens) {
  FixturePolicy policy = listed();
  policy.executables.from_workspace = true;
  const ListedFixture fixture;
  EXPECT_EQ(
      said(fixture.run_unvalidated(policy, {"map-as-code", fixture.workspace() + "/plugin.so"})),
      "ok");
  static_cast<void>(
      fixture.run_unvalidated(policy, fixture.filled({"execute", "$W/touch", "$W/ran"})));
  EXPECT_TRUE(fixture.something_ran());
  EXPECT_EQ(said(fixture.run_unvalidated(policy, {"execute", "/usr/bin/touch", fixture.ran()})),
            "EACCES");
}

TEST(ListedPrograms, CanRunFromAGrantThatThePolicyOpens) {
  const ListedFixture fixture;
  fs::copy("/usr/bin/touch", fixture.outside() + "/touch");
  FixturePolicy policy = listed();
  policy.filesystem.read = {fixture.outside()};
  const Words words = {"execute", fixture.outside() + "/touch", fixture.ran()};
  EXPECT_EQ(said(fixture.run_unvalidated(policy, words)), "EACCES");
  EXPECT_FALSE(fixture.something_ran());
  policy.filesystem.read[0].exec = true;
  static_cast<void>(fixture.run_unvalidated(policy, words));
  EXPECT_TRUE(fixture.something_ran());
}

TEST(ListedPrograms, AreInTheReceipt) {
  const ListedFixture fixture;
  const Outcome outcome = fixture.run_unvalidated(listed(), {"print", "x"});
  EXPECT_EQ(layer_state(outcome, "executables"), LayerState::enforced);
  EXPECT_EQ(layer_state(outcome, "executables.memory"), LayerState::enforced);
  EXPECT_EQ(layer_state(outcome, "executables.mapping"),
            fixture_tier() == Tier::c ? LayerState::partial : LayerState::absent);
  const Outcome open = fixture.run_unvalidated(all_allowed(), {"print", "x"});
  for (const auto* layer : {"executables", "executables.mapping", "executables.memory"})
    EXPECT_EQ(layer_state(open, layer), LayerState::not_requested) << layer;
}

}  // namespace
}  // namespace bawn
