// The memory that an algorithm's kernels keep between their groups, several times over: recordings take the slots in
// turn, so that only each round waits for the one before.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane {

class StateSlots {
 public:
  /// `count` slots, each with a part of `part_bytes[i]` bytes, a multiple of 4, in buffer i; all zeros. Errors: the
  /// device's.
  static Expected<StateSlots> create(Device& device, std::vector<std::uint64_t> part_bytes, std::uint64_t count);

  /// Takes the next slot for what is recorded into `list` now. Records a barrier where the slot may still be in use, by
  /// this list or by one recorded before.
  Expected<std::uint64_t> take(CommandList& list);

  /// Shows part `part` of a slot to the shader's binding `binding`.
  [[nodiscard]] Binding bind(std::uint32_t binding, std::size_t part, std::uint64_t slot) const;

 private:
  std::vector<std::uint64_t> part_bytes_;
  std::vector<std::uint64_t> stride_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::uint64_t count_ = 1;
  std::uint64_t next_ = 0;
  std::uint64_t last_list_ = 0;  ///< serial of the list that was recorded into last
};

}  // namespace crosslane
