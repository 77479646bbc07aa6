#include "fft_cufft.hpp"

#include <cufft.h>

#include "copy_all.cuh"
#include "cuda_work.cuh"

namespace peers {
namespace {

void check_fft(cufftResult result, const char* what) {
  if (result != CUFFT_SUCCESS) {
    std::fprintf(stderr, "peers: %s: cuFFT error %d\n", what, static_cast<int>(result));
    std::exit(3);
  }
}

}  // namespace

struct CuFft::State {
  int repeats = 0;
  std::vector<cufftComplex*> inputs;
  std::vector<cufftComplex*> outputs;
  CudaWork work;
  cufftHandle plan{};
  cudaGraphExec_t fft_graph = nullptr;
  std::vector<cudaGraphExec_t> copy_graphs;

  void transform(std::size_t set) {
    check_fft(cufftExecC2C(plan, inputs[set], outputs[set], CUFFT_FORWARD), "transform");
  }
};

CuFft::CuFft(const std::vector<std::complex<float>>& points, std::uint64_t size, std::uint64_t batch, int sets,
             int repeats)
    : state_(new State) {
  State& s = *state_;
  s.repeats = repeats;
  for (int set = 0; set < sets; ++set) {
    s.inputs.push_back(allocate<cufftComplex>(size * batch));
    s.outputs.push_back(allocate<cufftComplex>(size * batch));
    for (std::uint64_t done = 0; done < size * batch; done += points.size()) {
      check(cudaMemcpy(s.inputs.back() + done, points.data(), points.size() * sizeof(cufftComplex),
                       cudaMemcpyHostToDevice),
            "upload");
    }
  }
  check_fft(cufftPlan1d(&s.plan, static_cast<int>(size), CUFFT_C2C, static_cast<int>(batch)), "plan");
  check_fft(cufftSetStream(s.plan, s.work.stream), "set stream");
  s.transform(0);  // loads what it needs before it is captured
  check(cudaStreamSynchronize(s.work.stream), "transform");
  s.fft_graph = s.work.capture_repeats(repeats, s.inputs.size(), [&](std::size_t set) { s.transform(set); });
  s.copy_graphs = capture_copies(s.work, repeats, s.inputs, s.outputs, size * batch * sizeof(cufftComplex));
}

CuFft::~CuFft() {
  for (std::size_t set = 0; set < state_->inputs.size(); ++set) {
    cudaFree(state_->inputs[set]);
    cudaFree(state_->outputs[set]);
  }
  cufftDestroy(state_->plan);
  delete state_;
}

double CuFft::time_fft() { return state_->work.time(state_->fft_graph) / state_->repeats; }

double CuFft::time_copy() { return state_->work.time_of_fastest(state_->copy_graphs) / state_->repeats; }

std::vector<std::complex<float>> CuFft::results(int set, std::uint64_t count) {
  time_fft();  // copies have overwritten them
  std::vector<std::complex<float>> results(count);
  check(cudaMemcpy(results.data(), state_->outputs[static_cast<std::size_t>(set)], count * sizeof(cufftComplex),
                   cudaMemcpyDeviceToHost),
        "read back");
  return results;
}

}  // namespace peers
