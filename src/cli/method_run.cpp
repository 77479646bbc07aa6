#include "cli/method_run.hpp"

#include <memory>

namespace crosslane::cli {

Expected<void> run_once(Device& device, const measure::RecordWork& record) {
  return device.create_command_list().and_then([&](const std::unique_ptr<CommandList>& list) {
    return record(*list).and_then([&] { return run(device, *list); });
  });
}

Expected<std::optional<double>> median_time(Device& device, const measure::RecordWork& record) {
  if (!device.info().features.timestamps) {
    return std::optional<double>();
  }
  return measure::time_on_device(device, record).map([](const measure::Timing& timing) {
    return std::optional(timing.median_ms);
  });
}

Expected<std::optional<double>> run_and_time(Device& device, const measure::RecordWork& record) {
  return run_once(device, record).and_then([&] { return median_time(device, record); });
}

std::string choice_note(Method asked, const std::string& library_note) {
  if (asked != Method::automatic) {
    return library_note;
  }
  return library_note.empty() ? "chosen automatically" : "chosen automatically; " + library_note;
}

}  // namespace crosslane::cli
