#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/printable.hpp"

namespace crosslane::cli {

Progress::Progress(const Console& console, std::string what, std::uint64_t total)
    : console_(console), what_(std::move(what)), total_(total) {}

Progress::~Progress() {
  if (shown_ != 0) {
    console_.err << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
  }
}

void Progress::advance(std::uint64_t amount) {
  constexpr std::chrono::seconds quiet{1};
  constexpr std::uint64_t whole = 100;
  done_ = std::min(done_ + amount, total_);
  if (!console_.terminal || console_.json || total_ == 0 || std::chrono::steady_clock::now() - begin_ < quiet) {
    return;
  }
  const std::string line =
      fmt::format("crosslane: {}: {} %", report::printable(what_),
                  static_cast<std::uint64_t>(static_cast<double>(done_) / static_cast<double>(total_) * whole));
  console_.err << '\r' << line << std::flush;
  shown_ = std::max(shown_, line.size());
}

}  // namespace crosslane::cli
