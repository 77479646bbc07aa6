#include "measure/exchange.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "kernels/measure/exchange_params.hlsli"
#include "measure/exchange_chain.hpp"
#include "measure/median.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint32_t clock_samples = 5;

// A chain that ran right, and its row.
struct Ready {
  std::size_t row = 0;
  ExchangeChain chain;
};

bool fits(const DeviceInfo& info, std::uint32_t threads) {
  return std::has_single_bit(threads) && threads <= info.limits.group_threads &&
         threads <= CROSSLANE_EXCHANGE_MOST_THREADS && threads >= info.wave_sizes.standard;
}

// Chains of that many threads, verified; rows of all.
Expected<std::vector<Ready>> prepare(Device& device, std::uint32_t threads, Exchange& result) {
  std::vector<Ready> ready;
  for (const ExchangeKind& kind : exchange_kinds) {
    ExchangeRow& row = result.rows.emplace_back();
    row.kind = kind.name;
    row.threads = threads;
    if (kind.name == "fft_shuffle" && device.info().wave_sizes.standard < 4) {
      row.note = "a transform's four threads are no lanes of one wave";
      continue;
    }
    auto chain = ExchangeChain::create(device, kind, threads, false);
    if (!chain && chain.error().code == ErrorCode::unsupported) {
      row.note = chain.error().message;
      continue;
    }
    if (!chain) {
      return tl::unexpected(std::move(chain.error()));
    }
    auto fault = chain->verify();
    if (!fault) {
      return tl::unexpected(std::move(fault.error()));
    }
    row.fault = *std::move(fault);
    result.wave_size = chain->wave_size();
    if (row.fault.empty()) {
      ready.push_back({result.rows.size() - 1, *std::move(chain)});
    }
  }
  return ready;
}

std::uint32_t whole_rounds(std::uint32_t steps) {
  return std::max(steps / CROSSLANE_EXCHANGE_UNROLLED, 1U) * CROSSLANE_EXCHANGE_UNROLLED;
}

// On a GPU so many that they take a hundred times what a dispatch does.
std::uint32_t steps_for(const Device& device, const ExchangeOptions& options) {
  constexpr std::uint32_t on_a_gpu = 1U << 14U;
  constexpr std::uint32_t on_a_processor = 1U << 8U;
  return whole_rounds(options.steps.value_or(device.info().kind == DeviceKind::gpu ? on_a_gpu : on_a_processor));
}

Expected<void> measure_latency(std::vector<Ready>& ready, const ExchangeOptions& options, Exchange& result) {
  std::vector<Sample> samples;
  samples.reserve(ready.size());
  for (const Ready& one : ready) {
    samples.emplace_back([&chain = one.chain, steps = result.steps]() -> Expected<double> {
      const auto shorter = chain.time(steps, 1);
      const auto longer = shorter ? chain.time(2 * steps, 1) : shorter;
      constexpr double nanoseconds = 1e6;  // of a millisecond
      return longer ? Expected<double>((*longer - *shorter) * nanoseconds / steps) : longer;
    });
  }
  auto rounds = take_turns(samples, options.rounds);
  if (!rounds) {
    return tl::unexpected(std::move(rounds.error()));
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    result.rows[ready[i].row].nanoseconds = estimate_median(rounds->times_ms[i]);
  }
  return {};
}

// With so many groups that every processor is full several times over.
Expected<void> measure_throughput(const DeviceInfo& info, std::vector<Ready>& ready, Exchange& result) {
  if (info.kind != DeviceKind::gpu) {
    return {};
  }
  constexpr std::uint32_t threads_of_a_processor = 2048;
  constexpr std::uint32_t processors_unknown = 64;
  constexpr std::uint32_t rounds = 4;
  for (const Ready& one : ready) {
    ExchangeRow& row = result.rows[one.row];
    const std::uint32_t processors = info.processors != 0 ? info.processors : processors_unknown;
    const std::uint32_t groups =
        std::min(processors * threads_of_a_processor / row.threads * rounds, most_exchange_groups);
    const std::uint32_t steps = whole_rounds(result.steps / 8);
    std::vector<double> times;
    for (std::uint32_t i = 0; i < clock_samples; ++i) {
      const auto time = one.chain.time(steps, groups);
      if (!time) {
        return tl::unexpected(time.error());
      }
      times.push_back(*time);
    }
    const double seconds = median(times) / 1e3;
    if (seconds > 0.0) {
      row.per_second = static_cast<double>(groups) * row.threads * steps / seconds;
    }
  }
  return {};
}

Expected<void> measure_cycles(Device& device, std::vector<Ready>& ready, Exchange& result) {
  for (const Ready& one : ready) {
    ExchangeRow& row = result.rows[one.row];
    const auto* const kind = std::ranges::find(exchange_kinds, row.kind, &ExchangeKind::name);
    const auto chain = ExchangeChain::create(device, *kind, row.threads, true);
    if (!chain && chain.error().code == ErrorCode::unsupported) {
      result.clock_note = chain.error().message;
      return {};
    }
    if (!chain) {
      return tl::unexpected(chain.error());
    }
    std::vector<double> samples;
    for (std::uint32_t i = 0; i < clock_samples; ++i) {
      const auto ticks = chain->ticks(result.steps);
      if (!ticks) {
        return tl::unexpected(ticks.error());
      }
      samples.push_back(*ticks);
    }
    row.cycles = median(samples);
  }
  return {};
}

}  // namespace

const ExchangeRow* Exchange::find(std::string_view kind, std::uint32_t threads) const {
  const auto found = std::ranges::find_if(
      rows, [&](const ExchangeRow& row) { return row.kind == kind && row.threads == threads && row.nanoseconds; });
  return found == rows.end() ? nullptr : &*found;
}

bool Exchange::right() const {
  return std::ranges::all_of(rows, [](const ExchangeRow& row) { return row.fault.empty(); });
}

std::optional<double> Exchange::store_nanoseconds(std::uint32_t threads) const {
  const auto* const whole = find("groupshared", threads);
  const auto* const barrier = find("barrier", threads);
  const auto* const arithmetic = find("none", threads);
  const auto* const load = find("load", threads);
  if (whole == nullptr || barrier == nullptr || arithmetic == nullptr || load == nullptr) {
    return std::nullopt;
  }
  const double barrier_alone = barrier->nanoseconds->median - arithmetic->nanoseconds->median;
  return whole->nanoseconds->median - 2.0 * barrier_alone - load->nanoseconds->median;
}

Expected<Exchange> measure_exchange(Device& device, const ExchangeOptions& options) {
  Exchange result;
  result.steps = steps_for(device, options);
  if (device.info().kind == DeviceKind::machine) {
    result.clock_note = "the wave machine has no clock of its own: what it takes is the host's time";
  }
  for (const std::uint32_t threads : options.threads) {
    if (!fits(device.info(), threads)) {
      continue;
    }
    if (options.progress) {
      options.progress(threads);
    }
    auto ready = prepare(device, threads, result);
    if (!ready) {
      return tl::unexpected(std::move(ready.error()));
    }
    const auto done =
        measure_latency(*ready, options, result)
            .and_then([&] { return measure_throughput(device.info(), *ready, result); })
            .and_then(
                [&] { return result.clock_note.empty() ? measure_cycles(device, *ready, result) : Expected<void>{}; });
    if (!done) {
      return tl::unexpected(done.error());
    }
  }
  return result;
}

}  // namespace crosslane::measure
