#include "spirv/validate.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spirv-tools/libspirv.hpp>

namespace crosslane::spirv {

Expected<void> validate(std::span<const std::uint32_t> words, const ValidationOptions& options) {
  spv_target_env environment = SPV_ENV_MAX;
  if (!spvParseTargetEnv(std::string(options.environment).c_str(), &environment)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("\"{}\" is no environment for SPIR-V; use one like vulkan1.2.", options.environment));
  }
  spvtools::ValidatorOptions rules;
  rules.SetScalarBlockLayout(options.scalar_block_layout);
  rules.SetAllowLocalSizeId(options.local_size_id);
  rules.SetFriendlyNames(true);

  spvtools::SpirvTools tools(environment);
  std::vector<std::string> messages;
  tools.SetMessageConsumer([&messages](spv_message_level_t level, const char* /*source*/,
                                       const spv_position_t& /*position*/, const char* message) {
    if (level <= SPV_MSG_ERROR) {
      messages.emplace_back(message);
    }
  });
  if (!tools.Validate(words.data(), words.size(), rules)) {
    return fail(ErrorCode::invalid_input,
                fmt::format("The SPIR-V module breaks the rules of {}; compile it again or report it to the compiler's "
                            "authors.",
                            options.environment),
                std::move(messages));
  }
  return {};
}

}  // namespace crosslane::spirv
