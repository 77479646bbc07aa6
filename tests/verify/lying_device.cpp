#include "verify/lying_device.hpp"

#include <cstring>

namespace crosslane::verify_tests {

/// Passes everything on, and remembers what was dispatched and where results are copied to.
class ListeningCommandList : public CommandList {
 public:
  ListeningCommandList(LyingDevice& device, std::unique_ptr<CommandList> honest)
      : device_(device), honest_(std::move(honest)) {}

  Expected<void> dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                          std::span<const std::byte> constants, GroupCount groups) override {
    device_.last_shader_ = device_.shader_names_[&pipeline];
    std::memcpy(&device_.last_threads_, constants.data(), sizeof(device_.last_threads_));
    return honest_->dispatch(pipeline, bindings, constants, groups);
  }
  Expected<void> dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                   std::span<const std::byte> constants, const BufferPlace& groups) override {
    return honest_->dispatch_indirect(pipeline, bindings, constants, groups);
  }
  Expected<void> copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                      std::uint64_t destination_offset, std::uint64_t bytes) override {
    if (!destination.host().empty()) {
      readback_ = destination.host().subspan(destination_offset, bytes);
    }
    return honest_->copy(source, source_offset, destination, destination_offset, bytes);
  }
  Expected<void> fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) override {
    return honest_->fill(buffer, offset, bytes, word);
  }
  Expected<void> barrier() override { return honest_->barrier(); }
  Expected<std::uint32_t> timestamp() override { return honest_->timestamp(); }

  [[nodiscard]] CommandList& honest() { return *honest_; }
  [[nodiscard]] std::span<std::byte> readback() const { return readback_; }

 private:
  LyingDevice& device_;
  std::unique_ptr<CommandList> honest_;
  std::span<std::byte> readback_;
};

LyingDevice::LyingDevice(Device& honest, Lies lies) : honest_(honest), lies_(std::move(lies)), info_(honest.info()) {
  if (lies_.info) {
    lies_.info(info_);
  }
}

Expected<std::unique_ptr<Buffer>> LyingDevice::create_buffer(const BufferDescription& description) {
  return honest_.create_buffer(description);
}

Expected<std::unique_ptr<Pipeline>> LyingDevice::create_pipeline(const PipelineDescription& description) {
  if (lies_.refuse_pipeline) {
    if (auto error = lies_.refuse_pipeline(description.name)) {
      return tl::unexpected(std::move(*error));
    }
  }
  std::vector<std::uint32_t> spirv(description.spirv.begin(), description.spirv.end());
  if (lies_.compile) {
    lies_.compile(spirv);
  }
  PipelineDescription changed = description;
  changed.spirv = spirv;
  auto pipeline = honest_.create_pipeline(changed);
  if (pipeline) {
    shader_names_[pipeline->get()] = description.name;
  }
  return pipeline;
}

Expected<std::unique_ptr<CommandList>> LyingDevice::create_command_list() {
  auto list = honest_.create_command_list();
  if (!list) {
    return list;
  }
  return std::make_unique<ListeningCommandList>(*this, std::move(*list));
}

Expected<void> LyingDevice::submit(CommandList& list) {
  if (lies_.fail_submit) {
    if (auto error = lies_.fail_submit()) {
      return tl::unexpected(std::move(*error));
    }
  }
  return honest_.submit(dynamic_cast<ListeningCommandList&>(list).honest());
}

Expected<void> LyingDevice::wait(CommandList& list) {
  auto& listening = dynamic_cast<ListeningCommandList&>(list);
  auto done = honest_.wait(listening.honest());
  const std::span<std::byte> readback = listening.readback();
  if (done && lies_.results && !readback.empty()) {
    std::vector<std::uint64_t> values(readback.size() / sizeof(std::uint64_t));
    std::memcpy(values.data(), readback.data(), readback.size());
    lies_.results({last_shader_, values, last_threads_});
    std::memcpy(readback.data(), values.data(), readback.size());
  }
  return done;
}

Expected<std::vector<double>> LyingDevice::timestamps(CommandList& list) {
  return honest_.timestamps(dynamic_cast<ListeningCommandList&>(list).honest());
}

void replace_opcode(std::vector<std::uint32_t>& spirv, std::uint32_t from, std::uint32_t to) {
  constexpr std::size_t header_words = 5;
  for (std::size_t at = header_words; at < spirv.size(); at += spirv[at] >> 16U) {
    if ((spirv[at] & 0xFFFFU) == from) {
      spirv[at] = (spirv[at] & 0xFFFF0000U) | to;
    }
  }
}

}  // namespace crosslane::verify_tests
