#include "scan_cub.hpp"

#include <cub/device/device_scan.cuh>

#include "copy_all.cuh"
#include "cuda_work.cuh"

namespace peers {

struct CubScan::State {
  std::uint64_t count = 0;
  int repeats = 0;
  std::vector<std::uint32_t*> inputs;
  std::vector<std::uint32_t*> outputs;
  void* scratch = nullptr;
  std::size_t scratch_bytes = 0;
  CudaWork work;
  cudaGraphExec_t scan_graph = nullptr;
  std::vector<cudaGraphExec_t> copy_graphs;

  void scan(std::size_t set) {
    check(cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, inputs[set], outputs[set], static_cast<int>(count),
                                        work.stream),
          "scan");
  }

  template <typename Body>
  cudaGraphExec_t capture(Body body) {
    return work.capture_repeats(repeats, inputs.size(), body);
  }
};

CubScan::CubScan(std::uint64_t count, int sets, int repeats) : state_(new State) {
  State& s = *state_;
  s.count = count;
  s.repeats = repeats;
  for (int set = 0; set < sets; ++set) {
    s.inputs.push_back(allocate<std::uint32_t>(count));
    s.outputs.push_back(allocate<std::uint32_t>(count));
    fill<<<4096, 256, 0, s.work.stream>>>(s.inputs.back(), count, static_cast<std::uint32_t>(set));
  }
  s.scan(0);  // tells the size of its scratch memory
  s.scratch = allocate<char>(s.scratch_bytes);
  check(cudaStreamSynchronize(s.work.stream), "fill");
  s.scan_graph = s.capture([&](std::size_t set) { s.scan(set); });
  s.copy_graphs = capture_copies(s.work, repeats, s.inputs, s.outputs, count * sizeof(std::uint32_t));
}

CubScan::~CubScan() {
  for (std::size_t set = 0; set < state_->inputs.size(); ++set) {
    cudaFree(state_->inputs[set]);
    cudaFree(state_->outputs[set]);
  }
  cudaFree(state_->scratch);
  delete state_;
}

double CubScan::time_scan() { return state_->work.time(state_->scan_graph) / state_->repeats; }

double CubScan::time_copy() {
  return state_->work.time_of_fastest(state_->copy_graphs) / state_->repeats;
}

std::vector<std::uint32_t> CubScan::results(int set) {
  time_scan();  // copies have overwritten them
  std::vector<std::uint32_t> results(state_->count);
  check(cudaMemcpy(results.data(), state_->outputs[static_cast<std::size_t>(set)],
                   results.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
        "read back");
  return results;
}

}  // namespace peers
