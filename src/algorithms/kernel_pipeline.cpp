#include "algorithms/kernel_pipeline.hpp"

#include <fmt/format.h>

#include "kernels/kernel.hpp"

namespace crosslane {

Expected<std::unique_ptr<Pipeline>> create_kernel_pipeline(Device& device, const std::string& name,
                                                           std::optional<std::uint32_t> wave_size) {
  const Kernel* kernel = find_kernel(kernels(), name);
  if (kernel == nullptr) {
    return fail(ErrorCode::unsupported, fmt::format("this build of Crosslane has no kernel '{}'", name));
  }
  PipelineDescription description;
  description.spirv = kernel->spirv;
  description.wave_size = wave_size;
  description.name = name;
  return device.create_pipeline(description);
}

}  // namespace crosslane
