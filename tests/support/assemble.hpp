// SPIR-V from its assembly text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace crosslane::test {

/// The words of a module of SPIR-V 1.`minor`. Text that cannot be assembled fails the test by an exception.
std::vector<std::uint32_t> assemble(std::string_view text, unsigned minor = 5);

}  // namespace crosslane::test
