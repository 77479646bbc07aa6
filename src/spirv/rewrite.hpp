// Changes to SPIR-V binaries that let a device take them and leave their meaning as it is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::spirv {

/// Removes an execution mode from every entry point, and the extension that brought it.
/// Errors: `invalid_input` for malformed words.
Expected<std::vector<std::uint32_t>> strip_execution_mode(std::span<const std::uint32_t> words, std::uint32_t mode,
                                                          std::string_view extension);

/// `strip_execution_mode` for MaximallyReconvergesKHR, for devices without VK_KHR_shader_maximal_reconvergence.
Expected<std::vector<std::uint32_t>> strip_maximal_reconvergence(std::span<const std::uint32_t> words);

/// Gives all entry points of a compute shader thread groups of another size. What the shader itself took for their size
/// stays. Errors: `invalid_input` for malformed words.
Expected<std::vector<std::uint32_t>> set_group_size(std::span<const std::uint32_t> words,
                                                    const std::array<std::uint32_t, 3>& threads);

/// Removes capabilities that are declared and not needed, and extensions with them: compilers declare
/// GroupNonUniformPartitionedNV in every module with a wave reduce, and drivers without it fail on the declaration.
/// Errors: `invalid_input` for words that SPIRV-Tools cannot optimise.
Expected<std::vector<std::uint32_t>> trim_capabilities(std::span<const std::uint32_t> words);

/// Removes what only tools read: non-semantic instructions (debug information among them) and the decorations of the
/// SPV_GOOGLE extensions, with those extensions. Errors: `invalid_input` for words that SPIRV-Tools cannot optimise.
Expected<std::vector<std::uint32_t>> strip_tool_information(std::span<const std::uint32_t> words);

/// Turns variables of functions into values where all their uses are loads and stores, and removes what nothing needs:
/// compilers that do not optimise keep every name of the source in memory. Branches stay as they are.
/// Errors: `invalid_input` for words that SPIRV-Tools cannot optimise.
Expected<std::vector<std::uint32_t>> promote_variables(std::span<const std::uint32_t> words);

}  // namespace crosslane::spirv
