#include "sanitize/sweep.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "device/machine/device.hpp"
#include "sanitize/lane_layout.hpp"
#include "sanitize/sanitizers.hpp"

namespace crosslane::sanitize {
namespace {

machine::Schedule machine_schedule(const Order& order) {
  switch (order.schedule) {
    case ScheduleKind::falling_waves:
      return {.falling_waves = true};
    case ScheduleKind::reversed_groups:
      return {.falling_groups = true, .resident = 2};
    case ScheduleKind::one_lane:
      return {.resident = 2, .one_lane = true};
    case ScheduleKind::parting_lanes:
    case ScheduleKind::parting_waves:
      return {.parting_lanes = true};
    default:
      return {.reported_lanes = order.reported_lanes};
  }
}

// The resources of one run on the device, bound.
struct Bound {
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::unique_ptr<Image>> images;
  std::vector<Binding> bindings;
};

Expected<void> upload_image(Device& device, Image& image, std::span<const std::byte> bytes) {
  const auto levels = image.description().levels;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const auto size = level_bytes(image.description(), level);
    if (bytes.size() < size) {
      return fail(ErrorCode::invalid_argument, "An image has fewer bytes than its description asks for.");
    }
    if (auto done = upload(device, image, bytes.first(size), level); !done) {
      return done;
    }
    bytes = bytes.subspan(size);
  }
  return {};
}

Expected<void> bind_resource(Device& device, const CheckResource& resource, Bound& bound) {
  Binding binding{.slot = resource.slot,
                  .set = resource.set,
                  .element = resource.element,
                  .texels = resource.texels,
                  .sampler = resource.sampler};
  auto& buffer = bound.buffers.emplace_back();
  auto& image = bound.images.emplace_back();
  if (resource.image) {
    auto made = device.create_image(*resource.image);
    if (!made) {
      return tl::unexpected<Error>(std::move(made.error()));
    }
    image = std::move(*made);
    if (auto done = upload_image(device, *image, resource.bytes); !done) {
      return done;
    }
    binding.image = image.get();
  } else if (!resource.sampler) {
    auto made = device.create_buffer({.bytes = resource.bytes.size()});
    if (!made) {
      return tl::unexpected<Error>(std::move(made.error()));
    }
    buffer = std::move(*made);
    if (auto done = upload(device, *buffer, resource.bytes); !done) {
      return done;
    }
    binding.buffer = buffer.get();
  }
  bound.bindings.push_back(binding);
  return {};
}

Expected<std::vector<std::byte>> read_back(Device& device, Buffer* buffer, Image* image) {
  std::vector<std::byte> bytes;
  if (buffer != nullptr) {
    bytes.resize(buffer->bytes());
    return download(device, *buffer, bytes).map([&] { return std::move(bytes); });
  }
  const auto levels = image == nullptr ? 0 : image->description().levels;
  for (std::uint32_t level = 0; level < levels; ++level) {
    std::vector<std::byte> texels(level_bytes(image->description(), level));
    if (auto done = download(device, *image, texels, level); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    bytes.insert(bytes.end(), texels.begin(), texels.end());
  }
  return bytes;
}

Expected<Outputs> read_outputs(Device& device, std::span<const CheckResource> resources, const Bound& bound) {
  Outputs outputs;
  for (std::size_t index = 0; index < resources.size(); ++index) {
    outputs.emplace_back();
    if (resources[index].output) {
      auto bytes = read_back(device, bound.buffers[index].get(), bound.images[index].get());
      if (!bytes) {
        return tl::unexpected<Error>(std::move(bytes.error()));
      }
      outputs.back() = std::move(*bytes);
    }
  }
  return outputs;
}

// What a run leaves: the device with its resources, and how it ended.
struct Ran {
  std::unique_ptr<Device> device;
  Bound bound;
  Expected<void> ended;
};

// Runs the shader on resources of its own. Errors: those of binding.
Expected<Ran> launch(const CheckRequest& request, std::uint32_t wave_size, const Pipeline& pipeline,
                     machine::Watch watch) {
  auto made = machine::create_device(wave_size);
  if (!made) {
    return tl::unexpected<Error>(made.error());
  }
  Ran ran{*std::move(made), {}, {}};
  for (const auto& resource : request.resources) {
    if (auto done = bind_resource(*ran.device, resource, ran.bound); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  auto list = machine::watch(*ran.device, std::move(watch)).and_then([&] { return ran.device->create_command_list(); });
  auto recorded = list.and_then([&](const auto& made_list) {
    return made_list->dispatch(pipeline, ran.bound.bindings, request.push_constants, request.groups);
  });
  if (!recorded) {
    return tl::unexpected<Error>(std::move(recorded.error()));
  }
  ran.ended = crosslane::run(*ran.device, **list);
  return ran;
}

void note_writers(const CheckRequest& request, Sanitizers& sanitizers, RunResult& result) {
  std::map<std::uint32_t, std::uint32_t> places;
  for (std::size_t index = 0; index < request.resources.size(); ++index) {
    const auto& resource = request.resources[index];
    auto& writers = result.writers.emplace_back();
    const bool plain = resource.output && !resource.image && !resource.sampler && !resource.unordered;
    writers.resize(plain ? result.outputs[index].size() / resource.number_bytes : 0);
    for (std::size_t number = 0; number < writers.size(); ++number) {
      const auto store =
          sanitizers.last_writer(resource.set, resource.slot, resource.element, number * resource.number_bytes);
      if (!store) {
        continue;
      }
      const auto [place, is_new] = places.try_emplace(*store, static_cast<std::uint32_t>(places.size() + 1));
      if (is_new) {
        result.stores.push_back(sanitizers.store_location(*store));
      }
      writers[number] = place->second;
    }
  }
}

}  // namespace

Expected<SizedShader> SizedShader::create(const CheckRequest& request, const CheckOptions& options,
                                          std::uint32_t wave_size) {
  SizedShader shader;
  shader.request_ = &request;
  shader.options_ = &options;
  shader.wave_size_ = wave_size;
  auto device = machine::create_device(wave_size);
  if (!device) {
    return tl::unexpected<Error>(std::move(device.error()));
  }
  for (const bool independent : {false, true}) {
    if (auto watched = machine::watch(
            **device, {.instructions = false, .undefined_values = true, .independent_lanes = independent});
        !watched) {
      return tl::unexpected<Error>(std::move(watched.error()));
    }
    auto pipeline = (*device)->create_pipeline({.spirv = request.spirv,
                                                .entry_point = request.entry_point,
                                                .constants = request.constants,
                                                .wave_size = wave_size,
                                                .name = request.name});
    if (!pipeline) {
      return tl::unexpected<Error>(std::move(pipeline.error()));
    }
    (independent ? shader.independent_ : shader.pipeline_) = std::move(*pipeline);
  }
  shader.group_size_ = shader.pipeline_->group_size();
  return shader;
}

bool RunResult::endless() const {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.id == "no-progress"; });
}

Expected<RunResult> SizedShader::run(const Order& order, const SourceText& text, std::uint64_t most_iterations) const {
  const bool independent = order.schedule == ScheduleKind::one_lane || order.schedule == ScheduleKind::parting_lanes ||
                           order.schedule == ScheduleKind::parting_waves;
  const auto& pipeline = independent ? *independent_ : *pipeline_;
  machine::Watch watch{.undefined_values = true,
                       .schedule = machine_schedule(order),
                       .lane_threads = lane_threads(order.layout, group_size_),
                       .most_iterations = most_iterations};
  machine::GroupEntries entries;
  if (order.schedule == ScheduleKind::parting_waves) {
    machine::Observer nobody;
    auto first = watch;
    first.observer = &nobody;
    first.schedule = {.entries = &entries};
    if (auto noted = launch(*request_, wave_size_, pipeline, std::move(first)); !noted) {
      return tl::unexpected<Error>(std::move(noted.error()));
    }
    watch.schedule.entries = &entries;
  }
  std::vector<BindingPlace> made_up;
  for (const auto& resource : request_->resources) {
    if (resource.made_up) {
      made_up.push_back({resource.set, resource.slot});
    }
  }
  const auto sanitizers =
      std::make_unique<Sanitizers>(*machine::program_of(pipeline), options_->rules, text, std::move(made_up));
  watch.observer = sanitizers.get();
  auto ran = launch(*request_, wave_size_, pipeline, std::move(watch));
  if (!ran) {
    return tl::unexpected<Error>(std::move(ran.error()));
  }
  RunResult result{{wave_size_, order.schedule, order.layout, order.reported_lanes, ran->ended.has_value(), {}},
                   sanitizers->take(),
                   {},
                   {},
                   {}};
  if (!ran->ended) {
    // A barrier or a loop that stops the shader is a finding; nothing else may.
    const bool told = std::ranges::any_of(result.findings,
                                          [](const Finding& finding) { return finding.severity == Severity::error; });
    return told ? Expected<RunResult>(std::move(result)) : tl::unexpected<Error>(std::move(ran->ended.error()));
  }
  auto outputs = read_outputs(*ran->device, request_->resources, ran->bound);
  if (!outputs) {
    return tl::unexpected<Error>(std::move(outputs.error()));
  }
  result.outputs = std::move(*outputs);
  if (request_->results_hold) {
    result.run.results_hold = request_->results_hold(result.outputs);
  }
  note_writers(*request_, *sanitizers, result);
  return result;
}

}  // namespace crosslane::sanitize
