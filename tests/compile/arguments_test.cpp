#include "compile/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compile/bindings.hpp"

namespace crosslane::compile {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

Request request_of(Target target = Target::spirv) {
  Request request;
  request.file = "folder/shader.hlsl";
  request.target = target;
  return request;
}

/// The arguments that follow this one.
std::vector<std::string> after(const std::vector<std::string>& arguments, const std::string& option,
                               std::size_t count) {
  const auto found = std::ranges::find(arguments, option);
  if (arguments.end() - found <= static_cast<std::ptrdiff_t>(count)) {
    return {};
  }
  return {found + 1, found + 1 + static_cast<std::ptrdiff_t>(count)};
}

TEST(ShaderModel, IsReadFromComputeProfilesOnly) {
  EXPECT_EQ(shader_model("cs_6_0"), (ShaderModel{6, 0}));
  EXPECT_EQ(shader_model("cs_6_10"), (ShaderModel{6, 10}));
  EXPECT_TRUE((ShaderModel{6, 10}.at_least({6, 9})));
  EXPECT_TRUE((ShaderModel{6, 2}.at_least({6, 2})));
  EXPECT_TRUE((ShaderModel{7, 0}.at_least({6, 2})));
  EXPECT_FALSE((ShaderModel{6, 1}.at_least({6, 2})));
  EXPECT_FALSE((ShaderModel{5, 9}.at_least({6, 2})));
  for (const char* const text : {"", "cs", "cs_", "cs_6", "cs_6_", "cs__0", "cs_-6_0", "cs_6_0 ", "vs_6_0", "CS_6_0"}) {
    EXPECT_FALSE(shader_model(text)) << text;
  }
}

TEST(Arguments, TheSourceIsNamedFirst) {
  EXPECT_EQ(arguments_for(request_of(), {}, Extensions::all).front(), "folder/shader.hlsl");
  EXPECT_EQ(arguments_for({}, {}, Extensions::all).front(), "source.hlsl");
}

TEST(Arguments, AlwaysHlsl2021AndOnSpirvMaximalReconvergence) {
  for (const Target target : {Target::spirv, Target::dxil}) {
    const auto arguments = arguments_for(request_of(target), {}, Extensions::all);
    EXPECT_EQ(after(arguments, "-HV", 1), std::vector<std::string>{"2021"});
    EXPECT_EQ(std::ranges::count(arguments, "-spirv"), target == Target::spirv ? 1 : 0);
    EXPECT_EQ(std::ranges::count(arguments, "-fspv-enable-maximal-reconvergence"), target == Target::spirv ? 1 : 0);
  }
}

TEST(Arguments, Types16NeedShaderModel6_2) {
  Request request = request_of();
  EXPECT_THAT(arguments_for(request, {}, Extensions::all), Contains("-enable-16bit-types"));
  request.types16 = false;
  EXPECT_THAT(arguments_for(request, {}, Extensions::all), Not(Contains("-enable-16bit-types")));
  request.types16 = true;
  request.profile = "cs_6_1";
  EXPECT_THAT(arguments_for(request, {}, Extensions::all), Not(Contains("-enable-16bit-types")));
}

TEST(Arguments, ExtensionsAreRestrictedOnlyWhereAskedFor) {
  EXPECT_THAT(arguments_for(request_of(), {}, Extensions::khronos), Contains("-fspv-extension=KHR"));
  EXPECT_THAT(arguments_for(request_of(), {}, Extensions::all), Not(Contains(StartsWith("-fspv-extension"))));
  EXPECT_THAT(arguments_for(request_of(Target::dxil), {}, Extensions::khronos), Not(Contains(StartsWith("-fspv-"))));
}

TEST(Arguments, BindingsAreShiftedOnlyForTheFault) {
  Faults faults;
  EXPECT_THAT(arguments_for(request_of(), faults, Extensions::all), Not(Contains(StartsWith("-fvk-"))));
  faults.registers_share_bindings = true;
  const auto arguments = arguments_for(request_of(), faults, Extensions::all);
  EXPECT_EQ(after(arguments, "-fvk-b-shift", 2), (std::vector<std::string>{"0", "all"}));
  EXPECT_EQ(after(arguments, "-fvk-t-shift", 2), (std::vector<std::string>{"1000", "all"}));
  EXPECT_EQ(after(arguments, "-fvk-s-shift", 2), (std::vector<std::string>{"2000", "all"}));
  EXPECT_EQ(after(arguments, "-fvk-u-shift", 2), (std::vector<std::string>{"3000", "all"}));
  EXPECT_THAT(arguments_for(request_of(Target::dxil), faults, Extensions::all), Not(Contains(StartsWith("-fvk-"))));
}

TEST(Arguments, TheCallersOwnBindingsWin) {
  Faults faults;
  faults.registers_share_bindings = true;
  Request request = request_of();
  request.arguments = {"-fvk-u-shift", "7", "0"};
  auto arguments = arguments_for(request, faults, Extensions::all);
  EXPECT_EQ(std::ranges::count(arguments, "-fvk-u-shift"), 1);
  EXPECT_EQ(std::ranges::count(arguments, "-fvk-t-shift"), 1);
  request.arguments = {"-fvk-bind-register", "t0", "0", "5", "0"};
  arguments = arguments_for(request, faults, Extensions::all);
  EXPECT_THAT(arguments, Not(Contains(testing::EndsWith("-shift"))));
}

TEST(Arguments, TheCallersArgumentsComeLast) {
  Request request = request_of();
  request.defines = {{"FLAG", ""}, {"VALUE", "a b"}};
  request.include_directories = {"one", "two"};
  request.arguments = {"-O0"};
  const auto arguments = arguments_for(request, {}, Extensions::all);
  const std::vector<std::string> end = {"-D", "FLAG", "-D", "VALUE=a b", "-I", "one", "-I", "two", "-O0"};
  ASSERT_GE(arguments.size(), end.size());
  EXPECT_TRUE(std::equal(end.rbegin(), end.rend(), arguments.rbegin()));
}

TEST(Bindings, EachKindHasARangeOfItsOwn) {
  for (std::size_t i = 0; i + 1 < all_register_kinds.size(); ++i) {
    EXPECT_LT(binding_of(all_register_kinds.at(i), registers_per_kind - 1),
              binding_shift(all_register_kinds.at(i + 1)));
  }
  EXPECT_EQ(name(RegisterKind::b), "b");
  EXPECT_EQ(name(RegisterKind::u), "u");
}

}  // namespace
}  // namespace crosslane::compile
