#include "job/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "job/fail_in.hpp"
#include "job/fit.hpp"
#include "job/texture.hpp"

namespace crosslane::job {
namespace {

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

std::optional<std::uint32_t> wanted_wave_size(const Device& device, const Shader& shader,
                                              std::optional<std::uint32_t> wave_size) {
  if (wave_size || !shader.wave_size) {
    return wave_size;
  }
  // Where the shader names a range, the device's own size if that lies in it.
  return std::clamp(device.info().wave_sizes.standard, shader.wave_size->minimum, shader.wave_size->maximum);
}

Expected<void> download_resources(Device& device, const std::vector<Uploaded>& resources, Job& job) {
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

}  // namespace

bool Execution::all_hold() const {
  return std::ranges::all_of(verdicts, [](const ResultVerdict& judged) { return judged.verdict.holds; });
}

struct PreparedJob::Parts {
  Device& device;
  GroupCount groups;
  Fitted fitted;
  std::unique_ptr<Pipeline> pipeline;
  std::vector<Uploaded> resources;
  std::vector<Binding> shown;
};

PreparedJob::PreparedJob(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PreparedJob::PreparedJob(PreparedJob&&) noexcept = default;
PreparedJob& PreparedJob::operator=(PreparedJob&&) noexcept = default;
PreparedJob::~PreparedJob() = default;

Expected<PreparedJob> PreparedJob::create(Device& device, const Shader& shader, const Job& job,
                                          const ExecuteOptions& options) {
  const auto reflection = spirv::reflect(shader.words, shader.entry_point);
  if (!reflection) {
    return fail_in(fmt::format("'{}' cannot be run", shader.name), reflection.error());
  }
  auto fitted = fit(job, *reflection, shader.registers);
  if (!fitted) {
    return fail_in(fmt::format("'{}' and its job do not fit", shader.name), std::move(fitted.error()));
  }
  const auto dxil = shader.dxil.shader(shader.dxil_words);
  auto pipeline = device.create_pipeline({.spirv = shader.words,
                                          .entry_point = shader.entry_point,
                                          .constants = fitted->constants,
                                          .wave_size = wanted_wave_size(device, shader, options.wave_size),
                                          .name = shader.name,
                                          .dxil = {&dxil, shader.dxil_words.empty() ? 0U : 1U}});
  if (!pipeline) {
    return tl::unexpected(std::move(pipeline.error()));
  }
  auto parts = std::make_unique<Parts>(Parts{device, job.groups, *std::move(fitted), *std::move(pipeline), {}, {}});
  for (const auto& bound : parts->fitted.bindings.bound) {
    if (bound.resource->kind == ResourceKind::sampler) {
      parts->shown.push_back({.slot = bound.shown->slot,
                              .set = bound.shown->set,
                              .sampler = job.find_sampler(bound.resource->buffer)->sampler});
      continue;
    }
    const auto& buffer = *job.find(bound.resource->buffer);
    auto uploaded = upload_resource(device, bound, buffer);
    if (!uploaded) {
      return tl::unexpected(std::move(uploaded.error()));
    }
    add_bindings(*uploaded, buffer, parts->shown);
    parts->resources.push_back(*std::move(uploaded));
  }
  return PreparedJob(std::move(parts));
}

Expected<void> PreparedJob::record(CommandList& list) const {
  return list.dispatch(*parts_->pipeline, parts_->shown, parts_->fitted.push_constants, parts_->groups);
}

Expected<std::vector<std::string>> PreparedJob::read_back(Job& job) const {
  std::vector<std::string> notes;
  return download_resources(parts_->device, parts_->resources, job)
      .and_then([&] { return tell_counters(parts_->device, parts_->resources, notes); })
      .map([&] { return std::move(notes); });
}

const Pipeline& PreparedJob::pipeline() const { return *parts_->pipeline; }

const std::vector<std::string>& PreparedJob::notes() const { return parts_->fitted.bindings.notes; }

std::uint64_t PreparedJob::bytes() const {
  std::uint64_t sum = 0;
  for (const Uploaded& resource : parts_->resources) {
    for (const auto& element : resource.elements) {
      sum += element->bytes();
    }
  }
  return sum;
}

Expected<Execution> execute(Device& device, const Shader& shader, Job& job, const ExecuteOptions& options) {
  const auto prepared = PreparedJob::create(device, shader, job, options);
  if (!prepared) {
    return tl::unexpected(prepared.error());
  }
  auto notes = device.create_command_list()
                   .and_then([&](const std::unique_ptr<CommandList>& list) {
                     return prepared->record(*list).and_then([&] { return run(device, *list); });
                   })
                   .and_then([&] { return prepared->read_back(job); });
  if (!notes) {
    return tl::unexpected(std::move(notes.error()));
  }
  Execution execution{prepared->pipeline().wave_size(), prepared->pipeline().group_size(), {}, prepared->notes()};
  execution.notes.insert(execution.notes.end(), notes->begin(), notes->end());
  for (const auto& result : job.results) {
    execution.verdicts.push_back({result, compare(result, *job.find(result.actual), *job.find(result.expected))});
  }
  return execution;
}

}  // namespace crosslane::job
