// What can be measured: an algorithm of one type and size on data of its own, by each of its methods; verified first,
// then recorded as often as a clock needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/method.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane::measure {

/// What one run must move and compute, counted once, and the formulas that say so.
struct WorkCost {
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::string bytes_formula;
  double operations = 0.0;  ///< of floats; 0 where there are none to speak of
  std::string operations_formula;
  double pixels = 0.0;  ///< of images
};

/// An algorithm by one method, ready to run on any of its workload's sets of arrays.
struct Work {
  Method method = Method::groupshared;  ///< the one that runs
  std::string note;                     ///< why not the one asked for
  /// Records one run on a set; the caller sees to barriers.
  std::function<Expected<void>(CommandList&, std::size_t set)> record;
  /// What is wrong with the results of a set that has run; empty where they are right.
  std::function<Expected<std::string>(std::size_t set)> fault;
};

/// An array for each set, one behind the other in one buffer.
struct SetArrays {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t stride = 0;  ///< bytes

  [[nodiscard]] BufferPlace at(std::size_t set) const { return {buffer.get(), set * stride}; }
};

struct Workload {
  std::string algorithm;  ///< as a DecisionSource knows it
  std::string title;      ///< "inclusive sums of u32"
  std::string work;       ///< the title without any size, the same for every `count`; empty: the title
  std::string element;    ///< "u32", "complex f32"
  std::uint64_t count = 0;
  WorkCost cost;
  std::vector<Method> methods;
  std::size_t sets = 1;  ///< of arrays, all filled
  SetArrays input;
  SetArrays output;
  /// Errors: `unsupported` where the device lacks what the method needs.
  std::function<Expected<Work>(Method)> make;
};

struct WorkloadOptions {
  std::optional<ScalarType> type = {};      ///< nothing: the algorithm's usual one
  std::optional<std::uint64_t> count = {};  ///< elements; nothing: 2^24 on a GPU, 2^18 elsewhere
  /// One set of arrays, which stays in the caches if it fits; else so many that they hold nothing of it when its turn
  /// comes again (256 MiB; two sets on devices that compute on the CPU).
  bool hot = false;
  std::optional<std::uint32_t> wave_size = {};
  std::uint64_t points = 8;  ///< of each Fourier transform, up to 4096
};

using MakeWorkload = Expected<Workload> (*)(Device& device, const WorkloadOptions& options);

/// An algorithm that can be measured.
struct MeasuredAlgorithm {
  std::string_view name;
  MakeWorkload make = nullptr;
  bool (*takes)(ScalarType) = nullptr;  ///< which types it can be measured of
};

/// Elements where nobody asks for a number: 2^24 on a GPU, 2^18 elsewhere.
std::uint64_t usual_count(const DeviceInfo& device);

/// All of them, in the order in which they are told.
std::span<const MeasuredAlgorithm> measured_algorithms();

/// Errors: `invalid_argument` for types, sizes and numbers of points that the algorithm does not have; those of the
/// device.
Expected<Workload> make_reduce_workload(Device& device, const WorkloadOptions& options);
Expected<Workload> make_scan_workload(Device& device, const WorkloadOptions& options);
Expected<Workload> make_compact_workload(Device& device, const WorkloadOptions& options);
Expected<Workload> make_fft_workload(Device& device, const WorkloadOptions& options);
Expected<Workload> make_blur_workload(Device& device, const WorkloadOptions& options);

/// The device's own speed for what a workload moves: reads its input once and writes 0, 1/2 or as much, whichever is
/// nearest. Its note says which.
Expected<Work> make_stream(Device& device, const Workload& workload);

/// Runs the work on its first set. Gives what is wrong with the results, empty where nothing is.
Expected<std::string> verify_work(Device& device, const Work& work);

/// Dispatches, fills and copies that one run takes.
Expected<std::uint32_t> count_launches(const Work& work);

}  // namespace crosslane::measure
