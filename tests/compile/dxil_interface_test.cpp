// Registers of DXIL meet bindings of SPIR-V by their names; and the C++ that is made of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/dxil_reflection.hpp"
#include "compile/embed_dxil.hpp"
#include "support/expected.hpp"

namespace crosslane::compile {
namespace {

using testing::HasSubstr;

spirv::Reflection spirv_with(std::vector<spirv::ResourceBinding> bindings) {
  spirv::Reflection reflection;
  reflection.bindings = std::move(bindings);
  return reflection;
}

spirv::ResourceBinding binding(std::uint32_t set, std::uint32_t slot, std::string name) {
  spirv::ResourceBinding made;
  made.set = set;
  made.slot = slot;
  made.name = std::move(name);
  return made;
}

TEST(DxilInterface, RegistersGetTheBindingsOfTheirNames) {
  DxilReflection dxil;
  dxil.group_size = {8, 4, 2};
  dxil.resources = {{"input", DxilView::structured_buffer, 2, 0, 1, 16, 0},
                    {"outputs", DxilView::rw_byte_address_buffer, 7, 3, 4, 0, 0}};
  const auto made = dxil_interface(dxil, spirv_with({binding(1, 9, "outputs"), binding(0, 5, "input")}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->group_size, (std::array<std::uint32_t, 3>{8, 4, 2}));
  ASSERT_EQ(made->resources.size(), 2U);
  EXPECT_EQ(made->resources[0].slot, 5U);
  EXPECT_EQ(made->resources[0].first_register, 2U);
  EXPECT_EQ(made->resources[0].stride, 16U);
  EXPECT_EQ(made->resources[1].set, 1U);
  EXPECT_EQ(made->resources[1].slot, 9U);
  EXPECT_EQ(made->resources[1].space, 3U);
  EXPECT_EQ(made->resources[1].count, 4U);
  EXPECT_EQ(made->pushed.bytes, 0U);
}

TEST(DxilInterface, TheBufferThatIsNoBindingIsPushed) {
  DxilReflection dxil;
  dxil.resources = {{"params", DxilView::constant_buffer, 3, 1, 1, 0, 24}};
  spirv::Reflection spirv;
  spirv.constants_bytes = 24;
  const auto made = dxil_interface(dxil, spirv);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->resources.empty());
  EXPECT_EQ(made->pushed.first_register, 3U);
  EXPECT_EQ(made->pushed.space, 1U);
  EXPECT_EQ(made->pushed.bytes, 24U);
}

TEST(DxilInterface, PushedConstantsLieAlikeInBoth) {
  DxilReflection dxil;
  dxil.resources = {{"params", DxilView::constant_buffer, 3, 1, 1, 0, 32}};
  spirv::Reflection spirv;
  spirv.constants_bytes = 28;
  EXPECT_TRUE(test::fails(dxil_interface(dxil, spirv), ErrorCode::unsupported,
                          "'params' has 32 bytes in Direct3D 12 and 28 in Vulkan"));
}

TEST(DxilInterface, GlobalsAreSpecializationConstants) {
  DxilReflection dxil;
  dxil.resources = {{"$Globals", DxilView::constant_buffer, 1, 0, 1, 0, 12}};
  dxil.globals = {{"first", 0}, {"unused", 4}, {"second", 8}};
  spirv::Reflection spirv;
  spirv.specialization = {{7, "second", 4, 5, {}}, {9, "first", 4, 6, {}}};
  const auto made = dxil_interface(dxil, spirv);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->specialized.first_register, 1U);
  EXPECT_EQ(made->specialized.bytes, 12U);
  ASSERT_EQ(made->specializations.size(), 2U);
  EXPECT_EQ(made->specializations[0].id, 9U);
  EXPECT_EQ(made->specializations[0].default_value, 6U);
  EXPECT_EQ(made->specializations[1].id, 7U);
  EXPECT_EQ(made->specializations[1].offset, 8U);
}

TEST(DxilInterface, RefusesWhatItCannotPlace) {
  DxilReflection dxil;
  dxil.resources = {{"lost", DxilView::structured_buffer, 0, 0, 1, 4, 0}};
  EXPECT_THAT(dxil_interface(dxil, {}).error().message, HasSubstr("'lost' is a resource of the DXIL alone"));
  dxil.resources = {{"$Globals", DxilView::constant_buffer, 1, 0, 1, 0, 8}};
  dxil.globals = {{"wide", 0}};
  spirv::Reflection spirv;
  spirv.specialization = {{0, "wide", 8, 0, {}}};
  EXPECT_THAT(dxil_interface(dxil, spirv).error().message, HasSubstr("'wide' is not of 32 bits"));
}

TEST(DxilInterface, BecomesDeclarations) {
  DxilInterface interface;
  interface.group_size = {64, 1, 1};
  interface.wave_size = 32;
  interface.resources = {{1, 2, DxilView::typed_buffer, 3, 4, 5, 6}};
  interface.pushed = {7, 8, 9};
  interface.specializations = {{10, 12, 11}};
  const std::vector<std::uint32_t> container = {0x43425844, 0xFFFFFFFF};
  const std::string text = dxil_declarations(interface, container);
  EXPECT_THAT(text, HasSubstr("0x43425844, 0xffffffff,"));
  EXPECT_THAT(text, HasSubstr("DxilResource{1, 2, static_cast<crosslane::DxilView>(3), 3, 4, 5, 6}"));
  EXPECT_THAT(text, HasSubstr("DxilSpecialization{10, 12, 11}"));
  EXPECT_THAT(text, HasSubstr("shader = {words, {64, 1, 1}, 32, resources, {7, 8, 9}, {0, 0, 0}, specializations}"));
}

}  // namespace
}  // namespace crosslane::compile
