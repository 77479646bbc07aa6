#include "sanitize/capture.hpp"

#include <utility>

#include "crosslane/machine.hpp"
#include "spirv/reflection.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

struct CapturedPipeline final : Pipeline {
  [[nodiscard]] std::array<std::uint32_t, 3> group_size() const override { return machine->group_size(); }
  [[nodiscard]] std::uint32_t wave_size() const override { return machine->wave_size(); }

  std::unique_ptr<Pipeline> machine;
  std::string name;
  std::vector<std::uint32_t> words;
  std::vector<SpecializationConstant> constants;
};

// What a binding shows.
std::vector<std::byte> bytes_of(Device& device, const Binding& binding) {
  std::vector<std::byte> bytes(binding.bytes == 0 ? binding.buffer->bytes() - binding.offset : binding.bytes);
  must(download(device, *binding.buffer, bytes, binding.offset));
  return bytes;
}

CapturedDispatch captured(Device& device, const CapturedPipeline& pipeline, std::span<const Binding> bindings,
                          std::span<const std::byte> constants, GroupCount groups) {
  CapturedDispatch dispatch{pipeline.name, pipeline.words, {}};
  auto& request = dispatch.request;
  request.name = pipeline.name;
  request.constants = pipeline.constants;
  request.push_constants.assign(constants.begin(), constants.end());
  request.groups = groups;
  const auto shader = must(spirv::reflect(pipeline.words, "main"));
  for (const auto& binding : bindings) {
    const auto shown = std::ranges::find_if(shader.bindings, [&](const spirv::ResourceBinding& it) {
      return it.set == binding.set && it.slot == binding.slot;
    });
    if (shown != shader.bindings.end()) {
      request.resources.push_back({.name = shown->name,
                                   .set = binding.set,
                                   .slot = binding.slot,
                                   .element = binding.element,
                                   .bytes = bytes_of(device, binding),
                                   .output = !shown->read_only});
    }
  }
  return dispatch;
}

// Runs each command when it is recorded.
class CapturingList final : public CommandList {
 public:
  explicit CapturingList(CapturingDevice& device) : device_(device) {}

  Expected<void> dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                          std::span<const std::byte> constants, GroupCount groups) override {
    const auto& own = dynamic_cast<const CapturedPipeline&>(pipeline);
    device_.capture(own.name, captured(device_.machine(), own, bindings, constants, groups));
    return at_once([&](CommandList& list) { return list.dispatch(*own.machine, bindings, constants, groups); });
  }
  Expected<void> dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                   std::span<const std::byte> constants, const BufferPlace& groups) override {
    GroupCount count{};
    must(download(device_.machine(), *groups.buffer, std::as_writable_bytes(std::span(count)), groups.offset));
    return dispatch(pipeline, bindings, constants, count);
  }
  Expected<void> copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                      std::uint64_t destination_offset, std::uint64_t bytes) override {
    return at_once(
        [&](CommandList& list) { return list.copy(source, source_offset, destination, destination_offset, bytes); });
  }
  Expected<void> fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) override {
    return at_once([&](CommandList& list) { return list.fill(buffer, offset, bytes, word); });
  }
  Expected<void> barrier() override { return {}; }
  Expected<std::uint32_t> timestamp() override { return 0U; }

 private:
  template <typename Record>
  Expected<void> at_once(Record record) {
    const auto list = must(device_.machine().create_command_list());
    return record(*list).and_then([&] { return run(device_.machine(), *list); });
  }

  CapturingDevice& device_;
};

}  // namespace

CapturingDevice::CapturingDevice(std::uint32_t wave_size) : machine_(must(machine::create_device(wave_size))) {}

void CapturingDevice::capture(const std::string& kernel, const CapturedDispatch& dispatch) {
  const auto kept = dispatches_.try_emplace(kernel, dispatch).first;
  kept->second.request.spirv = kept->second.words;
}

Expected<std::unique_ptr<Pipeline>> CapturingDevice::create_pipeline(const PipelineDescription& description) {
  return machine_->create_pipeline(description).map([&](std::unique_ptr<Pipeline> made) {
    auto pipeline = std::make_unique<CapturedPipeline>();
    pipeline->machine = std::move(made);
    pipeline->name = description.name;
    pipeline->words.assign(description.spirv.begin(), description.spirv.end());
    pipeline->constants = description.constants;
    return std::unique_ptr<Pipeline>(std::move(pipeline));
  });
}

Expected<std::unique_ptr<CommandList>> CapturingDevice::create_command_list() {
  return std::make_unique<CapturingList>(*this);
}

}  // namespace crosslane::test
