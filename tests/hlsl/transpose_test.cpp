// Transposes between lanes and values, for every number of values and every kind of type, against the tables in
// hlsl/crosslane/wave/transpose.hlsli.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>

#include "hlsl/run_kernel.hpp"
#include "hlsl/type_layout.hpp"
#include "hlsl/values.hpp"
#include "hlsl/waves.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t threads = 256;  // of kernels/transpose.hlsl

/// A value by its place: of which lane, and which of that lane's.
struct Place {
  std::uint32_t lane;
  std::uint32_t value;
};

class Transpose : public testing::TestWithParam<std::string> {
 protected:
  Transpose() {
    const std::string kernel = unchecked(GetParam());  // "WaveTranspose.float3.8"
    const std::size_t function_end = kernel.find('.');
    const std::size_t type_end = kernel.rfind('.');
    function_ = kernel.substr(0, function_end);
    bits_ = component_bits(kernel.substr(function_end + 1, type_end - function_end - 1));
    size_ = static_cast<std::uint32_t>(std::stoul(kernel.substr(type_end + 1)));
  }

  /// Runs the kernel, of `idle` clusters in a row without the last, and checks every value.
  void run_and_check(std::uint32_t idle) const {
    std::vector<Array> arrays(3);
    std::vector<Value> values;  // [thread][value]
    for (std::uint32_t number = 0; number < threads * size_; ++number) {
      values.push_back(make_value(bits_, number));
      append(arrays[0], values.back());
    }
    arrays[1] = Array::results(arrays[0].words.size());
    arrays[2] = Array::results(std::size_t{threads} * 3);
    run_kernel("transpose." + GetParam(), arrays, {static_cast<std::uint32_t>(bits_.size()), idle});
    for (const Wave& wave : read_full_waves(arrays[2])) {
      for (const auto& [lane, thread] : wave) {
        const bool is_idle = idle != 0 && lane / std::min(size_, wave_size()) % idle == idle - 1;
        for (std::uint32_t value = 0; value < size_; ++value) {
          const Place from = source(lane, value);
          const Value& expected = values[wave.at(from.lane) * size_ + from.value];
          ASSERT_EQ(value_at(arrays[1], thread * size_ + value, bits_.size()),
                    is_idle ? unwritten_value(bits_.size()) : expected)
              << fmt::format("value {} of lane {}, idle {}", value, lane, idle);
        }
      }
    }
  }

 private:
  /// Which value has to be at this place.
  [[nodiscard]] Place source(std::uint32_t lane, std::uint32_t value) const {
    if (function_ == "WaveTranspose") {
      const std::uint32_t lanes = std::min(size_, wave_size());
      return value < lanes ? Place{lane / lanes * lanes + value, lane % lanes} : Place{lane, value};
    }
    if (function_ == "WaveStripedToBlocked") {
      const std::uint32_t element = lane * size_ + value;
      return Place{element % wave_size(), element / wave_size()};
    }
    const std::uint32_t element = value * wave_size() + lane;
    return Place{element / size_, element % size_};
  }

  std::string function_;
  std::vector<std::uint32_t> bits_;
  std::uint32_t size_ = 0;
};

TEST_P(Transpose, PutsEveryValueWhereTheTableSays) { run_and_check(0); }

class TransposeOfClusters : public Transpose {};

TEST_P(TransposeOfClusters, NeedsNoOtherCluster) {
  for (const std::uint32_t idle : {2U, 3U}) {
    ASSERT_NO_FATAL_FAILURE(run_and_check(idle));
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Transpose, testing::ValuesIn(kernels_below("transpose.")), test_name);
INSTANTIATE_TEST_SUITE_P(Kernels, TransposeOfClusters,
                         testing::Values("WaveTranspose.uint.1", "WaveTranspose.uint.2", "WaveTranspose.uint.4",
                                         "WaveTranspose.uint.8", "WaveTranspose.uint.16", "WaveTranspose.uint.32",
                                         "WaveTranspose.Three.4", "checked.WaveTranspose.uint.8"),
                         test_name);

}  // namespace
}  // namespace crosslane::hlsl_tests
