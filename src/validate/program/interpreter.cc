#include "validate/program/interpreter.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "validate/program/program_name.h"
#include "validate/shell/shell_words.h"

namespace bawn {
namespace {

constexpr auto kCode = Interpreter::First::code;
constexpr auto kScript = Interpreter::First::script;

constexpr Interpreter shell(std::string_view family, std::string_view code_options = "") {
  return {family, "c", "oO", code_options, "--rcfile --init-file", kScript, true};
}

constexpr Interpreter plain(std::string_view family) {
  return {family, "", "", "", "", kScript, false};
}

constexpr Interpreter awk(std::string_view family) {
  return {family, "e",  "Ffvil", "--source", "--file --assign --field-separator --include --load",
          kCode,  false};
}

// Sorted by family.
constexpr std::array kInterpreters{
    plain("abduco"),  // starts the program it is given
    plain("ant"),     // build files run any command
    shell("ash"),
    plain("asy"),  // system()
    awk("awk"),    // system(), pipes and files from the program text
    shell("bash"),
    plain("bazel"),  // build files run any command
    plain("bmake"),
    Interpreter{"bpftrace", "e", "", "", ""},  // system()
    shell("brush"),
    shell("bsd-csh"),
    plain("buildah"),  // containers run anything
    Interpreter{"bun", "ep", "", "--eval --print", ""},
    plain("bunx"),
    plain("cabal"),
    plain("capsh"),  // starts a shell
    plain("cargo"),  // build.rs, aliases
    plain("clickhouse"),
    plain("clisp"),
    plain("clojure"),
    Interpreter{"cmake", "", "", "-P -E", ""},  // -E env, -P script, execute_process
    Interpreter{
        "cmd", "", "", "/c /k -c -k", "", kScript,
        true},  // "-c" too: Windows words have '/' translated (backend/windows/syntax/words.h)
    plain("cpack"),
    plain("crond"),  // an applet that starts programs
    plain("crystal"),
    plain("cscript"),
    shell("csh"),
    plain("csi"),
    plain("ctest"),
    plain("cttyhack"),   // an applet that starts programs
    plain("daemonize"),  // starts the program it is given
    shell("dash"),
    Interpreter{"dc", "e", "f", "--expression", "--file", kScript, false},  // "!command"
    Interpreter{"deno", "", "", "eval repl", ""},
    plain("direnv"),  // runs commands named in words or files
    plain("dmd"),
    plain("docker"),  // containers run anything
    plain("dotnet"),
    plain("dtach"),  // starts the program it is given
    plain("duckdb"),
    plain("dune"),
    plain("ecl"),
    plain("ed"),  // "!command"
    plain("elixir"),
    shell("elvish"),
    Interpreter{"emacs", "", "l", "--eval -eval --execute -execute --funcall -f", "--load"},
    Interpreter{"emacsclient", "e", "", "--eval", ""},
    Interpreter{"erl", "", "", "-eval", ""},
    shell("es"),
    plain("escript"),
    Interpreter{"ex", "c", "", "--cmd -c", ""},
    Interpreter{"expect", "c", "", "", ""},
    shell("fish", "--command --init-command"),
    plain("ftp"),  // "!command"
    awk("gawk"),
    Interpreter{"gdb", "", "", "-ex --ex -eval-command --eval-command -iex --init-eval-command",
                ""},
    plain("gdbserver"),  // starts the program it is given
    Interpreter{"ghc", "e", "", "", ""},
    Interpreter{"ghci", "e", "", "", ""},
    plain("gimp"),
    Interpreter{"gjs", "c", "", "--command", ""},
    plain("gmake"),
    Interpreter{"gnuplot", "e", "", "", ""},  // system()
    plain("go"),                              // run, generate, test
    plain("gprolog"),
    plain("gradle"),
    Interpreter{"groovy", "e", "", "", ""},
    plain("gs"),  // %pipe%
    plain("gsi"),
    Interpreter{"guile", "c", "", "", ""},
    plain("guix"),
    plain("httpd"),  // an applet that starts programs
    shell("hush"),
    plain("hyperfine"),  // runs commands named in words or files
    plain("idle"),
    Interpreter{"iex", "e", "", "--eval", ""},
    plain("ifup"),   // an applet that starts programs
    plain("inetd"),  // an applet that starts programs
    Interpreter{"ipython", "c", "", "", ""},
    plain("irb"),
    plain("java"),
    plain("jimsh"),
    plain("jjs"),
    Interpreter{"jruby", "e", "", "", ""},
    Interpreter{"js", "e", "", "", ""},
    plain("jshell"),
    Interpreter{"julia", "eE", "", "--eval --print", ""},
    Interpreter{"jupyter", "", "", "", ""},
    plain("just"),
    plain("kotlin"),
    shell("ksh"),
    plain("ldc"),
    shell("lksh"),
    Interpreter{"lldb", "o", "", "--one-line", ""},
    plain("lli"),
    plain("lpd"),  // an applet that starts programs
    Interpreter{"lua", "e", "l", "", ""},
    Interpreter{"luajit", "e", "l", "", ""},
    Interpreter{"luatex", "", "", "", ""},
    plain("m4"),                                                        // syscmd, esyscmd
    Interpreter{"make", "", "CfIoWj", "--eval", "--directory --file"},  // recipes are shell code
    Interpreter{"mariadb", "e", "", "--execute", ""},
    awk("mawk"),
    plain("maxima"),
    plain("mdev"),   // an applet that starts programs
    plain("meson"),  // run_command
    Interpreter{"micropython", "c", "", "", ""},
    plain("mise"),
    plain("mispipe"),  // starts the program it is given
    shell("mksh"),
    plain("mongosh"),
    plain("mono"),
    plain("mshta"),
    plain("mvn"),
    Interpreter{"mysql", "e", "", "--execute", ""},  // "\! command"
    awk("nawk"),
    plain("nerdctl"),  // containers run anything
    plain("nim"),
    plain("ninja"),  // build files run any command
    plain("ninja-build"),
    plain("nix"),
    plain("nix-build"),
    plain("nix-shell"),
    Interpreter{"node", "ep", "r", "--eval --print", "--require --import --loader"},
    Interpreter{"nodejs", "ep", "r", "--eval --print", "--require --import --loader"},
    plain("npm"),
    plain("npx"),
    shell("nu", "--commands"),
    Interpreter{"nvim", "c", "", "--cmd", ""},
    plain("ocaml"),
    plain("ocamlrun"),
    Interpreter{"octave", "", "", "--eval", ""},
    plain("octave-cli"),
    shell("oksh"),
    plain("opam"),
    plain("openvt"),  // an applet that starts programs
    awk("original-awk"),
    Interpreter{"osascript", "e", "", "", ""},
    shell("osh"),
    shell("pdksh"),
    plain("pee"),   // starts the program it is given
    plain("perf"),  // starts the program it is given
    Interpreter{"perl", "eE", "", "", ""},
    Interpreter{"php", "rBRE", "cdfz", "--run --process-begin --process-code --process-end",
                "--file"},
    plain("pnpm"),
    plain("podman"),      // containers run anything
    plain("popmaildir"),  // an applet that starts programs
    shell("posh"),
    Interpreter{"powershell", "", "", "-command -c -encodedcommand -e -ec", "", kScript, true},
    Interpreter{"psql", "c", "dhpUf", "--command", ""},  // "\! command"
    Interpreter{"pwsh", "", "", "-command -c -encodedcommand -e -ec", "", kScript, true},
    Interpreter{"pypy", "c", "WX", "", ""},
    Interpreter{"python", "cm", "WX", "", ""},  // -m runs any module that can be found
    plain("qemu-i"),                            // qemu-i386
    plain("qemu-x"),                            // qemu-x86_64
    Interpreter{"qjs", "e", "I", "--eval", ""},
    Interpreter{"r", "e", "", "", ""},
    plain("racket"),
    plain("rake"),
    Interpreter{"raku", "e", "", "", ""},
    shell("rbash"),
    shell("rc"),
    plain("rdmd"),
    plain("remake"),
    plain("rlwrap"),  // starts the program it is given
    plain("rr"),      // starts the program it is given
    Interpreter{"rscript", "e", "", "", ""},
    Interpreter{"ruby", "e", "IrCEFTWx", "", ""},
    plain("run-parts"),  // runs every program of a directory
    plain("runcon"),     // starts the program it is given
    plain("rundll"),
    plain("runghc"),
    plain("runhaskell"),
    plain("runsv"),     // an applet that starts programs
    plain("runsvdir"),  // an applet that starts programs
    plain("rustup"),
    shell("rzsh"),
    plain("samu"),
    shell("sash"),
    Interpreter{"sbcl", "", "", "--eval", "--load --script"},
    Interpreter{"scala", "e", "", "", ""},
    plain("scons"),
    plain("screen"),  // starts a shell that outlives the call
    plain("sftp"),    // "!command"
    shell("sh"),
    Interpreter{"sqlite", "", "", "-cmd", "", kScript, false},  // ".shell command"
    plain("stack"),
    plain("start-stop-daemon"),  // starts the program it is given
    plain("svlogd"),             // an applet that starts programs
    Interpreter{"swift", "e", "", "", ""},
    plain("swipl"),
    plain("tcc"),
    plain("tclsh"),
    plain("tcpsvd"),  // an applet that starts programs
    shell("tcsh"),
    plain("telnetd"),    // an applet that starts programs
    plain("terraform"),  // runs commands named in words or files
    plain("texlua"),
    plain("tmux"),  // starts a shell that outlives the call
    plain("ts-node"),
    plain("udhcpc"),  // an applet that starts programs
    plain("udpsvd"),  // an applet that starts programs
    plain("utop"),
    plain("uv"),
    plain("uvx"),
    Interpreter{"vi", "c", "", "--cmd", ""},
    Interpreter{"view", "c", "", "--cmd", ""},
    Interpreter{"vim", "c", "", "--cmd", ""},
    Interpreter{"vimdiff", "c", "", "--cmd", ""},
    plain("volta"),
    plain("wasmer"),
    plain("wasmtime"),
    plain("watchexec"),  // runs commands named in words or files
    plain("wine"),
    plain("wish"),
    plain("wscript"),
    shell("xonsh"),
    plain("xterm"),  // starts the program it is given
    plain("yap"),
    plain("yarn"),
    shell("yash"),
    shell("ysh"),
    plain("zig"),
    shell("zsh"),
};
static_assert(std::is_sorted(kInterpreters.begin(), kInterpreters.end(),
                             [](const Interpreter& a, const Interpreter& b) {
                               return a.family < b.family;
                             }));

bool is_listed(std::string_view list, std::string_view word) {
  if (word.empty()) return false;
  for (const std::string_view item : split(list, ' ')) {
    if (item == word) return true;
  }
  return false;
}

const Interpreter* find_family(std::string_view family) {
  const auto at =
      std::lower_bound(kInterpreters.begin(), kInterpreters.end(), family,
                       [](const Interpreter& a, std::string_view b) { return a.family < b; });
  return at != kInterpreters.end() && at->family == family ? &*at : nullptr;
}

// Reads the options of one call up to the code, the script or the end.
class CodeSearch {
 public:
  CodeSearch(const Interpreter& interpreter, std::span<const std::string> args)
      : interpreter_(interpreter), args_(args) {}

  CodeUse run() {
    while (at_ < args_.size() && !out_.inline_code) {
      const std::string_view word = args_[at_];
      const bool is_option = is_option_word(word);
      if (!is_option && !is_listed(interpreter_.code_options, ascii_lower(word))) break;
      ++at_;
      if (word == "--") break;
      if (!read_long(word) && is_option && word.size() > 1 && word[1] != '-') read_cluster(word);
    }
    finish();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_option_word(std::string_view word) const {
    if (word.size() < 2) return false;
    return word.front() == '-' || (interpreter_.is_shell && word.front() == '+');
  }

  bool read_long(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string name = ascii_lower(word.substr(0, equals));
    if (is_listed(interpreter_.code_options, name)) {
      out_.inline_code = true;
      out_.code =
          equals != std::string_view::npos ? std::string(word.substr(equals + 1)) : take_next();
      return true;
    }
    if (is_listed(interpreter_.value_options, name)) {
      if (equals == std::string_view::npos) take_next();
      return true;
    }
    return false;
  }

  void read_cluster(std::string_view word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const bool has_code = interpreter_.code_letters.find(word[i]) != std::string_view::npos;
      if (interpreter_.is_shell) {
        read_shell_letter(word[i]);
      } else if (has_code || interpreter_.value_letters.find(word[i]) != std::string_view::npos) {
        const std::string_view rest = word.substr(i + 1);
        std::string value = rest.empty() ? take_next() : std::string(rest);
        out_.inline_code = has_code;
        if (has_code) out_.code = std::move(value);
        if (!has_code && word[i] == 'f') names_script_ = true;
        return;
      }
    }
  }

  // A letter of a shell never takes the rest of its word: `sh -ce CODE`, `bash -euo pipefail`.
  void read_shell_letter(char letter) {
    if (letter == 's') reads_stdin_ = true;
    if (interpreter_.code_letters.find(letter) != std::string_view::npos)
      code_is_first_operand_ = true;
    if (interpreter_.value_letters.find(letter) != std::string_view::npos) take_next();
  }

  void finish() {
    if (out_.inline_code) return;
    const bool has_operand = at_ < args_.size();
    if (code_is_first_operand_ ||
        (interpreter_.first_operand == Interpreter::First::code && has_operand && !names_script_)) {
      out_.inline_code = true;
      out_.code = take_next();
    } else {
      out_.reads_stdin = reads_stdin_ || (!has_operand && !names_script_);
    }
  }

  std::string take_next() {
    return at_ < args_.size() ? args_[at_++] : std::string(1, kUnknownByte);
  }

  const Interpreter& interpreter_;
  std::span<const std::string> args_;
  std::size_t at_ = 0;
  bool code_is_first_operand_ = false;
  bool names_script_ = false;
  bool reads_stdin_ = false;
  CodeUse out_;
};

}  // namespace

const Interpreter* find_interpreter(std::string_view name) {
  const std::string plain_name = plain_program_name(base_name(name));
  if (const Interpreter* exact = find_family(plain_name)) return exact;
  return find_family(program_family(plain_name));
}

CodeUse find_code(const Interpreter& interpreter, std::span<const std::string> args) {
  return CodeSearch(interpreter, args).run();
}

}  // namespace bawn
