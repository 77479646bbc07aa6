// GLSL.std.450: numbers packed into words, and what is refused.
#include <gtest/gtest.h>

#include "machine/decode/decode.hpp"
#include "machine/glsl_forms.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

constexpr std::size_t threads = 300;

template <typename R, typename A, typename Oracle>
void check_pack(const std::string& name, std::uint32_t result_rows, std::uint32_t operand_rows,
                const std::vector<A>& values, Oracle oracle) {
  check_whole<R>({.body = "%r = OpExtInst $R %glsl " + name + " %a",
                  .result = type_of<R>(result_rows),
                  .operands = {type_of<A>(operand_rows)}},
                 oracle, values);
}

// Halves between two numbers, signed zeros, and numbers beyond both ends.
std::vector<float> fractions() {
  auto values = Draw(70).between<float>(-1.25L, 1.25L, threads * 4 - 12);
  for (const float value :
       {0.0F, -0.0F, 1.0F, -1.0F, 0.5F, -0.5F, 1e30F, -1e30F, std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(), 1e-40F, 0.00390625F}) {
    values.push_back(value);
  }
  return values;
}

// Numbers as value × scale in `bits` bits each, the first lowest.
std::vector<std::uint32_t> packed(std::span<const float> numbers, int bits, bool is_signed, float scale) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float inside = std::clamp(numbers[i], is_signed ? -1.0F : 0.0F, 1.0F);
    const auto fixed = static_cast<std::int64_t>(std::nearbyint(inside * scale));
    word |= static_cast<std::uint32_t>(fixed & ((1 << bits) - 1)) << (static_cast<int>(i) * bits);
  }
  return {word};
}

std::vector<float> unpacked(std::uint32_t word, int bits, bool is_signed, float scale) {
  std::vector<float> numbers;
  for (int i = 0; i < 32 / bits; ++i) {
    std::int64_t fixed = (word >> (i * bits)) & ((1U << bits) - 1U);
    if (is_signed && (fixed >> (bits - 1)) != 0) {
      fixed -= std::int64_t{1} << bits;
    }
    numbers.push_back(std::max(static_cast<float>(fixed) / scale, -1.0F));
  }
  return numbers;
}

TEST(MachineGlslPack, FixedPoint) {
  struct Format {
    std::string name;
    std::uint32_t parts;
    bool is_signed;
    float scale;
  };
  const auto words = Draw(71).some<std::uint32_t>(threads);
  for (const auto& format : {Format{"Snorm4x8", 4, true, 127}, Format{"Unorm4x8", 4, false, 255},
                             Format{"Snorm2x16", 2, true, 32767}, Format{"Unorm2x16", 2, false, 65535}}) {
    const int bits = static_cast<int>(32 / format.parts);
    check_pack<std::uint32_t>("Pack" + format.name, 1, format.parts, fractions(), [&](std::span<const float> numbers) {
      return packed(numbers, bits, format.is_signed, format.scale);
    });
    check_pack<float>("Unpack" + format.name, format.parts, 1, words, [&](std::span<const std::uint32_t> word) {
      return unpacked(word[0], bits, format.is_signed, format.scale);
    });
  }
}

TEST(MachineGlslPack, Halves) {
  auto numbers = Draw(72).some<float>(threads * 2);
  std::erase_if(numbers, [](float number) { return std::isnan(number); });  // their bits are open
  numbers.resize(numbers.size() / 2 * 2);
  check_pack<std::uint32_t>("PackHalf2x16", 1, 2, numbers, [](std::span<const float> pair) {
    return std::vector<std::uint32_t>{rounded<Half>(pair[0]).bits | std::uint32_t{rounded<Half>(pair[1]).bits} << 16U};
  });
  check_pack<float>(
      "UnpackHalf2x16", 2, 1, Draw(73).some<std::uint32_t>(threads), [](std::span<const std::uint32_t> word) {
        const Half low{static_cast<std::uint16_t>(word[0])};
        const Half high{static_cast<std::uint16_t>(word[0] >> 16U)};
        return std::vector<float>{static_cast<float>(to_double(low)), static_cast<float>(to_double(high))};
      });
}

TEST(MachineGlslPack, Doubles) {
  check_pack<double>("PackDouble2x32", 1, 2, Draw(74).some<std::uint32_t>(threads * 2),
                     [](std::span<const std::uint32_t> words) {
                       return std::vector{std::bit_cast<double>(words[0] | std::uint64_t{words[1]} << 32U)};
                     });
  check_pack<std::uint32_t>(
      "UnpackDouble2x32", 2, 1, Draw(75).some<double>(threads), [](std::span<const double> value) {
        const auto bits = std::bit_cast<std::uint64_t>(value[0]);
        return std::vector{static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U)};
      });
}

// Interpolation belongs to fragment shaders: the module is refused before anything is decoded.
TEST(MachineGlslRefuses, Interpolation) {
  const Instruction instruction{.body = "%r = OpExtInst $R %glsl InterpolateAtCentroid %a",
                                .result = type_of<float>(),
                                .operands = {type_of<float>()}};
  EXPECT_TRUE(fails(machine::make_program(assemble(program_text(instruction)), {}), ErrorCode::invalid_input,
                    "InterpolateAtCentroid"));
}

}  // namespace
}  // namespace crosslane::test
