#include "crosslane/method.hpp"

namespace crosslane {

Method default_method(std::uint32_t wave_size) { return wave_size >= 8 ? Method::shuffle : Method::groupshared; }

}  // namespace crosslane
