#include "job/read_job.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view whole_job = R"(---
Shaders:
  - Stage: Compute
    Entry: start
    SpecializationConstants:
      - ConstantID: 5
        Type: Float32
        Value: 1.5
DispatchParameters:
  DispatchGroupCount: [2, 3, 4]
PushConstants:
  - Stage: Compute
    Values:
      - Format: UInt16
        Offset: 4
        Data: [ 1, 2 ]
      - Format: Hex8
        Offset: 0
        Data: [ 0xff ]
Buffers:
  - Name: In
    Format: Int32
    Stride: 8
    Data: [ 1, -2, 3, -4 ]
  - Name: Out
    Format: Float32
    Channels: 4
    ArraySize: 2
    FillSize: 32
    FillValue: 0.5
  - Name: Expected
    Format: Float32
    ArraySize: 2
    Data:
      - [ 1, 2 ]
      - [ 3, 4 ]
Results:
  - Result: Near
    Rule: BufferFloatULP
    ULPT: 3
    DenormMode: Preserve
    ZeroTolerance: 0.25
    Actual: Out
    Expected: Expected
  - Result: Close
    Rule: BufferFloatEpsilon
    Epsilon: 0.001
    DenormMode: FTZ
    Actual: Out
    Expected: Expected
  - Result: Same
    Rule: BufferExact
    Actual: In
    Expected: In
DescriptorSets:
  - Resources:
    - Name: In
      Kind: StructuredBuffer
      DirectXBinding:
        Register: 3
        Space: 1
  - Resources:
    - Name: Out
      Kind: RWBuffer
      HasCounter: true
      DirectXBinding: { Register: 0, Space: 0 }
      VulkanBinding: { Binding: 7, CounterBinding: 8 }
...
)";

TEST(ReadJob, TakesEveryField) {
  const auto job = must(read_job(whole_job, "job.yaml"));
  EXPECT_EQ(job.entry_point, "start");
  EXPECT_EQ(job.groups, (std::array<std::uint32_t, 3>{2, 3, 4}));
  ASSERT_THAT(job.constants, SizeIs(1));
  EXPECT_EQ(job.constants[0].id, 5U);
  EXPECT_EQ(job.constants[0].bits, 0x3FC00000U);
  const std::string pushed(reinterpret_cast<const char*>(job.push_constants.data()), job.push_constants.size());
  EXPECT_EQ(pushed, std::string("\xff\0\0\0\1\0\2\0", 8));

  ASSERT_THAT(job.buffers, SizeIs(3));
  const auto& in = job.buffers[0];
  EXPECT_EQ(in.stride, 8U);
  EXPECT_EQ(in.bytes(), 16U);
  EXPECT_EQ(bits_of(std::span(in.elements[0]).subspan(12), Format::int32), 0xFFFFFFFCU);
  const auto& out = job.buffers[1];
  EXPECT_EQ(out.channels, 4U);
  EXPECT_THAT(out.elements, SizeIs(2));
  EXPECT_EQ(out.bytes(), 32U);
  EXPECT_EQ(bits_of(std::span(out.elements[1]).subspan(28), Format::float32), 0x3F000000U);
  EXPECT_EQ(bits_of(job.buffers[2].elements[1], Format::float32), 0x40400000U);
  EXPECT_EQ(job.find("Out"), &out);
  EXPECT_EQ(job.find("None"), nullptr);

  ASSERT_THAT(job.results, SizeIs(3));
  EXPECT_EQ(job.results[0].rule, Rule::ulp);
  EXPECT_EQ(job.results[0].ulps, 3U);
  EXPECT_EQ(job.results[0].denormals, DenormMode::preserve);
  EXPECT_EQ(job.results[0].zero_tolerance, 0.25);
  EXPECT_EQ(job.results[1].rule, Rule::epsilon);
  EXPECT_EQ(job.results[1].epsilon, 0.001);
  EXPECT_EQ(job.results[1].denormals, DenormMode::flush_to_zero);
  EXPECT_EQ(job.results[2].rule, Rule::exact);

  ASSERT_THAT(job.resources, SizeIs(2));
  EXPECT_EQ(job.resources[0].kind, ResourceKind::structured_buffer);
  EXPECT_EQ(job.resources[0].directx->number, 3U);
  EXPECT_EQ(job.resources[0].directx->space, 1U);
  EXPECT_EQ(job.resources[0].vulkan_binding, std::nullopt);
  EXPECT_EQ(job.resources[1].set, 1U);
  EXPECT_EQ(job.resources[1].vulkan_binding, 7U);
  EXPECT_EQ(job.resources[1].counter_binding, 8U);
  EXPECT_TRUE(job.resources[1].has_counter);
  EXPECT_THAT(job.lacks, IsEmpty());
  EXPECT_THAT(job.notes, IsEmpty());
}

constexpr std::string_view head = "Shaders:\n  - Stage: Compute\n    Entry: main\n";

Expected<Job> read_with(std::string_view rest) { return read_job(fmt::format("{}{}", head, rest), "job.yaml"); }

TEST(ReadJob, OlderSpellingsAreTaken) {
  const auto job =
      must(read_with("    DispatchSize: [5, 1, 1]\n"
                     "Buffers:\n  - { Name: A, Format: Float32, ZeroInitSize: 8 }\n"
                     "Results:\n  - { Result: R, Rule: BufferFuzzy, ULPT: 1, Actual: A, Expected: A }\n"));
  EXPECT_EQ(job.groups[0], 5U);
  EXPECT_EQ(job.buffers.at(0).bytes(), 8U);
  EXPECT_EQ(job.results.at(0).rule, Rule::ulp);
}

TEST(ReadJob, EveryFormatFillsABuffer) {
  for (const auto* const format : {"Hex8", "Hex16", "Hex32", "Hex64", "UInt8", "UInt16", "UInt32", "UInt64", "Int8",
                                   "Int16", "Int32", "Int64", "Float16", "Float32", "Float64", "Depth32", "Bool"}) {
    const auto job =
        must(read_with(fmt::format("Buffers:\n  - {{ Name: A, Format: {}, Data: [ 1, 0, 1 ] }}\n", format)));
    EXPECT_EQ(job.buffers.at(0).bytes(), 3 * size_of(job.buffers[0].format)) << format;
  }
}

TEST(ReadJob, EveryKindOfBufferIsAResource) {
  for (const auto* const kind : {"Buffer", "StructuredBuffer", "ByteAddressBuffer", "RWBuffer", "RWStructuredBuffer",
                                 "RWByteAddressBuffer", "ConstantBuffer"}) {
    const auto job = must(read_with(
        fmt::format("Buffers:\n  - {{ Name: A, Format: Hex32, Data: [ 1 ] }}\n"
                    "DescriptorSets:\n  - Resources:\n    - {{ Name: A, Kind: {}, VulkanBinding: {{ Binding: 0 }} }}\n",
                    kind)));
    EXPECT_EQ(name(job.resources.at(0).kind), kind);
  }
}

TEST(ReadJob, WhatDevicesLackIsListed) {
  const auto lacks_of = [](std::string_view rest) { return must(read_with(rest)).lacks; };
  const std::string buffer = "Buffers:\n  - { Name: A, Format: Hex32, Data: [ 1 ] }\n";
  for (const std::string kind : {"Texture2DMS", "RWTextureCubeMap", "SampledTexture2D"}) {
    EXPECT_THAT(lacks_of(buffer + fmt::format("DescriptorSets:\n  - Resources:\n    - {{ Name: A, Kind: {}, "
                                              "VulkanBinding: {{ Binding: 0 }} }}\n",
                                              kind)),
                ElementsAre("images of the kind " + kind));
  }
  EXPECT_THAT(lacks_of(buffer + "Samplers:\n  - { Name: S, ComparisonOp: Less }\n"),
              ElementsAre("samplers that compare"));
  EXPECT_THAT(lacks_of("AccelerationStructures:\n  BLAS: []\n"), ElementsAre("ray tracing"));
  EXPECT_THAT(lacks_of(buffer + "DescriptorSets:\n  - Resources:\n    - { Name: A, Kind: Buffer, HeapIndex: 0 }\n"),
              ElementsAre("descriptor heaps that shaders index"));
  EXPECT_THAT(must(read_job("Shaders:\n  - { Stage: Vertex, Entry: main }\n  - { Stage: Pixel, Entry: main }\n"
                            "Bindings:\n  VertexBuffer: V\n",
                            "job.yaml"))
                  .lacks,
              ElementsAre("shaders of stage Vertex"));
}

TEST(ReadJob, TexturesHaveASizeAndAShape) {
  const auto job = must(
      read_with("Buffers:\n  - { Name: A, Format: Hex32, FillSize: 384, OutputProps: { Width: 4, Height: 2, Depth: 1, "
                "ArraySlices: 12 } }\n"
                "DescriptorSets:\n  - Resources:\n"
                "    - { Name: A, Kind: Texture1DArray, VulkanBinding: { Binding: 0 } }\n"
                "    - { Name: A, Kind: RWTexture2D, VulkanBinding: { Binding: 1 } }\n"
                "    - { Name: A, Kind: RWTexture3D, VulkanBinding: { Binding: 2 } }\n"
                "    - { Name: A, Kind: TextureCube, VulkanBinding: { Binding: 3 } }\n"));
  const auto& size = job.buffers.at(0).texture;
  ASSERT_TRUE(size);
  EXPECT_THAT(size->extent, ElementsAre(4, 2, 1));
  EXPECT_EQ(size->layers, 12U);
  EXPECT_EQ(size->levels, 1U);
  const std::vector<std::pair<ResourceKind, TextureShape>> expected = {{ResourceKind::texture, {1, false}},
                                                                       {ResourceKind::rw_texture, {2, false}},
                                                                       {ResourceKind::rw_texture, {3, false}},
                                                                       {ResourceKind::texture, {2, true}}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(job.resources.at(i).kind, expected[i].first);
    EXPECT_EQ(job.resources.at(i).texture, expected[i].second);
  }
  EXPECT_TRUE(fails(read_with("Buffers:\n  - { Name: A, Format: Hex32, Data: [ 1 ] }\n"
                              "DescriptorSets:\n  - Resources:\n"
                              "    - { Name: A, Kind: Texture2D, VulkanBinding: { Binding: 0 } }\n"),
                    ErrorCode::invalid_input, "a texture has a size: give 'A' OutputProps"));
}

TEST(ReadJob, SamplersHaveNamesAndWords) {
  const auto job = must(read_with(
      "Samplers:\n"
      "  - { Name: S }\n"
      "  - { Name: T, MinFilter: Linear, Address: Border, BorderColor: OpaqueWhite, MipLODBias: 1.5, MaxLOD: 2 }\n"
      "DescriptorSets:\n  - Resources:\n"
      "    - { Name: T, Kind: Sampler, DirectXBinding: { Register: 1, Space: 0 } }\n"));
  ASSERT_THAT(job.samplers, SizeIs(2));
  EXPECT_EQ(job.samplers[0].sampler.minify, Filter::point);
  const auto& sampler = job.find_sampler("T")->sampler;
  EXPECT_EQ(sampler.minify, Filter::linear);
  EXPECT_EQ(sampler.magnify, Filter::point);
  EXPECT_THAT(sampler.address, testing::Each(TextureAddress::border));
  EXPECT_EQ(sampler.border, BorderColor::opaque_white);
  EXPECT_EQ(sampler.lod_bias, 1.5F);
  EXPECT_EQ(sampler.max_lod, 2.0F);
  EXPECT_EQ(job.resources.at(0).kind, ResourceKind::sampler);
  EXPECT_TRUE(fails(read_with("Samplers:\n  - { Name: S, Address: Wrap }\n"), ErrorCode::invalid_input,
                    "'Wrap' is none of Clamp, Repeat, Mirror, Border"));
  EXPECT_TRUE(fails(read_with("DescriptorSets:\n  - Resources:\n"
                              "    - { Name: S, Kind: Sampler, VulkanBinding: { Binding: 0 } }\n"),
                    ErrorCode::invalid_input, "there is no sampler 'S'"));
}

TEST(ReadJob, WhatMakesNoDifferenceIsTold) {
  const auto job = must(read_with("RuntimeSettings:\n  DirectX:\n    RootParameters: []\nBindings: {}\n"));
  EXPECT_THAT(job.notes, SizeIs(2));
}

TEST(ReadJob, OutputPropsMustFitTheData) {
  EXPECT_TRUE(read_with("Buffers:\n  - { Name: A, Format: Hex32, Data: [ 1, 2, 3, 4, 5 ],\n"
                        "      OutputProps: { Width: 2, Height: 2, Depth: 1, MipLevels: 2 } }\n")
                  .has_value());
  EXPECT_TRUE(fails(read_with("Buffers:\n  - { Name: A, Format: Hex32, Data: [ 1, 2, 3 ],\n"
                              "      OutputProps: { Width: 2, Height: 2, Depth: 1 } }\n"),
                    ErrorCode::invalid_input, "16 bytes, but the buffer has 12"));
}

struct BadJob {
  const char* rest;     ///< behind the shader
  const char* message;  ///< a part of the message, with its line and field
};

class BadJobs : public testing::TestWithParam<BadJob> {};

TEST_P(BadJobs, AreRefusedWithLineAndField) {
  const auto result = read_with(GetParam().rest);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(result.error().message, testing::StartsWith("job.yaml:"));
  EXPECT_THAT(result.error().message, testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, BadJobs,
    testing::Values(
        BadJob{"Bufers: []\n", "job.yaml:4: Bufers: there is no such field"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Data: [ 1 ], Sise: 4 }\n",
               "job.yaml:5: Buffers[0].Sise: there is no such field"},
        BadJob{"    DispatchSize: [1, 1, 1]\n    DispatchSize: [1, 1, 1]\n",
               "Shaders[0].DispatchSize: this field is there twice"},
        BadJob{"Buffers: 5\n", "Buffers: write a list"},
        BadJob{"Buffers:\n  - 5\n", "Buffers[0]: write fields with names"},
        BadJob{"Buffers:\n  - { Format: Hex32, Data: [ 1 ] }\n", "Buffers[0].Name: this field is missing"},
        BadJob{"Buffers:\n  - { Name: [A], Format: Hex32, Data: [ 1 ] }\n", "Buffers[0].Name: write one value"},
        BadJob{"    DispatchSize: [1, 1]\n", "DispatchSize: write three numbers"},
        BadJob{"    DispatchSize: [1, -1, 1]\n", "'-1' is no UInt32"},
        BadJob{"DispatchParameters:\n  DispatchGroups: [1, 1, 1]\n",
               "DispatchParameters.DispatchGroups: there is no such field"},
        BadJob{"  - Stage: Compute\n    Entry: other\n", "Shaders: a job has one compute shader"},
        BadJob{"    SpecializationConstants:\n      - { ConstantID: 1, Type: Int32, Value: x }\n",
               "SpecializationConstants[0].Value: 'x' is no Int32"},
        BadJob{"    SpecializationConstants:\n      - { ConstantID: 1, Type: Int32, Value: 1 }\n"
               "      - { ConstantID: 1, Type: Int32, Value: 1 }\n",
               "constant 1 has a value already"},
        BadJob{"PushConstants:\n  - Stage: Pixel\n    Values: []\n", "PushConstants[0].Stage"},
        BadJob{"PushConstants:\n  - Stage: Compute\n    Values:\n      - { Format: Hex8, Offset: 9999, Data: [ 1 ] }\n",
               "PushConstants[0].Values[0].Offset"}));

INSTANTIATE_TEST_SUITE_P(
    Buffers, BadJobs,
    testing::Values(
        BadJob{"Buffers:\n  - { Name: A, Format: Flot32, Data: [ 1 ] }\n",
               "job.yaml:5: Buffers[0].Format: 'Flot32' is no format"},
        BadJob{"Buffers:\n  - Name: A\n    Format: Int8\n    Data: [ 1,\n            300 ]\n",
               "job.yaml:8: Buffers[0].Data[1]: '300' is no Int8: it does not fit"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32 }\n", "Buffers[0].Data: this field is missing"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Data: 1 }\n", "Buffers[0].Data: write a list"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Data: [] }\n", "at least one number"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Data: [ [ 1 ] ] }\n", "Buffers[0].Data[0]: write one value"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Data: [ 1 ] }\n  - { Name: A, Format: Hex32, Data: [ 1 ] }\n",
               "there is a buffer 'A' already"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Channels: 5, Data: [ 1 ] }\n", "Buffers[0].Channels: 5"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Channels: 2, Stride: 8, Data: [ 1, 2 ] }\n",
               "Buffers[0].Stride"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, Stride: 6, Data: [ 1 ] }\n",
               "6 bytes are no whole number of Hex32"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, ArraySize: 0, Data: [] }\n", "Buffers[0].ArraySize"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, ArraySize: 3, Data: [ [ 1 ], [ 2 ] ] }\n",
               "2 blocks, but ArraySize is 3"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, ArraySize: 2, Data: [ [ 1 ], [ 2, 3 ] ] }\n", "the same size"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, FillSize: 6 }\n", "6 bytes are no whole number of Hex32"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, FillSize: 0 }\n", "0 bytes are no whole number"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex64, ArraySize: 60000, FillSize: 800000000 }\n", "more than the"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, FillSize: 4, FillValue: x }\n", "Buffers[0].FillValue: 'x'"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, FillValue: 1, Data: [ 1 ] }\n", "it needs a FillSize"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, FillSize: 4, Data: [ 1 ] }\n",
               "Buffers[0].Data: there is FillSize too"},
        BadJob{"Buffers:\n  - { Name: A, Format: Hex32, FillSize: 4, ZeroInitSize: 4 }\n", "FillSize's old name"}));

constexpr const char* two_buffers =
    "Buffers:\n  - { Name: I, Format: Int32, Data: [ 1 ] }\n  - { Name: F, Format: Float32, Data: [ 1 ] }\n";

TEST(ReadJob, BadResultsAndResourcesAreRefused) {
  struct Case {
    const char* rest;
    const char* message;
  };
  for (const auto& [rest, message] :
       {Case{"Results:\n  - { Result: R, Rule: BufferEqual, Actual: I, Expected: I }\n", "'BufferEqual' is no rule"},
        Case{"Results:\n  - { Result: R, Rule: BufferExact, Actual: X, Expected: I }\n",
             "Results[0].Actual: there is no buffer 'X'"},
        Case{"Results:\n  - { Result: R, Rule: BufferExact, Actual: I, Expected: X }\n",
             "Results[0].Expected: there is no buffer 'X'"},
        Case{"Results:\n  - { Result: R, Rule: BufferExact, Actual: I }\n",
             "Results[0].Expected: this field is missing"},
        Case{"Results:\n  - { Result: R, Rule: BufferFloatULP, Actual: F, Expected: F }\n",
             "Results[0].ULPT: this field is missing"},
        Case{"Results:\n  - { Result: R, Rule: BufferFloatULP, ULPT: -1, Actual: F, Expected: F }\n",
             "Results[0].ULPT"},
        Case{"Results:\n  - { Result: R, Rule: BufferFloatULP, ULPT: 1, Actual: I, Expected: F }\n",
             "compares floats of one format"},
        Case{"Results:\n  - { Result: R, Rule: BufferFloatULP, ULPT: 1, DenormMode: No, Actual: F, Expected: F }\n",
             "'No' is no mode"},
        Case{"Results:\n  - { Result: R, Rule: BufferFloatEpsilon, Epsilon: -1, Actual: F, Expected: F }\n",
             "0 or more"},
        Case{"Results:\n  - { Result: R, Rule: BufferFloatEpsilon, Epsilon: nan, Actual: F, Expected: F }\n",
             "0 or more"},
        Case{"Results:\n  - { Result: R, Rule: BufferExact, ULPT: 1, Actual: I, Expected: I }\n",
             "Results[0].ULPT: there is no such field"},
        Case{"DescriptorSets:\n  - Resources:\n    - { Name: I, Kind: Bufer, VulkanBinding: { Binding: 0 } }\n",
             "'Bufer' is no kind"},
        Case{"DescriptorSets:\n  - Resources:\n    - { Name: X, Kind: Buffer, VulkanBinding: { Binding: 0 } }\n",
             "there is no buffer 'X'"},
        Case{"DescriptorSets:\n  - Resources:\n    - { Name: I, Kind: Buffer }\n",
             "DescriptorSets[0].Resources[0].DirectXBinding"},
        Case{"DescriptorSets:\n  - Resources:\n    - { Name: I, Kind: Buffer, DirectXBinding: { Register: 0 } }\n",
             "DirectXBinding.Space: this field is missing"},
        Case{"DescriptorSets:\n  - Resources:\n    - { Name: I, Kind: Buffer, VulkanBinding: { Binding: u0 } }\n",
             "VulkanBinding.Binding: 'u0' is no UInt32"},
        Case{"DescriptorSets:\n  - Resources:\n    - { Name: I, Kind: Buffer, HasCounter: maybe, VulkanBinding: { "
             "Binding: 0 } }\n",
             "neither true nor false"}}) {
    EXPECT_TRUE(fails(read_with(fmt::format("{}{}", two_buffers, rest)), ErrorCode::invalid_input, message));
  }
}

TEST(ReadJob, OtherTextIsNoJob) {
  for (const auto& [text, message] :
       {std::pair{"", "one YAML document"}, std::pair{"--- 1\n--- 2\n", "here are 2"},
        std::pair{"text", "write fields with names"}, std::pair{"[ 1, 2", "this is no YAML"},
        std::pair{"a: [ 1 }", "this is no YAML"}, std::pair{"{}", "Shaders: this field is missing"},
        std::pair{"Shaders: []", "a job has a shader"}, std::pair{"? [a]\n: b", "a field's name is a word"}}) {
    EXPECT_TRUE(fails(read_job(text, "job.yaml"), ErrorCode::invalid_input, message)) << text;
  }
  EXPECT_TRUE(fails(read_job(std::string(100000, '['), "job.yaml"), ErrorCode::invalid_input, "job.yaml"));
}

TEST(ReadJob, LinesCountFromTheFilesBeginning) {
  EXPECT_TRUE(fails(read_job("Shaders: []\nNone: 1\n", "a.test", 40), ErrorCode::invalid_input, "a.test:4"));
}

}  // namespace
}  // namespace crosslane::job
