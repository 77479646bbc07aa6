#include "cli/compact_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"

namespace crosslane::cli {
namespace {

struct Buffers {
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> flags;
  std::unique_ptr<Buffer> kept;
  std::unique_ptr<Buffer> rejected;
  std::unique_ptr<Buffer> count;

  [[nodiscard]] CompactionArrays arrays() const {
    return {.input = {input.get()},
            .flags = {flags.get()},
            .kept = {kept.get()},
            .rejected = {rejected.get()},
            .count = {count.get()}};
  }
};

// Compacts once for the results, then for the time.
Expected<CompactOutcome> compact_on(Device& device, const CompactionOptions& options, std::uint64_t count,
                                    const Buffers& buffers) {
  auto plan = Compaction::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  CompactOutcome outcome{.method = outcome_of(options.method, *plan)};
  const auto record = [&](CommandList& list) {
    return plan->record(list, buffers.arrays(), count).and_then([&] { return list.barrier(); });
  };
  return run_once(device, record)
      .and_then([&] { return median_time(device, record); })
      .and_then([&](std::optional<double> median) {
        outcome.method.gpu_time_ms = median;
        return download(device, *buffers.count, std::as_writable_bytes(std::span(&outcome.kept, 1)));
      })
      .map([&] { return std::move(outcome); });
}

}  // namespace

Expected<void> check_flags(const NpyFile& file, const NpyFile& flags) {
  if (flags.header().count != file.header().count) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} flags for the {} elements of {}: give one flag for each element", flags.name(),
                            flags.header().count, file.header().count, file.name()));
  }
  return {};
}

Expected<CompactOutcome> compact_file(Device& device, NpyFile& file, NpyFile* flags, CompactJob job,
                                      const std::filesystem::path& output, const Console& console) {
  const NpyHeader& header = file.header();
  job.options.element_bytes = static_cast<std::uint32_t>(header.element_bytes());
  const std::uint64_t output_bytes = job.options.indices ? sizeof(std::uint32_t) : job.options.element_bytes;
  const BufferDescription room{.bytes = std::max<std::uint64_t>(header.count, 1) * output_bytes};
  Buffers buffers;
  CompactOutcome outcome;
  std::optional<PendingNpy> pending;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  return load_array(device, file, console)
      .map(keep(buffers.input))
      .and_then(
          [&] { return flags == nullptr ? Expected<std::unique_ptr<Buffer>>{} : load_flags(device, *flags, console); })
      .map(keep(buffers.flags))
      .and_then([&] { return device.create_buffer(room); })
      .map(keep(buffers.kept))
      .and_then([&] { return job.partition ? device.create_buffer(room) : Expected<std::unique_ptr<Buffer>>{}; })
      .map(keep(buffers.rejected))
      .and_then([&] { return device.create_buffer({.bytes = sizeof(std::uint64_t)}); })
      .map(keep(buffers.count))
      .and_then([&] { return compact_on(device, job.options, header.count, buffers); })
      .map(keep(outcome))
      .and_then([&] {
        return PendingNpy::begin(output, descr_of(job.options.indices ? ScalarType::u32 : header.type),
                                 {job.partition ? header.count : outcome.kept});
      })
      .map([&](PendingNpy begun) { pending.emplace(std::move(begun)); })
      .and_then([&] { return store_array(device, *buffers.kept, outcome.kept * output_bytes, *pending, console); })
      .and_then([&] {
        const std::uint64_t others = job.partition ? header.count - outcome.kept : 0;
        return others == 0 ? Expected<void>{}
                           : store_array(device, *buffers.rejected, others * output_bytes, *pending, console);
      })
      .and_then([&] { return pending->commit(); })
      .map([&] { return std::move(outcome); });
}

}  // namespace crosslane::cli
