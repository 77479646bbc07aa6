// Words in SPIR-V that expressions are made of.
#include "machine/random/emit_words.hpp"

namespace crosslane::machine_tests {

std::string truth_of(SpirvText& text, const std::string& value) {
  return text.define("OpINotEqual %bool {} {}", value, text.constant(0));
}

std::string number_of(SpirvText& text, const std::string& condition) {
  return text.define("OpSelect %uint {} {} {}", condition, text.constant(1), text.constant(0));
}

std::string low_bits(SpirvText& text, const std::string& value, std::uint32_t mask) {
  return text.define("OpBitwiseAnd %uint {} {}", value, text.constant(mask));
}

std::string load_input(SpirvText& text, Input which) {
  switch (which) {
    case Input::lane:
      return text.define("OpLoad %uint %lane_in");
    case Input::wave_size:
      return text.define("OpLoad %uint %size_in");
    case Input::wave:
      return text.define("OpLoad %uint %wave_in");
    case Input::thread:
      return text.define("OpLoad %uint %thread_in");
    case Input::group: {
      const auto group = text.define("OpLoad %v3 %group_in");
      return text.define("OpCompositeExtract %uint {} 0", group);
    }
    case Input::data:
      break;
  }
  const auto base = text.define("OpLoad %uint %base");
  const auto index = text.define("OpUDiv %uint {} {}", base, text.constant(trace_slots));
  const auto pointer = text.define("OpAccessChain %word_pointer %in {} {}", text.constant(0), index);
  return text.define("OpLoad %uint {}", pointer);
}

}  // namespace crosslane::machine_tests
