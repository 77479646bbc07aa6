// For chains of Expected: where a step's result stays for the steps behind it.
#pragma once

#include <utility>

namespace crosslane::cli {

/// `.map(keep_in(place))` moves what the step before made to `place`.
template <typename T>
auto keep_in(T& place) {
  return [&place](T made) { place = std::move(made); };
}

}  // namespace crosslane::cli
