#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

constexpr std::size_t bar_length = 20;

}  // namespace

Progress::Progress(const Console& console, std::string what, std::uint64_t total, std::chrono::milliseconds quiet)
    : console_(console), what_(std::move(what)), total_(total), quiet_(quiet) {}

Progress::~Progress() {
  if (!shown_.empty()) {
    console_.err << '\r' << std::string(shown_.size(), ' ') << '\r' << std::flush;
  }
}

void Progress::advance(std::uint64_t amount) {
  done_ = std::min(done_ + amount, total_);
  show();
}

void Progress::rename(std::string what) {
  what_ = std::move(what);
  show();
}

void Progress::show() {
  if (!console_.terminal || console_.json || total_ == 0 || std::chrono::steady_clock::now() - begin_ < quiet_) {
    return;
  }
  const double part = static_cast<double>(done_) / static_cast<double>(total_);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar_length));
  std::string line = fmt::format("crosslane: {}: [{:<{}}] {} %", report::printable(what_), std::string(filled, '='),
                                 bar_length, static_cast<std::uint64_t>(part * 100.0));
  if (line == shown_) {
    return;
  }
  const std::size_t rest = shown_.size() - std::min(shown_.size(), line.size());
  console_.err << '\r' << line << std::string(rest, ' ') << std::string(rest, '\b') << std::flush;
  shown_ = std::move(line);
}

Stages::Stages(const Console& console, std::size_t count, std::chrono::milliseconds quiet)
    : console_(console), progress_(console, "", count * parts, quiet) {}

void Stages::begin(const std::string& what) {
  reach(begun_ * parts);
  ++begun_;
  if (console_.terminal) {
    progress_.rename(what);
  } else if (what != name_) {
    report_progress(console_, what + " …");
  }
  name_ = what;
}

void Stages::at(double fraction) {
  reach((begun_ - 1) * parts + static_cast<std::uint64_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(parts)));
}

void Stages::reach(std::uint64_t part) {
  if (part > done_) {
    progress_.advance(part - done_);
    done_ = part;
  }
}

}  // namespace crosslane::cli
