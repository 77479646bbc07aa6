// Timestamps of one command list.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/d3d12/buffer.hpp"

namespace crosslane::d3d12 {

class Timestamps {
 public:
  explicit Timestamps(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  /// Records one, and that its value goes where the host finds it. Returns its number.
  Expected<std::uint32_t> record(ID3D12GraphicsCommandList& commands);
  /// Milliseconds since the first; the list has finished.
  [[nodiscard]] std::vector<double> read() const;

 private:
  struct Pool {
    Reference<ID3D12QueryHeap> queries;
    std::unique_ptr<Buffer> values;
  };
  Expected<void> add_pool();

  std::shared_ptr<DeviceState> state_;
  std::vector<Pool> pools_;
  std::uint32_t count_ = 0;
};

}  // namespace crosslane::d3d12
