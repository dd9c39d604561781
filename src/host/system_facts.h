// What is true of a system on every machine, before anything is tried. Probing (host/probe.h)
// starts from it; tests that ask what a policy means elsewhere use it as it is.
#pragma once

#include <array>
#include <string_view>

#include "host/facts.h"

namespace bawn {

// What tier c shows of Linux, read-only: whole directories, single settings with neighbours
// together (each directory is entered once), and devices. Missing ones are left out.
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

[[nodiscard]] HostFacts linux_facts();
[[nodiscard]] HostFacts macos_facts();
[[nodiscard]] HostFacts windows_facts();

}  // namespace bawn
