#include "job/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "base/rounding.hpp"
#include "job/bind.hpp"
#include "job/fail_in.hpp"
#include "job/texture.hpp"

namespace crosslane::job {
namespace {

using spirv::BindingKind;

bool is_writable(ResourceKind kind) {
  return kind == ResourceKind::rw_typed_buffer || kind == ResourceKind::rw_structured_buffer ||
         kind == ResourceKind::rw_byte_address_buffer || kind == ResourceKind::rw_texture;
}

bool is_texture(ResourceKind kind) { return kind == ResourceKind::texture || kind == ResourceKind::rw_texture; }

// The device's buffers or images of one resource, an element each.
struct Uploaded {
  const BoundResource* bound = nullptr;
  std::vector<std::unique_ptr<Buffer>> elements;
  std::vector<std::unique_ptr<Image>> images;
  std::vector<std::unique_ptr<Buffer>> counters;
};

Expected<std::unique_ptr<Buffer>> upload_new(Device& device, std::vector<std::byte> bytes, std::uint64_t least) {
  bytes.resize(std::max<std::uint64_t>(bytes.size(), least));  // zeros follow
  auto buffer = device.create_buffer({.bytes = bytes.size()});
  if (!buffer) {
    return buffer;
  }
  if (const auto done = upload(device, **buffer, bytes); !done) {
    return tl::unexpected(done.error());
  }
  return buffer;
}

// Direct3D's constant buffers have whole vectors of 16 bytes; the shader's block may end later than the job's data.
std::uint64_t least_bytes(const spirv::ResourceBinding& shown, std::uint64_t bytes) {
  constexpr std::uint64_t vector_bytes = 16;
  return shown.kind == BindingKind::uniform_buffer ? round_up(std::max(bytes, shown.bytes), vector_bytes) : bytes;
}

Expected<Uploaded> upload_resource(Device& device, const BoundResource& bound, const JobBuffer& buffer) {
  constexpr std::uint64_t counter_bytes = 4;
  Uploaded uploaded{&bound, {}, {}, {}};
  for (const auto& block : buffer.elements) {
    if (is_texture(bound.resource->kind)) {
      auto image = upload_texture(device, bound.resource->texture, buffer, block);
      if (!image) {
        return tl::unexpected(std::move(image.error()));
      }
      uploaded.images.push_back(*std::move(image));
      continue;
    }
    auto element = upload_new(device, block, least_bytes(*bound.shown, block.size()));
    if (!element) {
      return fail_in(fmt::format("buffer '{}' cannot be made on {}", buffer.name, device.info().name),
                     std::move(element.error()));
    }
    uploaded.elements.push_back(*std::move(element));
    if (bound.counter != nullptr) {
      auto counter = upload_new(device, {}, counter_bytes);
      if (!counter) {
        return tl::unexpected(std::move(counter.error()));
      }
      uploaded.counters.push_back(*std::move(counter));
    }
  }
  return uploaded;
}

void add_bindings(const Uploaded& uploaded, const JobBuffer& buffer, std::vector<Binding>& bindings) {
  const auto& shown = *uploaded.bound->shown;
  for (std::uint32_t element = 0; element < uploaded.images.size(); ++element) {
    bindings.push_back(
        {.slot = shown.slot, .set = shown.set, .element = element, .image = uploaded.images[element].get()});
  }
  const auto texels = buffer.texels ? buffer.texels : texel_format(buffer.format, buffer.channels);
  for (std::uint32_t element = 0; element < uploaded.elements.size(); ++element) {
    bindings.push_back({.slot = shown.slot,
                        .buffer = uploaded.elements[element].get(),
                        .set = shown.set,
                        .element = element,
                        .texels = texels});
    if (const auto* const counter = uploaded.bound->counter; counter != nullptr) {
      bindings.push_back(
          {.slot = counter->slot, .buffer = uploaded.counters[element].get(), .set = counter->set, .element = element});
    }
  }
}

Expected<void> check_outputs(const std::vector<BoundResource>& bound) {
  std::set<std::string> written;
  for (const auto& candidate : bound) {
    if (is_writable(candidate.resource->kind) && !written.insert(candidate.resource->buffer).second) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("two writable resources name buffer '{}': give each a buffer of its own",
                              candidate.resource->buffer));
    }
  }
  return {};
}

Expected<std::vector<std::byte>> push_constants(const Job& job, const spirv::Reflection& shader) {
  if (job.push_constants.size() > shader.constants_bytes) {
    return fail(ErrorCode::invalid_input, fmt::format("the job has {} bytes of push constants, and the shader takes {}",
                                                      job.push_constants.size(), shader.constants_bytes));
  }
  auto bytes = job.push_constants;
  bytes.resize(shader.constants_bytes);  // zeros follow
  return bytes;
}

// What the shader is handed, in its own terms.
struct Fitted {
  ResourceBindings bindings;
  std::vector<SpecializationConstant> constants;
  std::vector<std::byte> push_constants;
};

Expected<Fitted> fit(const Job& job, const spirv::Reflection& shader, bool registers) {
  Fitted fitted;
  return bind(job, shader, registers)
      .and_then([&](ResourceBindings bindings) {
        fitted.bindings = std::move(bindings);
        return check_outputs(fitted.bindings.bound);
      })
      .and_then([&] { return specialize(job, shader); })
      .and_then([&](std::vector<SpecializationConstant> constants) {
        fitted.constants = std::move(constants);
        return push_constants(job, shader);
      })
      .map([&](std::vector<std::byte> bytes) {
        fitted.push_constants = std::move(bytes);
        return std::move(fitted);
      });
}

std::optional<std::uint32_t> wanted_wave_size(const Device& device, const Shader& shader,
                                              std::optional<std::uint32_t> wave_size) {
  if (wave_size || !shader.wave_size) {
    return wave_size;
  }
  // Where the shader names a range, the device's own size if that lies in it.
  return std::clamp(device.info().wave_sizes.standard, shader.wave_size->minimum, shader.wave_size->maximum);
}

Expected<void> read_back(Device& device, const std::vector<Uploaded>& resources, Job& job) {
  for (const auto& resource : resources) {
    if (!is_writable(resource.bound->resource->kind)) {
      continue;
    }
    auto& buffer = *job.find(resource.bound->resource->buffer);
    for (std::size_t element = 0; element < resource.images.size(); ++element) {
      if (auto done = download_texture(device, *resource.images[element], buffer.elements[element]); !done) {
        return done;
      }
    }
    for (std::size_t element = 0; element < resource.elements.size(); ++element) {
      if (auto done = download(device, *resource.elements[element], buffer.elements[element]); !done) {
        return done;
      }
    }
  }
  return {};
}

Expected<void> tell_counters(Device& device, const std::vector<Uploaded>& resources, std::vector<std::string>& notes) {
  for (const auto& resource : resources) {
    std::string values;
    for (const auto& counter : resource.counters) {
      std::uint32_t value = 0;
      if (auto done = download(device, *counter, std::as_writable_bytes(std::span(&value, 1))); !done) {
        return done;
      }
      values += fmt::format("{}{}", values.empty() ? "" : ", ", value);
    }
    if (!values.empty()) {
      notes.push_back(fmt::format("the counter of '{}' is {}", resource.bound->resource->buffer, values));
    }
  }
  return {};
}

// Signs do not matter to constants.
bool same_type(Format format, Format other) {
  return is_float(format) == is_float(other) && size_of(format) == size_of(other);
}

}  // namespace

bool Execution::all_hold() const {
  return std::ranges::all_of(verdicts, [](const ResultVerdict& judged) { return judged.verdict.holds; });
}

Expected<std::vector<SpecializationConstant>> specialize(const Job& job, const spirv::Reflection& shader) {
  std::vector<SpecializationConstant> constants;
  for (const auto& constant : job.constants) {
    const auto info = std::ranges::find(shader.specialization, constant.id, &spirv::SpecializationInfo::id);
    if (info == shader.specialization.end()) {
      return fail(ErrorCode::invalid_input, fmt::format("the shader has no specialization constant {}", constant.id));
    }
    if (!same_type(constant.format, format_of(info->type))) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("specialization constant {} is {}, but the job gives it as {}", constant.id,
                              name(format_of(info->type)), name(constant.format)));
    }
    constants.push_back({constant.id, constant.bits});
  }
  return constants;
}

Expected<Execution> execute(Device& device, const Shader& shader, Job& job, const ExecuteOptions& options) {
  const auto reflection = spirv::reflect(shader.words, shader.entry_point);
  if (!reflection) {
    return fail_in(fmt::format("'{}' cannot be run", shader.name), reflection.error());
  }
  auto fitted = fit(job, *reflection, shader.registers);
  if (!fitted) {
    return fail_in(fmt::format("'{}' and its job do not fit", shader.name), std::move(fitted.error()));
  }
  const auto pipeline = device.create_pipeline({.spirv = shader.words,
                                                .entry_point = shader.entry_point,
                                                .constants = fitted->constants,
                                                .wave_size = wanted_wave_size(device, shader, options.wave_size),
                                                .name = shader.name});
  if (!pipeline) {
    return tl::unexpected(pipeline.error());
  }

  std::vector<Uploaded> resources;
  std::vector<Binding> shown;
  for (const auto& bound : fitted->bindings.bound) {
    if (bound.resource->kind == ResourceKind::sampler) {
      shown.push_back({.slot = bound.shown->slot,
                       .set = bound.shown->set,
                       .sampler = job.find_sampler(bound.resource->buffer)->sampler});
      continue;
    }
    const auto& buffer = *job.find(bound.resource->buffer);
    auto uploaded = upload_resource(device, bound, buffer);
    if (!uploaded) {
      return tl::unexpected(std::move(uploaded.error()));
    }
    add_bindings(*uploaded, buffer, shown);
    resources.push_back(*std::move(uploaded));
  }
  const auto ran = device.create_command_list().and_then([&](const std::unique_ptr<CommandList>& list) {
    return list->dispatch(**pipeline, shown, fitted->push_constants, job.groups).and_then([&] {
      return run(device, *list);
    });
  });
  if (!ran) {
    return tl::unexpected(ran.error());
  }

  Execution execution{(*pipeline)->wave_size(), (*pipeline)->group_size(), {}, std::move(fitted->bindings.notes)};
  auto read = read_back(device, resources, job);
  read = read ? tell_counters(device, resources, execution.notes) : read;
  if (!read) {
    return tl::unexpected(std::move(read.error()));
  }
  for (const auto& result : job.results) {
    execution.verdicts.push_back({result, compare(result, *job.find(result.actual), *job.find(result.expected))});
  }
  return execution;
}

}  // namespace crosslane::job
