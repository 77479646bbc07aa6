#include "support/test_device.hpp"

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "crosslane/machine.hpp"
#include "device/choose.hpp"
#include "device/gather.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

// Fails the test during which the validation layer spoke.
class MessageListener final : public testing::EmptyTestEventListener {
 public:
  explicit MessageListener(const vulkan::Instance& instance) : instance_(instance) {}

  void OnTestEnd(const testing::TestInfo& /*test*/) override { report(); }
  void OnEnvironmentsTearDownEnd(const testing::UnitTest& /*test*/) override { report(); }

 private:
  void report() {
    const auto messages = instance_.validation_messages();
    for (; reported_ < messages.size(); ++reported_) {
      ADD_FAILURE() << "validation layer: " << messages[reported_];
    }
  }

  const vulkan::Instance& instance_;
  std::size_t reported_ = 0;
};

std::unique_ptr<vulkan::Instance> make_instance() {
  auto made = must(vulkan::create_instance({.validation = true}));
  testing::UnitTest::GetInstance()->listeners().Append(new MessageListener(*made));  // GoogleTest owns it
  return made;
}

std::unique_ptr<Device> open_named(const std::string& wanted) {
  if (const auto lanes = wave_size_in(wanted)) {
    return must(machine::create_device(*lanes));
  }
  if (wanted.empty()) {
    return must(instance().open(0));
  }
  const auto devices = gather_devices();
  return must(devices.open(must(devices.choose(wanted))));
}

std::unique_ptr<Device> open_device() {
  const char* const wanted = std::getenv("CROSSLANE_TEST_DEVICE");  // NOLINT(concurrency-mt-unsafe): only read
  auto opened = open_named(wanted == nullptr ? "" : wanted);
  const auto& info = opened->info();
  if (const auto expected = expected_wave_size(); expected != 0 && info.wave_sizes.standard != expected) {
    throw std::runtime_error(fmt::format("{} has waves of {} lanes; CROSSLANE_EXPECTED_WAVE_SIZE says {}", info.name,
                                         info.wave_sizes.standard, expected));
  }
  return opened;
}

}  // namespace

vulkan::Instance& instance() {
  static const auto made = make_instance();
  return *made;
}

Device& device() {
  static const auto opened = open_device();
  return *opened;
}

std::uint32_t expected_wave_size() {
  const char* const text = std::getenv("CROSSLANE_EXPECTED_WAVE_SIZE");  // NOLINT(concurrency-mt-unsafe): only read
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::stoul(text));
}

}  // namespace crosslane::test
