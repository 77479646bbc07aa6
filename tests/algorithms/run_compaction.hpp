// Runs one compaction on a device, between guard bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "crosslane/compaction.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

/// A struct of 16 bytes.
using Block = std::array<std::uint32_t, 4>;

/// What an element's place in the array is as an output.
struct Index {
  std::uint32_t value;
};

/// How the arrays of one run lie, and what it gives.
struct CompactionPlaces {
  std::uint64_t first_in = 0;  ///< where arrays begin in their buffers, in elements
  std::uint64_t first_flags = 0;
  std::uint64_t first_out = 0;
  bool partition = false;
  std::uint32_t per_group = 0;  ///< 0: no arguments
  std::optional<std::uint64_t> count_on_device = {};
};

/// What came out. `Output` is the element's type or Index.
template <typename Output>
struct Compacted {
  std::uint64_t count = 0;
  std::vector<Output> kept;
  std::vector<Output> rejected;
  std::array<std::uint32_t, 3> arguments{};
};

/// A buffer whose content lies between guard bytes, which must stay as they are.
class GuardedBuffer {
 public:
  static constexpr std::byte guard{0xA5};

  GuardedBuffer(Device& device, std::uint64_t offset, std::span<const std::byte> content)
      : device_(device), offset_(offset), content_bytes_(content.size()), bytes_(offset + content.size() + 20, guard) {
    std::ranges::copy(content, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    buffer_ = must(device.create_buffer({bytes_.size(), MemoryKind::device}));
    must(upload(device, *buffer_, bytes_));
  }
  GuardedBuffer(Device& device, std::uint64_t offset, std::uint64_t bytes)
      : GuardedBuffer(device, offset, std::vector<std::byte>(bytes, guard)) {}

  [[nodiscard]] BufferPlace place() const { return {buffer_.get(), offset_}; }

  /// The content; fails the test where something before or behind it, or behind its first `written` bytes, has changed.
  std::vector<std::byte> read(std::uint64_t written) {
    std::vector<std::byte> now(bytes_.size());
    must(download(device_, *buffer_, now));
    for (std::uint64_t i = 0; i < now.size(); ++i) {
      if (i < offset_ || i >= offset_ + written) {
        EXPECT_EQ(now[i], bytes_[i]) << "byte " << i << " of a buffer was overwritten";
        if (now[i] != bytes_[i]) {
          break;
        }
      }
    }
    const auto begin = now.begin() + static_cast<std::ptrdiff_t>(offset_);
    return {begin, begin + static_cast<std::ptrdiff_t>(content_bytes_)};
  }

  template <typename T>
  std::vector<T> values(std::uint64_t count) {
    const auto bytes = read(count * sizeof(T));
    std::vector<T> values(count);
    if (count != 0) {
      std::memcpy(values.data(), bytes.data(), count * sizeof(T));
    }
    return values;
  }

 private:
  Device& device_;
  std::uint64_t offset_;
  std::uint64_t content_bytes_;
  std::vector<std::byte> bytes_;
  std::unique_ptr<Buffer> buffer_;
};

/// One plan and what it needs.
template <typename T, typename Output = T>
class Compactor {
 public:
  Compactor(Device& device, CompactionOptions options) : device_(device) {
    options.element_bytes = sizeof(T);
    options.indices = std::is_same_v<Output, Index>;
    plan_ = std::make_unique<Compaction>(must(Compaction::create(device, options)));
  }

  Compaction& plan() { return *plan_; }

  /// `flags` is empty for selections that go by the values.
  Compacted<Output> operator()(std::span<const T> values, std::span<const std::uint32_t> flags,
                               const CompactionPlaces& places = {}) {
    GuardedBuffer input(device_, places.first_in * sizeof(T), std::as_bytes(values));
    GuardedBuffer flag_buffer(device_, places.first_flags * 4, std::as_bytes(flags));
    GuardedBuffer kept(device_, places.first_out * sizeof(Output), values.size() * sizeof(Output));
    GuardedBuffer rejected(device_, (places.first_out + 1) * sizeof(Output), values.size() * sizeof(Output));
    GuardedBuffer count(device_, 8, std::uint64_t{8});
    GuardedBuffer arguments(device_, 4, std::uint64_t{12});
    CompactionArrays arrays{.input = input.place(), .flags = {}, .kept = kept.place(), .count = count.place()};
    if (!flags.empty() || values.empty()) {
      arrays.flags = flag_buffer.place();
    }
    if (places.partition) {
      arrays.rejected = rejected.place();
    }
    if (places.per_group != 0) {
      arrays.arguments = arguments.place();
      arrays.per_group = places.per_group;
    }
    const auto list = must(device_.create_command_list());
    std::uint64_t elements = values.size();
    std::optional<GuardedBuffer> counts;
    if (places.count_on_device) {
      counts.emplace(device_, 8, std::as_bytes(std::span(&*places.count_on_device, 1)));
      must(plan_->record_indirect(*list, arrays, counts->place(), values.size()));
      elements = std::min<std::uint64_t>(elements, *places.count_on_device);
    } else {
      must(plan_->record(*list, arrays, values.size()));
    }
    must(run(device_, *list));
    Compacted<Output> result;
    result.count = count.values<std::uint64_t>(1)[0];
    EXPECT_LE(result.count, elements);
    result.count = std::min(result.count, elements);
    result.kept = kept.values<Output>(result.count);
    result.rejected = rejected.values<Output>(places.partition ? elements - result.count : 0);
    const auto words = arguments.values<std::uint32_t>(places.per_group != 0 ? 3 : 0);
    std::ranges::copy(words, result.arguments.begin());
    input.read(values.size() * sizeof(T));
    return result;
  }

 private:
  Device& device_;
  std::unique_ptr<Compaction> plan_;
};

/// The dumbest right compaction: `kept` says for each element whether it stays; `Output` is the element's type or
/// Index.
template <typename T, typename Output = T>
Compacted<Output> compact_exactly(std::span<const T> values, const std::vector<bool>& kept) {
  Compacted<Output> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& output = kept[i] ? result.kept : result.rejected;
    if constexpr (std::is_same_v<Output, Index>) {
      output.push_back({static_cast<std::uint32_t>(i)});
    } else {
      output.push_back(values[i]);
    }
  }
  result.count = result.kept.size();
  return result;
}

/// Expects the same elements bit by bit; the rejected ones where it was a partition.
template <typename Output>
void expect_compacted(const Compacted<Output>& result, const Compacted<Output>& expected, bool partition,
                      const std::string& where) {
  ASSERT_EQ(result.count, expected.count) << where;
  const auto same = [&](const std::vector<Output>& a, const std::vector<Output>& b, std::string_view what) {
    ASSERT_EQ(a.size(), b.size()) << where << ", " << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(std::memcmp(&a[i], &b[i], sizeof(Output)), 0) << where << ", " << what << " element " << i;
    }
  };
  same(result.kept, expected.kept, "kept");
  if (partition) {
    same(result.rejected, expected.rejected, "rejected");
  }
}

}  // namespace crosslane::test
