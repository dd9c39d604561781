#include "validate/environment_rules.h"

#include <algorithm>
#include <array>
#include <string>

namespace bawn {
namespace {

using Names = std::string_view;  // separated by one space

enum class Case { as_spelled, any };

struct Group {
  VariableDanger danger = VariableDanger::code_injection;
  Case letters = Case::as_spelled;
  std::string_view reason = {};
  Names names = {};     // matched exactly
  Names prefixes = {};  // start of a name
  Names suffixes = {};  // end of a name
  Names harmless = {};  // exact names that prefixes and suffixes do not cover
};

constexpr std::string_view kReserved =
    "CDPATH EUID HOME IFS LOGNAME OLDPWD PATH PATHEXT PPID PWD SANDBOX_RUNTIME SHELL SHLVL "
    "SYSTEMROOT TEMP TMP TMPDIR UID USER USERNAME USERPROFILE WINDIR _";
constexpr std::string_view kReservedPrefixes = "BAWN";

// Variables of the dynamic loader, and those by which the C library opens a file of the caller's
// choice.
constexpr std::string_view kLoader =
    "GCONV_PATH GETCONF_DIR GLIBC_TUNABLES HOSTALIASES LIBPATH LOCALDOMAIN LOCPATH MALLOC_TRACE "
    "NIS_PATH NLSPATH RESOLV_HOST_CONF RES_OPTIONS SHLIB_PATH TERMCAP TERMINFO TERMINFO_DIRS TZDIR";
constexpr std::string_view kLoaderPrefixes = "DYLD_ LD_ _RLD";

constexpr std::string_view kShell =
    "BASHOPTS BASH_COMPAT BASH_ENV BASH_LOADABLES_PATH BASH_XTRACEFD ENV FPATH HISTFILE INPUTRC "
    "NULLCMD PROMPT_COMMAND PS0 PS1 PS2 PS4 READNULLCMD SHELLOPTS ZDOTDIR";
constexpr std::string_view kShellPrefixes = "BASH_FUNC_ FISH_ __BASH_FUNC";

constexpr std::string_view kLanguages =
    "ANT_ARGS ANT_HOME ANT_OPTS AWKLIBPATH AWKPATH BUNDLE_GEMFILE BUN_OPTIONS CABAL_CONFIG "
    "CABAL_DIR CAML_LD_LIBRARY_PATH CLASSPATH DENO_DIR ELECTRON_OVERRIDE_DIST_PATH "
    "ELECTRON_RUN_AS_NODE ELIXIR_ERL_OPTIONS EMACSDATA ERL_AFLAGS ERL_COMPILER_OPTIONS ERL_FLAGS "
    "ERL_LIBS ERL_ZFLAGS GEM_HOME GEM_PATH GHCRTS GHC_ENVIRONMENT GHC_PACKAGE_PATH GRADLE_OPTS "
    "GRADLE_USER_HOME GROOVY_HOME IPYTHONDIR JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS JDK_HOME "
    "JDK_JAVAC_OPTIONS JDK_JAVA_OPTIONS JRUBY_OPTS JULIA_DEPOT_PATH JULIA_LOAD_PATH M2_HOME "
    "MAVEN_ARGS MAVEN_CONFIG MAVEN_OPTS MIX_EXS MIX_HOME MYPYPATH NODE_COMPILE_CACHE NODE_OPTIONS "
    "NODE_PATH NODE_REPL_EXTERNAL_MODULE OCAMLFIND_CONF OCAMLLIB OCAMLPATH OCAMLRUNPARAM OPAMROOT "
    "PHPRC PHP_INI_SCAN_DIR PYTEST_ADDOPTS PYTEST_PLUGINS RUBYGEMS_GEMDEPS RUBYLIB RUBYOPT "
    "RUBYSHELL R_DEFAULT_PACKAGES R_ENVIRON R_ENVIRON_USER R_HOME R_LIBS R_LIBS_USER R_PROFILE "
    "R_PROFILE_USER SBCL_HOME SBT_OPTS STACK_ROOT TCLLIBPATH TCL_LIBRARY TK_LIBRARY _JAVA_OPTIONS";
constexpr std::string_view kLanguagePrefixes =
    "BUNDLE_ CORECLR_ COR_ DOTNET_ GUILE_ JUPYTER_ LUA_ PERL PYTHON TS_NODE_ UV_ VIRTUALENV_";
constexpr std::string_view kLanguageHarmless =
    "DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO PERL_HASH_SEED PERL_UNICODE PYTHONDONTWRITEBYTECODE "
    "PYTHONFAULTHANDLER PYTHONHASHSEED PYTHONIOENCODING PYTHONNOUSERSITE PYTHONOPTIMIZE "
    "PYTHONSAFEPATH PYTHONUNBUFFERED PYTHONUTF8 PYTHONVERBOSE PYTHON_COLORS UV_THREADPOOL_SIZE";

constexpr std::string_view kGitPrefixes = "GIT_";
constexpr std::string_view kGitHarmless =
    "GIT_AUTHOR_DATE GIT_AUTHOR_EMAIL GIT_AUTHOR_NAME GIT_COMMITTER_DATE GIT_COMMITTER_EMAIL "
    "GIT_COMMITTER_NAME GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT";

// A compiler or linker flag can name a plug-in or a wrapper program.
constexpr std::string_view kBuild =
    "AR AS CC CFLAGS COLLECT_GCC COLLECT_LTO_WRAPPER COMPILER_PATH CONFIG_SITE CPATH "
    "CPLUS_INCLUDE_PATH CPP CPPFLAGS CXX CXXFLAGS C_INCLUDE_PATH FC FFLAGS GCC_EXEC_PREFIX "
    "GNUMAKEFLAGS GOAUTH GOBIN GOCACHEPROG GOENV GOFLAGS GOMODCACHE GOPATH GOPRIVATE GOPROXY "
    "GOROOT GOTOOLCHAIN GOTOOLDIR GOVCS GOWORK HOSTCC HOSTCXX LD LDFLAGS LEX LIBRARY_PATH M4PATH "
    "MAKE MAKEFILES MAKEFLAGS MAKEOVERRIDES MAKESHELL MESON_ARGS MFLAGS NINJAFLAGS NM OBJC OBJCOPY "
    "OBJDUMP PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR RANLIB RUSTC RUSTC_LINKER "
    "RUSTC_WORKSPACE_WRAPPER RUSTC_WRAPPER RUSTDOC RUSTDOCFLAGS RUSTFLAGS RUSTUP_HOME "
    "RUSTUP_TOOLCHAIN STRIP YACC";
constexpr std::string_view kBuildPrefixes =
    "CARGO_ CCACHE_ CGO_ CMAKE_ DISTCC_ ICECC_ NIX_ SCCACHE_";
constexpr std::string_view kBuildHarmless =
    "CARGO_INCREMENTAL CARGO_NET_OFFLINE CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN "
    "CARGO_TERM_QUIET CARGO_TERM_VERBOSE CGO_ENABLED CMAKE_BUILD_PARALLEL_LEVEL CMAKE_BUILD_TYPE "
    "CMAKE_COLOR_DIAGNOSTICS CMAKE_EXPORT_COMPILE_COMMANDS";

constexpr std::string_view kPackagePrefixes =
    "COMPOSER_ CONDA_ COREPACK_ HOMEBREW_ NPM_CONFIG_ PIPX_ PIP_ POETRY_ YARN_ npm_config_";
constexpr std::string_view kPackageHarmless =
    "NPM_CONFIG_AUDIT NPM_CONFIG_FUND NPM_CONFIG_LOGLEVEL PIP_DISABLE_PIP_VERSION_CHECK "
    "PIP_NO_COLOR PIP_NO_INPUT PIP_QUIET npm_config_audit npm_config_fund npm_config_loglevel";

constexpr std::string_view kPrograms =
    "APT_CONFIG ASAN_SYMBOLIZER_PATH AUTOSSH_PATH BABL_PATH BORG_PASSCOMMAND BORG_RSH BROWSER "
    "BZR_SSH CUDA_INJECTION64_PATH CURL_HOME CVS_RSH DIFFPROG EDITOR EMACSLOADPATH EXINIT FCEDIT "
    "FREI0R_PATH FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS GDK_PIXBUF_MODULE_FILE GEGL_PATH "
    "GIO_EXTRA_MODULES GIO_MODULE_DIR GI_TYPELIB_PATH GREP_OPTIONS GTK_MODULES GTK_PATH GZIP "
    "HELM_PLUGINS HGEDITOR KRB5_CONFIG KUBECTL_EXTERNAL_DIFF LADSPA_PATH LESS LESSCLOSE LESSKEY "
    "LESSKEYIN LESSOPEN LIBGL_DRIVERS_PATH LIBVA_DRIVERS_PATH LLVM_SYMBOLIZER_PATH LUAINPUTS "
    "MANOPT MORE MYVIMRC ODBCINI ODBCSYSINI OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES P4EDITOR "
    "PAGER PSQLRC PULSE_DLPATH QML2_IMPORT_PATH QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH "
    "RCLONE_PASSWORD_COMMAND RESTIC_PASSWORD_COMMAND RIPGREP_CONFIG_PATH RSH RSYNC_CONNECT_PROG "
    "RSYNC_RSH RSYNC_SHELL SASL_CONF_PATH SASL_PATH SCREENRC SDL_DYNAMIC_API SQLITE_HISTORY "
    "SUDO_ASKPASS SUDO_EDITOR SVN_SSH SYSTEMD_EDITOR TAR_OPTIONS TERMINAL TEXINPUTS "
    "VDPAU_DRIVER_PATH VIM VIMINIT VIMRUNTIME VISUAL WGETRC ZIPOPT shell_escape";
constexpr std::string_view kProgramPrefixes =
    "ANSIBLE_ DIRENV_ GPG GROFF_ GST_PLUGIN_ HG MAGICK_ OCL_ICD_ PARALLEL QEMU_ SSH_ SSLKEYLOG "
    "TEXMF TF_CLI_ VALGRIND_ VK_";
constexpr std::string_view kProgramSuffixes = "PAGER _ASKPASS _EDITOR _PAGER";

constexpr std::string_view kConfig =
    "DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY "
    "XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR "
    "XDG_STATE_HOME";

constexpr std::string_view kProxySuffixes = "_PROXY";
constexpr std::string_view kTrust =
    "CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED REQUESTS_CA_BUNDLE "
    "SSL_CERT_DIR SSL_CERT_FILE";

constexpr std::string_view kCredentials =
    "ANTHROPIC_API_KEY APIKEY API_KEY BOTO_CONFIG DOCKER_CONFIG DOCKER_HOST GH_TOKEN GITHUB_TOKEN "
    "GNUPGHOME GOOGLE_APPLICATION_CREDENTIALS GPG_AGENT_INFO KRB5CCNAME KUBECONFIG MYSQL_PWD NETRC "
    "PASSWORD PGPASSFILE PGPASSWORD SECRET SSHPASS SSH_AGENT_PID SSH_AUTH_SOCK TOKEN";
constexpr std::string_view kCredentialPrefixes = "AWS_ AZURE_ CLOUDSDK_ VAULT_";
constexpr std::string_view kCredentialSuffixes =
    "_ACCESS_KEY _ACCESS_KEY_ID _APIKEY _API_KEY _CREDENTIAL _CREDENTIALS _PASSPHRASE _PASSWD "
    "_PASSWORD _PRIVATE_KEY _SECRET _SECRET_KEY _TOKEN";
constexpr std::string_view kCredentialHarmless = "AWS_DEFAULT_REGION AWS_REGION";

constexpr std::array kGroups{
    Group{.danger = VariableDanger::reserved,
          .letters = Case::any,
          .reason = "is set by bawn itself",
          .names = kReserved,
          .prefixes = kReservedPrefixes},
    Group{.danger = VariableDanger::credential,
          .letters = Case::any,
          .reason = "carries or points to credentials",
          .names = kCredentials,
          .prefixes = kCredentialPrefixes,
          .suffixes = kCredentialSuffixes,
          .harmless = kCredentialHarmless},
    Group{.letters = Case::any,
          .reason = "makes the loader or the C library open files of its choice",
          .names = kLoader,
          .prefixes = kLoaderPrefixes},
    Group{.reason = "makes shells run code at start", .names = kShell, .prefixes = kShellPrefixes},
    Group{.reason = "makes a language runtime load code or options",
          .names = kLanguages,
          .prefixes = kLanguagePrefixes,
          .harmless = kLanguageHarmless},
    Group{.reason = "can make git run hooks, pagers, editors or another repository's settings",
          .prefixes = kGitPrefixes,
          .harmless = kGitHarmless},
    Group{.reason = "decides which programs or plug-ins a build runs",
          .names = kBuild,
          .prefixes = kBuildPrefixes,
          .harmless = kBuildHarmless},
    Group{.reason = "can point a package manager at other sources, scripts or settings",
          .prefixes = kPackagePrefixes,
          .harmless = kPackageHarmless},
    Group{.reason = "names a program or settings that other programs obey",
          .names = kPrograms,
          .prefixes = kProgramPrefixes,
          .suffixes = kProgramSuffixes},
    Group{.reason = "moves the place where programs look for settings or services",
          .names = kConfig},
    Group{.letters = Case::any,
          .reason = "sends network traffic through another host",
          .suffixes = kProxySuffixes},
    Group{.reason = "changes which certificates TLS clients trust", .names = kTrust},
};

template <class Predicate>
bool any_of_names(Names names, Predicate predicate) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (predicate(names.substr(0, end))) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

bool is_among(Names names, std::string_view name) {
  return any_of_names(names, [&](std::string_view each) { return each == name; });
}

bool is_exactly(const Group& group, std::string_view name) { return is_among(group.names, name); }

bool has_affix(const Group& group, std::string_view name) {
  if (is_among(group.harmless, name)) return false;
  return any_of_names(group.prefixes,
                      [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         any_of_names(group.suffixes,
                      [&](std::string_view suffix) { return name.ends_with(suffix); });
}

std::string ascii_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

}  // namespace

std::optional<VariableRule> variable_rule(std::string_view name) {
  const std::string upper = ascii_upper(name);
  // An exact name is more precise than a prefix: SSH_AUTH_SOCK is a credential, though SSH_* is
  // code injection.
  for (const auto matches : {is_exactly, has_affix}) {
    for (const Group& group : kGroups) {
      if (matches(group, group.letters == Case::any ? std::string_view(upper) : name)) {
        return VariableRule{group.danger, group.reason};
      }
    }
  }
  return std::nullopt;
}

}  // namespace bawn
