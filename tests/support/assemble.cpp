#include "support/assemble.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include <spirv-tools/libspirv.hpp>

namespace crosslane::test {

std::vector<std::uint32_t> assemble(std::string_view text, unsigned minor) {
  constexpr std::array environments = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
                                       SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
                                       SPV_ENV_UNIVERSAL_1_6};
  spvtools::SpirvTools tools(environments.at(minor));
  std::string messages;
  tools.SetMessageConsumer([&messages](spv_message_level_t /*level*/, const char* /*source*/,
                                       const spv_position_t& position, const char* message) {
    messages += "line " + std::to_string(position.line + 1) + ": " + message + "\n";
  });
  std::vector<std::uint32_t> words;
  if (!tools.Assemble(text.data(), text.size(), &words)) {
    throw std::runtime_error("cannot be assembled: " + messages);
  }
  return words;
}

}  // namespace crosslane::test
