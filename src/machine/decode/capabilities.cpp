#include "machine/decode/capabilities.hpp"

#include <fmt/format.h>

#include "spirv/names.hpp"

namespace crosslane::machine {
namespace {

using spv::Capability;
using spv::ExecutionMode;

bool knows(Capability capability) {
  switch (capability) {
    case Capability::Matrix:
    case Capability::Shader:
    case Capability::Int8:
    case Capability::Int16:
    case Capability::Int64:
    case Capability::Float16:
    case Capability::Float64:
    case Capability::Int64Atomics:
    case Capability::AtomicStorage:
    case Capability::StorageBuffer16BitAccess:
    case Capability::UniformAndStorageBuffer16BitAccess:
    case Capability::StoragePushConstant16:
    case Capability::StorageBuffer8BitAccess:
    case Capability::UniformAndStorageBuffer8BitAccess:
    case Capability::StoragePushConstant8:
    case Capability::VariablePointers:
    case Capability::VariablePointersStorageBuffer:
    case Capability::PhysicalStorageBufferAddresses:
    case Capability::VulkanMemoryModel:
    case Capability::VulkanMemoryModelDeviceScope:
    case Capability::UniformBufferArrayDynamicIndexing:
    case Capability::StorageBufferArrayDynamicIndexing:
    case Capability::UniformTexelBufferArrayDynamicIndexing:
    case Capability::StorageTexelBufferArrayDynamicIndexing:
    case Capability::SampledImageArrayDynamicIndexing:
    case Capability::StorageImageArrayDynamicIndexing:
    case Capability::ShaderNonUniform:
    case Capability::RuntimeDescriptorArray:
    case Capability::UniformBufferArrayNonUniformIndexing:
    case Capability::StorageBufferArrayNonUniformIndexing:
    case Capability::SampledImageArrayNonUniformIndexing:
    case Capability::StorageImageArrayNonUniformIndexing:
    case Capability::UniformTexelBufferArrayNonUniformIndexing:
    case Capability::StorageTexelBufferArrayNonUniformIndexing:
    case Capability::Image1D:
    case Capability::Sampled1D:
    case Capability::SampledBuffer:
    case Capability::ImageBuffer:
    case Capability::ImageQuery:
    case Capability::ImageCubeArray:
    case Capability::SampledCubeArray:
    case Capability::ImageGatherExtended:
    case Capability::Int64ImageEXT:
    case Capability::StorageImageExtendedFormats:
    case Capability::StorageImageReadWithoutFormat:
    case Capability::StorageImageWriteWithoutFormat:
    case Capability::GroupNonUniform:
    case Capability::GroupNonUniformVote:
    case Capability::GroupNonUniformArithmetic:
    case Capability::GroupNonUniformBallot:
    case Capability::GroupNonUniformShuffle:
    case Capability::GroupNonUniformShuffleRelative:
    case Capability::GroupNonUniformClustered:
    case Capability::GroupNonUniformQuad:
    case Capability::GroupNonUniformRotateKHR:
    case Capability::GroupNonUniformPartitionedNV:
    case Capability::QuadControlKHR:
    case Capability::ShaderClockKHR:
    case Capability::AtomicFloat32AddEXT:
    case Capability::AtomicFloat64AddEXT:
    case Capability::AtomicFloat32MinMaxEXT:
    case Capability::AtomicFloat64MinMaxEXT:
    case Capability::DenormPreserve:
    case Capability::SignedZeroInfNanPreserve:
    case Capability::RoundingModeRTE:
    case Capability::ExpectAssumeKHR:
    case Capability::DeviceGroup:
      return true;
    default:
      return false;
  }
}

bool knows(ExecutionMode mode) {
  switch (mode) {
    case ExecutionMode::LocalSize:
    case ExecutionMode::LocalSizeId:
    case ExecutionMode::MaximallyReconvergesKHR:
    case ExecutionMode::SubgroupUniformControlFlowKHR:
    case ExecutionMode::DenormPreserve:
    case ExecutionMode::SignedZeroInfNanPreserve:
    case ExecutionMode::RoundingModeRTE:
    case ExecutionMode::ContractionOff:
      return true;
    default:
      return false;
  }
}

}  // namespace

Expected<void> check_capabilities(const spirv::Module& module, std::uint32_t entry_point) {
  for (const auto capability : module.tables.capabilities) {
    if (!knows(static_cast<Capability>(capability))) {
      return fail(ErrorCode::unsupported,
                  fmt::format("The wave machine lacks the capability {} that the module asks for.",
                              spirv::capability_name(capability)));
    }
  }
  for (const auto& mode : module.tables.execution_modes) {
    if (mode.function == entry_point && !knows(static_cast<ExecutionMode>(mode.mode))) {
      return fail(ErrorCode::unsupported,
                  fmt::format("The wave machine lacks the execution mode {} of the entry point.",
                              spirv::execution_mode_name(mode.mode)));
    }
  }
  return {};
}

}  // namespace crosslane::machine
