#include "algorithms/kernel_pipeline.hpp"

#include <utility>

#include <fmt/format.h>

#include "algorithms/wave_size.hpp"
#include "kernels/kernel.hpp"

namespace crosslane {

Expected<std::unique_ptr<Pipeline>> create_kernel_pipeline(Device& device, const std::string& name,
                                                           std::optional<std::uint32_t> wave_size,
                                                           std::span<const Kernel> table,
                                                           std::vector<SpecializationConstant> constants) {
  const Kernel* kernel = find_kernel(table.empty() ? kernels() : table, name);
  if (kernel == nullptr) {
    return fail(ErrorCode::unsupported, table.empty()
                                            ? fmt::format("this build of Crosslane has no kernel '{}'", name)
                                            : fmt::format("the program's own kernels lack '{}': compile it too", name));
  }
  if (auto sensible = check_wave_size(device.info(), wave_size); !sensible) {
    return tl::unexpected(std::move(sensible.error()));
  }
  PipelineDescription description;
  description.spirv = kernel->spirv;
  description.dxil = kernel->dxil;
  description.constants = std::move(constants);
  description.wave_size = wave_size;
  description.name = name;
  return device.create_pipeline(description);
}

}  // namespace crosslane
