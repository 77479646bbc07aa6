#include "job/conditions.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;

bool value(std::string_view condition) {
  static const std::set<std::string, std::less<>> features = {"Half", "Vulkan", "WaveSize_32", "a-b+c.d=e"};
  return must(holds(condition, [](std::string_view feature) { return features.contains(feature); }));
}

TEST(Conditions, AreEvaluated) {
  for (const auto* const condition :
       {"Half", "!Int16", "Half && Vulkan", "Half && (Int16 || WaveSize_32)", "Int16 || Int64 || Half", "true", "*",
        "!!Half", "  Half  ", "!(Int16&&Half)", "Int16 && Int64 || Half", "a-b+c.d=e", "!false", "!Int16 && Half"}) {
    EXPECT_TRUE(value(condition)) << condition;
  }
  for (const auto* const condition : {"Int16", "!Half", "Half && Int16", "false", "!(Half || Int16)",
                                      "Half && (Int16 || Int64)", "Half && !Vulkan"}) {
    EXPECT_FALSE(value(condition)) << condition;
  }
}

TEST(Conditions, EverythingElseIsNone) {
  const auto has = [](std::string_view) { return true; };
  for (const std::string condition :
       {"", "&&", "Half &&", "(Half", "Half)", "Half Vulkan", "!", "Half & Vulkan", "{{x}}"}) {
    EXPECT_TRUE(fails(holds(condition, has), ErrorCode::invalid_input, "no condition")) << condition;
  }
  EXPECT_FALSE(holds(std::string(100000, '('), has).has_value());
  EXPECT_FALSE(holds(std::string(100000, '!'), has).has_value());
}

}  // namespace
}  // namespace crosslane::job
