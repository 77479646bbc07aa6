#include <atomic>

#include "crosslane/device.hpp"

namespace crosslane {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

CommandList::CommandList() : serial_(next_serial()) {}

}  // namespace crosslane
