// A program that makes a mistake which only the validation layer sees: its messages must arrive.
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crosslane/vulkan.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::must;

TEST(Validation, CollectsTheLayersMessages) {
  // The layer reads it when an instance is made. NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  setenv("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT", 1);
  const auto instance = must(vulkan::create_instance({.validation = true}));
  ASSERT_TRUE(instance->validating());
  const auto device = must(instance->open(0));
  const auto buffer = must(device->create_buffer({1024}));
  const auto list = must(device->create_command_list());
  must(list->fill(*buffer, 0, 1024, 1));
  must(list->barrier());
  must(list->fill(*buffer, 0, 1024, 2));
  EXPECT_TRUE(instance->validation_messages().empty());
  must(list->fill(*buffer, 0, 1024, 3));  // nothing says which of the two comes first
  EXPECT_THAT(instance->validation_messages(), testing::Contains(testing::HasSubstr("SYNC-HAZARD-WRITE")));
}

}  // namespace
}  // namespace crosslane
