#include "blur_npp.hpp"

#include <nppi_filtering_functions.h>

#include "copy_all.cuh"
#include "cuda_work.cuh"

namespace peers {
namespace {

NppStreamContext context_of(cudaStream_t stream) {
  NppStreamContext context{};
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "device properties");
  context.hStream = stream;
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  return context;
}

void check_npp(NppStatus result, const char* what) {
  if (result != NPP_SUCCESS) {
    std::fprintf(stderr, "peers: %s: NPP error %d\n", what, static_cast<int>(result));
    std::exit(3);
  }
}

}  // namespace

struct NppBlur::State {
  std::uint32_t side = 0;
  int repeats = 0;
  std::vector<std::uint32_t*> inputs;
  std::vector<std::uint32_t*> outputs;
  CudaWork work;
  NppStreamContext context{};
  std::vector<cudaGraphExec_t> copy_graphs;

  // Milliseconds of one of the repeats of `filter(input, output)`; the first work after another program's takes more,
  // so one goes before.
  template <typename Filter>
  double time(Filter filter) {
    filter(inputs[0], outputs[0]);
    return work.time([&] {
      for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto set = static_cast<std::size_t>(repeat) % inputs.size();
        filter(inputs[set], outputs[set]);
      }
    }) / repeats;
  }
};

NppBlur::NppBlur(const std::vector<std::uint32_t>& pixels, std::uint32_t side, int sets, int repeats)
    : state_(new State) {
  State& s = *state_;
  s.side = side;
  s.repeats = repeats;
  const std::uint64_t count = std::uint64_t{side} * side;
  for (int set = 0; set < sets; ++set) {
    s.inputs.push_back(allocate<std::uint32_t>(count));
    s.outputs.push_back(allocate<std::uint32_t>(count));
    for (std::uint64_t done = 0; done < count; done += pixels.size()) {
      check(cudaMemcpy(s.inputs.back() + done, pixels.data(), pixels.size() * 4, cudaMemcpyHostToDevice), "upload");
    }
  }
  s.context = context_of(s.work.stream);
  s.copy_graphs = capture_copies(s.work, repeats, s.inputs, s.outputs, count * 4);
}

NppBlur::~NppBlur() {
  for (std::size_t set = 0; set < state_->inputs.size(); ++set) {
    cudaFree(state_->inputs[set]);
    cudaFree(state_->outputs[set]);
  }
  delete state_;
}

double NppBlur::time_f32() {
  State& s = *state_;
  const NppiSize size{static_cast<int>(s.side), static_cast<int>(s.side)};
  return s.time([&](std::uint32_t* from, std::uint32_t* to) {
    check_npp(nppiFilterGaussBorder_32f_C1R_Ctx(reinterpret_cast<const Npp32f*>(from), size.width * 4, size, {0, 0},
                                                reinterpret_cast<Npp32f*>(to), size.width * 4, size,
                                                NPP_MASK_SIZE_9_X_9, NPP_BORDER_REPLICATE, s.context),
              "filter f32");
  });
}

double NppBlur::time_rgba8() {
  State& s = *state_;
  const NppiSize size{static_cast<int>(s.side), static_cast<int>(s.side)};
  return s.time([&](std::uint32_t* from, std::uint32_t* to) {
    check_npp(nppiFilterGaussBorder_8u_C4R_Ctx(reinterpret_cast<const Npp8u*>(from), size.width * 4, size, {0, 0},
                                               reinterpret_cast<Npp8u*>(to), size.width * 4, size,
                                               NPP_MASK_SIZE_9_X_9, NPP_BORDER_REPLICATE, s.context),
              "filter rgba8");
  });
}

double NppBlur::time_copy() { return state_->work.time_of_fastest(state_->copy_graphs) / state_->repeats; }

}  // namespace peers
