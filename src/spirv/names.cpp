#include "spirv/names.hpp"

#include <string_view>

#define SPV_ENABLE_UTILITY_CODE  // declares the …ToString functions
#include <spirv/unified1/spirv.hpp11>

namespace crosslane::spirv {
namespace {

std::string name_or_number(std::string_view name, std::uint32_t number) {
  return name == "Unknown" ? std::to_string(number) : std::string(name);
}

}  // namespace

std::string capability_name(std::uint32_t capability) {
  return name_or_number(spv::CapabilityToString(spv::Capability(capability)), capability);
}

std::string execution_mode_name(std::uint32_t mode) {
  return name_or_number(spv::ExecutionModeToString(spv::ExecutionMode(mode)), mode);
}

std::string execution_model_name(std::uint32_t model) {
  return name_or_number(spv::ExecutionModelToString(spv::ExecutionModel(model)), model);
}

}  // namespace crosslane::spirv
