// Runs one scan on a device, between guard elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "crosslane/scan.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

/// How the arrays of one run lie.
struct ScanPlaces {
  std::uint64_t first_in = 0;   ///< where the input begins in its buffer, in elements
  std::uint64_t first_out = 0;  ///< where the output does; in place it begins where the input does
  bool in_place = false;
  std::optional<std::uint64_t> count_on_device;  ///< the scan is recorded with an indirect count, this one
};

/// One plan and what it needs.
template <typename T>
class Scanner {
 public:
  Scanner(Device& device, ScanOptions options) : device_(device), options_(std::move(options)) {
    options_.type = scalar_type_of<T>;
    scan_ = std::make_unique<Scan>(must(Scan::create(device, options_)));
  }

  Scan& plan() { return *scan_; }

  /// The results, as many as values: they lie between guard elements, which must stay as they are. Elements that an
  /// indirect count leaves out are guards too.
  std::vector<T> operator()(const std::vector<T>& values, const ScanPlaces& places = {}) {
    const std::uint64_t first_out = places.in_place ? places.first_in : places.first_out;
    std::vector<T> inputs(places.first_in, guard);
    inputs.insert(inputs.end(), values.begin(), values.end());
    inputs.insert(inputs.end(), 5, guard);
    const auto input = make_buffer(inputs);
    std::vector<T> outputs = places.in_place ? inputs : std::vector<T>(first_out + values.size() + 5, guard);
    const auto separate = places.in_place ? nullptr : make_buffer(outputs);
    Buffer& output = places.in_place ? *input : *separate;
    const auto list = must(device_.create_command_list());
    if (places.count_on_device) {
      const std::vector<std::uint64_t> counts = {~std::uint64_t{0}, *places.count_on_device, ~std::uint64_t{0}};
      counts_ = must(device_.create_buffer({counts.size() * 8, MemoryKind::device}));
      must(upload(device_, *counts_, std::as_bytes(std::span(counts))));
      must(scan_->record_indirect(*list, *input, places.first_in * sizeof(T), *counts_, 8, values.size(), output,
                                  first_out * sizeof(T)));
    } else {
      must(scan_->record(*list, *input, places.first_in * sizeof(T), values.size(), output, first_out * sizeof(T)));
    }
    must(run(device_, *list));
    must(download(device_, output, std::as_writable_bytes(std::span(outputs))));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (i < first_out || i >= first_out + values.size()) {
        EXPECT_EQ(outputs[i], guard) << "output element " << i << " of its buffer was overwritten";
      }
    }
    const auto begin = outputs.begin() + static_cast<std::ptrdiff_t>(first_out);
    return std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(values.size()));
  }

  static constexpr T guard = static_cast<T>(77);

 private:
  std::unique_ptr<Buffer> make_buffer(const std::vector<T>& content) {
    auto buffer = must(device_.create_buffer({content.size() * sizeof(T), MemoryKind::device}));
    must(upload(device_, *buffer, std::as_bytes(std::span(content))));
    return buffer;
  }

  Device& device_;
  ScanOptions options_;
  std::unique_ptr<Scan> scan_;
  std::unique_ptr<Buffer> counts_;
};

}  // namespace crosslane::test
