#include "spirv/assemble.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <spirv-tools/libspirv.hpp>

namespace crosslane::spirv {
namespace {

struct VersionedEnvironment {
  std::string_view version;
  spv_target_env environment;
};

constexpr std::array environments = {
    VersionedEnvironment{"1.0", SPV_ENV_UNIVERSAL_1_0}, VersionedEnvironment{"1.1", SPV_ENV_UNIVERSAL_1_1},
    VersionedEnvironment{"1.2", SPV_ENV_UNIVERSAL_1_2}, VersionedEnvironment{"1.3", SPV_ENV_UNIVERSAL_1_3},
    VersionedEnvironment{"1.4", SPV_ENV_UNIVERSAL_1_4}, VersionedEnvironment{"1.5", SPV_ENV_UNIVERSAL_1_5},
    VersionedEnvironment{"1.6", SPV_ENV_UNIVERSAL_1_6},
};

spv_target_env environment_of(std::string_view text) {
  constexpr std::string_view mark = "; Version: ";
  if (const auto begin = text.find(mark); begin != std::string_view::npos) {
    const auto version = text.substr(begin + mark.size(), 3);
    for (const auto& candidate : environments) {
      if (candidate.version == version) {
        return candidate.environment;
      }
    }
  }
  return SPV_ENV_UNIVERSAL_1_6;
}

}  // namespace

Expected<std::vector<std::uint32_t>> assemble(std::string_view text, const std::string& name) {
  spvtools::SpirvTools tools(environment_of(text));
  std::vector<std::string> messages;
  tools.SetMessageConsumer(
      [&](spv_message_level_t /*level*/, const char* /*source*/, const spv_position_t& position, const char* message) {
        messages.push_back(fmt::format("{}:{}:{}: {}", name, position.line + 1, position.column + 1, message));
      });
  std::vector<std::uint32_t> words;
  if (!tools.Assemble(text.data(), text.size(), &words)) {
    const auto first = messages.empty() ? std::string("SPIRV-Tools gave no reason") : messages.front();
    return fail(ErrorCode::invalid_input, fmt::format("'{}' cannot be assembled: {}", name, first),
                std::move(messages));
  }
  return words;
}

}  // namespace crosslane::spirv
