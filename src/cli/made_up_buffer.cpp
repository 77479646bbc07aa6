#include "cli/made_up_buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "job/bind.hpp"

namespace crosslane::cli {
namespace {

using job::Format;

std::uint64_t threads_of(const ShaderFlags& flags, const spirv::Reflection& shader) {
  std::uint64_t threads = 1;
  for (const auto size : shader.group_size) {
    threads *= std::max(size, 1U);
  }
  for (const auto groups : flags.groups) {
    threads *= groups;
  }
  return threads;
}

// Numbers below the number of threads, so that they suit as indices too; floats from 0 to 1. Written buffers begin with
// zeros, as counters must.
void make_up_numbers(job::JobBuffer& buffer, std::uint64_t threads) {
  constexpr std::uint32_t seed = 1;
  std::mt19937 random(seed);
  auto& bytes = buffer.elements.front();
  const auto size = job::size_of(buffer.format);
  for (std::size_t place = 0; place + size <= bytes.size(); place += size) {
    const std::uint64_t number = random() % std::max<std::uint64_t>(threads, 1);
    const auto fraction = static_cast<float>(random() % 1024) / 1024;
    if (buffer.format == Format::float32) {
      std::memcpy(bytes.data() + place, &fraction, sizeof(fraction));
    } else if (!job::is_float(buffer.format)) {
      std::memcpy(bytes.data() + place, &number, size);
    }
  }
}

}  // namespace

// Room for vectors of four for every thread behind what the shader declares: what lies outside then is beyond doubt.
Expected<job::JobBuffer> make_up_buffer(std::string name, const ShaderFlags& flags, const spirv::Reflection& shader,
                                        const spirv::ResourceBinding& binding, std::vector<std::string>& notes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28U;
  constexpr std::uint64_t per_thread = 16;
  const auto threads = threads_of(flags, shader);
  job::JobBuffer buffer;
  buffer.name = std::move(name);
  buffer.made_up = true;
  buffer.format = binding.scalars ? job::format_of(*binding.scalars) : Format::uint32;
  const auto bytes = binding.bytes + (binding.unbounded ? threads * per_thread : 0);
  if (bytes == 0 || bytes > most) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: no buffer of {} bytes is made up: describe it by --in, --size or a job (--job)",
                            job::place_of(binding), bytes));
  }
  buffer.elements = {std::vector<std::byte>(bytes)};
  if (binding.read_only || binding.kind == spirv::BindingKind::uniform_buffer) {
    make_up_numbers(buffer, threads);
  }
  notes.push_back(fmt::format(
      "made up: {} bytes of {} for {}", bytes,
      binding.read_only || binding.kind == spirv::BindingKind::uniform_buffer ? "numbers from a seed" : "zeros",
      job::place_of(binding)));
  return buffer;
}

}  // namespace crosslane::cli
