// What the sanitizers cost: the wave machine with all of them beside the machine without observers, taking turns run by
// run. Processor time counts, so pin it to one core (taskset -c 0) for threads that wait not to take part.
#include <algorithm>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "crosslane/check.hpp"
#include "crosslane/machine.hpp"
#include "crosslane/scan.hpp"
#include "work.hpp"

namespace {

using namespace benchmark;  // NOLINT(google-build-using-namespace)

class Scan final : public Work {
 public:
  Scan(Device& device, Method method, std::uint64_t count) : Work(device), count_(count) {
    input_ = value_or_exit(device.create_buffer({count * 4}));
    output_ = value_or_exit(device.create_buffer({count * 4}));
    value_or_exit(crosslane::measure::fill_with_hashes(device, *input_, count, 7));
    plan_ = std::make_unique<crosslane::Scan>(value_or_exit(crosslane::Scan::create(device, {.method = method})));
  }
  crosslane::Expected<void> record(crosslane::CommandList& list) override {
    return plan_->record(list, *input_, 0, count_, *output_);
  }
  std::vector<std::uint32_t> result() override {
    std::vector<std::uint32_t> words(count_);
    value_or_exit(crosslane::download(device(), *output_, std::as_writable_bytes(std::span(words))));
    return words;
  }

 private:
  std::uint64_t count_;
  std::unique_ptr<Buffer> input_;
  std::unique_ptr<Buffer> output_;
  std::unique_ptr<crosslane::Scan> plan_;
};

double processor_ms(Work& work) {
  const auto now = [] {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  const auto before = now();
  work.run_ms();
  return now() - before;
}

// Fastest of each side: other programs only make runs slower.
template <typename Make>
void compare(const std::string& what, std::uint32_t wave_size, int samples, Make make) {
  const auto plain = value_or_exit(crosslane::machine::create_device(wave_size));
  const auto watched = value_or_exit(crosslane::machine::create_device(wave_size));
  const auto work = make(*plain);
  const auto check = value_or_exit(crosslane::DeviceCheck::begin(*watched));
  const auto checked = make(*watched);
  work->run_ms();
  checked->run_ms();
  if (work->result() != checked->result() || !check->report().clean()) {
    std::cerr << "benchmark: the results differ, or faults were found\n";
    std::exit(1);
  }
  double without = 1e300;
  double with = 1e300;
  for (int sample = 0; sample < samples; ++sample) {
    without = std::min(without, processor_ms(*work));
    with = std::min(with, processor_ms(*checked));
  }
  std::cout << fmt::format("{:36} {:5} {:10.3f} {:10.3f} {:7.2f}\n", what, wave_size, without, with, with / without);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The wave machine with all sanitizers beside the machine alone");
  int samples = 11;
  std::string only;
  std::vector<std::uint32_t> wave_sizes = {8, 32, 128};
  app.add_option("--samples", samples, "Runs of each side; the fastest are shown");
  app.add_option("--only", only, "Work whose name has this in it");
  app.add_option("--wave-sizes", wave_sizes, "Lanes per wave")->delimiter(',');
  CLI11_PARSE(app, argc, argv);

  std::cout << fmt::format("{:36} {:>5} {:>10} {:>10} {:>7}\n", "work", "lanes", "alone [ms]", "with [ms]", "ratio");
  const auto each = [&](const std::string& what, auto make) {
    for (const auto wave_size : what.find(only) == std::string::npos ? std::vector<std::uint32_t>() : wave_sizes) {
      compare(what, wave_size, samples, make);
    }
  };
  for (const auto method : crosslane::all_methods) {
    each(fmt::format("sum of 2^20 u32, {}", name(method)),
         [&](Device& device) { return std::make_unique<Sum>(device, method, std::uint64_t{1} << 20U); });
  }
  for (const auto method : crosslane::all_methods) {
    each(fmt::format("scan of 2^18 u32, {}", name(method)),
         [&](Device& device) { return std::make_unique<Scan>(device, method, std::uint64_t{1} << 18U); });
  }
  each("product of 128 x 128 f32", [](Device& device) { return std::make_unique<MatrixProduct>(device, 128); });
  return 0;
}
