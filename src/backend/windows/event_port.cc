#include "backend/windows/event_port.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "backend/windows/system_text.h"

namespace bawn::windows {
namespace {

constexpr ULONG_PTR kStopKey = 1;
constexpr ULONG_PTR kRearmKey = 2;
static_assert(kRearmKey < kFirstFreeKey);

}  // namespace

struct EventPort::Shared {
  Handle port;
  Handle event;
  std::mutex lock;
  std::vector<Completion> packets;
  Supervisor::Moment wakes_at;

  // Runs in the thread.
  void serve() {
    for (;;) {
      Completion packet;
      OVERLAPPED* done = nullptr;
      packet.well =
          GetQueuedCompletionStatus(port.get(), &packet.bytes, &packet.key, &done, patience()) != 0;
      const bool is_packet = packet.well || done != nullptr;
      if (!is_packet && GetLastError() != WAIT_TIMEOUT) return;
      if (is_packet && packet.key == kStopKey) return;
      if (is_packet && packet.key == kRearmKey) continue;
      const std::lock_guard held(lock);
      if (is_packet) {
        packets.push_back(packet);
      } else {
        wakes_at.reset();
      }
      SetEvent(event.get());
    }
  }

 private:
  [[nodiscard]] DWORD patience() {
    const std::lock_guard held(lock);
    if (!wakes_at) return INFINITE;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*wakes_at - Supervisor::Clock::now()).count();
    return static_cast<DWORD>(std::clamp<long long>(left, 0, 60'000));
  }
};

Result<EventPort> EventPort::create() {
  auto shared = std::make_unique<Shared>();
  shared->port = Handle(CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 1));
  if (!shared->port) return system_failure(GetLastError(), "create a completion port");
  shared->event = Handle(CreateEventW(nullptr, TRUE, FALSE, nullptr));
  if (!shared->event) return system_failure(GetLastError(), "create an event");
  const auto serve = [](void* given) -> DWORD {
    static_cast<Shared*>(given)->serve();
    return 0;
  };
  Handle thread(CreateThread(nullptr, 0, serve, shared.get(), 0, nullptr));
  if (!thread) return system_failure(GetLastError(), "start a thread that waits for the run");
  return EventPort(std::move(shared), std::move(thread));
}

EventPort::EventPort(std::unique_ptr<Shared> shared, Handle thread)
    : shared_(std::move(shared)), thread_(std::move(thread)) {}
EventPort::EventPort(EventPort&&) noexcept = default;

EventPort::~EventPort() {
  if (!shared_) return;
  PostQueuedCompletionStatus(shared_->port.get(), 0, kStopKey, nullptr);
  WaitForSingleObject(thread_.get(), INFINITE);
}

HANDLE EventPort::port() const { return shared_->port.get(); }
HANDLE EventPort::event() const { return shared_->event.get(); }

void EventPort::wake_at(Supervisor::Moment moment) {
  {
    const std::lock_guard held(shared_->lock);
    if (moment == shared_->wakes_at) return;
    shared_->wakes_at = moment;
  }
  PostQueuedCompletionStatus(shared_->port.get(), 0, kRearmKey, nullptr);
}

std::vector<Completion> EventPort::take() {
  const std::lock_guard held(shared_->lock);
  ResetEvent(shared_->event.get());
  return std::exchange(shared_->packets, {});
}

}  // namespace bawn::windows
