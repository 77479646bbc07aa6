// A device that runs nothing and whose clock moves as the recorded work says.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crosslane/device.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure::test {

class FakeList final : public CommandList {
 public:
  Expected<void> dispatch(const Pipeline& /*pipeline*/, std::span<const Binding> /*bindings*/,
                          std::span<const std::byte> /*constants*/, GroupCount /*groups*/) override {
    return {};
  }
  Expected<void> dispatch_indirect(const Pipeline& /*pipeline*/, std::span<const Binding> /*bindings*/,
                                   std::span<const std::byte> /*constants*/, const BufferPlace& /*groups*/) override {
    return {};
  }
  Expected<void> copy(Buffer& /*source*/, std::uint64_t /*source_offset*/, Buffer& /*destination*/,
                      std::uint64_t /*destination_offset*/, std::uint64_t /*bytes*/) override {
    return {};
  }
  Expected<void> fill(Buffer& /*buffer*/, std::uint64_t /*offset*/, std::uint64_t /*bytes*/,
                      std::uint32_t /*word*/) override {
    return {};
  }
  Expected<void> barrier() override { return {}; }
  Expected<std::uint32_t> timestamp() override {
    times.push_back(clock);
    return static_cast<std::uint32_t>(times.size() - 1);
  }

  double clock = 0.0;  ///< milliseconds
  std::vector<double> times;
};

class FakeDevice final : public Device {
 public:
  FakeDevice() {
    info_.id = "fake:0";
    info_.name = "fake";
    info_.uuid = "00112233445566778899aabbccddeeff";
    info_.driver_version = "1.0";
    info_.features.timestamps = true;
    info_.wave_sizes = {32, 32, 32};
  }
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& /*description*/) override {
    return fail(ErrorCode::unsupported, "no buffers");
  }
  Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& /*description*/) override {
    return fail(ErrorCode::unsupported, "no pipelines");
  }
  Expected<std::unique_ptr<CommandList>> create_command_list() override { return std::make_unique<FakeList>(); }
  Expected<void> submit(CommandList& /*list*/) override { return {}; }
  Expected<void> wait(CommandList& /*list*/) override { return {}; }
  Expected<std::vector<double>> timestamps(CommandList& list) override { return dynamic_cast<FakeList&>(list).times; }

  DeviceInfo info_;
};

/// Work that takes so long, give or take a relative `spread`, and notes the sets that it runs on.
struct FakeTimes {
  double ms = 1.0;
  double spread = 0.0;
  std::string fault = {};
  std::mt19937_64 random{1};
  std::vector<std::size_t> sets = {};
};

inline Work fake_work(Method method, const std::shared_ptr<FakeTimes>& times) {
  Work work;
  work.method = method;
  work.record = [times](CommandList& list, std::size_t set) -> Expected<void> {
    times->sets.push_back(set);
    if (auto* const own = dynamic_cast<FakeList*>(&list)) {
      own->clock += times->ms * (1.0 + times->spread * std::normal_distribution<double>()(times->random));
    }
    return {};
  };
  work.fault = [times](std::size_t) -> Expected<std::string> { return times->fault; };
  return work;
}

/// An algorithm whose two methods take set times.
inline Workload fake_workload(const std::shared_ptr<FakeTimes>& groupshared, const std::shared_ptr<FakeTimes>& shuffle,
                              std::size_t sets = 4) {
  Workload workload;
  workload.algorithm = "fake";
  workload.title = "fake work";
  workload.element = "u32";
  workload.count = 1000;
  workload.cost = {4000, 4000, "4 n bytes read, 4 n written", 0.0, ""};
  workload.methods = {Method::groupshared, Method::shuffle, Method::wave_intrinsics};
  workload.sets = sets;
  workload.make = [=](Method method) -> Expected<Work> {
    if (method == Method::wave_intrinsics) {
      return fail(ErrorCode::unsupported, "no wave intrinsics here");
    }
    return fake_work(method, method == Method::shuffle ? shuffle : groupshared);
  };
  return workload;
}

}  // namespace crosslane::measure::test
