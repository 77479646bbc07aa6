#include "device/d3d12/features.hpp"

#include <fmt/format.h>

#include <utility>

namespace crosslane::d3d12 {
namespace {

// Answers stay zero where the runtime does not know the question.
template <typename Answer>
Answer ask(ID3D12Device& device, D3D12_FEATURE question) {
  Answer answer{};
  if (FAILED(device.CheckFeatureSupport(question, &answer, sizeof(answer)))) {
    return {};
  }
  return answer;
}

DeviceFeatures features_of(ID3D12Device& device, D3D_SHADER_MODEL model) {
  const auto basic = ask<D3D12_FEATURE_DATA_D3D12_OPTIONS>(device, D3D12_FEATURE_D3D12_OPTIONS);
  const auto waves = ask<D3D12_FEATURE_DATA_D3D12_OPTIONS1>(device, D3D12_FEATURE_D3D12_OPTIONS1);
  const auto native16 = ask<D3D12_FEATURE_DATA_D3D12_OPTIONS4>(device, D3D12_FEATURE_D3D12_OPTIONS4);
  const auto atomics = ask<D3D12_FEATURE_DATA_D3D12_OPTIONS11>(device, D3D12_FEATURE_D3D12_OPTIONS11);
  const bool types16 = native16.Native16BitShaderOpsSupported != 0 && model >= D3D_SHADER_MODEL_6_2;
  const bool wave_operations = waves.WaveOps != 0 && model >= D3D_SHADER_MODEL_6_0;
  DeviceFeatures features;
  features.int16 = types16;
  features.float16 = types16;
  features.storage16 = types16;
  features.int64 = waves.Int64ShaderOps != 0;
  features.float64 = basic.DoublePrecisionFloatShaderOps != 0;
  features.int64_atomics =
      features.int64 && model >= D3D_SHADER_MODEL_6_6 && atomics.AtomicInt64OnDescriptorHeapResourceSupported != 0;
  features.wave_arithmetic = wave_operations;
  features.wave_shuffle = wave_operations;
  features.wave_shuffle_relative = wave_operations;
  features.wave_quad = wave_operations;
  features.wave_extended_types = wave_operations;
  // Each size is a shader of its own, with [WaveSize].
  features.wave_size_control = model >= D3D_SHADER_MODEL_6_6 && waves.WaveLaneCountMin < waves.WaveLaneCountMax;
  features.timestamps = true;
  return features;
}

}  // namespace

D3D_SHADER_MODEL newest_shader_model(ID3D12Device& device) {
  // A runtime refuses to be asked for a model that is newer than itself.
  for (int model = D3D_HIGHEST_SHADER_MODEL; model >= D3D_SHADER_MODEL_6_0; --model) {
    D3D12_FEATURE_DATA_SHADER_MODEL answer{static_cast<D3D_SHADER_MODEL>(model)};
    if (SUCCEEDED(device.CheckFeatureSupport(D3D12_FEATURE_SHADER_MODEL, &answer, sizeof(answer)))) {
      return answer.HighestShaderModel;
    }
  }
  return D3D_SHADER_MODEL_5_1;
}

DeviceInfo describe(ID3D12Device& device, const Adapter& adapter, std::string id) {
  const auto model = newest_shader_model(device);
  const auto waves = ask<D3D12_FEATURE_DATA_D3D12_OPTIONS1>(device, D3D12_FEATURE_D3D12_OPTIONS1);
  DeviceInfo info;
  info.id = std::move(id);
  info.name = adapter.name;
  info.vendor = adapter.vendor;
  info.driver = adapter.driver;
  info.driver_version = adapter.driver_version;
  info.api_version = fmt::format("shader model {}.{}", model >> 4, model & 0xF);
  info.shader_model = {static_cast<std::uint32_t>(model) >> 4U, static_cast<std::uint32_t>(model) & 0xFU};
  info.uuid = adapter.uuid;
  info.kind = adapter.software ? DeviceKind::software : DeviceKind::gpu;
  // Without [WaveSize] the driver chooses; where it has a choice, the smallest is what it names its usual one.
  info.wave_sizes = {waves.WaveLaneCountMin, waves.WaveLaneCountMax, waves.WaveLaneCountMin};
  info.features = features_of(device, model);
  auto& limits = info.limits;
  limits.buffer_bytes = std::uint64_t{D3D12_REQ_RESOURCE_SIZE_IN_MEGABYTES_EXPRESSION_C_TERM} << 20U;
  // As many words as a typed or raw view shows; structured ones show no more.
  limits.binding_bytes = (std::uint64_t{1} << D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP) * sizeof(std::uint32_t);
  limits.binding_alignment = D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT;
  // A root signature has 64 words; the descriptor table and specialized constants take some.
  limits.constants_bytes = 224;
  limits.groups.fill(D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION);
  limits.group_threads = D3D12_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP;
  limits.groupshared_bytes = D3D12_CS_TGSM_REGISTER_COUNT * sizeof(std::uint32_t);
  return info;
}

}  // namespace crosslane::d3d12
