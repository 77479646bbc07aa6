// The interchangeable ways in which one algorithm can be computed, and who chooses among them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace crosslane {

struct DeviceInfo;

/// How the lanes of a thread group exchange values. All methods of one algorithm give the same result.
enum class Method : std::uint8_t {
  automatic,        ///< the DecisionSource's answer, else the documented default for the device's wave size
  groupshared,      ///< through groupshared memory and barriers
  shuffle,          ///< through lane shuffles inside a wave, groupshared only between waves
  wave_intrinsics,  ///< HLSL's WaveActive* intrinsics inside a wave, groupshared only between waves
};

/// The methods themselves, without `automatic`.
inline constexpr std::array all_methods = {Method::groupshared, Method::shuffle, Method::wave_intrinsics};

constexpr std::string_view name(Method method) {
  constexpr std::array<std::string_view, 4> names = {"automatic", "groupshared", "shuffle", "wave_intrinsics"};
  return names[static_cast<std::size_t>(method)];
}

/// Where `Method::automatic` asks first. A program hands one in; the library never reads a user's configuration itself.
class DecisionSource {
 public:
  virtual ~DecisionSource() = default;

  /// The method to use for `algorithm` ("reduce", …) on `device`, or nothing if this source has no opinion.
  [[nodiscard]] virtual std::optional<Method> decide(const DeviceInfo& device, std::string_view algorithm) const = 0;
};

/// What `Method::automatic` becomes when nobody has decided: `shuffle` where waves have at least 8 lanes, and
/// `groupshared` below that, where a shuffle tree saves too few barriers to pay.
Method default_method(std::uint32_t wave_size);

}  // namespace crosslane
