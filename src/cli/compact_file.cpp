#include "cli/compact_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/keep_in.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"
#include "cli/result_comparison.hpp"

namespace crosslane::cli {
namespace {

using CompactRuns = MethodRuns<CompactOutcome>;

// What one method writes.
struct Written {
  std::unique_ptr<Buffer> kept;
  std::unique_ptr<Buffer> rejected;  ///< null where the others are left out
  std::unique_ptr<Buffer> count;
};

struct Buffers {
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> flags;  ///< null for selections by value
  Written results;                ///< of the first method, which are written
  Written others;                 ///< of each further one, which are only compared

  [[nodiscard]] CompactionArrays arrays(const Written& written) const {
    return {.input = {input.get()},
            .flags = {flags.get()},
            .kept = {written.kept.get()},
            .rejected = {written.rejected.get()},
            .count = {written.count.get()}};
  }
};

Expected<Written> make_written(Device& device, std::uint64_t bytes, bool partition) {
  const BufferDescription room{.bytes = bytes};
  Written written;
  return device.create_buffer(room)
      .map(keep_in(written.kept))
      .and_then([&] { return partition ? device.create_buffer(room) : Expected<std::unique_ptr<Buffer>>{}; })
      .map(keep_in(written.rejected))
      .and_then([&] { return device.create_buffer({.bytes = sizeof(std::uint64_t)}); })
      .map(keep_in(written.count))
      .map([&] { return std::move(written); });
}

// Compacts once for the results, then for the time.
Expected<CompactOutcome> compact_on(Device& device, const CompactionOptions& options, std::uint64_t count,
                                    const CompactionArrays& arrays) {
  auto plan = Compaction::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  auto outcome = outcome_of<CompactOutcome>(options.method, *plan);
  const auto record = [&](CommandList& list) {
    return plan->record(list, arrays, count).and_then([&] { return list.barrier(); });
  };
  return run_and_time(device, record)
      .and_then([&](std::optional<double> median) {
        outcome.gpu_time_ms = median;
        return download(device, *arrays.count.buffer, std::as_writable_bytes(std::span(&outcome.kept, 1)));
      })
      .map([&] { return std::move(outcome); });
}

// Bytes of each result.
std::uint64_t result_bytes(const CompactionOptions& options) {
  return options.indices ? sizeof(std::uint32_t) : options.element_bytes;
}

Expected<CompactRuns> compact_by_methods(Device& device, CompactJob& job, std::uint64_t count, const Buffers& buffers,
                                         const Console& console) {
  const auto run = [&](Method method, bool first) {
    job.options.method = method;
    return compact_on(device, job.options, count, buffers.arrays(first ? buffers.results : buffers.others));
  };
  const auto agree = [&](const CompactOutcome& first, const CompactOutcome& other) -> Expected<bool> {
    if (first.kept != other.kept) {
      return false;
    }
    const std::uint64_t bytes = result_bytes(job.options);
    auto same = same_bytes(device, *buffers.results.kept, *buffers.others.kept, first.kept * bytes, console);
    if (same && *same && job.partition) {
      same = same_bytes(device, *buffers.results.rejected, *buffers.others.rejected, (count - first.kept) * bytes,
                        console);
    }
    return same;
  };
  return run_methods<CompactOutcome>(job.methods, run, agree);
}

// Writes what was kept, and behind it what was not where that is wanted.
Expected<void> write_results(Device& device, const CompactJob& job, const NpyHeader& header, const Written& results,
                             std::uint64_t kept, const std::filesystem::path& output, const Console& console) {
  const std::uint64_t others = job.partition ? header.count - kept : 0;
  const std::uint64_t bytes = result_bytes(job.options);
  auto pending =
      PendingNpy::begin(output, descr_of(job.options.indices ? ScalarType::u32 : header.type), {kept + others});
  if (!pending) {
    return tl::unexpected(std::move(pending.error()));
  }
  return store_array(device, *results.kept, kept * bytes, *pending, console)
      .and_then([&] {
        return others == 0 ? Expected<void>{}
                           : store_array(device, *results.rejected, others * bytes, *pending, console);
      })
      .and_then([&] { return pending->commit(); });
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

Expected<CompactRuns> compact_file(Device& device, NpyFile& file, NpyFile* flags, CompactJob job,
                                   const std::filesystem::path& output, const Console& console) {
  const NpyHeader& header = file.header();
  job.options.element_bytes = static_cast<std::uint32_t>(header.element_bytes());
  const std::uint64_t room = std::max<std::uint64_t>(header.count, 1) * result_bytes(job.options);
  const auto make_room = [&] { return make_written(device, room, job.partition); };
  Buffers buffers;
  CompactRuns runs;
  return load_array(device, file, console)
      .map(keep_in(buffers.input))
      .and_then(
          [&] { return flags == nullptr ? Expected<std::unique_ptr<Buffer>>{} : load_flags(device, *flags, console); })
      .map(keep_in(buffers.flags))
      .and_then(make_room)
      .map(keep_in(buffers.results))
      .and_then([&] { return job.methods.size() > 1 ? make_room() : Expected<Written>{}; })
      .map(keep_in(buffers.others))
      .and_then([&] { return compact_by_methods(device, job, header.count, buffers, console); })
      .map(keep_in(runs))
      .and_then([&] {
        return runs.agree ? write_results(device, job, header, buffers.results, runs.first().kept, output, console)
                          : Expected<void>{};
      })
      .map([&] { return std::move(runs); });
}

}  // namespace crosslane::cli
