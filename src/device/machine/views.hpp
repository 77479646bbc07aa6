// What a binding shows of a typed buffer, an image or a sampler.
#pragma once

#include <string>

#include "crosslane/device.hpp"
#include "machine/image.hpp"
#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {

/// A range of a buffer as texels. Errors, which begin with `place`: `invalid_argument` for a format that is not given,
/// or is not what the shader takes it for, and for ranges that end inside a texel.
Expected<ImageView> show_typed_buffer(const BindingRoots& shader, const Binding& binding, const Root& range,
                                      const std::string& place);

/// An image, a sampler or both, with the memory of the texels in `root`. Errors, which begin with `place`:
/// `invalid_argument` for an image or sampler that is missing, foreign or of a shape or format that the shader does not
/// take.
Expected<ImageView> show_image(const DeviceInfo& device, const BindingRoots& shader, const Binding& binding,
                               const std::string& place, Root& root);

}  // namespace crosslane::machine
