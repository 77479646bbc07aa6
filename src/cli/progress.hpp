// How far long work has come, on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/console.hpp"

namespace crosslane::cli {

/// One line that is rewritten as work goes on: "crosslane: reading samples.npy: 45 %". Nothing is printed in the first
/// second, where stderr is no terminal, or where the output is JSON. The line is gone when the work is done.
class Progress {
 public:
  Progress(const Console& console, std::string what, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void advance(std::uint64_t amount);

 private:
  const Console& console_;
  std::string what_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::size_t shown_ = 0;  // characters on the line
};

}  // namespace crosslane::cli
