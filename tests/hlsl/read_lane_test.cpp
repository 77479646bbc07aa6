// CROSSLANE_SHUFFLE_STRUCT declares HLSL's WaveReadLaneAt for the struct too, and moves only the members named.
#include <gtest/gtest.h>
#include <algorithm>

#include "hlsl/run_kernel.hpp"
#include "hlsl/type_layout.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t threads = 64;

std::uint32_t lane_read() { return std::min(2U, wave_size() - 1); }

/// One component as its two words; every bit pattern is a finite, normal float, or 0 or 1 for bool.
std::uint64_t make_component(std::uint32_t thread, std::uint32_t component, std::uint32_t bits) {
  const std::uint64_t tag = thread * 13 + component;
  return bits == 1 ? tag & 1U : tag | (std::uint64_t{0x2A} << (bits - 8));
}

/// What every thread reads, at `lanes` lanes per wave; `nothing_from` names a component that does not travel.
void check_struct(const std::string& type, int component_left_out) {
  const std::vector<std::uint32_t> bits = component_bits(type);
  std::vector<Array> arrays(2);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    for (std::uint32_t component = 0; component < bits.size(); ++component) {
      const std::uint64_t value = make_component(thread, component, bits[component]);
      arrays[0].words.push_back(static_cast<std::uint32_t>(value));
      arrays[0].words.push_back(static_cast<std::uint32_t>(value >> 32U));
    }
  }
  arrays[1] = Array::results(arrays[0].words.size());
  run_kernel("read_lane." + type, arrays, {static_cast<std::uint32_t>(bits.size())});

  const std::uint32_t lanes = wave_size();
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const std::uint32_t source = thread / lanes * lanes + lane_read();
    for (std::uint32_t component = 0; component < bits.size(); ++component) {
      const std::size_t at = (std::size_t{thread} * bits.size() + component) * 2;
      const std::uint64_t got = arrays[1].words[at] | (std::uint64_t{arrays[1].words[at + 1]} << 32U);
      const bool travels = static_cast<int>(component) != component_left_out;
      ASSERT_EQ(got, travels ? make_component(source, component, bits[component]) : 0)
          << "thread " << thread << ", component " << component;
    }
  }
}

class ReadLane : public testing::TestWithParam<std::string> {};

TEST_P(ReadLane, ReadsAllMembersOfTheLane) { check_struct(GetParam(), -1); }

INSTANTIATE_TEST_SUITE_P(Structs, ReadLane,
                         testing::Values("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"));

TEST(ReadLaneOfPart, LeavesMembersZeroThatAreNotNamed) { check_struct("Partly", 1); }

}  // namespace
}  // namespace crosslane::hlsl_tests
