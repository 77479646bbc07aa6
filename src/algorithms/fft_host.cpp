// The one-call form of the Fourier transform, for values on the host.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "crosslane/fft.hpp"

namespace crosslane {

template <typename T>
Expected<std::vector<std::complex<T>>> fft(Device& device, std::span<const std::complex<T>> values,
                                           const FftOptions& options) {
  FftOptions typed = options;
  typed.type = scalar_type_of<T>;
  typed.real = false;
  typed.halves = false;
  auto plan = Fft::create(device, typed);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  if (values.size() % options.size != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} values are no whole number of arrays of {}", values.size(), options.size));
  }
  // A buffer has at least one element, also for no array.
  const std::uint64_t bytes = std::max<std::uint64_t>(values.size_bytes(), sizeof(std::complex<T>));
  std::vector<std::complex<T>> results(values.size());
  std::unique_ptr<Buffer> buffer;
  std::unique_ptr<CommandList> list;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  return device.create_buffer({bytes, MemoryKind::device})
      .map(keep(buffer))
      .and_then([&] { return upload(device, *buffer, std::as_bytes(values)); })
      .and_then([&] { return device.create_command_list(); })
      .map(keep(list))
      .and_then([&] {
        const FftArray array{{buffer.get(), 0}};
        return plan->record(*list, array, array, values.size() / options.size);
      })
      .and_then([&] { return run(device, *list); })
      .and_then([&] { return download(device, *buffer, std::as_writable_bytes(std::span(results))); })
      .map([&] { return std::move(results); });
}

template Expected<std::vector<std::complex<float>>> fft(Device&, std::span<const std::complex<float>>,
                                                        const FftOptions&);
template Expected<std::vector<std::complex<double>>> fft(Device&, std::span<const std::complex<double>>,
                                                         const FftOptions&);

}  // namespace crosslane
