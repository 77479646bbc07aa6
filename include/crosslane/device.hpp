// The small interface that every back end implements: buffers, pipelines, command lists, submission.
//
// Terms are HLSL's: a wave of lanes, thread groups with groupshared memory, dispatches. Vulkan says subgroup,
// invocation, workgroup and shared memory for the same things.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crosslane/dxil.hpp"
#include "crosslane/error.hpp"
#include "crosslane/image.hpp"
#include "crosslane/texel_format.hpp"

namespace crosslane {

/// What stands behind a device: real hardware, the wave machine, or a driver that computes on the CPU.
enum class DeviceKind : std::uint8_t { gpu, machine, software };

/// Lanes per wave. `standard` is what a pipeline gets that asks for nothing; another size between `minimum` and
/// `maximum` can be asked for only where `DeviceFeatures::wave_size_control` holds.
struct WaveSizes {
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 0;
  std::uint32_t standard = 0;
};

struct DeviceFeatures {
  bool int16 = false;
  bool int64 = false;
  bool float16 = false;
  bool float64 = false;
  bool storage16 = false;              ///< 16-bit elements in buffers
  bool int64_atomics = false;          ///< on buffers
  bool wave_arithmetic = false;        ///< WaveActiveSum and its family
  bool wave_shuffle = false;           ///< any lane, and xor
  bool wave_shuffle_relative = false;  ///< up and down
  bool wave_quad = false;
  bool wave_extended_types = false;  ///< wave operations on 16- and 64-bit integers and on 16-bit floats
  bool wave_size_control = false;    ///< pipelines may ask for a wave size
  bool full_waves = false;           ///< pipelines may ask that every wave be full
  bool maximal_reconvergence = false;
  bool group_progress =
      false;                 ///< known: thread groups that have begun make progress, so that others may wait for them
  bool group_order = false;  ///< known: thread groups begin in the order of their numbers, x first
  bool denormals_preserved32 = false;  ///< can be told to keep 32-bit denormals
  bool denormals_preserved64 = false;
  bool timestamps = false;
};

struct DeviceLimits {
  std::uint64_t buffer_bytes = 0;         ///< largest buffer
  std::uint64_t binding_bytes = 0;        ///< largest range that one binding can show; a multiple of the alignment
  std::uint64_t binding_alignment = 1;    ///< bytes; offsets of bindings are multiples of it
  std::uint32_t constants_bytes = 0;      ///< constants handed over with a dispatch
  std::array<std::uint32_t, 3> groups{};  ///< thread groups per dispatch and dimension
  std::uint32_t group_threads = 0;        ///< threads per group
  std::uint32_t groupshared_bytes = 0;
};

struct DeviceInfo {
  std::string id;    ///< "vulkan:0"
  std::string name;  ///< as the driver says it
  std::string vendor;
  std::string driver;  ///< driver's name and build
  std::string driver_version;
  std::string api_version;
  std::string uuid;  ///< 32 hexadecimal digits; same for the same device with the same driver
  DeviceKind kind = DeviceKind::gpu;
  std::uint32_t processors = 0;  ///< multiprocessors or compute units, where the driver tells; else 0
  /// The newest shader model of DXIL that it takes, {6, 6}; zeros where it takes SPIR-V.
  std::array<std::uint32_t, 2> shader_model{};
  WaveSizes wave_sizes;
  DeviceFeatures features;
  DeviceLimits limits;
};

enum class MemoryKind : std::uint8_t {
  device,    ///< fast for the device, not visible to the host
  upload,    ///< mapped; the host writes, the device reads
  readback,  ///< mapped; the device writes, the host reads
};

struct BufferDescription {
  std::uint64_t bytes = 0;
  MemoryKind memory = MemoryKind::device;
};

/// A range of memory that shaders can read and write. Lives at least as long as the work that uses it.
class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// The mapped memory of an `upload` or `readback` buffer; empty for `device` memory.
  [[nodiscard]] virtual std::span<std::byte> host() = 0;
};

/// A place in a buffer; nowhere without a buffer.
struct BufferPlace {
  Buffer* buffer = nullptr;
  std::uint64_t offset = 0;  ///< bytes
};

/// Texels that shaders read, write and sample. Its content is undefined until it is written. Lives at least as long as
/// the work that uses it.
class Image {
 public:
  virtual ~Image() = default;
  [[nodiscard]] virtual const ImageDescription& description() const = 0;
};

/// A value for a specialization constant, by its id; 32-bit constants take the low word.
struct SpecializationConstant {
  std::uint32_t id = 0;
  std::uint64_t value = 0;
};

struct PipelineDescription {
  std::span<const std::uint32_t> spirv = {};  ///< one module; copied, need not outlive the call
  std::string entry_point = "main";
  std::vector<SpecializationConstant> constants = {};
  std::optional<std::uint32_t> wave_size = {};  ///< lanes; nothing: the device's standard size
  std::string name = {};                        ///< shown by debuggers and in error messages
  /// The same shader for Direct3D 12, which takes no SPIR-V; other devices take no notice of it. Where a wave size is
  /// asked for, the one with that [WaveSize] is taken. Copied, as above.
  std::span<const DxilShader> dxil = {};
};

/// A compiled shader. Lives at least as long as the work that uses it.
class Pipeline {
 public:
  virtual ~Pipeline() = default;
  [[nodiscard]] virtual std::array<std::uint32_t, 3> group_size() const = 0;  ///< threads per group
  [[nodiscard]] virtual std::uint32_t wave_size() const = 0;                  ///< lanes per wave it was made for
};

/// Shows `bytes` bytes of `buffer` from `offset` on to the shader's binding `slot` of descriptor set `set`. The shader
/// decides what it is shown as: a storage buffer, a uniform buffer (HLSL's ConstantBuffer) or a typed buffer.
/// `offset` is a multiple of DeviceLimits::binding_alignment; `bytes` 0 means the rest of the buffer.
/// A texture takes `image` in place of the buffer, a SamplerState `sampler`, GLSL's combined ones both.
struct Binding {
  std::uint32_t slot = 0;
  Buffer* buffer = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t set = 0;
  std::uint32_t element = 0;               ///< which of an array of resources; each has a Binding of its own
  std::optional<TexelFormat> texels = {};  ///< of a typed buffer, which cannot do without; else without effect
  Image* image = nullptr;
  std::uint32_t level = 0;  ///< of an image that the shader writes: which of its levels; sampled ones show all
  std::optional<Sampler> sampler = {};
};

using GroupCount = std::array<std::uint32_t, 3>;

/// Work recorded in order, submitted once. Nothing is ordered inside a list except by `barrier()`.
class CommandList {
 public:
  CommandList();
  CommandList(const CommandList&) = delete;
  CommandList& operator=(const CommandList&) = delete;
  virtual ~CommandList() = default;
  /// A number that no other list of this process has or had.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  /// Runs `groups` thread groups; `constants` fills the shader's push constants from their start.
  [[nodiscard]] virtual Expected<void> dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                                                std::span<const std::byte> constants, GroupCount groups) = 0;
  /// The same for as many groups as three words at `groups`, a multiple of 4, say when the dispatch begins: x, y, z.
  /// What the device runs must be no more than its limits; the wave machine checks that.
  [[nodiscard]] virtual Expected<void> dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                                         std::span<const std::byte> constants,
                                                         const BufferPlace& groups) = 0;
  /// Copies bytes between buffers; offsets and sizes in bytes, multiples of 4. The last word of a buffer counts whole,
  /// also where its size is no multiple of 4. The ranges do not overlap.
  [[nodiscard]] virtual Expected<void> copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                                            std::uint64_t destination_offset, std::uint64_t bytes) = 0;
  /// Copies all texels of one level of an image from or to a buffer; the offset is a multiple of 4 and of the texel's
  /// bytes. Errors: `unsupported` by devices without images.
  [[nodiscard]] virtual Expected<void> copy_to_image(Buffer& source, std::uint64_t offset, Image& destination,
                                                     std::uint32_t level);
  [[nodiscard]] virtual Expected<void> copy_to_buffer(Image& source, std::uint32_t level, Buffer& destination,
                                                      std::uint64_t offset);
  /// Fills bytes with a repeated 32-bit word; offset and size in bytes, multiples of 4.
  [[nodiscard]] virtual Expected<void> fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                                            std::uint32_t word) = 0;
  /// Everything recorded before is finished and visible before anything recorded after begins.
  [[nodiscard]] virtual Expected<void> barrier() = 0;
  /// Writes the device's clock once everything recorded before is finished. Returns its index in `Device::timestamps`.
  [[nodiscard]] virtual Expected<std::uint32_t> timestamp() = 0;

 private:
  std::uint64_t serial_;
};

/// A device of one back end. Not thread-safe: one thread at a time per device.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  [[nodiscard]] virtual Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) = 0;
  /// Errors: `invalid_argument` for a description that cannot be, `unsupported` for formats and sizes that the device
  /// lacks, and by devices without images.
  [[nodiscard]] virtual Expected<std::unique_ptr<Image>> create_image(const ImageDescription& description);
  [[nodiscard]] virtual Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) = 0;
  [[nodiscard]] virtual Expected<std::unique_ptr<CommandList>> create_command_list() = 0;
  /// Starts the work of a list made by this device; each list once.
  [[nodiscard]] virtual Expected<void> submit(CommandList& list) = 0;
  /// Waits until a submitted list has finished.
  [[nodiscard]] virtual Expected<void> wait(CommandList& list) = 0;
  /// The clock values of a finished list in the order of its `timestamp()` calls, in milliseconds since its first: a
  /// clock that counts nanoseconds from long ago does not fit into a double.
  [[nodiscard]] virtual Expected<std::vector<double>> timestamps(CommandList& list) = 0;
};

/// Copies host bytes into `buffer` at `offset`, through staging memory of bounded size; waits until they are there.
Expected<void> upload(Device& device, Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t offset = 0);

/// Copies `bytes.size()` bytes of `buffer` from `offset` on to the host; waits until they are here.
Expected<void> download(Device& device, Buffer& buffer, std::span<std::byte> bytes, std::uint64_t offset = 0);

/// Copies the texels of one level of an image from or to the host, through staging memory of its size; waits. `bytes`
/// has the level's size.
Expected<void> upload(Device& device, Image& image, std::span<const std::byte> bytes, std::uint32_t level = 0);
Expected<void> download(Device& device, Image& image, std::span<std::byte> bytes, std::uint32_t level = 0);

/// Submits `list` and waits for it.
Expected<void> run(Device& device, CommandList& list);

}  // namespace crosslane
