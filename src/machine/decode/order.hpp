// Whether a shader's results can depend on the order in which thread groups run.
#pragma once

#include "spirv/module.hpp"

namespace crosslane::machine {

/// True where a group can see what another one did: through an atomic's result, through atomics whose order matters,
/// or through memory that is declared coherent or volatile. Without data races everything else is independent of order.
bool depends_on_group_order(const spirv::Module& module);

}  // namespace crosslane::machine
