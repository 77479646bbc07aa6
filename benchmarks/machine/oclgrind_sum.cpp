#include "oclgrind_sum.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace benchmark {
namespace {

// A tree in local memory and one atomic per group, as the groupshared method does it.
constexpr const char* kernel_source = R"(
kernel void sum(global const uint *input, global uint *output) {
  local uint values[256];
  const uint thread = get_local_id(0);
  uint own = 0;
  for (uint i = 0; i < 4; ++i) {
    own += input[get_group_id(0) * 1024 + i * 256 + thread];
  }
  values[thread] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 128; distance > 0; distance /= 2) {
    if (thread < distance) {
      values[thread] += values[thread + distance];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) {
    atomic_add(output, values[0]);
  }
}
)";

// Wall seconds of one run; negative where it fails.
double run(const std::filesystem::path& folder, std::uint32_t log2) {
  const auto count = std::uint64_t{1} << log2;
  std::ofstream(folder / "sum.cl") << kernel_source;
  std::ofstream(folder / "sum.sim") << fmt::format(
      "sum.cl\nsum\n{} 1 1\n256 1 1\n<size={} fill=1 uint>\n<size=4 fill=0 uint dump>\n", count / 4, count * 4);
  const auto command = fmt::format("cd '{}' && '{}' sum.sim > output.txt 2>&1", folder.string(), CROSSLANE_OCLGRIND);
  const auto start = std::chrono::steady_clock::now();
  const int result = std::system(command.c_str());  // NOLINT: a benchmark, with a path of this build
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::ifstream output(folder / "output.txt");
  const std::string text((std::istreambuf_iterator<char>(output)), {});
  return result == 0 && text.find(fmt::format("= {}", count)) != std::string::npos ? taken.count() : -1;
}

}  // namespace

std::optional<double> time_oclgrind_sum(std::uint32_t log2) {
  if (std::string(CROSSLANE_OCLGRIND).empty()) {
    return std::nullopt;
  }
  const auto folder = std::filesystem::temp_directory_path() / "crosslane-oclgrind";
  std::filesystem::create_directories(folder);
  const double start_up = run(folder, 10);
  const double whole = run(folder, log2);
  std::filesystem::remove_all(folder);
  return start_up < 0 || whole < 0 ? std::nullopt : std::optional(whole - start_up);
}

}  // namespace benchmark
