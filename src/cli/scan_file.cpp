#include "cli/scan_file.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/method_run.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"

namespace crosslane::cli {
namespace {

// Scans from `input` to `output`: once for the results, then for the time.
Expected<ScanOutcome> scan_on(Device& device, const ScanOptions& options, std::uint64_t count, Buffer& input,
                              Buffer& output) {
  auto plan = Scan::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  ScanOutcome outcome{.asked = options.method == Method::automatic ? plan->method() : options.method,
                      .ran = plan->method(),
                      .passes = plan->passes(),
                      .gpu_time_ms = {},
                      .note = choice_note(options.method, plan->method_note())};
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

Expected<void> check_scan(const NpyFile& file) {
  if (file.header().by_columns) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("{}: its elements lie by columns (fortran_order), and a scan goes by rows: save it again as "
                    "np.save('rows.npy', np.ascontiguousarray(np.load('{}')))",
                    file.name(), file.name()));
  }
  return {};
}

Expected<ScanOutcome> scan_file(Device& device, NpyFile& file, ScanOptions options, const std::filesystem::path& output,
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
  ScanOutcome outcome;
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
