// How long it takes until a neighbour's value is there: chains of dependent exchanges by shuffles and through
// groupshared memory, by the number of threads in a group; what the parts of the latter take; and 8-point Fourier
// transforms.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "measure/rounds.hpp"
#include "measure/statistics.hpp"

namespace crosslane::measure {

/// A step of a chain, as kernels/measure/exchange.hlsl has it.
struct ExchangeKind {
  std::string_view name;
  std::string_view meaning;
  bool of_waves = false;  ///< needs shuffles
  bool fft = false;
};

/// In the order in which they are told.
inline constexpr std::array exchange_kinds = {
    ExchangeKind{"none", "an addition and an xor, which need no other thread"},
    ExchangeKind{"up", "WaveShuffleUp and an addition", true},
    ExchangeKind{"down", "WaveShuffleDown and an addition", true},
    ExchangeKind{"xor", "WaveShuffleXor and an addition", true},
    ExchangeKind{"index", "WaveShuffle and an addition", true},
    ExchangeKind{"rotate", "WaveRotate and an addition", true},
    ExchangeKind{"groupshared", "store, barrier, load, barrier, and an addition"},
    ExchangeKind{"barrier", "a barrier, an addition and an xor"},
    ExchangeKind{"load", "a load from groupshared memory whose address is what was loaded before"},
    ExchangeKind{"fft_groupshared", "an 8-point Fourier transform, 2 points a thread, through groupshared memory",
                 false, true},
    ExchangeKind{"fft_shuffle", "the same by shuffles", true, true},
};

struct ExchangeOptions {
  std::vector<std::uint32_t> threads = {32, 64, 128, 256, 512, 1024};        ///< of a group; powers of two
  RoundsOptions rounds = {.least = 7, .enough = 0.02, .most_seconds = 0.4};  ///< of each number of threads
  /// Steps of a chain; nothing: as many as last long enough for the device's clock.
  std::optional<std::uint32_t> steps = {};
  std::function<void(std::uint32_t threads)> progress = {};  ///< before each number of threads
};

struct ExchangeRow {
  std::string kind;
  std::uint32_t threads = 0;
  std::optional<Estimate> nanoseconds = {};  ///< of a step, by timestamps: what a chain twice as long takes more
  std::optional<double> cycles = {};         ///< of a step, by the processor's clock, median
  std::optional<double> per_second = {};     ///< steps of threads in a second with the device full
  std::string fault;                         ///< what is wrong with the results; then it was not timed
  std::string note;                          ///< why it was not run
};

struct Exchange {
  std::uint32_t wave_size = 0;
  std::uint32_t steps = 0;
  std::vector<ExchangeRow> rows;
  std::string clock_note;  ///< why there are no cycles; empty where there are

  [[nodiscard]] const ExchangeRow* find(std::string_view kind, std::uint32_t threads) const;
  [[nodiscard]] bool right() const;
  /// The store's part of an exchange through groupshared memory: what two barriers, without the arithmetic in their
  /// chain, and a load leave of it. Nothing where one of them was not measured.
  [[nodiscard]] std::optional<double> store_nanoseconds(std::uint32_t threads) const;
};

/// Verifies every chain against one on the host, then measures. Numbers of threads that the device does not have, or
/// that do not fill a wave, are left out. Errors: those of the device; `unsupported` without timestamps.
Expected<Exchange> measure_exchange(Device& device, const ExchangeOptions& options = {});

}  // namespace crosslane::measure
