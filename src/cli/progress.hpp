// How far long work has come, on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/console.hpp"

namespace crosslane::cli {

/// One line that is rewritten as work goes on: "crosslane: reading samples.npy: [====      ] 45 %". Nothing is printed
/// in the first second, where stderr is no terminal, or where the output is JSON. The line is gone when the work is
/// done.
class Progress {
 public:
  static constexpr std::chrono::milliseconds usual_quiet{1000};

  Progress(const Console& console, std::string what, std::uint64_t total,
           std::chrono::milliseconds quiet = usual_quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void advance(std::uint64_t amount);
  /// From now on the work is called so.
  void rename(std::string what);

 private:
  void show();

  const Console& console_;
  std::string what_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::chrono::milliseconds quiet_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::string shown_;  // what stands on the line
};

/// Work in stages that last about as long as each other. On a terminal all are one Progress; elsewhere each one's
/// beginning is a line of its own, but for one that is called as the one before.
class Stages {
 public:
  Stages(const Console& console, std::size_t count, std::chrono::milliseconds quiet = Progress::usual_quiet);

  /// The one before is done.
  void begin(const std::string& what);
  /// How much of this one is done, from 0 to 1; less than before changes nothing.
  void at(double fraction);

 private:
  static constexpr std::uint64_t parts = 1000;  // of a stage

  void reach(std::uint64_t part);

  const Console& console_;
  Progress progress_;
  std::string name_;
  std::uint64_t begun_ = 0;
  std::uint64_t done_ = 0;  // parts of all stages
};

}  // namespace crosslane::cli
