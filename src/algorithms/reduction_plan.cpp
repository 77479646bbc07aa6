#include "algorithms/reduction_plan.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

/// Two groups keep a multiprocessor busy; more only make the last group's work longer. Where the driver does not tell
/// the number of processors, enough groups for a large device. Of the counts that need the same number of rounds of
/// tiles the smallest is taken, so that no group has one tile more than most others.
std::uint32_t group_count(const DeviceInfo& device, std::uint64_t vectors) {
  constexpr std::uint64_t tile = std::uint64_t{CROSSLANE_REDUCE_THREADS} * CROSSLANE_REDUCE_LOADS;
  constexpr std::uint64_t unknown_processors = 128;
  const std::uint64_t processors = device.processors != 0 ? device.processors : unknown_processors;
  const auto most = std::min<std::uint64_t>({CROSSLANE_REDUCE_MAX_GROUPS, device.limits.groups[0], 2 * processors});
  const std::uint64_t tiles = std::max<std::uint64_t>(divide_up(vectors, tile), 1);
  const std::uint64_t rounds = divide_up(tiles, most);
  return narrow(divide_up(tiles, rounds));
}

/// The part of the input from byte `begin` to `end`, seen through one binding.
ReduceDispatch reduce_part(const DeviceInfo& device, std::uint64_t element_bytes, std::uint64_t begin,
                           std::uint64_t end) {
  const std::uint64_t base = round_down(begin, binding_step(device.limits));
  const std::uint64_t first = begin - base;
  const std::uint64_t last = end - base;
  const std::uint64_t vectors_begin = std::min(round_up(first, vector_bytes), last);
  const std::uint64_t vectors_end = std::max(round_down(last, vector_bytes), vectors_begin);
  ReduceDispatch dispatch;
  dispatch.input_offset = base;
  dispatch.input_bytes = last;
  dispatch.params.head_first = narrow(first / element_bytes);
  dispatch.params.head_count = narrow((vectors_begin - first) / element_bytes);
  dispatch.params.vector_first = narrow(vectors_begin / vector_bytes);
  dispatch.params.vector_count = narrow((vectors_end - vectors_begin) / vector_bytes);
  dispatch.params.tail_first = narrow(vectors_end / element_bytes);
  dispatch.params.tail_count = narrow((last - vectors_end) / element_bytes);
  dispatch.params.groups = group_count(device, dispatch.params.vector_count);
  return dispatch;
}

}  // namespace

std::vector<ReduceDispatch> plan_reduce(const DeviceInfo& device, std::uint64_t element_bytes, std::uint64_t offset,
                                        std::uint64_t count) {
  const std::uint64_t step = binding_step(device.limits);
  const std::uint64_t end = offset + count * element_bytes;
  std::vector<ReduceDispatch> dispatches;
  for (std::uint64_t begin = offset; begin < end;) {
    const std::uint64_t part_end = std::min(end, round_down(begin, step) + binding_capacity(device.limits));
    dispatches.push_back(reduce_part(device, element_bytes, begin, part_end));
    const std::uint64_t done = (begin - offset) / element_bytes;
    dispatches.back().params.count.done_low = narrow(done);
    dispatches.back().params.count.done_high = narrow(done >> 32U);
    begin = part_end;
  }
  for (std::size_t i = 0; i < dispatches.size(); ++i) {
    dispatches[i].params.carry_in = i > 0 ? 1 : 0;
    dispatches[i].params.carry_out = i + 1 < dispatches.size() ? 1 : 0;
  }
  return dispatches;
}

std::vector<ReproducibleDispatch> plan_reproducible(const DeviceLimits& limits, std::uint64_t element_bytes,
                                                    std::uint64_t offset, std::uint64_t count) {
  // Parts are whole blocks, so that where they are cut does not change the tree; one step is kept for the alignment.
  const std::uint64_t block_bytes = reproducible_block * element_bytes;
  const std::uint64_t step = binding_step(limits);
  const std::uint64_t part_blocks = (binding_capacity(limits) - step) / block_bytes;
  std::vector<ReproducibleDispatch> dispatches;
  std::uint64_t level_offset = offset;
  for (std::uint32_t level = 0; level == 0 || count > 1; ++level) {
    const std::uint64_t blocks = divide_up(count, reproducible_block);
    for (std::uint64_t block = 0; block < blocks; block += part_blocks) {
      const std::uint64_t begin = level_offset + block * block_bytes;
      const std::uint64_t part_count = std::min(count - block * reproducible_block, part_blocks * reproducible_block);
      ReproducibleDispatch dispatch;
      dispatch.level = level;
      dispatch.input_offset = round_down(begin, step);
      dispatch.input_bytes = begin + part_count * element_bytes - dispatch.input_offset;
      dispatch.params.first = narrow((begin - dispatch.input_offset) / element_bytes);
      dispatch.params.elements.done_low = narrow(block * reproducible_block);
      dispatch.params.elements.done_high = narrow(block * reproducible_block >> 32U);
      dispatch.params.count = narrow(part_count);
      dispatch.params.blocks = narrow(divide_up(part_count, reproducible_block));
      dispatch.params.groups = std::min(dispatch.params.blocks, limits.groups[0]);
      dispatch.params.finish = blocks == 1 ? 1 : 0;
      dispatch.output_offset = round_down(block * element_bytes, step);
      dispatch.params.output_element = narrow((block * element_bytes - dispatch.output_offset) / element_bytes);
      dispatch.output_bytes = (dispatch.params.output_element + dispatch.params.blocks) * element_bytes;
      dispatches.push_back(dispatch);
    }
    level_offset = 0;
    count = blocks;
  }
  return dispatches;
}

std::uint64_t longest_chain(const DeviceInfo& device, ScalarType type, std::uint64_t count, bool reproducible,
                            Method method, std::uint32_t wave_size) {
  if (count < 2) {
    return 0;
  }
  if (reproducible) {
    std::uint64_t chain = 0;
    for (; count > 1; count = divide_up(count, reproducible_block)) {
      chain += std::bit_width(reproducible_block - 1);
    }
    return chain;
  }
  // A wave's own intrinsic may add one lane after the other; a shuffle tree and a groupshared tree are balanced.
  const std::uint64_t threads = CROSSLANE_REDUCE_THREADS;
  std::uint64_t group_chain = std::bit_width(threads - 1);
  if (method == Method::wave_intrinsics) {
    group_chain = 0;
    for (std::uint64_t left = threads; left > 1; left = divide_up(left, wave_size)) {
      group_chain += wave_size - 1;
      if (wave_size == 1) {
        return threads;
      }
    }
  }
  const std::uint64_t lanes_of_vector = vector_bytes / size_of(type);
  std::uint64_t chain = 0;
  const auto dispatches = plan_reduce(device, size_of(type), 0, count);
  for (const ReduceDispatch& dispatch : dispatches) {
    const std::uint64_t groups = dispatch.params.groups;
    const std::uint64_t tile = threads * CROSSLANE_REDUCE_LOADS;
    const std::uint64_t tiles = divide_up(divide_up(dispatch.params.vector_count, tile), groups);
    // In a thread: the vector's lanes, then the tile's loads (one by one where the tile is not whole), then the tiles,
    // the head and the tail; then the group; then the groups' results, each thread some of them, and the group again.
    const std::uint64_t share = lanes_of_vector + CROSSLANE_REDUCE_LOADS + tiles + 2;
    const std::uint64_t last_group = groups > 1 ? divide_up(groups, threads) + group_chain : 0;
    chain = std::max(chain + 1, share + group_chain + last_group + 1);
  }
  return chain;
}

std::string reduce_kernel_name(ScalarType type, Operator op, Method method) {
  const bool sign_matters = op == Operator::minimum || op == Operator::maximum;
  if (!sign_matters && type == ScalarType::i32) {
    type = ScalarType::u32;
  } else if (!sign_matters && type == ScalarType::i64) {
    type = ScalarType::u64;
  }
  return fmt::format("reduce.{}.{}.{}", name(type), name(op), name(method));
}

}  // namespace crosslane
