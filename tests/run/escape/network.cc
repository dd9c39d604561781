// The host's network, and changes to the run's network.

#include <sys/socket.h>

#include "attempt.h"
#include "policy/egress_policy.h"

namespace bawn::escape {
namespace {

void network_open(FixturePolicy& policy) { policy.egress.mode = EgressMode::allow_all; }
Words socket_of(int family, int type, int protocol) {
  return {"any-socket", std::to_string(family), std::to_string(type), std::to_string(protocol)};
}
const Words kStream = socket_of(AF_INET, SOCK_STREAM, 0);

}  // namespace

const std::vector<Attempt>& attempts_on_the_network() {
  static const std::vector<Attempt> kAttempts = {
      {"ServerOnLoopback", {"connect-tcp", "{tcp}"}, "ECONNREFUSED", granted_by(network_open)},
      {"ServerOnLoopback6",
       {"connect-tcp6", "{tcp6}", "::1"},
       "ECONNREFUSED|EADDRNOTAVAIL",
       granted_by(network_open)},
      {"ServerByMappedAddress",
       {"connect-tcp6", "{tcp}", "::ffff:127.0.0.1"},
       "ECONNREFUSED|ENETUNREACH",
       granted_by(network_open)},
      {"DatagramOut", {"send-udp", "192.0.2.1"}, "ENETUNREACH", within({"send-udp", "127.0.0.1"})},
      {"DatagramToMetadata",
       {"send-udp", "169.254.169.254"},
       "ENETUNREACH",
       within({"send-udp", "127.0.0.1"})},
      {"AbstractSocket", {"connect-unix", "{abstract}"}, "ECONNREFUSED|EPERM", outside()},
      {"PathSocket", {"connect-unix", "{outside}/agent"}, "ENOENT", outside()},
      {"PathSocketByLink", {"connect-unix", "{workspace}/agent-link"}, "ENOENT", outside()},
      {"DatagramPair", {"connect-datagram-pair", "{outside}/log", "2"}, "ENOENT", outside()},
      {"RawSocket", socket_of(AF_INET, SOCK_RAW, 1), "EPERM", within(kStream)},
      {"RawSocket6", socket_of(AF_INET6, SOCK_RAW, 58), "EPERM",
       within(socket_of(AF_INET6, SOCK_STREAM, 0))},
      {"PacketSocket", socket_of(AF_PACKET, SOCK_RAW, 0), "EAFNOSUPPORT", within(kStream)},
      {"VsockSocket", socket_of(AF_VSOCK, SOCK_STREAM, 0), "EAFNOSUPPORT", within(kStream)},
      {"AlgSocket", socket_of(AF_ALG, SOCK_SEQPACKET, 0), "EAFNOSUPPORT", within(kStream)},
      {"BluetoothSocket", socket_of(AF_BLUETOOTH, SOCK_RAW, 1), "EAFNOSUPPORT", within(kStream)},
      {"CanSocket", socket_of(AF_CAN, SOCK_RAW, 1), "EAFNOSUPPORT", within(kStream)},
      {"XdpSocket", socket_of(AF_XDP, SOCK_RAW, 0), "EAFNOSUPPORT", within(kStream)},
      {"KeySocket", socket_of(AF_KEY, SOCK_RAW, 2), "EAFNOSUPPORT", within(kStream)},
      {"NetlinkOfFirewall", socket_of(AF_NETLINK, SOCK_RAW, 12), "EAFNOSUPPORT",
       within(socket_of(AF_NETLINK, SOCK_RAW, 0))},
      {"NetlinkOfEvents", socket_of(AF_NETLINK, SOCK_RAW, 15), "EAFNOSUPPORT",
       within(socket_of(AF_NETLINK, SOCK_RAW, 0))},
      {"NetlinkOfAudit", socket_of(AF_NETLINK, SOCK_RAW, 9), "EAFNOSUPPORT",
       within(socket_of(AF_NETLINK, SOCK_RAW, 0))},
      {"GenericNetlink", socket_of(AF_NETLINK, SOCK_RAW, 16), "EAFNOSUPPORT",
       within(socket_of(AF_NETLINK, SOCK_RAW, 0))},
      {"FamilyWithHighBits",
       {"socket-with-high-bits", "40"},
       "EAFNOSUPPORT",
       within({"socket-with-high-bits", "2"})},
      {"ChangeALink", {"set-link"}, "EPERM", within({"list-links"})},
      {"ChangeAnInterface", {"set-interface"}, "EPERM", within({"look-at-interface"})},
      {"MarkPackets", {"mark-packets"}, "EPERM", within(kStream)},
  };
  return kAttempts;
}

}  // namespace bawn::escape
