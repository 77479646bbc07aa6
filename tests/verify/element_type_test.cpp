#include "verify/element_type.hpp"

#include <gtest/gtest.h>

namespace crosslane::conformance {
namespace {

const ElementType& type_named(std::string_view name) {
  for (const ElementType& type : all_element_types) {
    if (type.name == name) {
      return type;
    }
  }
  return all_element_types.front();
}

TEST(ElementType, EncodesIntegersModuloTheirWidth) {
  EXPECT_EQ(encode(type_named("u16"), 65537), 1U);
  EXPECT_EQ(encode(type_named("i16"), -2), 0xFFFEU);
  EXPECT_EQ(encode(type_named("u32"), -1), 0xFFFFFFFFU);
  EXPECT_EQ(encode(type_named("i64"), -1), 0xFFFFFFFFFFFFFFFFU);
}

TEST(ElementType, EncodesFloatsAsIeee754) {
  EXPECT_EQ(encode(type_named("f32"), 1), 0x3F800000U);
  EXPECT_EQ(encode(type_named("f32"), -3), 0xC0400000U);
  EXPECT_EQ(encode(type_named("f64"), 2), 0x4000000000000000U);
}

TEST(ElementType, EncodesHalves) {
  EXPECT_EQ(encode(type_named("f16"), 0), 0x0000U);
  EXPECT_EQ(encode(type_named("f16"), 1), 0x3C00U);
  EXPECT_EQ(encode(type_named("f16"), -2), 0xC000U);
  EXPECT_EQ(encode(type_named("f16"), 3), 0x4200U);
  EXPECT_EQ(encode(type_named("f16"), 1000), 0x63D0U);
  EXPECT_EQ(encode(type_named("f16"), 2047), 0x67FFU);
  EXPECT_EQ(encode(type_named("f16"), 2048), 0x6800U);
}

TEST(ElementType, IsThereOnlyWithItsFeatures) {
  DeviceFeatures features;
  EXPECT_TRUE(has_type(features, type_named("u32")));
  EXPECT_FALSE(has_type(features, type_named("f64")));
  features.float64 = true;
  EXPECT_TRUE(has_type(features, type_named("f64")));
  features.int64 = true;
  EXPECT_FALSE(has_type(features, type_named("u64"))) << "wave operations need wave_extended_types";
  features.wave_extended_types = true;
  EXPECT_TRUE(has_type(features, type_named("u64")));
  features.float16 = true;
  EXPECT_FALSE(has_type(features, type_named("f16"))) << "its bits are handled as a 16-bit integer";
  features.int16 = true;
  EXPECT_TRUE(has_type(features, type_named("f16")));
}

}  // namespace
}  // namespace crosslane::conformance
