#include "job/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "compile/bindings.hpp"

namespace crosslane::job {
namespace {

using compile::RegisterKind;
using spirv::BindingKind;

struct Place {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
};

RegisterKind register_kind(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::constant_buffer:
      return RegisterKind::b;
    case ResourceKind::typed_buffer:
    case ResourceKind::structured_buffer:
    case ResourceKind::byte_address_buffer:
    case ResourceKind::texture:
      return RegisterKind::t;
    case ResourceKind::sampler:
      return RegisterKind::s;
    default:
      return RegisterKind::u;
  }
}

bool fits(ResourceKind kind, BindingKind shown) {
  switch (kind) {
    case ResourceKind::constant_buffer:
      return shown == BindingKind::uniform_buffer;
    case ResourceKind::typed_buffer:
    case ResourceKind::rw_typed_buffer:
      return spirv::is_texel_buffer(shown);
    case ResourceKind::texture:
      return shown == BindingKind::sampled_image;
    case ResourceKind::rw_texture:
      return shown == BindingKind::storage_image;
    case ResourceKind::sampler:
      return shown == BindingKind::sampler;
    default:
      return shown == BindingKind::storage_buffer;
  }
}

class Binder {
 public:
  Binder(const Job& job, const spirv::Reflection& shader) : job_(&job), shader_(&shader) {}

  Expected<ResourceBindings> bind(bool registers) {
    found_.assign(job_->resources.size(), nullptr);
    if (registers) {
      find_by_register();
      find_by_vulkan_binding();
    } else {
      find_by_vulkan_binding();
      find_by_register();
      find_by_number();
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto& resource = job_->resources[i];
      if (found_[i] == nullptr) {
        result_.notes.push_back(fmt::format("the shader does not use {} '{}'", name(resource.kind), resource.buffer));
        continue;
      }
      result_.bound.push_back(
          {&resource, found_[i], resource.has_counter ? counter_of(resource, *found_[i]) : nullptr});
    }
    if (auto checked = check(); !checked) {
      return tl::unexpected(std::move(checked.error()));
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] const spirv::ResourceBinding* at(Place place) const {
    const auto found = std::ranges::find_if(shader_->bindings, [&](const spirv::ResourceBinding& binding) {
      return binding.set == place.set && binding.slot == place.slot;
    });
    return found == shader_->bindings.end() ? nullptr : &*found;
  }

  void take(std::size_t resource, Place place) {
    const auto* const binding = at(place);
    const bool taken = std::ranges::find(found_, binding) != found_.end();
    if (found_[resource] == nullptr && binding != nullptr && !taken &&
        fits(job_->resources[resource].kind, binding->kind)) {
      found_[resource] = binding;
    }
  }

  void find_by_register() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto& resource = job_->resources[i];
      if (resource.directx) {
        take(i, {resource.directx->space, compile::binding_of(register_kind(resource.kind), resource.directx->number)});
      }
    }
  }

  void find_by_vulkan_binding() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto& resource = job_->resources[i];
      if (resource.vulkan_binding) {
        take(i, {resource.set, *resource.vulkan_binding});
      }
    }
  }

  // Other compilers give registers their numbers as bindings.
  void find_by_number() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto& resource = job_->resources[i];
      if (resource.directx && !resource.vulkan_binding) {
        take(i, {resource.directx->space, resource.directx->number});
      }
    }
  }

  [[nodiscard]] const spirv::ResourceBinding* counter_of(const Resource& resource,
                                                         const spirv::ResourceBinding& shown) const {
    if (resource.counter_binding) {
      if (const auto* const counter = at({resource.set, *resource.counter_binding}); counter != nullptr) {
        return counter;
      }
    }
    const auto found = std::ranges::find(shader_->bindings, "counter.var." + shown.name, &spirv::ResourceBinding::name);
    return found == shader_->bindings.end() ? nullptr : &*found;
  }

  [[nodiscard]] Expected<void> check() const {
    for (const auto& binding : shader_->bindings) {
      const auto bound = std::ranges::find_if(result_.bound, [&](const BoundResource& candidate) {
        return candidate.shown == &binding || candidate.counter == &binding;
      });
      if (bound == result_.bound.end()) {
        return fail(ErrorCode::invalid_input,
                    fmt::format("the shader has a {} at {}, for which the job has no resource: add one, or mend the "
                                "kind or the binding of one",
                                spirv::name(binding.kind), place_of(binding)));
      }
      const bool sampler = bound->resource->kind == ResourceKind::sampler;
      const auto elements = sampler ? 1 : job_->find(bound->resource->buffer)->elements.size();
      if (binding.count != 0 && elements != binding.count) {
        return fail(ErrorCode::invalid_input,
                    fmt::format("buffer '{}' is an array of {}, but the shader has one of {} at {}",
                                bound->resource->buffer, elements, binding.count, place_of(binding)));
      }
    }
    return {};
  }

  const Job* job_;
  const spirv::Reflection* shader_;
  std::vector<const spirv::ResourceBinding*> found_;
  ResourceBindings result_;
};

}  // namespace

std::string place_of(const spirv::ResourceBinding& binding) {
  return fmt::format("set {}, binding {}{}", binding.set, binding.slot,
                     binding.name.empty() ? "" : fmt::format(" ({})", binding.name));
}

Expected<ResourceBindings> bind(const Job& job, const spirv::Reflection& shader, bool registers) {
  return Binder(job, shader).bind(registers);
}

}  // namespace crosslane::job
