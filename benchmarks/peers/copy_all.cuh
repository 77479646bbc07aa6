// Plain copies of an array, the fastest of which is what reading and writing as much takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda_work.cuh"

namespace peers {
namespace {  // a kernel belongs to the file that launches it

template <int Loads>
__global__ void copy_all(const uint4* from, uint4* to, std::uint64_t count) {
  const std::uint64_t base = blockIdx.x * std::uint64_t{blockDim.x} * Loads + threadIdx.x;
  uint4 loaded[Loads];
#pragma unroll
  for (int k = 0; k < Loads; ++k) {
    const std::uint64_t i = base + std::uint64_t{blockDim.x} * k;
    loaded[k] = i < count ? from[i] : uint4{};
  }
#pragma unroll
  for (int k = 0; k < Loads; ++k) {
    const std::uint64_t i = base + std::uint64_t{blockDim.x} * k;
    if (i < count) {
      to[i] = loaded[k];
    }
  }
}

/// A graph of `repeats` runs of a kernel that moves `units` vectors, or what counts as one, `loads` of them in each
/// thread; `inputs[set]` to `outputs[set]`.
template <typename T>
cudaGraphExec_t capture_moves(CudaWork& work, int repeats, const std::vector<T*>& inputs,
                              const std::vector<T*>& outputs, std::uint64_t units,
                              void (*kernel)(const uint4*, uint4*, std::uint64_t), std::uint64_t loads,
                              unsigned threads) {
  const auto blocks =
      static_cast<unsigned>(std::max<std::uint64_t>(1, (units + loads * threads - 1) / (loads * threads)));
  return work.capture_repeats(repeats, inputs.size(), [&](std::size_t set) {
    kernel<<<blocks, threads, 0, work.stream>>>(reinterpret_cast<const uint4*>(inputs[set]),
                                                reinterpret_cast<uint4*>(outputs[set]), units);
  });
}

/// Graphs of `repeats` copies of `bytes` bytes for each of four shapes.
template <typename T>
std::vector<cudaGraphExec_t> capture_copies(CudaWork& work, int repeats, const std::vector<T*>& inputs,
                                            const std::vector<T*>& outputs, std::uint64_t bytes) {
  const auto copy = [&](auto kernel, std::uint64_t loads, unsigned threads) {
    return capture_moves(work, repeats, inputs, outputs, bytes / sizeof(uint4), kernel, loads, threads);
  };
  return {copy(copy_all<1>, 1, 1024), copy(copy_all<2>, 2, 512), copy(copy_all<4>, 4, 256),
          copy(copy_all<4>, 4, 512)};
}

}  // namespace
}  // namespace peers
