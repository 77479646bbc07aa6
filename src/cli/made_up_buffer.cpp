#include "cli/made_up_buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "job/bind.hpp"

namespace crosslane::cli {

std::array<std::uint32_t, 3> threads_of(const ShaderFlags& flags, const spirv::Reflection& shader) {
  std::array<std::uint32_t, 3> threads{};
  for (std::size_t axis = 0; axis < threads.size(); ++axis) {
    const auto groups = axis < flags.groups.size() ? flags.groups[axis] : 1;
    const auto size = std::uint64_t{std::max(shader.group_size[axis], 1U)} * groups;
    threads[axis] = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, ~std::uint32_t{0}));
  }
  return threads;
}

void make_up_numbers(job::JobBuffer& buffer, std::uint64_t most) {
  using job::Format;
  constexpr std::uint32_t seed = 1;
  constexpr std::uint32_t half_of_one = 0x3C00;
  std::mt19937 random(seed);
  auto& bytes = buffer.elements.front();
  const auto size = job::size_of(buffer.format);
  for (std::size_t place = 0; place + size <= bytes.size(); place += size) {
    const std::uint64_t number = random() % std::max<std::uint64_t>(most, 1);
    const auto fraction = static_cast<float>(random() % 1024) / 1024;
    if (buffer.format == Format::float32) {
      std::memcpy(bytes.data() + place, &fraction, sizeof(fraction));
    } else if (buffer.format == Format::float16) {
      const auto half = static_cast<std::uint16_t>(random() % half_of_one);
      std::memcpy(bytes.data() + place, &half, sizeof(half));
    } else if (!job::is_float(buffer.format)) {
      std::memcpy(bytes.data() + place, &number, size);
    }
  }
}

// Numbers below the number of threads suit as indices too. Written buffers begin with zeros, as counters must. Room for
// vectors of four for every thread behind what the shader declares: what lies outside then is beyond doubt.
Expected<job::JobBuffer> make_up_buffer(std::string name, const ShaderFlags& flags, const spirv::Reflection& shader,
                                        const spirv::ResourceBinding& binding, std::vector<std::string>& notes) {
  constexpr std::uint64_t per_thread = 16;
  const auto along = threads_of(flags, shader);
  const auto threads = std::uint64_t{along[0]} * along[1] * along[2];
  job::JobBuffer buffer;
  buffer.name = std::move(name);
  buffer.made_up = true;
  buffer.format = binding.scalars ? job::format_of(*binding.scalars) : job::Format::uint32;
  const auto bytes = binding.bytes + (binding.unbounded ? threads * per_thread : 0);
  if (bytes == 0 || bytes > most_made_up_bytes) {
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
