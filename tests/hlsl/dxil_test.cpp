// Every function and type of the library compiles to DXIL for the oldest shader model that has the type, and for 6.6.
#include <gtest/gtest.h>
#include <cstring>
#include <memory>

#include "compile/compiler.hpp"
#include "hlsl/type_layout.hpp"

namespace crosslane::hlsl_tests {
namespace {

using compile::Compiler;

std::string text_of(const Error& error) {
  std::string text = error.message;
  for (const std::string& reason : error.reasons) {
    text += "\n" + reason;
  }
  return text;
}

/// The compiler that the library's kernels are built with.
const Compiler* compiler() {
  static const auto loaded = compile::load_compiler(CROSSLANE_DXC_LIBRARY);
  return loaded ? loaded->get() : nullptr;
}

using Defines = std::vector<std::pair<std::string, std::string>>;

compile::Request request_for(const std::string& source, const std::string& profile, const Defines& defines) {
  compile::Request request;
  request.file = std::filesystem::path(CROSSLANE_SOURCE_DIR) / "tests/hlsl/kernels" / source;
  request.profile = profile;
  request.target = compile::Target::dxil;
  request.include_directories = {std::filesystem::path(CROSSLANE_SOURCE_DIR) / "hlsl"};
  request.defines = defines;
  return request;
}

void expect_compiles(const std::string& source, const std::string& profile, const Defines& defines) {
  ASSERT_NE(compiler(), nullptr) << "no compiler in " CROSSLANE_DXC_LIBRARY;
  const auto result = compiler()->compile(request_for(source, profile, defines));
  ASSERT_TRUE(result.has_value()) << profile << ": " << text_of(result.error());
  ASSERT_GE(result->binary.size(), 4U);
  EXPECT_EQ(std::memcmp(result->binary.data(), "DXBC", 4), 0);
}

class Dxil : public testing::TestWithParam<std::string> {};

TEST_P(Dxil, Compiles) {
  const std::string& type = GetParam();
  const std::string hlsl_type = type == "Five" ? "app::Five" : type;
  for (const std::string& profile :
       {std::string(needs_16_bit_types(type) ? "cs_6_2" : "cs_6_0"), std::string("cs_6_6")}) {
    expect_compiles("shuffle.hlsl", profile, {{"TYPE", hlsl_type}, {"FEW_CONSTANTS", "1"}});
    expect_compiles("shuffle.hlsl", profile, {{"TYPE", hlsl_type}, {"FEW_CONSTANTS", "1"}, {"CROSSLANE_CHECKED", "1"}});
  }
}

std::vector<std::string> types_under_test() {
  std::vector<std::string> types;
  std::string type;
  for (const char c : std::string(CROSSLANE_TEST_TYPES) + ",") {
    if (c == ',') {
      types.push_back(type);
      type.clear();
    } else {
      type += c;
    }
  }
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, Dxil, testing::ValuesIn(types_under_test()),
                         [](const auto& instance) { return instance.param; });

class DxilOfEachModel : public testing::TestWithParam<std::string> {};

TEST_P(DxilOfEachModel, HasWavePlacesLaneSetsAndStructs) {
  expect_compiles("place.hlsl", GetParam(), {{"X", "7"}, {"Y", "5"}, {"Z", "1"}});
  expect_compiles("place.hlsl", GetParam(), {{"X", "64"}, {"Y", "1"}, {"Z", "1"}, {"FIND", "1"}});
  expect_compiles("lanes.hlsl", GetParam(), {{"QUESTIONS", "3"}});
  expect_compiles("read_lane.hlsl", GetParam(), {{"TYPE", "Eight"}});
  expect_compiles("straight.hlsl", GetParam(), {});
  expect_compiles("ballot.hlsl", GetParam(), {});
  expect_compiles("neighbours.hlsl", GetParam(), {});
}

TEST_P(DxilOfEachModel, HasClusters) {
  for (const auto& [type, op] : std::vector<std::pair<std::string, std::string>>{
           {"uint", "crosslane::Sum<uint>"},
           {"int", "crosslane::Minimum<int>"},
           {"uint64_t", "crosslane::Maximum<uint64_t>"},
           {"uint", "crosslane::BitAnd<uint>"},
           {"uint64_t", "crosslane::BitOr<uint64_t>"},
           {"uint", "crosslane::BitXor<uint>"},
           {"double", "crosslane::Sum<double>"},
           {"Best", "ArgMax"},
           {"uint2x2", "MatrixProduct"},
       }) {
    expect_compiles("cluster.hlsl", GetParam(), {{"TYPE", type}, {"OP", op}});
    for (const std::string size : {"1", "8", "256"}) {
      expect_compiles("cluster.hlsl", GetParam(), {{"TYPE", type}, {"OP", op}, {"SIZE", size}});
    }
  }
}

TEST_P(DxilOfEachModel, HasTransposesAndCompaction) {
  std::vector<std::string> types = {"bool", "uint", "float3", "double", "int64_t2", "float2x3", "Three"};
  if (GetParam() != "cs_6_0") {
    types.insert(types.end(), {"float16_t3", "uint16_t"});
  }
  for (const std::string& type : types) {
    for (const std::string function : {"WaveTranspose", "WaveStripedToBlocked", "WaveBlockedToStriped"}) {
      for (const std::string size : {"1", "8"}) {
        expect_compiles("transpose.hlsl", GetParam(), {{"FUNCTION", function}, {"TYPE", type}, {"SIZE", size}});
      }
    }
    expect_compiles("compact.hlsl", GetParam(), {{"TYPE", type}});
    expect_compiles("compact.hlsl", GetParam(), {{"TYPE", type}, {"CROSSLANE_CHECKED", "1"}});
  }
  for (const std::string function : {"WaveTranspose", "WaveStripedToBlocked", "WaveBlockedToStriped"}) {
    expect_compiles("transpose.hlsl", GetParam(), {{"FUNCTION", function}, {"TYPE", "uint"}, {"SIZE", "32"}});
    expect_compiles("transpose.hlsl", GetParam(),
                    {{"FUNCTION", function}, {"TYPE", "uint"}, {"SIZE", "8"}, {"CROSSLANE_CHECKED", "1"}});
  }
}

TEST_P(DxilOfEachModel, HasFourierTransforms) {
  for (const std::string type : {"float", "double"}) {
    for (const std::string size : {"2", "16"}) {
      for (const std::string part : {"REGISTERS", "SHUFFLE", "GROUPSHARED"}) {
        expect_compiles("fft.hlsl", GetParam(), {{"TYPE", type}, {"SIZE", size}, {"RADIX", "2"}, {part, "1"}});
      }
    }
  }
}

TEST(DxilOfWrongSizes, IsRefusedWithTheReason) {
  ASSERT_NE(compiler(), nullptr) << "no compiler in " CROSSLANE_DXC_LIBRARY;
  const auto expect_refused = [](const std::string& source, const Defines& defines, const std::string& reason) {
    const auto result = compiler()->compile(request_for(source, "cs_6_0", defines));
    ASSERT_FALSE(result.has_value()) << source;
    EXPECT_NE(text_of(result.error()).find(reason), std::string::npos) << text_of(result.error());
  };
  const Defines transpose = {{"FUNCTION", "WaveTranspose"}, {"TYPE", "uint"}};
  const Defines stripe = {{"FUNCTION", "WaveBlockedToStriped"}, {"TYPE", "uint"}};
  const Defines cluster = {{"OP", "crosslane::Sum<uint>"}, {"TYPE", "uint"}};
  const auto with_size = [](Defines defines, const std::string& size) {
    defines.emplace_back("SIZE", size);
    return defines;
  };
  expect_refused("cluster.hlsl", with_size(cluster, "12"), "a power of two");
  expect_refused("transpose.hlsl", with_size(transpose, "6"), "a power of two up to 128");
  expect_refused("transpose.hlsl", with_size(transpose, "256"), "a power of two up to 128");
  expect_refused("transpose.hlsl", with_size(stripe, "64"), "at most 32 values");
}

// What the library's kernels take from the wave and group levels.
TEST_P(DxilOfEachModel, HasCompactions) {
  for (const std::string method : {"METHOD_GROUPSHARED", "METHOD_SHUFFLE", "METHOD_WAVE_INTRINSICS"}) {
    for (const std::string bytes : {"4", "8", "16"}) {
      for (const std::string selection : {"SELECT_FLAGS", "SELECT_RANGE"}) {
        if (selection == "SELECT_FLAGS" || bytes != "16") {
          std::vector<std::pair<std::string, std::string>> defines = {
              {method, "1"}, {"STATE_SEPARATE", "1"}, {"STORAGE_BYTES", bytes}, {selection, "1"}};
          expect_compiles("../../../kernels/compact/compact.hlsl", GetParam(), defines);
          defines.emplace_back("OUTPUT_INDICES", "1");
          expect_compiles("../../../kernels/compact/compact.hlsl", GetParam(), defines);
        }
      }
    }
  }
}

TEST_P(DxilOfEachModel, HasScans) {
  for (const std::string method : {"METHOD_GROUPSHARED", "METHOD_SHUFFLE", "METHOD_WAVE_INTRINSICS"}) {
    Defines defines = {{"STORAGE", "float"}, {"STORAGE_BYTES", "4"},
                       {"VALUE", "float"},   {"OP", "crosslane::Sum<float>"},
                       {"CODEC_FLOAT", "1"}, {method, "1"}};
    expect_compiles("../../../kernels/scan/scan.hlsl", GetParam(), defines);
    if (GetParam() == "cs_6_6") {  // the first model with 64-bit atomics
      defines.emplace_back("STATE_PACKED", "1");
      expect_compiles("../../../kernels/scan/scan.hlsl", GetParam(), defines);
    }
  }
}

TEST_P(DxilOfEachModel, HasBlurs) {
  for (const std::string method : {"METHOD_GROUPSHARED", "METHOD_SHUFFLE"}) {
    for (const std::string format : {"f32", "rgb8", "rgba16"}) {
      const Defines defines = {{"FORMAT", format}, {"MOST_RADIUS", "4"}, {method, "1"}};
      expect_compiles("../../../kernels/blur/blur.hlsl", GetParam(), defines);
      expect_compiles("../../../kernels/blur/blur_rows.hlsl", GetParam(), defines);
      expect_compiles("../../../kernels/blur/blur_columns.hlsl", GetParam(), {{"FORMAT", format}});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DxilOfEachModel, testing::Values("cs_6_0", "cs_6_2", "cs_6_6"));

}  // namespace
}  // namespace crosslane::hlsl_tests
