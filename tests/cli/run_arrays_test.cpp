// `crosslane run` on arrays: --in, --out, --size and --spec, without a job and with one.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* scale = R"(#version 450
layout(local_size_x = 4) in;
layout(constant_id = 4) const float factor = 2;
layout(set = 0, binding = 0) readonly buffer Source { float values[]; } source;
layout(set = 0, binding = 1) buffer Target { float values[]; } target;
layout(set = 1, binding = 2) uniform Shift { float by[4]; } shift;
void main() {
  const uint i = gl_GlobalInvocationID.x;
  target.values[i] = source.values[i] * factor + shift.by[0];
}
)";

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The elements of a file that must have this type and shape.
template <typename T>
std::vector<T> read_npy(const std::filesystem::path& file, const std::string& shape) {
  const auto bytes = contents(file);
  const std::size_t header =
      10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  EXPECT_EQ(header % 64, 0U);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes[header - 1], '\n');
  EXPECT_THAT(bytes.substr(10, header - 10),
              AllOf(HasSubstr("'descr': " + test::descr_of<T>()), HasSubstr("'fortran_order': False"),
                    HasSubstr("'shape': " + shape)));
  std::vector<T> values((bytes.size() - header) / sizeof(T));
  std::memcpy(values.data(), bytes.data() + header, values.size() * sizeof(T));
  return values;
}

class RunArrays : public test::ProgramTest {
 protected:
  void SetUp() override {
    test::write_file(folder_ / "scale.comp", scale);
    test::write_file(folder_ / "in.npy", test::npy_bytes<float>({1, 2, 3, 4, 5, 6, 7, 8}));
  }

  test::Outcome run_scale(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"run", "scale.comp", "--device", "vulkan:0"});
    return run(flags);
  }

  void expect_refused(const std::vector<std::string>& flags, const std::string& what) {
    const auto outcome = run_scale(flags);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(testing::StartsWith("crosslane: error: "), HasSubstr(what)));
  }
};

TEST_F(RunArrays, BuffersAreBoundByName) {
  const auto outcome =
      run_scale({"--groups", "2", "--in", "source=in.npy", "--size", "target=32", "--out", "target=out.npy"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("target: 8 Float32 numbers written to out.npy"));
  EXPECT_THAT(read_npy<float>(folder_ / "out.npy", "(8,)"), ElementsAre(2, 4, 6, 8, 10, 12, 14, 16));
}

TEST_F(RunArrays, BuffersAreBoundByBinding) {
  test::write_file(folder_ / "shift.npy", test::npy_bytes<float>({0.5F, 0, 0, 0}));
  const auto outcome = run_scale({"--in", "0=in.npy", "--in", "1:2=shift.npy", "--size", "0:1=16", "--out", "1=out.npy",
                                  "--spec", "factor=10", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(read_npy<float>(folder_ / "out.npy", "(4,)"), ElementsAre(10.5F, 20.5F, 30.5F, 40.5F));
  const auto written = outcome.json()["runs"][0]["written"][0];
  EXPECT_EQ(written["buffer"], "1");
  EXPECT_EQ(written["file"], "out.npy");
  EXPECT_EQ(written["format"], "Float32");
  EXPECT_EQ(written["count"], 4);
}

TEST_F(RunArrays, ConstantsAreKnownByNameOrId) {
  for (const std::string name : {"factor", "4"}) {
    EXPECT_EQ(
        run_scale({"--in", "source=in.npy", "--size", "target=16", "--out", "target=out.npy", "--spec", name + "=-1"})
            .exit_code,
        0);
    EXPECT_THAT(read_npy<float>(folder_ / "out.npy", "(4,)"), ElementsAre(-1, -2, -3, -4));
  }
  const std::vector<std::string> usual = {"--in", "source=in.npy", "--size", "target=16"};
  for (const auto& [spec, what] :
       {std::pair{"other=1", "no such specialization constant, only factor (4)"},
        std::pair{"factor=x", "'x' is no Float32"}, std::pair{"factor", "write NAME=VALUE"}}) {
    auto flags = usual;
    flags.insert(flags.end(), {"--spec", spec});
    expect_refused(flags, what);
  }
}

TEST_F(RunArrays, InputsMayBeOutputsToo) {
  const auto outcome = run_scale({"--in", "source=in.npy", "--in", "target=in.npy", "--out", "target=in.npy"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read_npy<float>(folder_ / "in.npy", "(8,)"), ElementsAre(2, 4, 6, 8, 5, 6, 7, 8));
}

TEST_F(RunArrays, TypedBuffersTakeTheShadersFormat) {
  test::write_file(folder_ / "typed.comp",
                   "#version 450\nlayout(local_size_x = 2) in;\n"
                   "layout(binding = 0, rgba8) uniform imageBuffer colours;\n"
                   "layout(binding = 1, r16ui) uniform uimageBuffer result;\n"
                   "void main() {\n  const int i = int(gl_LocalInvocationIndex);\n"
                   "  imageStore(result, i, uvec4(imageLoad(colours, i).w * 255.0 + 0.5));\n"
                   "  imageStore(colours, i, vec4(1, 0, 0.5, 1));\n}\n");
  const auto outcome = run({"run", "typed.comp", "--size", "colours=8", "--size", "result=4", "--out",
                            "result=result.npy", "--out", "colours=colours.npy", "--device", "vulkan:0"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read_npy<std::uint16_t>(folder_ / "result.npy", "(2,)"), ElementsAre(0, 0));
  const auto colours = contents(folder_ / "colours.npy");
  EXPECT_THAT(colours, HasSubstr("'|u1'"));
  EXPECT_THAT(colours.substr(colours.size() - 8, 2), std::string("\xff\x00", 2));
}

TEST_F(RunArrays, WhatMakesNoSenseIsRefused) {
  const std::string source = "source=in.npy";
  expect_refused({}, "how large this buffer is, is unknown: fill it with --in source=FILE.npy");
  expect_refused({"--in", "other=in.npy"}, "--in other: this is no buffer: there is set 0, binding 0 (source);");
  expect_refused({"--in", "7=in.npy"}, "--in 7: this is no buffer");
  expect_refused({"--in", "source"}, "write NAME=FILE.npy");
  expect_refused({"--in", "source=in.npy", "--size", "target=3"},
                 "3 bytes are no whole number of Float32 of 4 bytes: write 4");
  expect_refused({"--in", "source=in.npy", "--size", "target=32", "--out", "target=a.npy", "--out", "target=./a.npy"},
                 "another --out writes that file too");
  expect_refused({"--in", source, "--in", "0=in.npy"}, "named twice");
  expect_refused({"--in", source, "--size", "source=32"}, "leave --size out");
  expect_refused({"--in", source, "--size", "target=many"}, "'many' is no number of bytes");
  expect_refused({"--in", source, "--size", "target=0"}, "'0' is no number of bytes");
  expect_refused({"--in", source, "--size", "target=99999999999"},
                 "99999999999 bytes are more than a shader sees of a buffer: say 4294967280 at most");
  expect_refused({"--in", source, "--size", "target=99999999999999999999999"},
                 "are more than a shader sees of a buffer");
  expect_refused({"--in", "source=none.npy"}, "none.npy: there is no such file");
  test::write_file(folder_ / "integers.npy", test::npy_bytes<std::int32_t>({1, 2}));
  expect_refused({"--in", "source=integers.npy"}, "its elements are Int32, but the shader reads Float32");
  test::write_file(folder_ / "empty.npy", test::npy_bytes<float>({}));
  expect_refused({"--in", "source=empty.npy"}, "without elements");
  expect_refused({"--in", source, "--size", "target=16", "--out", "other=out.npy"}, "no such buffer");
}

TEST_F(RunArrays, NoOutputIsLeftHalfWritten) {
  const std::vector<std::string> usual = {"--in",  "source=in.npy",  "--size", "target=16",
                                          "--out", "target=out.npy", "--out"};
  for (const std::string last : {"source=nowhere/out.npy", "other=out2.npy"}) {
    auto flags = usual;
    flags.push_back(last);
    const auto outcome = run_scale(flags);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.npy"));
  }
  for (const auto& name : files()) {
    EXPECT_THAT(name, testing::Not(testing::StartsWith(".crosslane-")));
  }
}

TEST_F(RunArrays, OutputsGoWhereLinksLead) {
  std::filesystem::create_directory(folder_ / "results");
  std::filesystem::create_symlink("results/out.npy", folder_ / "link.npy");
  for (int i = 0; i < 2; ++i) {  // to a file that is not there, and to one that is
    const auto outcome = run_scale({"--in", "source=in.npy", "--size", "target=16", "--out", "target=link.npy"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.npy"));
    EXPECT_THAT(read_npy<float>(folder_ / "results" / "out.npy", "(4,)"), ElementsAre(2, 4, 6, 8));
  }
  std::filesystem::create_symlink("loop.npy", folder_ / "loop.npy");
  const std::vector<std::string> usual = {"--in", "source=in.npy", "--size", "target=16", "--out"};
  for (const auto& [out, what] : {std::pair{"target=loop.npy", "loop.npy: its symbolic links lead in a circle"},
                                  std::pair{"target=-", "-: arrays are not written to standard output"},
                                  std::pair{"target=results", "results: this is a directory"}}) {
    auto flags = usual;
    flags.emplace_back(out);
    expect_refused(flags, what);
  }
}

TEST_F(RunArrays, JobsTakeArraysByTheirBuffersNames) {
  test::write_file(folder_ / "scale.yaml",
                   "Shaders:\n  - { Stage: Compute, Entry: main, DispatchSize: [2, 1, 1] }\nBuffers:\n"
                   "  - { Name: In, Format: Float32, Data: [ 9 ] }\n  - { Name: Shift, Format: Float32, Data: [ 1 ] }\n"
                   "  - { Name: Out, Format: Float32, FillSize: 32 }\nDescriptorSets:\n  - Resources:\n"
                   "    - { Name: In, Kind: StructuredBuffer, VulkanBinding: { Binding: 0 } }\n"
                   "    - { Name: Out, Kind: RWStructuredBuffer, VulkanBinding: { Binding: 1 } }\n  - Resources:\n"
                   "    - { Name: Shift, Kind: ConstantBuffer, VulkanBinding: { Binding: 2 } }\n");
  for (const std::string name : {"In", "source", "0"}) {
    const auto outcome = run_scale({"--job", "scale.yaml", "--in", name + "=in.npy", "--out", "Out=out.npy"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(read_npy<float>(folder_ / "out.npy", "(8,)"), ElementsAre(3, 5, 7, 9, 11, 13, 15, 17)) << name;
  }
  test::write_file(folder_ / "integers.npy", test::npy_bytes<std::int32_t>({1, 2}));
  expect_refused({"--job", "scale.yaml", "--in", "In=integers.npy"}, "an array of Int32 does not fill buffer 'In'");
  expect_refused({"--job", "scale.yaml", "--in", "None=in.npy"}, "the job has no such buffer, only In, Shift, Out");
  expect_refused({"--job", "scale.yaml", "--size", "Out=8"}, "--size: the job says");
}

}  // namespace
}  // namespace crosslane::cli
