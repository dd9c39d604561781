// A library call, mainly bawn::run(), as a launcher. It is made from a process that holds a given
// amount of memory.
//
// That process is forked when the launcher is created and lives as long. It takes orders from a
// socket and measures the time itself. So its memory is resident in every round and does not slow
// down the other launchers.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "bench/spawn/launcher.h"
#include "policy/policy.h"
#include "request/request.h"
#include "sys/fd.h"

namespace bawn::bench {

struct LibraryCall {
  Policy policy;
  Request request;
  std::string workspace;
  std::size_t resident_bytes = 0;  // additional resident memory of the calling process
};

class LibraryLauncher final : public Launcher {
 public:
  // Starts the command and waits for it. May be called from several threads at once.
  using Call = std::function<Result<void>()>;

  // Both fork: the process must have one thread.
  [[nodiscard]] static Result<std::unique_ptr<Launcher>> create(std::string name,
                                                                std::string isolation,
                                                                const LibraryCall& call);
  [[nodiscard]] static Result<std::unique_ptr<Launcher>> create(std::string name,
                                                                std::string isolation,
                                                                const Call& call,
                                                                std::size_t resident_bytes);
  ~LibraryLauncher() override;

  Result<void> try_once() override;
  Result<Elapsed> run_once() override { return run_many(1, 1); }
  Result<Elapsed> run_many(unsigned parallel, unsigned count) override;
  Result<std::optional<long>> peak_rss_kib() override { return std::optional<long>(); }

 private:
  LibraryLauncher(std::string name, std::string isolation, pid_t caller, Fd orders);

  pid_t caller_;
  Fd orders_;
};

}  // namespace bawn::bench
