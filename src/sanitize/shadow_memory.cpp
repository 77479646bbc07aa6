#include "sanitize/shadow_memory.hpp"

namespace crosslane::sanitize {
namespace {

// Pages that are found by their number; a buffer has fewer.
constexpr std::uint64_t most_near_pages = std::uint64_t{1} << 22U;

}  // namespace

ShadowPage& ShadowMemory::make_page(std::uint64_t number) {
  if (number < most_near_pages && number >= pages_.size()) {
    pages_.resize(number + 1);
  }
  auto& page = number < most_near_pages ? pages_[number] : far_pages_[number];
  if (page == nullptr) {
    page = std::make_unique<ShadowPage>();
  }
  return *page;
}

ShadowMemory::Crowds& ShadowMemory::crowds_of(ShadowPage& page, std::uint32_t place) {
  page.touch(place, ~0U);
  auto& crowd = page.crowds[place];
  if (crowd == 0) {
    if (free_.empty()) {
      crowds_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(crowds_.size()));
    }
    crowd = free_.back();
    free_.pop_back();
  }
  return crowds_[crowd - 1];
}

void ShadowMemory::release_crowds(ShadowPage& page, std::uint32_t place) {
  auto& crowd = page.crowds[place];
  if (crowd != 0) {
    crowds_[crowd - 1].reads.clear();
    crowds_[crowd - 1].atomics.clear();
    free_.push_back(crowd);
    crowd = 0;
  }
}

void ShadowMemory::clear() {
  const auto clear_page = [](ShadowPage& page) {
    page.writes.time.fill(0);
    page.reads.time.fill(0);
    page.other_reads.time.fill(0);
    page.crowds.fill(0);
    page.latest.fill(0);
  };
  for (auto& page : pages_) {
    if (page != nullptr) {
      clear_page(*page);
    }
  }
  far_pages_.clear();
  crowds_.clear();
  free_.clear();
}

}  // namespace crosslane::sanitize
