#include "validate/argument/network_program.h"

#include <algorithm>
#include <array>

namespace bawn {
namespace {

constexpr std::string_view kCurlValues =
    "--cacert --capath --cert --cert-type --ciphers --config --connect-timeout --continue-at "
    "--cookie --cookie-jar --create-file-mode --data --data-ascii --data-binary --data-raw "
    "--data-urlencode --dump-header --form --form-string --header --interface --json --key "
    "--limit-rate --max-filesize --max-redirs --max-time --netrc-file --noproxy --oauth2-bearer "
    "--output --output-dir --pass --pinnedpubkey --proto --proxy-user --quote --range --rate "
    "--referer --request --request-target --retry --retry-delay --retry-max-time --speed-limit "
    "--speed-time --stderr --tls-max --trace --trace-ascii --upload-file --url-query --user "
    "--user-agent --variable --write-out";
constexpr std::string_view kWgetValues =
    "--append-output --body-data --body-file --ca-certificate --certificate --config --cut-dirs "
    "--directory-prefix --execute --header --http-password --http-user --input-file --level "
    "--limit-rate --load-cookies --method --output-document --output-file --password --post-data "
    "--post-file --private-key --quota --reject --save-cookies --timeout --tries --user "
    "--user-agent --wait";
constexpr std::string_view kSshLetters = "bcDEeFIiLlmOPpQRSw";

constexpr NetworkProgram ssh_like(std::string_view name, HostOperands operands) {
  return {.name = name,
          .operands = operands,
          .value_letters = kSshLetters,
          .setting_letters = "o",
          .host_letters = "JW"};
}

constexpr NetworkProgram nc_named(std::string_view name) {
  return {.name = name,
          .operands = HostOperands::first,
          .value_letters = "eGgIiMmOPpqsTVWwX",
          .host_letters = "x",
          .host_options = "--proxy"};
}

constexpr NetworkProgram httpie_named(std::string_view name, std::uint16_t port) {
  return {
      .name = name,
      .operands = HostOperands::first,
      .port = port,
      .value_letters = "aAops",
      .value_options = "--auth --auth-type --output --print --session --style --timeout --verify",
      .host_options = "--proxy"};
}

constexpr std::array kNetworkPrograms{
    NetworkProgram{.name = "aria2c",
                   .operands = HostOperands::every,
                   .port = 80,
                   .value_letters = "adijklosxU"},
    NetworkProgram{
        .name = "axel", .operands = HostOperands::every, .port = 80, .value_letters = "HUonsST"},
    NetworkProgram{.name = "curl",
                   .operands = HostOperands::every,
                   .port = 80,
                   .value_letters = "AbcCdDeEFHKmoPQrtTuUwXyYz",
                   .host_letters = "x",
                   .value_options = kCurlValues,
                   .host_options = "--connect-to --doh-url --preproxy --proxy --proxy1.0 --resolve "
                                   "--socks4 --socks4a --socks5 --socks5-hostname --url"},
    NetworkProgram{.name = "dig",
                   .operands = HostOperands::dotted,
                   .value_letters = "bcfkpqty",
                   .host_letters = "x"},
    NetworkProgram{.name = "delv", .operands = HostOperands::dotted, .value_letters = "abcdipqtx"},
    NetworkProgram{
        .name = "drill", .operands = HostOperands::dotted, .value_letters = "bcdfikopqruwyW"},
    NetworkProgram{.name = "elinks", .operands = HostOperands::every, .port = 80},
    NetworkProgram{.name = "ftp", .operands = HostOperands::first, .value_letters = "NoPqrsT"},
    NetworkProgram{.name = "getent", .operands = HostOperands::dotted, .value_letters = "s"},
    NetworkProgram{.name = "git", .operands = HostOperands::git, .value_letters = "Cc"},
    NetworkProgram{.name = "host", .operands = HostOperands::dotted, .value_letters = "ctmNRW"},
    httpie_named("http", 80),
    httpie_named("https", 443),
    NetworkProgram{.name = "kdig", .operands = HostOperands::dotted, .value_letters = "bcdkpqtxy"},
    NetworkProgram{.name = "lftp", .operands = HostOperands::every, .value_letters = "cefpu"},
    NetworkProgram{.name = "links", .operands = HostOperands::every, .port = 80},
    NetworkProgram{.name = "lynx", .operands = HostOperands::every, .port = 80},
    NetworkProgram{
        .name = "mariadb", .value_letters = "DPSeu", .host_letters = "h", .host_options = "--host"},
    NetworkProgram{.name = "mosh", .operands = HostOperands::first, .value_letters = "p"},
    NetworkProgram{
        .name = "mtr", .operands = HostOperands::first, .value_letters = "BcFfGiImoPsUZ"},
    NetworkProgram{
        .name = "mysql", .value_letters = "DPSeu", .host_letters = "h", .host_options = "--host"},
    nc_named("nc"),
    nc_named("nc.openbsd"),
    nc_named("nc.traditional"),
    nc_named("ncat"),
    nc_named("netcat"),
    NetworkProgram{.name = "nmap", .operands = HostOperands::every, .value_letters = "DegiopST"},
    NetworkProgram{.name = "nslookup", .operands = HostOperands::dotted},
    NetworkProgram{.name = "openssl", .host_options = "-connect -host -proxy"},
    NetworkProgram{
        .name = "ping", .operands = HostOperands::first, .value_letters = "cFiIlmMpQsStTwW"},
    NetworkProgram{
        .name = "ping6", .operands = HostOperands::first, .value_letters = "cFiIlmMpQsStTwW"},
    NetworkProgram{.name = "psql",
                   .value_letters = "cdfFoPRTUvL",
                   .host_letters = "h",
                   .value_options = "--command --dbname --file --username --variable",
                   .host_options = "--host"},
    NetworkProgram{.name = "redis-cli", .value_letters = "pnadrix", .host_letters = "h"},
    NetworkProgram{
        .name = "rsync",
        .operands = HostOperands::remote_path,
        .value_letters = "BefMT",
        .value_options =
            "--exclude --exclude-from --filter --include --include-from --files-from --rsh"},
    ssh_like("scp", HostOperands::remote_path),
    ssh_like("sftp", HostOperands::first),
    NetworkProgram{.name = "socat", .operands = HostOperands::socat},
    ssh_like("ssh", HostOperands::first),
    NetworkProgram{.name = "ssh-copy-id", .operands = HostOperands::first, .value_letters = "iopt"},
    NetworkProgram{.name = "ssh-keyscan", .operands = HostOperands::every, .value_letters = "fpTt"},
    NetworkProgram{.name = "telnet", .operands = HostOperands::first, .value_letters = "belnSX"},
    NetworkProgram{.name = "tracepath", .operands = HostOperands::first, .value_letters = "lmp"},
    NetworkProgram{
        .name = "traceroute", .operands = HostOperands::first, .value_letters = "fgimNpqstwz"},
    NetworkProgram{
        .name = "w3m", .operands = HostOperands::every, .port = 80, .value_letters = "toT"},
    NetworkProgram{.name = "wget",
                   .operands = HostOperands::every,
                   .port = 80,
                   .value_letters = "aABDeiIlnoOPQRtTUwX",
                   .value_options = kWgetValues,
                   .host_options = "--base"},
    NetworkProgram{.name = "whois",
                   .operands = HostOperands::first,
                   .value_letters = "gipst",
                   .host_letters = "h"},
    httpie_named("xh", 80),
    httpie_named("xhs", 443),
};

}  // namespace

const NetworkProgram* network_program(std::string_view name) {
  const auto found =
      std::find_if(kNetworkPrograms.begin(), kNetworkPrograms.end(),
                   [&](const NetworkProgram& program) { return program.name == name; });
  return found == kNetworkPrograms.end() ? nullptr : &*found;
}

}  // namespace bawn
