// The one-call form of the reduction, for values on the host.
#include "crosslane/reduction.hpp"

namespace crosslane {

template <typename T>
Expected<T> reduce(Device& device, std::span<const T> values, Operator op, Method method) {
  T result{};
  // A buffer has at least one element, also for an empty array.
  const std::uint64_t bytes = std::max<std::uint64_t>(values.size_bytes(), sizeof(T));
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> output;
  std::unique_ptr<CommandList> list;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  return device.create_buffer({bytes, MemoryKind::device})
      .map(keep(input))
      .and_then([&] { return upload(device, *input, std::as_bytes(values)); })
      .and_then([&] {
        return device.create_buffer({sizeof(T), MemoryKind::device});
      })
      .map(keep(output))
      .and_then([&] { return device.create_command_list(); })
      .map(keep(list))
      .and_then([&] {
        ReductionOptions options;
        options.type = scalar_type_of<T>;
        options.op = op;
        options.method = method;
        return Reduction::create(device, options);
      })
      .and_then([&](Reduction reduction) {
        return reduction.record(*list, *input, 0, values.size(), *output).and_then([&] { return run(device, *list); });
      })
      .and_then([&] { return download(device, *output, std::as_writable_bytes(std::span(&result, 1))); })
      .map([&] { return result; });
}

template Expected<std::uint32_t> reduce(Device&, std::span<const std::uint32_t>, Operator, Method);
template Expected<std::int32_t> reduce(Device&, std::span<const std::int32_t>, Operator, Method);
template Expected<float> reduce(Device&, std::span<const float>, Operator, Method);
template Expected<std::uint64_t> reduce(Device&, std::span<const std::uint64_t>, Operator, Method);
template Expected<std::int64_t> reduce(Device&, std::span<const std::int64_t>, Operator, Method);
template Expected<double> reduce(Device&, std::span<const double>, Operator, Method);

}  // namespace crosslane
