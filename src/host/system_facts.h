// Facts that hold on every machine with this operating system, before anything is probed.
//
// Probing (host/probe.h) starts from them. Tests use them to ask what a policy means on another
// system.
#pragma once

#include <array>
#include <string_view>

#include "host/facts.h"

namespace bawn {

// Host paths that every tier c root shows read-only: whole directories, single settings, and
// devices. Neighbours are listed together because init opens each directory once. Paths that do not
// exist are left out.
inline constexpr std::array<std::string_view, 10> kRootSystemPaths = {
    "/usr",   "/bin",    "/sbin", "/lib",       "/lib32",
    "/lib64", "/libx32", "/opt",  "/nix/store", "/gnu/store"};
inline constexpr std::array<std::string_view, 15> kRootSettingPaths = {
    "/etc/alternatives", "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
    "/etc/ld.so.cache",  "/etc/ld.so.conf",      "/etc/ld.so.conf.d",    "/etc/localtime",
    "/etc/os-release",   "/etc/protocols",       "/etc/services",        "/etc/timezone",
    "/etc/ssl/certs",    "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs"};
inline constexpr std::array<std::string_view, 5> kRootDevicePaths = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

// Pure. Available on every system, whichever it is built for.
[[nodiscard]] HostFacts linux_facts();
[[nodiscard]] HostFacts macos_facts();
[[nodiscard]] HostFacts windows_facts();

}  // namespace bawn
