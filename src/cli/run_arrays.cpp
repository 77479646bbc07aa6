#include "cli/run_arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/rounding.hpp"
#include "cli/image_formats.hpp"
#include "cli/made_up_buffer.hpp"
#include "cli/made_up_texels.hpp"
#include "cli/npy.hpp"
#include "cli/npy_write.hpp"
#include "job/bind.hpp"

namespace crosslane::cli {
namespace {

using job::Format;
using spirv::BindingKind;

struct Array {
  Format format = Format::uint32;
  std::vector<std::byte> bytes;
};

Format format_of(ScalarType type) {
  constexpr std::array formats = {Format::uint32, Format::int32, Format::float32,
                                  Format::uint64, Format::int64, Format::float64};
  return formats.at(static_cast<std::size_t>(type));
}

// Numbers of the shader's type; words where it has several, or none.
Format format_of(const std::optional<spirv::ScalarInfo>& scalars) {
  return scalars ? job::format_of(*scalars) : Format::uint32;
}

// NumPy's name of the type.
std::string descr_of(Format format) {
  const auto name = job::name(format);
  const char kind = job::is_float(format) ? 'f' : name.starts_with("Int") ? 'i' : 'u';
  const auto bytes = job::size_of(format);
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', kind, bytes);
}

Expected<Array> read_array(const std::string& path) {
  auto file = NpyFile::open(path);
  if (!file) {
    return tl::unexpected(std::move(file.error()));
  }
  Array array{format_of(file->header().type), std::vector<std::byte>(file->header().data_bytes())};
  if (auto read = file->read(array.bytes); !read) {
    return tl::unexpected(std::move(read.error()));
  }
  if (array.bytes.empty()) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: an array without elements fills no buffer", path));
  }
  return array;
}

// Whole numbers of one size may stand for each other, floats only for floats.
bool same_numbers(Format a, Format b) {
  return job::size_of(a) == job::size_of(b) && job::is_float(a) == job::is_float(b);
}

// "name", "binding" or "set:binding".
bool means(const std::string& name, const spirv::ResourceBinding& binding) {
  return name == binding.name || name == fmt::format("{}:{}", binding.set, binding.slot) ||
         (binding.set == 0 && name == fmt::format("{}", binding.slot));
}

std::string listing(const spirv::Reflection& shader) {
  std::vector<std::string> places;
  std::ranges::transform(shader.bindings, std::back_inserter(places), job::place_of);
  return places.empty() ? "the shader has no buffers" : fmt::format("there is {}", fmt::join(places, "; "));
}

// The name under which job_of_arrays makes a binding's buffer.
std::string buffer_name(const spirv::ResourceBinding& binding) {
  return fmt::format("{}:{}", binding.set, binding.slot);
}

Expected<const spirv::ResourceBinding*> find_binding(const std::string& flag, const std::string& name,
                                                     const spirv::Reflection& shader) {
  const auto meant = [&](const spirv::ResourceBinding& binding) { return means(name, binding); };
  const auto found = std::ranges::find_if(shader.bindings, meant);
  if (found == shader.bindings.end()) {
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: this is no buffer: {}", flag, name, listing(shader)));
  }
  if (std::ranges::count_if(shader.bindings, meant) > 1) {
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: several buffers have that name: write set:binding; {}",
                                                         flag, name, listing(shader)));
  }
  return &*found;
}

// NAME=VALUE flags by binding.
Expected<std::map<const spirv::ResourceBinding*, std::string>> by_binding(const std::string& flag,
                                                                          const std::vector<std::string>& texts,
                                                                          const spirv::Reflection& shader) {
  std::map<const spirv::ResourceBinding*, std::string> values;
  for (const auto& text : texts) {
    const auto assignment = split_assignment(flag, text, flag == "--in" ? "FILE.npy" : "BYTES");
    if (!assignment) {
      return tl::unexpected(assignment.error());
    }
    const auto binding = find_binding(flag, assignment->name, shader);
    if (!binding) {
      return tl::unexpected(binding.error());
    }
    if (!values.emplace(*binding, assignment->value).second) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{} {}: this buffer is named twice", flag, assignment->name));
    }
  }
  return values;
}

Expected<std::uint64_t> parse_size(const std::string& text, const spirv::ResourceBinding& binding) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 32U) - 16;  // what one binding shows
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const bool whole = end == text.data() + text.size();
  if (whole && (error == std::errc::result_out_of_range || bytes > most)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--size {}: {} bytes are more than a shader sees of a buffer: say {} at most",
                            job::place_of(binding), text, most));
  }
  if (error != std::errc() || !whole || bytes == 0) {
    return fail(ErrorCode::invalid_argument, fmt::format("--size {}: '{}' is no number of bytes: write one like 4096",
                                                         job::place_of(binding), text));
  }
  return bytes;
}

job::ResourceKind kind_of(const spirv::ResourceBinding& binding) {
  using job::ResourceKind;
  switch (binding.kind) {
    case BindingKind::uniform_buffer:
      return ResourceKind::constant_buffer;
    case BindingKind::uniform_texel_buffer:
      return ResourceKind::typed_buffer;
    case BindingKind::storage_texel_buffer:
      return ResourceKind::rw_typed_buffer;
    case BindingKind::sampled_image:
      return ResourceKind::texture;
    case BindingKind::storage_image:
      return ResourceKind::rw_texture;
    case BindingKind::sampler:
      return ResourceKind::sampler;
    default:
      return binding.read_only ? ResourceKind::structured_buffer : ResourceKind::rw_structured_buffer;
  }
}

struct Filling {
  const std::string* input = nullptr;  // a file
  const std::string* size = nullptr;   // bytes, as text
};

Expected<job::JobBuffer> fill_buffer(const spirv::ResourceBinding& binding, const Filling& filling) {
  job::JobBuffer buffer;
  buffer.name = buffer_name(binding);
  buffer.format = format_of(binding.scalars);
  if (spirv::is_texel_buffer(binding.kind)) {
    buffer.texels = texel_format(binding.image_format);
    if (!buffer.texels) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: the shader names no plain format for this typed buffer: describe it in a job (--job)",
                      job::place_of(binding)));
    }
    buffer.format = storage_format(buffer.texels->type);
    buffer.channels = buffer.texels->channels;
  }
  if (binding.count != 1) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: this is an array of buffers: describe it in a job (--job)", job::place_of(binding)));
  }
  if (filling.input != nullptr) {
    auto array = read_array(*filling.input);
    if (!array) {
      return tl::unexpected(std::move(array.error()));
    }
    if (binding.scalars && !same_numbers(array->format, buffer.format)) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: its elements are {}, but the shader reads {} at {}: convert the array", *filling.input,
                      job::name(array->format), job::name(buffer.format), job::place_of(binding)));
    }
    buffer.format = binding.scalars ? buffer.format : array->format;
    buffer.elements = {std::move(array->bytes)};
    return buffer;
  }
  std::uint64_t bytes = binding.unbounded ? 0 : binding.bytes;
  if (filling.size != nullptr) {
    const auto parsed = parse_size(*filling.size, binding);
    if (!parsed) {
      return tl::unexpected(parsed.error());
    }
    bytes = *parsed;
    if (const auto number = job::size_of(buffer.format); bytes % number != 0) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("--size {}: {} bytes are no whole number of {} of {} bytes: write {}", job::place_of(binding),
                      bytes, job::name(buffer.format), number, round_up(bytes, number)));
    }
  }
  if (bytes == 0) {
    const auto name = binding.name.empty() ? buffer_name(binding) : binding.name;
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: how large this buffer is, is unknown: fill it with --in {}=FILE.npy, give it a size "
                            "with --size {}=BYTES, or describe all in a job (--job)",
                            job::place_of(binding), name, name));
  }
  buffer.elements = {std::vector<std::byte>(bytes)};
  return buffer;
}

// A buffer of a job by its own name, or by the name or binding that its resource has in the shader.
Expected<std::string> find_buffer(const std::string& flag, const std::string& name, const spirv::Reflection& shader,
                                  bool registers, const job::Job& job) {
  if (job.find(name) != nullptr) {
    return name;
  }
  if (const auto bindings = job::bind(job, shader, registers)) {
    for (const auto& bound : bindings->bound) {
      if (means(name, *bound.shown)) {
        return bound.resource->buffer;
      }
    }
  }
  std::vector<std::string_view> names;
  std::ranges::transform(job.buffers, std::back_inserter(names), &job::JobBuffer::name);
  return fail(ErrorCode::invalid_argument,
              fmt::format("{} {}: the job has no such buffer, only {}", flag, name, fmt::join(names, ", ")));
}

}  // namespace

Expected<job::Job> job_of_arrays(const ShaderFlags& flags, const spirv::Reflection& shader,
                                 std::vector<std::string>& notes) {
  const auto inputs = by_binding("--in", flags.inputs, shader);
  const auto sizes = by_binding("--size", flags.sizes, shader);
  for (const auto* const values : {&inputs, &sizes}) {
    if (!*values) {
      return tl::unexpected(values->error());
    }
  }
  job::Job job;
  for (const auto& binding : shader.bindings) {
    const auto input = inputs->find(&binding);
    const auto size = sizes->find(&binding);
    if (input != inputs->end() && size != sizes->end()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: --in says how large it is, so leave --size out", job::place_of(binding)));
    }
    const bool described = input != inputs->end() || size != sizes->end();
    const bool made_up = flags.makes_up && !described && binding.count == 1;
    if (!spirv::is_buffer(binding.kind) && !made_up) {
      job.lacks.emplace_back("images");
      return job;
    }
    auto buffer = !made_up ? fill_buffer(binding, {input == inputs->end() ? nullptr : &input->second,
                                                   size == sizes->end() ? nullptr : &size->second})
                  : binding.kind == BindingKind::storage_buffer || binding.kind == BindingKind::uniform_buffer
                      ? make_up_buffer(buffer_name(binding), flags, shader, binding, notes)
                      : make_up_texels(buffer_name(binding), flags, shader, binding, notes);
    if (!buffer) {
      return tl::unexpected(std::move(buffer.error()));
    }
    job.resources.push_back({.buffer = buffer->name,
                             .kind = kind_of(binding),
                             .set = binding.set,
                             .directx = {},
                             .vulkan_binding = binding.slot,
                             .counter_binding = {},
                             .has_counter = false,
                             .texture = binding.image
                                            ? job::TextureShape{binding.image->dimensions, binding.image->cube}
                                            : job::TextureShape{}});
    if (binding.kind == BindingKind::sampler) {
      job.samplers.push_back({buffer->name, {}});
    } else {
      job.buffers.push_back(*std::move(buffer));
    }
  }
  return job;
}

Expected<void> take_inputs(const ShaderFlags& flags, const spirv::Reflection& shader, bool registers, job::Job& job) {
  if (!flags.sizes.empty()) {
    return fail(ErrorCode::invalid_argument, "--size: the job says how large its buffers are; leave the flag out");
  }
  for (const auto& text : flags.inputs) {
    const auto assignment = split_assignment("--in", text, "FILE.npy");
    if (!assignment) {
      return tl::unexpected(assignment.error());
    }
    const auto name = find_buffer("--in", assignment->name, shader, registers, job);
    if (!name) {
      return tl::unexpected(name.error());
    }
    auto array = read_array(assignment->value);
    if (!array) {
      return tl::unexpected(std::move(array.error()));
    }
    auto& buffer = *job.find(*name);
    const bool hex = job::name(buffer.format).starts_with("Hex");
    if (buffer.elements.size() != 1 || !(hex ? job::size_of(array->format) == job::size_of(buffer.format)
                                             : same_numbers(array->format, buffer.format))) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: an array of {} does not fill buffer '{}', which is {} of {}", assignment->value,
                              job::name(array->format), buffer.name,
                              buffer.elements.size() == 1 ? "one" : "an array of buffers", job::name(buffer.format)));
    }
    buffer.elements.front() = std::move(array->bytes);
  }
  return {};
}

Expected<std::vector<WrittenFile>> write_outputs(const RunFlags& flags, const spirv::Reflection& shader, bool registers,
                                                 const job::Job& job) {
  std::vector<PendingNpy> pending;
  std::vector<WrittenFile> written;
  std::set<std::filesystem::path> files;
  for (const auto& text : flags.outputs) {
    const auto assignment = split_assignment("--out", text, "FILE.npy");
    if (!assignment) {
      return tl::unexpected(assignment.error());
    }
    const auto name = find_buffer("--out", assignment->name, shader, registers, job);
    if (!name) {
      return tl::unexpected(name.error());
    }
    std::error_code ignored;
    if (!files.insert(std::filesystem::weakly_canonical(std::filesystem::absolute(assignment->value), ignored))
             .second) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--out {}: another --out writes that file too: name two", text));
    }
    const auto& buffer = *job.find(*name);
    std::vector<std::byte> bytes;
    for (const auto& element : buffer.elements) {
      bytes.insert(bytes.end(), element.begin(), element.end());
    }
    const auto format = bytes.size() % job::size_of(buffer.format) == 0 ? buffer.format : Format::uint8;
    std::vector<std::uint64_t> shape = {bytes.size() / job::size_of(format)};
    if (buffer.elements.size() > 1) {
      shape = {buffer.elements.size(), shape.front() / buffer.elements.size()};
    }
    auto file = PendingNpy::write(assignment->value, descr_of(format), shape, bytes);
    if (!file) {
      return tl::unexpected(std::move(file.error()));
    }
    pending.push_back(*std::move(file));
    written.push_back({assignment->name, assignment->value, format, bytes.size() / job::size_of(format)});
  }
  for (auto& file : pending) {
    if (auto done = file.commit(); !done) {
      return tl::unexpected(std::move(done.error()));
    }
  }
  return written;
}

}  // namespace crosslane::cli
