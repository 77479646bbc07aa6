// A kernel of the program's own is right at every wave size.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <crosslane/check_gtest.hpp>
#include <crosslane/compaction.hpp>
#include <crosslane/machine.hpp>

namespace consumer {

std::span<const crosslane::Kernel> kernels();

TEST(Consumer, CompactionIsClean) {
  const auto device = crosslane::machine::create_device(16);
  ASSERT_TRUE(device);
  const auto check = crosslane::DeviceCheck::begin(**device);
  ASSERT_TRUE(check);
  crosslane::CompactionOptions options;
  options.selection = crosslane::ByFunctor{{kernels(), "compact.even"}, {}};
  auto plan = crosslane::Compaction::create(**device, options);
  ASSERT_TRUE(plan) << plan.error().message;
  const std::vector<std::uint32_t> values(1000, 2);
  const auto input = (*device)->create_buffer({values.size() * 4});
  const auto kept = (*device)->create_buffer({values.size() * 4});
  const auto count = (*device)->create_buffer({8});
  const auto list = (*device)->create_command_list();
  ASSERT_TRUE(input && kept && count && list);
  ASSERT_TRUE(crosslane::upload(**device, **input, std::as_bytes(std::span(values))));
  ASSERT_TRUE(
      plan->record(**list, {.input = {input->get()}, .kept = {kept->get()}, .count = {count->get()}}, values.size()));
  ASSERT_TRUE(crosslane::run(**device, **list));
  EXPECT_TRUE(crosslane::is_clean((*check)->report()));
}

}  // namespace consumer
