#include "backend/windows/relay.h"

#include <condition_variable>
#include <mutex>
#include <string>

#include "backend/windows/system_text.h"

namespace bawn::windows {

struct Relay::Shared {
  HANDLE target = nullptr;
  HANDLE port = nullptr;
  ULONG_PTR key = 0;

  std::mutex lock;
  std::condition_variable changed;
  std::string chunk;
  bool busy = false;
  bool stopping = false;
  DWORD error = 0;

  // Runs in the thread.
  void serve() {
    std::unique_lock held(lock);
    for (;;) {
      changed.wait(held, [&] { return busy || stopping; });
      if (stopping) return;
      held.unlock();
      const DWORD result = write_chunk();
      held.lock();
      error = result;
      busy = false;
      if (!stopping) PostQueuedCompletionStatus(port, 0, key, nullptr);
    }
  }

 private:
  [[nodiscard]] DWORD write_chunk() const {
    std::string_view rest = chunk;
    while (!rest.empty()) {
      DWORD written = 0;
      if (WriteFile(target, rest.data(), static_cast<DWORD>(rest.size()), &written, nullptr) == 0)
        return GetLastError();
      rest.remove_prefix(written);
    }
    return 0;
  }
};

Result<Relay> Relay::create(HANDLE target, HANDLE port, ULONG_PTR key) {
  auto shared = std::make_shared<Shared>();
  shared->target = target;
  shared->port = port;
  shared->key = key;
  // The thread owns a reference, so that one that cannot be stopped in time stays harmless.
  auto share = std::make_unique<std::shared_ptr<Shared>>(shared);
  const auto serve = [](void* given) -> DWORD {
    const std::unique_ptr<std::shared_ptr<Shared>> own(
        static_cast<std::shared_ptr<Shared>*>(given));
    (*own)->serve();
    return 0;
  };
  Handle thread(CreateThread(nullptr, 0, serve, share.get(), 0, nullptr));
  if (!thread) return system_failure(GetLastError(), "start a thread that passes output on");
  static_cast<void>(share.release());
  return Relay(std::move(shared), std::move(thread));
}

Relay::Relay(std::shared_ptr<Shared> shared, Handle thread)
    : shared_(std::move(shared)), thread_(std::move(thread)) {}
Relay::Relay(Relay&&) noexcept = default;
Relay& Relay::operator=(Relay&& other) noexcept {
  stop();
  shared_ = std::move(other.shared_);
  thread_ = std::move(other.thread_);
  return *this;
}
Relay::~Relay() { stop(); }

void Relay::stop() {
  if (!thread_) return;
  {
    const std::lock_guard held(shared_->lock);
    shared_->stopping = true;
  }
  shared_->changed.notify_one();
  // Repeated, because a write may begin just after an attempt to cancel.
  constexpr int kAttempts = 10;
  constexpr DWORD kPauseMs = 10;
  for (int i = 0;
       i < kAttempts && WaitForSingleObject(thread_.get(), i == 0 ? 0 : kPauseMs) != WAIT_OBJECT_0;
       ++i)
    CancelSynchronousIo(thread_.get());
  thread_.reset();
}

void Relay::put(std::string_view bytes) {
  {
    const std::lock_guard held(shared_->lock);
    shared_->chunk = bytes;
    shared_->busy = true;
  }
  shared_->changed.notify_one();
}

bool Relay::busy() const {
  const std::lock_guard held(shared_->lock);
  return shared_->busy;
}

DWORD Relay::error() const {
  const std::lock_guard held(shared_->lock);
  return shared_->error;
}

}  // namespace bawn::windows
