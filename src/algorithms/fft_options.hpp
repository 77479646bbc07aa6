// What the options of a Fourier transform say, without a plan.
#pragma once

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/fft.hpp"

namespace crosslane {

/// Errors: those of Fft::create that no device is needed for.
Expected<void> check_fft_options(const FftOptions& options);

/// Errors: `unsupported` where the method cannot run on the device, or the device lacks the type.
Expected<void> check_fft_device(const DeviceInfo& device, ScalarType type, Method method);

/// The factor of results.
double fft_factor(const FftOptions& options);

/// What Fft::error_bound says; `convolves` where the size has prime factors above 7.
double fft_error_bound(const FftOptions& options, bool convolves);

}  // namespace crosslane
