#include "report/json_node.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

using testing::HasSubstr;
using testing::Property;
using testing::StrEq;
using testing::ThrowsMessage;

TEST(JsonNode, GivesValuesOfTheirKind) {
  const Json json = Json::parse(R"({"a":[1,-2,"18446744073709551615","NaN","-Infinity",true,null,"x",1.5]})");
  const auto items = JsonNode(json).at("a").items();
  ASSERT_EQ(items.size(), 9U);
  EXPECT_EQ(items[0].count(), 1U);
  EXPECT_EQ(items[1].number(), -2.0);
  EXPECT_EQ(items[2].count(), 18446744073709551615U);
  EXPECT_TRUE(std::isnan(items[3].number()));
  EXPECT_EQ(items[4].number(), -INFINITY);
  EXPECT_TRUE(items[5].flag());
  EXPECT_EQ(items[7].text(), "x");
  EXPECT_THROW(static_cast<void>(items[1].count()), BadValue);
  EXPECT_THROW(static_cast<void>(items[8].count()), BadValue);
  EXPECT_THROW(static_cast<void>(items[7].count()), BadValue);
  EXPECT_THROW(static_cast<void>(items[7].number()), BadValue);
  EXPECT_THROW(static_cast<void>(items[6].flag()), BadValue);
  EXPECT_THROW(static_cast<void>(items[0].text()), BadValue);
}

TEST(JsonNode, FindsWhatIsThereAndNotNull) {
  const Json json = {{"none", nullptr}, {"some", 1}};
  EXPECT_FALSE(JsonNode(json).find("none"));
  EXPECT_FALSE(JsonNode(json).find("missing"));
  EXPECT_TRUE(JsonNode(json).find("some"));
}

TEST(JsonNode, NamesThePlaceOfWhatIsWrong) {
  const Json json = {{"runs", {{{"wave_size", "many"}}}}};
  const auto run = JsonNode(json).at("runs").items().front();
  EXPECT_THAT([&] { static_cast<void>(run.at("wave_size").count()); },
              ThrowsMessage<BadValue>(
                  StrEq("runs[0].wave_size is \"many\", and has to be a whole number that is not negative")));
  EXPECT_THAT([&] { static_cast<void>(run.at("device")); },
              ThrowsMessage<BadValue>(StrEq("runs[0].device is missing")));
  const Json list = Json::array();
  EXPECT_THAT([&] { static_cast<void>(JsonNode(list).at("runs")); },
              ThrowsMessage<BadValue>(HasSubstr("the document is [], and has to be an object")));
}

}  // namespace
}  // namespace crosslane::report
