#include "device/d3d12/pipeline.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "device/checks.hpp"
#include "device/dxil_variant.hpp"

namespace crosslane::d3d12 {
namespace {

std::uint32_t words_of(const DxilConstants& constants) {
  return static_cast<std::uint32_t>(divide_up(constants.bytes, sizeof(std::uint32_t)));
}

D3D12_ROOT_PARAMETER constants_parameter(const DxilConstants& constants) {
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {constants.first_register, constants.space, words_of(constants)};
  return parameter;
}

D3D12_DESCRIPTOR_RANGE_TYPE range_type(DxilView view) {
  switch (view) {
    case DxilView::constant_buffer:
      return D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
    case DxilView::structured_buffer:
    case DxilView::byte_address_buffer:
    case DxilView::typed_buffer:
      return D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
    default:
      return D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
  }
}

Expected<void> check_shader(const DeviceState& state, const PipelineDescription& description, const DxilShader& shader,
                            std::string_view name) {
  for (const DxilResource& resource : shader.resources) {
    if (resource.view == DxilView::other) {
      return fail(ErrorCode::unsupported, fmt::format("Shader \"{}\", set {}, binding {}: textures, samplers and "
                                                      "buffers with counters cannot be bound on {} yet; use a "
                                                      "device of Vulkan.",
                                                      name, resource.set, resource.slot, label(state.info)));
    }
    if (resource.count == 0) {
      return fail(ErrorCode::unsupported,
                  fmt::format("Shader \"{}\", set {}, binding {}: an array of resources without a fixed size.", name,
                              resource.set, resource.slot));
    }
  }
  for (const SpecializationConstant& constant : description.constants) {
    if (std::ranges::find(shader.specializations, constant.id, &DxilSpecialization::id) ==
        shader.specializations.end()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Shader \"{}\" has no specialization constant {}.", name, constant.id));
    }
  }
  return {};
}

std::vector<std::uint32_t> specialize(const PipelineDescription& description, const DxilShader& shader) {
  std::vector<std::uint32_t> words(words_of(shader.specialized));
  for (const DxilSpecialization& constant : shader.specializations) {
    const auto given = std::ranges::find(description.constants, constant.id, &SpecializationConstant::id);
    words.at(constant.offset / sizeof(std::uint32_t)) =
        given == description.constants.end() ? constant.default_value : static_cast<std::uint32_t>(given->value);
  }
  return words;
}

}  // namespace

std::string where(const D3d12Pipeline& pipeline, std::uint32_t set, std::uint32_t slot) {
  return fmt::format("Shader \"{}\", set {}, binding {}", pipeline.name(), set, slot);
}

Expected<std::unique_ptr<Pipeline>> D3d12Pipeline::create(std::shared_ptr<DeviceState> state,
                                                          const PipelineDescription& description) {
  const auto name = description.name.empty() ? description.entry_point : description.name;
  const auto chosen = choose_variant(state->info, description.dxil, description.wave_size, name);
  if (!chosen) {
    return tl::unexpected<Error>(chosen.error());
  }
  const DxilShader& shader = **chosen;
  if (auto checked = check_shader(*state, description, shader, name); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  std::unique_ptr<D3d12Pipeline> pipeline(new D3d12Pipeline());
  pipeline->name_ = name;
  pipeline->resources_.assign(shader.resources.begin(), shader.resources.end());
  pipeline->specialized_ = specialize(description, shader);
  pipeline->constants_bytes_ = shader.pushed.bytes;
  pipeline->group_size_ = shader.group_size;
  pipeline->wave_size_ = shader.wave_size != 0 ? shader.wave_size : state->info.wave_sizes.standard;
  pipeline->state_ = std::move(state);
  return pipeline->make_root_signature(shader)
      .and_then([&] { return pipeline->make_pipeline(shader); })
      .map([&]() -> std::unique_ptr<Pipeline> { return std::move(pipeline); });
}

Expected<void> D3d12Pipeline::make_root_signature(const DxilShader& shader) {
  std::vector<D3D12_ROOT_PARAMETER> parameters;
  const auto add = [&](const D3D12_ROOT_PARAMETER& parameter) {
    parameters.push_back(parameter);
    return static_cast<std::uint32_t>(parameters.size() - 1);
  };
  if (shader.pushed.bytes != 0) {
    layout_.pushed = add(constants_parameter(shader.pushed));
  }
  if (shader.specialized.bytes != 0) {
    layout_.specialized = add(constants_parameter(shader.specialized));
  }
  std::vector<D3D12_DESCRIPTOR_RANGE> ranges;
  for (const DxilResource& resource : resources_) {
    ranges.push_back(
        {range_type(resource.view), resource.count, resource.first_register, resource.space, layout_.descriptors});
    layout_.descriptors += resource.count;
  }
  if (!ranges.empty()) {
    D3D12_ROOT_PARAMETER table{};
    table.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    table.DescriptorTable = {static_cast<UINT>(ranges.size()), ranges.data()};
    layout_.table = add(table);
  }
  D3D12_ROOT_SIGNATURE_DESC signature{};
  signature.NumParameters = static_cast<UINT>(parameters.size());
  signature.pParameters = parameters.data();
  ID3DBlob* raw = nullptr;
  const auto what = fmt::format("Making the root signature of shader \"{}\" on {}", name_, label(state_->info));
  const HRESULT written =
      state_->api->serialize_root_signature(&signature, D3D_ROOT_SIGNATURE_VERSION_1_0, &raw, nullptr);
  const Reference<ID3DBlob> blob(raw);
  if (auto checked = check_result(written, what); !checked) {
    return checked;
  }
  return made<ID3D12RootSignature>(what,
                                   [&](REFIID id, void** place) {
                                     return state_->device->CreateRootSignature(0, blob->GetBufferPointer(),
                                                                                blob->GetBufferSize(), id, place);
                                   })
      .map([&](Reference<ID3D12RootSignature> created) { root_signature_ = std::move(created); });
}

Expected<void> D3d12Pipeline::make_pipeline(const DxilShader& shader) {
  D3D12_COMPUTE_PIPELINE_STATE_DESC description{};
  description.pRootSignature = root_signature_.get();
  description.CS = {shader.container.data(), shader.container.size_bytes()};
  const auto what = fmt::format("Making a pipeline of shader \"{}\" on {}", name_, label(state_->info));
  auto created = made<ID3D12PipelineState>(what, [&](REFIID id, void** place) {
    return state_->device->CreateComputePipelineState(&description, id, place);
  });
  if (!created) {
    // Nothing but the shader can be at fault: the rest of the description is made here.
    return fail_because(
        fmt::format("{} ({}) does not take shader \"{}\".", label(state_->info), state_->info.api_version, name_),
        {ErrorCode::unsupported, created.error().message, {}});
  }
  pipeline_ = *std::move(created);
  set_name(*pipeline_, name_);
  set_name(*root_signature_, name_);
  return {};
}

}  // namespace crosslane::d3d12
