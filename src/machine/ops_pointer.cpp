// Fat pointers and the lengths of what they point into.
#include <algorithm>

#include "machine/group.hpp"
#include "machine/memory.hpp"

namespace crosslane::machine {
namespace {

constexpr std::uint64_t most = 0xFFFFFFFF;

void make_pointer(Wave& wave, const Operation& op) {
  auto* out = wave.row<std::uint64_t>(op.dst);
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    const std::uint64_t element = op.b == no_register ? 0 : wave.row<std::uint32_t>(op.b)[lane];
    const std::uint64_t offset =
        (op.a == no_register ? 0 : wave.row<std::uint32_t>(op.a)[lane]) + std::uint64_t{op.imm};
    // A descriptor outside of its array is no root at all.
    const std::uint64_t root = element < op.count ? op.aux + element + 1 : 0;
    out[lane] = (root << 32U) | std::min(offset, most);
  }
}

std::uint32_t length(const Root& root, const Operation& op) {
  return root.bytes < op.imm ? 0 : static_cast<std::uint32_t>(std::min((root.bytes - op.imm) / op.extra, most));
}

void array_length(Wave& wave, const Operation& op) {
  std::fill_n(wave.row<std::uint32_t>(op.dst), wave.padded, length(wave.roots[op.aux], op));
}

void array_length_of_pointer(Wave& wave, const Operation& op) {
  const auto& roots = wave.group->roots;
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const std::uint64_t root = wave.row<std::uint64_t>(op.a)[lane] >> 32U;
    wave.row<std::uint32_t>(op.dst)[lane] = root == 0 || root > roots.size() ? 0 : length(roots[root - 1], op);
  });
}

}  // namespace

Handler make_pointer_handler() { return &make_pointer; }

Handler array_length_handler(AddressMode mode) {
  return mode == AddressMode::rooted ? &array_length : &array_length_of_pointer;
}

}  // namespace crosslane::machine
