#include "cli/scan_file.hpp"

#include <memory>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"

namespace crosslane::cli {
namespace {

// Scans from `input` to `output`: once for the results, then for the time.
Expected<RunOutcome> scan_on(Device& device, const ScanOptions& options, std::uint64_t count, Buffer& input,
                             Buffer& output) {
  auto plan = Scan::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  RunOutcome outcome = outcome_of(options.method, *plan);
  const auto record = [&](CommandList& list) {
    return plan->record(list, input, 0, count, output).and_then([&] { return list.barrier(); });
  };
  return run_once(device, record)
      .and_then([&] { return median_time(device, record); })
      .map([&](std::optional<double> median) {
        outcome.gpu_time_ms = median;
        return std::move(outcome);
      });
}

}  // namespace

Expected<RunOutcome> scan_file(Device& device, NpyFile& file, ScanOptions options, const std::filesystem::path& output,
                               const Console& console) {
  const NpyHeader& header = file.header();
  options.type = header.type;
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> results;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  auto pending = PendingNpy::begin(output, descr_of(header.type), {header.count});
  if (!pending) {
    return tl::unexpected(std::move(pending.error()));
  }
  RunOutcome outcome;
  return load_array(device, file, console)
      .map(keep(input))
      .and_then([&] { return device.create_buffer({.bytes = input->bytes()}); })
      .map(keep(results))
      .and_then([&] { return scan_on(device, options, header.count, *input, *results); })
      .map(keep(outcome))
      .and_then([&] { return store_array(device, *results, header.data_bytes(), *pending, console); })
      .and_then([&] { return pending->commit(); })
      .map([&] { return std::move(outcome); });
}

}  // namespace crosslane::cli
