#include "bench/spawn/measure.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <random>

#include "base/text.h"

namespace bawn::bench {
namespace {

constexpr unsigned kWarmUpRounds = 3;
// The number of batches in which throughput is measured; they take turns like the single runs.
constexpr unsigned kBatches = 4;

// One launcher and its measurements so far.
struct Entrant {
  Launcher* launcher;
  std::vector<double> ms{};
  std::optional<long> peak_rss_kib{};
  std::vector<double> batch_seconds{};  // one for each value of Effort::parallel
  std::string failure{};                // "" while it works
};

double seconds(Elapsed elapsed) { return std::chrono::duration<double>(elapsed).count(); }

unsigned runs_a_batch(const Effort& effort) { return std::max(1U, effort.runs / kBatches); }

using Turn = std::function<Result<void>(Entrant& entrant)>;

// Gives every launcher one turn per round, in a new order each time. A launcher leaves work behind
// (the kernel dismantles namespaces after the exit), and a fixed successor would always pay for it.
// The orders are the same in every run of the program.
class Rounds {
 public:
  explicit Rounds(std::vector<Entrant>& entrants) {
    for (Entrant& entrant : entrants) order_.push_back(&entrant);
  }

  void take_turns(const Turn& turn) {
    std::shuffle(order_.begin(), order_.end(), dice_);
    for (Entrant* entrant : order_) {
      if (!entrant->failure.empty()) continue;
      if (const auto done = turn(*entrant); !done) entrant->failure = done.error().message;
    }
  }

 private:
  std::vector<Entrant*> order_;
  std::minstd_rand dice_;
};

Result<void> note_peak_rss(Entrant& entrant) {
  BAWN_ASSIGN(entrant.peak_rss_kib, entrant.launcher->peak_rss_kib());
  return {};
}

Result<void> warm_up(Entrant& entrant) {
  BAWN_TRY(entrant.launcher->run_once());
  return {};
}

Result<void> note_time(Entrant& entrant) {
  BAWN_ASSIGN(const Elapsed elapsed, entrant.launcher->run_once());
  entrant.ms.push_back(seconds(elapsed) * 1000);
  return {};
}

void measure_throughput(std::vector<Entrant>& entrants, Rounds& rounds, const Effort& effort) {
  for (const unsigned parallel : effort.parallel) {
    for (Entrant& entrant : entrants) entrant.batch_seconds.push_back(0);
    for (unsigned batch = 0; batch < kBatches; ++batch) {
      rounds.take_turns([&](Entrant& entrant) -> Result<void> {
        BAWN_ASSIGN(const Elapsed elapsed,
                    entrant.launcher->run_many(parallel, runs_a_batch(effort)));
        entrant.batch_seconds.back() += seconds(elapsed);
        return {};
      });
    }
  }
}

Row row_of(const Entrant& entrant, const Effort& effort) {
  Row row{.name = entrant.launcher->name(),
          .isolation = entrant.launcher->isolation(),
          .ms = quantiles_of(entrant.ms),
          .peak_rss_kib = entrant.peak_rss_kib};
  const double runs = runs_a_batch(effort) * kBatches;
  for (std::size_t i = 0; i < effort.parallel.size(); ++i) {
    row.throughput.push_back({effort.parallel[i], runs / entrant.batch_seconds[i]});
  }
  return row;
}

std::string describe_host() {
  utsname name{};
  uname(&name);
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  return concat(name.sysname, " ", name.release, " ", name.machine, ", ", cpus,
                cpus == 1 ? " CPU" : " CPUs");
}

}  // namespace

Report measure(Field field, const Effort& effort) {
  std::vector<Entrant> entrants;
  for (const auto& launcher : field.launchers) entrants.push_back({.launcher = launcher.get()});
  Rounds rounds(entrants);

  rounds.take_turns(note_peak_rss);  // first, because this process is still small
  for (unsigned round = 0; round < kWarmUpRounds; ++round) rounds.take_turns(warm_up);
  for (unsigned round = 0; round < effort.runs; ++round) rounds.take_turns(note_time);
  measure_throughput(entrants, rounds, effort);

  Report report{.host = describe_host(),
                .user = geteuid() == 0 ? "root" : "ordinary user",
                .command = std::move(field.command),
                .tier = field.tier,
                .runs = effort.runs,
                .left_out = std::move(field.left_out)};
  for (const Entrant& entrant : entrants) {
    if (entrant.failure.empty()) {
      report.rows.push_back(row_of(entrant, effort));
    } else {
      report.left_out.push_back(
          {entrant.launcher->name(), concat("failed while measured: ", entrant.failure)});
    }
  }
  return report;
}

}  // namespace bawn::bench
