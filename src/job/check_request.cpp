#include "job/check_request.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "job/compare.hpp"
#include "job/fit.hpp"
#include "job/texture.hpp"

namespace crosslane::job {
namespace {

constexpr std::size_t counter_bytes = 4;

// Where the bytes of a resource go back to when results are judged.
struct Origin {
  std::string buffer;  ///< empty for counters and samplers
  std::size_t element = 0;
  std::optional<ImageDescription> image;
  bool unordered = false;
  bool may_vary = false;
};

struct Made {
  std::vector<CheckResource> resources;
  std::vector<Origin> origins;

  void add(CheckResource resource, Origin origin) {
    resources.push_back(std::move(resource));
    origins.push_back(std::move(origin));
  }
};

bool names(const std::vector<std::string>& all, const std::string& buffer, const spirv::ResourceBinding& shown) {
  return std::ranges::any_of(all, [&](const std::string& one) {
    return one == buffer || one == shown.name || one == fmt::format("{}:{}", shown.set, shown.slot) ||
           (shown.set == 0 && one == fmt::format("{}", shown.slot));
  });
}

Expected<void> add_resource(const BoundResource& bound, const Job& job, const OutputFlags& outputs, Made& made) {
  const auto& shown = *bound.shown;
  CheckResource resource{
      .name = shown.name.empty() ? bound.resource->buffer : shown.name, .set = shown.set, .slot = shown.slot};
  if (bound.resource->kind == ResourceKind::sampler) {
    resource.sampler = job.find_sampler(bound.resource->buffer)->sampler;
    made.add(std::move(resource), {});
    return {};
  }
  const auto& buffer = *job.find(bound.resource->buffer);
  resource.made_up = buffer.made_up;
  resource.output = is_writable(bound.resource->kind);
  resource.unordered = names(outputs.unordered, buffer.name, shown);
  resource.may_vary = names(outputs.may_vary, buffer.name, shown);
  resource.number_bytes = size_of(buffer.format);
  resource.floats = is_float(buffer.format);
  if (is_texture(bound.resource->kind)) {
    auto image = describe_texture(bound.resource->texture, buffer);
    if (!image) {
      return tl::unexpected(std::move(image.error()));
    }
    resource.image = *image;
  } else {
    resource.texels = buffer.texels ? buffer.texels : texel_format(buffer.format, buffer.channels);
  }
  for (std::size_t element = 0; element < buffer.elements.size(); ++element) {
    auto one = resource;
    one.element = static_cast<std::uint32_t>(element);
    one.bytes = buffer.elements[element];
    if (one.image) {
      one.bytes = level_by_level(*one.image, one.bytes);
    } else {
      one.bytes.resize(least_bytes(shown, one.bytes.size()));
    }
    made.add(std::move(one), {buffer.name, element, resource.image, resource.unordered, resource.may_vary});
    if (bound.counter != nullptr) {
      made.add({.name = bound.counter->name,
                .set = bound.counter->set,
                .slot = bound.counter->slot,
                .element = static_cast<std::uint32_t>(element),
                .bytes = std::vector<std::byte>(counter_bytes),
                .output = true,
                .may_vary = resource.may_vary},
               {});
    }
  }
  return {};
}

void sort_numbers(JobBuffer& buffer) {
  const auto size = size_of(buffer.format);
  for (auto& element : buffer.elements) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t place = 0; place + size <= element.size(); place += size) {
      numbers.push_back(bits_of(std::span(element).subspan(place), buffer.format));
    }
    std::ranges::sort(numbers);
    for (std::size_t number = 0; number < numbers.size(); ++number) {
      std::memcpy(element.data() + number * size, &numbers[number], size);
    }
  }
}

// Results of buffers that may vary are not judged, those of unordered ones as multisets.
bool hold(Job job, const std::vector<Origin>& origins, std::span<const std::vector<std::byte>> after) {
  for (std::size_t index = 0; index < origins.size(); ++index) {
    const auto& origin = origins[index];
    if (origin.buffer.empty() || after[index].empty()) {
      continue;
    }
    auto& element = job.find(origin.buffer)->elements[origin.element];
    const auto bytes = origin.image ? layer_by_layer(*origin.image, after[index]) : after[index];
    std::copy_n(bytes.begin(), std::min(bytes.size(), element.size()), element.begin());
  }
  return std::ranges::all_of(job.results, [&](const ExpectedResult& result) {
    const auto origin = std::ranges::find(origins, result.actual, &Origin::buffer);
    if (origin != origins.end() && origin->may_vary) {
      return true;
    }
    if (origin != origins.end() && origin->unordered) {
      sort_numbers(*job.find(result.actual));
      sort_numbers(*job.find(result.expected));
    }
    return compare(result, *job.find(result.actual), *job.find(result.expected)).holds;
  });
}

Expected<void> check_names(const OutputFlags& outputs, const ResourceBindings& bindings) {
  for (const auto* const list : {&outputs.unordered, &outputs.may_vary}) {
    for (const auto& name : *list) {
      const bool meant = std::ranges::any_of(bindings.bound, [&](const BoundResource& bound) {
        return is_writable(bound.resource->kind) && names({name}, bound.resource->buffer, *bound.shown);
      });
      if (!meant) {
        std::vector<std::string> known;
        for (const auto& bound : bindings.bound) {
          if (is_writable(bound.resource->kind)) {
            known.push_back(bound.shown->name.empty() ? bound.resource->buffer : bound.shown->name);
          }
        }
        return fail(ErrorCode::invalid_argument, fmt::format("{} {}: the shader writes no such buffer, only {}",
                                                             list == &outputs.unordered ? "--unordered" : "--may-vary",
                                                             name, fmt::join(known, ", ")));
      }
    }
  }
  return {};
}

}  // namespace

Expected<CheckRequest> check_request(const Shader& shader, const spirv::Reflection& reflection, const Job& job,
                                     const OutputFlags& outputs, std::vector<std::string>& notes) {
  auto fitted = fit(job, reflection, shader.registers);
  if (!fitted) {
    return tl::unexpected(std::move(fitted.error()));
  }
  if (auto checked = check_names(outputs, fitted->bindings); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  notes.insert(notes.end(), fitted->bindings.notes.begin(), fitted->bindings.notes.end());
  Made made;
  for (const auto& bound : fitted->bindings.bound) {
    if (auto added = add_resource(bound, job, outputs, made); !added) {
      return tl::unexpected(std::move(added.error()));
    }
  }
  CheckRequest request{.spirv = shader.words,
                       .entry_point = shader.entry_point,
                       .name = shader.name,
                       .constants = std::move(fitted->constants),
                       .push_constants = std::move(fitted->push_constants),
                       .groups = job.groups,
                       .resources = std::move(made.resources)};
  if (!job.results.empty()) {
    request.results_hold = [job, origins = std::move(made.origins)](std::span<const std::vector<std::byte>> after) {
      return hold(job, origins, after);
    };
  }
  return request;
}

}  // namespace crosslane::job
