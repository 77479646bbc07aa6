// What the workloads share: sets of arrays on the device, and their elements on the host.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "measure/hash_fill.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure {

/// Elements that are asked for, or the usual number. Errors: `invalid_argument` for none.
Expected<std::uint64_t> count_for(const DeviceInfo& device, const WorkloadOptions& options);

/// How many sets of arrays, of which the largest has `largest_bytes` and all have `bytes` together.
std::size_t sets_for(const DeviceInfo& device, std::uint64_t bytes, std::uint64_t largest_bytes, bool hot);

/// Arrays of `bytes` bytes. Errors: those of the device.
Expected<SetArrays> make_arrays(Device& device, std::uint64_t bytes, std::size_t sets);
/// The same, filled with hashes by the pattern of `type`, set after set: element e of set s is
/// hash_element(s · stride / size of an element + e).
Expected<SetArrays> make_inputs(Device& device, ScalarType type, std::uint64_t bytes, std::size_t sets);

/// The first elements of an array.
template <typename T>
Expected<std::vector<T>> read_array(Device& device, const BufferPlace& place, std::uint64_t count) {
  std::vector<T> values(count);
  return download(device, *place.buffer, std::as_writable_bytes(std::span(values)), place.offset).map([&] {
    return std::move(values);
  });
}

/// Calls `use` with a value of the C++ type that a ScalarType stands for.
template <typename Use>
auto with_type(ScalarType type, const Use& use) {
  switch (type) {
    case ScalarType::u32:
      return use(std::uint32_t{});
    case ScalarType::i32:
      return use(std::int32_t{});
    case ScalarType::f32:
      return use(float{});
    case ScalarType::u64:
      return use(std::uint64_t{});
    case ScalarType::i64:
      return use(std::int64_t{});
    default:
      return use(double{});
  }
}

/// Sums as the library promises them: integers wrap, floats are summed with more digits.
template <typename T>
using Exact =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<long double>>::type;

}  // namespace crosslane::measure
