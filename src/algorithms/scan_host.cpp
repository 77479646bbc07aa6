// The one-call form of the scan, for values on the host.
#include "crosslane/scan.hpp"

#include <algorithm>
#include <utility>

namespace crosslane {

template <typename T>
Expected<std::vector<T>> scan(Device& device, std::span<const T> values, const ScanOptions& options) {
  // A buffer has at least one element, also for an empty array.
  const std::uint64_t bytes = std::max<std::uint64_t>(values.size_bytes(), sizeof(T));
  std::vector<T> results(values.size());
  std::unique_ptr<Buffer> buffer;
  std::unique_ptr<CommandList> list;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  ScanOptions typed = options;
  typed.type = scalar_type_of<T>;
  return device.create_buffer({bytes, MemoryKind::device})
      .map(keep(buffer))
      .and_then([&] { return upload(device, *buffer, std::as_bytes(values)); })
      .and_then([&] { return device.create_command_list(); })
      .map(keep(list))
      .and_then([&] { return Scan::create(device, typed); })
      .and_then([&](Scan plan) {
        return plan.record(*list, *buffer, 0, values.size(), *buffer).and_then([&] { return run(device, *list); });
      })
      .and_then([&] { return download(device, *buffer, std::as_writable_bytes(std::span(results))); })
      .map([&] { return std::move(results); });
}

template Expected<std::vector<std::uint32_t>> scan(Device&, std::span<const std::uint32_t>, const ScanOptions&);
template Expected<std::vector<std::int32_t>> scan(Device&, std::span<const std::int32_t>, const ScanOptions&);
template Expected<std::vector<float>> scan(Device&, std::span<const float>, const ScanOptions&);
template Expected<std::vector<std::uint64_t>> scan(Device&, std::span<const std::uint64_t>, const ScanOptions&);
template Expected<std::vector<std::int64_t>> scan(Device&, std::span<const std::int64_t>, const ScanOptions&);
template Expected<std::vector<double>> scan(Device&, std::span<const double>, const ScanOptions&);

}  // namespace crosslane
