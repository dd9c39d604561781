// Tools that developers use all day, without any option: `bawn run -- CMD`. For an interactive
// shell see terminal_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "caller.h"

namespace bawn {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

bool is_installed(std::string_view program) {
  return access(concat("/usr/bin/", program).c_str(), X_OK) == 0;
}

class Tool : public testing::Test {
 protected:
  Tool() { caller.set_variable("PATH", "/usr/local/bin:/usr/bin:/bin"); }

  // The command's output. Fails the test if the command failed.
  std::string run(const Words& command) const {
    const Answer answer = caller.call(joined({"run", "--"}, command));
    EXPECT_EQ(answer.exit_code, 0) << command.front() << ": " << answer.out << answer.err;
    return answer.out;
  }

  void file(const std::string& name, std::string_view content) const {
    const auto path = std::filesystem::path(caller.workspace()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
  }

  Caller caller;
};

#define REQUIRE_TOOL(program) \
  if (!is_installed(program)) GTEST_SKIP() << program " is not installed"

TEST_F(Tool, Python) {
  REQUIRE_TOOL("python3");
  EXPECT_EQ(run({"python3", "-c",
                 "import json, multiprocessing, sqlite3, ssl, subprocess, tempfile\n"
                 "with multiprocessing.Pool(2) as pool: print(sum(pool.map(abs, [-1, -2])))\n"
                 "print(subprocess.check_output(['echo', 'child'], text=True), end='')\n"
                 "print(tempfile.TemporaryFile().write(b'four'))"}),
            "3\nchild\n4\n");
}

TEST_F(Tool, PythonTests) {
  REQUIRE_TOOL("python3");
  file("tests/__init__.py", "");
  file("tests/test_sum.py",
       "import pathlib, tempfile, unittest\n"
       "class Sum(unittest.TestCase):\n"
       "    def test_sum(self): self.assertEqual(1 + 1, 2)\n"
       "    def test_file(self):\n"
       "        with tempfile.TemporaryDirectory() as place: pathlib.Path(place, "
       "'made').write_text('text')\n");
  const Answer passed = caller.call({"run", "--", "python3", "-m", "unittest", "discover"});
  EXPECT_EQ(passed.exit_code, 0) << passed.err;
  EXPECT_THAT(passed.err, HasSubstr("Ran 2 tests"));
  file("tests/test_wrong.py",
       "import unittest\nclass Wrong(unittest.TestCase):\n    def test(self): self.assertEqual(1, "
       "2)\n");
  EXPECT_EQ(caller.call({"run", "--", "python3", "-m", "unittest", "discover"}).exit_code, 1)
      << "the control: a test that fails";
}

TEST_F(Tool, Node) {
  REQUIRE_TOOL("node");
  EXPECT_EQ(run({"node", "-e",
                 "require('fs').writeFileSync('made', 'text');"
                 "console.log(require('child_process').execSync('cat made').toString(), 6 * 7)"}),
            "text 42\n");
}

TEST_F(Tool, NpmFromALocalFolder) {
  REQUIRE_TOOL("npm");
  file("greeting/package.json", R"({"name": "greeting", "version": "1.0.0", "main": "index.js"})");
  file("greeting/index.js", "module.exports = 'hello from a package'");
  file("package.json",
       R"({"name": "app", "version": "1.0.0", "dependencies": {"greeting": "file:greeting"}})");
  file("package-lock.json", R"({
    "name": "app", "version": "1.0.0", "lockfileVersion": 3, "requires": true,
    "packages": {
      "": {"name": "app", "version": "1.0.0", "dependencies": {"greeting": "file:greeting"}},
      "greeting": {"version": "1.0.0"},
      "node_modules/greeting": {"resolved": "greeting", "link": true}
    }})");
  run({"npm", "ci", "--no-audit", "--no-fund"});
  EXPECT_EQ(run({"node", "-p", "require('greeting')"}), "hello from a package\n");
}

TEST_F(Tool, Git) {
  REQUIRE_TOOL("git");
  run({"git", "init", "--quiet"});
  run({"git", "config", "user.name", "Somebody"});
  run({"git", "config", "user.email", "somebody@example.org"});
  file("text", "one\n");
  EXPECT_EQ(run({"git", "status", "--short"}), "?? text\n");
  run({"git", "add", "text"});
  run({"git", "commit", "--quiet", "--message", "One"});
  EXPECT_THAT(run({"git", "log", "--oneline"}), HasSubstr(" One\n"));
  EXPECT_EQ(run({"git", "status", "--short"}), "");
}

TEST_F(Tool, CompilerAndWhatItMade) {
  REQUIRE_TOOL("gcc");
  file("hello.c",
       "#include <pthread.h>\n#include <stdio.h>\n"
       "static void* say(void* text) { puts(text); return NULL; }\n"
       "int main(void) { pthread_t t; pthread_create(&t, NULL, say, \"hello\"); return "
       "pthread_join(t, NULL); }\n");
  run({"gcc", "-Wall", "-Werror", "-pthread", "-o", "hello", "hello.c"});
  EXPECT_EQ(run({"./hello"}), "hello\n");
}

TEST_F(Tool, ParallelMake) {
  REQUIRE_TOOL("make");
  file("Makefile", "all: a b\n\tcat a b > all\na b:\n\techo $@ > $@\n");
  run({"make", "-j2", "--silent"});
  EXPECT_EQ(run({"cat", "all"}), "a\nb\n");
}

TEST_F(Tool, Tar) {
  file("tree/leaf", "green\n");
  run({"tar", "-czf", "tree.tar.gz", "tree"});
  std::filesystem::remove_all(caller.workspace() + "/tree");
  run({"tar", "-xzf", "tree.tar.gz"});
  EXPECT_EQ(run({"cat", "tree/leaf"}), "green\n");
}

// find sees every directory that it may enter. Directories of the host that it may not enter are
// errors that find reports.
TEST_F(Tool, FindFromTheRoot) {
  const Answer answer =
      caller.call({"run", "--", "find", "/", "-path", "/proc", "-prune", "-o", "-print"});
  EXPECT_THAT(answer.exit_code, AnyOf(0, 1)) << answer.err;
  EXPECT_THAT(answer.out, StartsWith("/\n"));
  EXPECT_THAT(answer.out, HasSubstr("\n/usr/bin/find\n"));
  EXPECT_THAT(answer.out, HasSubstr(concat("\n", caller.workspace(), "\n")));
  EXPECT_THAT(answer.out, testing::Not(HasSubstr(caller.outside())));
}

TEST_F(Tool, ProgramWrittenInGo) {
  REQUIRE_TOOL("fzf");
  const Answer answer =
      caller.call({"run", "--", "fzf", "--filter", "nee"}, {.in = "hay\nneedle\nstraw\n"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, "needle\n");
}

TEST_F(Tool, ProgramWrittenInRust) {
  REQUIRE_TOOL("rg");
  file("hay/stack", "straw\nneedle\n");
  EXPECT_EQ(run({"rg", "--no-heading", "needle", "."}), "./hay/stack:needle\n");
}

}  // namespace
}  // namespace bawn
