// A call, bawn::run() above all, as a launcher: made from a process that has a given amount of
// memory.
//
// That process is made when the launcher is, lives as long, runs on orders from a socket and takes
// the time itself, so that the memory is resident in every round without weighing on the launchers
// beside it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "bench/launcher.h"
#include "policy/policy.h"
#include "request/request.h"
#include "sys/fd.h"

namespace bawn::bench {

struct LibraryCall {
  Policy policy;
  Request request;
  std::string workspace;
  std::size_t resident_bytes = 0;  // what the calling process holds besides its own
};

class LibraryLauncher final : public Launcher {
 public:
  // Of a call that starts the command and waits for it, from several threads at once if that is
  // asked for.
  using Call = std::function<Result<void>()>;

  // Both fork: this process must have one thread only.
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
