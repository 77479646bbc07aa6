#include "cli/scan_file.hpp"

#include <memory>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/keep_in.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"
#include "cli/result_comparison.hpp"

namespace crosslane::cli {
namespace {

using ScanRuns = MethodRuns<PassesOutcome>;

struct Buffers {
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> results;  ///< of the first method, which are written
  std::unique_ptr<Buffer> others;   ///< of each further one, which are only compared; null where there is none
};

// Scans from `input` to `output`: once for the results, then for the time.
Expected<PassesOutcome> scan_on(Device& device, const ScanOptions& options, std::uint64_t count, Buffer& input,
                                Buffer& output) {
  auto plan = Scan::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  auto outcome = outcome_of<PassesOutcome>(options.method, *plan);
  outcome.error_bound = plan->error_bound(count);
  const auto record = [&](CommandList& list) {
    return plan->record(list, input, 0, count, output).and_then([&] { return list.barrier(); });
  };
  return run_and_time(device, record).map([&](std::optional<double> median) {
    outcome.gpu_time_ms = median;
    return std::move(outcome);
  });
}

Expected<ScanRuns> scan_by_methods(Device& device, ScanJob& job, std::uint64_t count, const Buffers& buffers,
                                   const Console& console) {
  ScanOptions& options = job.options;
  const auto run = [&](Method method, bool first) {
    options.method = method;
    return scan_on(device, options, count, *buffers.input, first ? *buffers.results : *buffers.others);
  };
  const auto agree = [&](const PassesOutcome& first, const PassesOutcome& other) {
    return is_float(options.type) && options.op == Operator::sum
               ? sums_agree(device, *buffers.input, *buffers.results, *buffers.others,
                            {options.type, count, options.exclusive, first.error_bound + other.error_bound}, console)
               : same_bytes(device, *buffers.results, *buffers.others, count * size_of(options.type), console);
  };
  return run_methods<PassesOutcome>(job.methods, run, agree);
}

}  // namespace

Expected<ScanRuns> scan_file(Device& device, NpyFile& file, ScanJob job, const std::filesystem::path& output,
                             const Console& console) {
  const NpyHeader& header = file.header();
  job.options.type = header.type;
  Buffers buffers;
  ScanRuns runs;
  const auto make_room = [&] { return device.create_buffer({.bytes = buffers.input->bytes()}); };
  auto pending = PendingNpy::begin(output, descr_of(header.type), {header.count});
  if (!pending) {
    return tl::unexpected(std::move(pending.error()));
  }
  return load_array(device, file, console)
      .map(keep_in(buffers.input))
      .and_then(make_room)
      .map(keep_in(buffers.results))
      .and_then([&] { return job.methods.size() > 1 ? make_room() : Expected<std::unique_ptr<Buffer>>{}; })
      .map(keep_in(buffers.others))
      .and_then([&] { return scan_by_methods(device, job, header.count, buffers, console); })
      .map(keep_in(runs))
      .and_then([&] {
        return runs.agree ? store_array(device, *buffers.results, header.data_bytes(), *pending, console).and_then([&] {
          return pending->commit();
        })
                          : Expected<void>{};
      })
      .map([&] { return std::move(runs); });
}

}  // namespace crosslane::cli
