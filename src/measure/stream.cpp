// What the device's memory gives for a workload's mix of reads and writes.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "kernels/kernel.hpp"
#include "kernels/measure/stream_params.hlsli"
#include "measure/workload.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint64_t vector_bytes = 16;
constexpr std::uint64_t group_vectors = std::uint64_t{CROSSLANE_STREAM_THREADS} * CROSSLANE_STREAM_LOADS;

struct Stream {
  std::unique_ptr<Pipeline> pipeline;
  SetArrays input;
  SetArrays output;
  std::uint64_t bytes = 0;      // that are read
  std::uint64_t most_part = 0;  // bytes that one dispatch reads
  std::uint64_t writes = 0;     // vectors of every two

  // One dispatch per part that a binding can show.
  Expected<void> record(CommandList& list, std::size_t set) const {
    const BufferPlace from = input.at(set);
    const BufferPlace to = output.at(set);
    for (std::uint64_t begin = 0; begin < bytes; begin += most_part) {
      const std::uint64_t part = std::min(most_part, bytes - begin);
      const kernel_interface::StreamParams params{static_cast<kernel_interface::uint>(divide_up(part, vector_bytes))};
      const std::uint64_t to_bytes = writes == 0 ? 0 : round_up(part * writes / 2, vector_bytes);
      const std::array bindings = {
          Binding{0, from.buffer, from.offset + begin, round_up(part, vector_bytes)},
          Binding{1, to.buffer, to.offset + (writes == 0 ? 0 : begin * writes / 2), std::max(to_bytes, vector_bytes)}};
      const auto groups = static_cast<std::uint32_t>(divide_up(params.vectors, group_vectors));
      if (auto done = list.dispatch(*pipeline, bindings, std::as_bytes(std::span(&params, 1)), {groups, 1, 1}); !done) {
        return done;
      }
    }
    return {};
  }
};

}  // namespace

Expected<Work> make_stream(Device& device, const Workload& workload) {
  const WorkCost& cost = workload.cost;
  // Rounded to the nearest of 0, 1/2 and 1.
  const std::uint64_t writes = std::min<std::uint64_t>((4 * cost.bytes_written / cost.bytes_read + 1) / 2, 2);
  const std::string kernel_name = fmt::format("measure.stream.{}", writes);
  const Kernel* const kernel = find_kernel(kernels(), kernel_name);
  if (kernel == nullptr) {
    return fail(ErrorCode::unsupported, fmt::format("this build of Crosslane has no kernel '{}'", kernel_name));
  }
  const auto& limits = device.info().limits;
  constexpr std::uint64_t largest_part = std::uint64_t{1} << 28U;
  PipelineDescription description;
  description.spirv = kernel->spirv;
  description.dxil = kernel->dxil;
  description.name = kernel_name;
  return device.create_pipeline(description).map([&](std::unique_ptr<Pipeline> pipeline) {
    const auto stream = std::make_shared<Stream>();
    stream->pipeline = std::move(pipeline);
    stream->input = workload.input;
    stream->output = workload.output;
    stream->bytes = cost.bytes_read;
    stream->most_part = std::min({largest_part, std::bit_floor(limits.binding_bytes),
                                  std::bit_floor(std::uint64_t{limits.groups[0]}) * group_vectors * vector_bytes});
    stream->writes = writes;
    constexpr std::array<std::string_view, 3> notes = {"reads alone", "reads two and writes one", "copies"};
    Work work;
    work.note = notes.at(writes);
    work.record = [stream](CommandList& list, std::size_t set) { return stream->record(list, set); };
    work.fault = [](std::size_t) { return Expected<std::string>(""); };
    return work;
  });
}

}  // namespace crosslane::measure
