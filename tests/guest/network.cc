// Ways to the network of the host, and ways to change the command's own.

#include <arpa/inet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "guest.h"

namespace guest {
namespace {

int make_any_socket(const Arguments& arguments) {
  return answer(socket(static_cast<int>(number(arguments.at(0))),
                       static_cast<int>(number(arguments.at(1))),
                       static_cast<int>(number(arguments.at(2)))) != -1);
}

int connect_tcp6(const Arguments& arguments) {
  const int fd = socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(static_cast<uint16_t>(number(arguments.at(0))));
  inet_pton(AF_INET6, arguments.at(1).c_str(), &address.sin6_addr);
  return answer(fd != -1 &&
                connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

int send_udp(const Arguments& arguments) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(53);
  inet_pton(AF_INET, arguments.at(0).c_str(), &address.sin_addr);
  return answer(fd != -1 &&
                sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&address), sizeof address) == 1);
}

// stdin may be a socket in another network namespace.
int reconnect_stdin(const Arguments& arguments) {
  sockaddr_in address{};
  address.sin_family = AF_UNSPEC;
  connect(0, reinterpret_cast<sockaddr*>(&address), sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(number(arguments.at(0))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return answer(connect(0, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

int change_loopback(unsigned long request) {
  ifreq what{};
  std::strcpy(what.ifr_name, "lo");
  what.ifr_flags = IFF_UP;
  return answer(ioctl(socket(AF_INET, SOCK_DGRAM, 0), request, &what) == 0);
}
int set_interface(const Arguments& /*arguments*/) { return change_loopback(SIOCSIFFLAGS); }
int look_at_interface(const Arguments& /*arguments*/) { return change_loopback(SIOCGIFFLAGS); }

// Sends one message to rtnetlink; its answer carries the errno.
int tell_netlink(unsigned short type, unsigned short flags) {
  const int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  struct {
    nlmsghdr head;
    ifinfomsg link;
  } message{};
  message.head = {sizeof message, type, static_cast<__u16>(NLM_F_REQUEST | flags), 1, 0};
  message.link.ifi_index = 1;
  message.link.ifi_change = IFF_UP;
  message.link.ifi_flags = IFF_UP;
  alignas(nlmsghdr) char reply[8192];
  if (fd == -1 || send(fd, &message, sizeof message, 0) == -1 ||
      recv(fd, reply, sizeof reply, 0) == -1)
    return answer(false);
  const auto* head = reinterpret_cast<const nlmsghdr*>(reply);
  if (head->nlmsg_type != NLMSG_ERROR) return answer(true);
  errno = -reinterpret_cast<const nlmsgerr*>(head + 1)->error;
  return answer(errno == 0);
}
int set_link(const Arguments& /*arguments*/) { return tell_netlink(RTM_NEWLINK, NLM_F_ACK); }
int list_links(const Arguments& /*arguments*/) { return tell_netlink(RTM_GETLINK, NLM_F_DUMP); }

int mark_packets(const Arguments& /*arguments*/) {
  return answer(setsockopt(socket(AF_INET, SOCK_DGRAM, 0), SOL_SOCKET, SO_MARK, "\1\0\0\0", 4) ==
                0);
}

// Leaves a process that would answer, if it outlived the run.
int leave_listener(const Arguments& arguments) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, arguments.at(0).data(), arguments.at(0).size());
  const bool listens = fd != -1 &&
                       bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                       listen(fd, 1) == 0;
  if (!listens) return answer(false);
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
  return answer(true);
}

constexpr Verb kVerbs[] = {
    {"any-socket", make_any_socket},  {"leave-listener", leave_listener},
    {"connect-tcp6", connect_tcp6},   {"send-udp", send_udp},
    {"set-interface", set_interface}, {"look-at-interface", look_at_interface},
    {"set-link", set_link},           {"list-links", list_links},
    {"mark-packets", mark_packets},   {"reconnect-stdin", reconnect_stdin},
};

}  // namespace

const std::span<const Verb> kNetworkVerbs = kVerbs;

}  // namespace guest
