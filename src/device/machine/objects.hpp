// Buffers, pipelines and command lists of the machine's back end.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <hwy/aligned_allocator.h>

#include "crosslane/device.hpp"
#include "machine/launch.hpp"
#include "machine/program.hpp"

namespace crosslane::machine {

class MachineBuffer final : public Buffer {
 public:
  /// Zeros. Errors: `device` where the host has no such memory left.
  static Expected<std::unique_ptr<Buffer>> create(std::uint64_t bytes, MemoryKind memory);

  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::span<std::byte> host() override {
    return mapped_ ? std::span(memory_.get(), bytes_) : std::span<std::byte>();
  }
  [[nodiscard]] std::byte* data() const { return memory_.get(); }
  /// Bytes that commands may move: the last word counts whole.
  [[nodiscard]] std::uint64_t whole_words() const;

 private:
  // The allocator gives arrays. NOLINTNEXTLINE(modernize-avoid-c-arrays)
  hwy::AlignedFreeUniquePtr<std::byte[]> memory_;
  std::uint64_t bytes_ = 0;
  bool mapped_ = false;
};

class MachineImage final : public Image {
 public:
  /// Zeros. Errors: `invalid_argument` for a description that cannot be, `unsupported` for 4 GiB and more, `device`
  /// where the host has no such memory left.
  static Expected<std::unique_ptr<Image>> create(const ImageDescription& description);

  [[nodiscard]] const ImageDescription& description() const override { return description_; }
  /// The texels of a level and of those after it.
  [[nodiscard]] std::byte* texels(std::uint32_t level) const;

 private:
  ImageDescription description_;
  // The allocator gives arrays. NOLINTNEXTLINE(modernize-avoid-c-arrays)
  hwy::AlignedFreeUniquePtr<std::byte[]> memory_;
};

class MachinePipeline final : public Pipeline {
 public:
  MachinePipeline(std::string name, Program program) : name_(std::move(name)), program_(std::move(program)) {}

  [[nodiscard]] std::array<std::uint32_t, 3> group_size() const override { return program_.group_size; }
  [[nodiscard]] std::uint32_t wave_size() const override { return program_.wave_size; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Program& program() const { return program_; }

 private:
  std::string name_;
  Program program_;
};

/// Keeps what it is told until it is submitted; commands then run one after the other.
class MachineCommandList final : public CommandList {
 public:
  /// `order` says how observed dispatches run: groups, roots and images are filled in by each.
  MachineCommandList(const DeviceInfo& device, Launch order) : device_(device), order_(std::move(order)) {}

  Expected<void> dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                          std::span<const std::byte> constants, GroupCount groups) override;
  Expected<void> dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                   std::span<const std::byte> constants, const BufferPlace& groups) override;
  Expected<void> copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                      std::uint64_t destination_offset, std::uint64_t bytes) override;
  Expected<void> copy_to_image(Buffer& source, std::uint64_t offset, Image& destination, std::uint32_t level) override;
  Expected<void> copy_to_buffer(Image& source, std::uint32_t level, Buffer& destination, std::uint64_t offset) override;
  Expected<void> fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) override;
  Expected<void> barrier() override;
  Expected<std::uint32_t> timestamp() override;

  Expected<void> submit();
  [[nodiscard]] Expected<void> wait() const;
  [[nodiscard]] Expected<std::vector<double>> timestamps() const;

 private:
  enum class Stage : std::uint8_t { recording, failed, finished };

  [[nodiscard]] Expected<void> check_recording() const;
  /// Adds a dispatch of as many groups as `groups` gives when it begins.
  Expected<void> add_dispatch(const MachinePipeline& pipeline, std::span<const Binding> bindings,
                              std::span<const std::byte> constants, std::function<Expected<GroupCount>()> groups);

  const DeviceInfo& device_;
  Launch order_;
  std::vector<std::function<Expected<void>()>> commands_;
  std::vector<std::chrono::steady_clock::time_point> clocks_;
  std::uint32_t timestamps_ = 0;
  Stage stage_ = Stage::recording;
};

/// What bindings give to a program, by its roots.
struct BoundRoots {
  std::vector<Root> roots;
  std::vector<ImageView> images;
};

/// Bindings that the program does not have are left out.
/// Errors: `invalid_argument` for foreign or null buffers and images, ranges that do not fit, texel formats and shapes
/// of images that are not what the shader takes them for, and bindings missing or given twice.
Expected<BoundRoots> bind_roots(const DeviceInfo& device, const MachinePipeline& pipeline,
                                std::span<const Binding> bindings);

}  // namespace crosslane::machine
