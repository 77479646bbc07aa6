// Transforms arrays of complex f32 with Crosslane's methods, with cuFFT and with VkFFT, side by side: all on the same
// data, in the same process, taking turns sample by sample, each sample some repeats over buffers in rotation between
// two clock readings of the device.
#include <algorithm>
#include <cmath>
#include <complex>

#include "crosslane/fft.hpp"

#include "comparison.hpp"
#include "fft_cufft.hpp"
#include "fft_vkfft.hpp"

namespace {

using Complex = std::complex<float>;

/// Points that the host makes: longer arrays repeat them.
constexpr std::uint64_t made_points = std::uint64_t{1} << 22U;

std::vector<Complex> make_points(std::uint64_t count) {
  std::vector<Complex> points(std::min(count, made_points));
  const auto number = [](std::uint64_t i) {
    return static_cast<float>(static_cast<std::int32_t>(crosslane::measure::hash_word(1, i))) * 0x1p-31F;
  };
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    points[i] = {number(2 * i), number(2 * i + 1)};
  }
  return points;
}

/// `sets` pairs of arrays, one plan per method.
struct OurFft {
  OurFft(crosslane::Device& device, std::uint64_t size, std::uint64_t batch, const std::vector<Complex>& points,
         int sets)
      : work(device, sets),
        inputs(peers::make_sets(device, size * batch * 2, sets, false)),
        outputs(peers::make_sets(device, size * batch * 2, sets, false)) {
    const std::uint64_t bytes = size * batch * sizeof(Complex);
    for (const auto& input : inputs) {
      peers::value_or_exit(crosslane::upload(device, *input, std::as_bytes(std::span(points))));
      auto list = peers::value_or_exit(device.create_command_list());
      for (std::uint64_t done = points.size() * sizeof(Complex); done < bytes; done *= 2) {
        peers::value_or_exit(list->barrier());
        peers::value_or_exit(list->copy(*input, 0, *input, done, done));
      }
      peers::value_or_exit(crosslane::run(device, *list));
    }
    for (const crosslane::Method method : {crosslane::Method::groupshared, crosslane::Method::shuffle}) {
      crosslane::FftOptions options;
      options.size = size;
      options.method = method;
      const auto plan = std::make_shared<crosslane::Fft>(peers::value_or_exit(crosslane::Fft::create(device, options)));
      work.add(std::string(crosslane::name(method)),
               [this, plan, batch](crosslane::CommandList& list, std::size_t set) {
                 return plan->record(list, {{inputs[set].get(), 0}}, {{outputs[set].get(), 0}}, batch);
               });
    }
  }

  peers::OurWork work;
  std::vector<std::unique_ptr<crosslane::Buffer>> inputs;
  std::vector<std::unique_ptr<crosslane::Buffer>> outputs;
};

/// Ends the program where results are further off, as the root of the mean square, than floats explain.
void expect_close(const std::string& who, const std::vector<Complex>& results, const std::vector<Complex>& right) {
  double off = 0;
  double all = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    off += std::norm(std::complex<double>(results.at(i)) - std::complex<double>(right[i]));
    all += std::norm(std::complex<double>(right[i]));
  }
  const double error = std::sqrt(off / all);
  if (!(error < 1e-6)) {
    std::cerr << fmt::format("peers: {} is off by {:.2g}\n", who, error);
    std::exit(1);
  }
}

/// The first transform's results, term by term in double precision; 64 of them where it has more.
void expect_right(const std::vector<Complex>& results, const std::vector<Complex>& points, std::uint64_t size) {
  std::vector<Complex> some;
  std::vector<Complex> right;
  for (std::uint64_t k = 0; k < size; k += std::max<std::uint64_t>(1, size / 64)) {
    std::complex<double> sum = 0;
    for (std::uint64_t n = 0; n < size; ++n) {
      const double turns = static_cast<double>(n * k % size) / static_cast<double>(size);
      sum += std::complex<double>(points[n]) * std::polar(1.0, -2 * 3.14159265358979323846 * turns);
    }
    some.push_back(results.at(k));
    right.emplace_back(sum);
  }
  expect_close("cuFFT", some, right);
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t size, std::uint64_t count,
                       const peers::Options& options) {
  const std::uint64_t batch = count / size;
  const int repeats = peers::repeats_for(count * 2, options);
  const auto points = make_points(count);
  const auto last = static_cast<std::size_t>(options.sets - 1);
  OurFft ours(device, size, batch, points, options.sets);
  peers::CuFft cufft(points, size, batch, options.sets, repeats);
  peers::VkFft vkfft(size, batch, options.sets);
  const auto right = cufft.results(options.sets - 1, points.size());
  expect_right(right, points, size);
  expect_close("VkFFT", vkfft.transform(points), right);
  const auto times = peers::sample(options, [&](int round) {
    std::map<std::string, double> now = {
        {"copy", cufft.time_copy()}, {"cuFFT", cufft.time_fft()}, {"VkFFT", vkfft.time_fft(repeats)}};
    for (const std::string& name : ours.work.names()) {
      now[name] = ours.work.time(name, repeats);
      if (round == 0) {
        expect_close(name, peers::read<Complex>(device, *ours.outputs[last], points.size()), right);
      }
    }
    return now;
  });
  fmt::print("\n{} transforms of {} points:", batch, size);
  auto table = peers::tabulate(times, count, repeats, count * 16, "copy", "cuFFT");
  table["size"] = size;
  return table;
}

// Batches of transforms of usual sizes; of no more points than 2^20 one transform.
nlohmann::json compare_sizes(crosslane::Device& device, std::uint64_t count, const peers::Options& options) {
  if (count <= std::uint64_t{1} << 20U) {
    return compare(device, count, count, options);
  }
  nlohmann::json all = nlohmann::json::array();
  for (std::uint64_t size = 8; size <= 4096; size *= 2) {
    all.push_back(compare(device, size, count, options));
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return peers::compare_all(argc, argv, "Crosslane's Fourier transforms, cuFFT's and VkFFT's, side by side",
                            compare_sizes, [](crosslane::Device& /*device*/, const peers::Options& /*options*/) {});
}
