#include "kernels/kernel.hpp"

#include <algorithm>

namespace crosslane {

const Kernel* find_kernel(std::span<const Kernel> kernels, std::string_view name) {
  const auto* const found =
      std::ranges::lower_bound(kernels.data(), kernels.data() + kernels.size(), name, {}, &Kernel::name);
  return found != kernels.data() + kernels.size() && found->name == name ? found : nullptr;
}

}  // namespace crosslane
