#include "device/d3d12/device.hpp"

#include "device/d3d12/buffer.hpp"
#include "device/d3d12/command_list.hpp"
#include "device/d3d12/pipeline.hpp"

namespace crosslane::d3d12 {

Expected<std::unique_ptr<Buffer>> D3d12Device::create_buffer(const BufferDescription& description) {
  return D3d12Buffer::create(state_, description);
}

Expected<std::unique_ptr<Pipeline>> D3d12Device::create_pipeline(const PipelineDescription& description) {
  return D3d12Pipeline::create(state_, description);
}

Expected<std::unique_ptr<CommandList>> D3d12Device::create_command_list() { return D3d12CommandList::create(state_); }

Expected<void> D3d12Device::submit(CommandList& list) {
  return own_list(*state_, list).and_then([](D3d12CommandList* own) { return own->submit(); });
}

Expected<void> D3d12Device::wait(CommandList& list) {
  return own_list(*state_, list).and_then([](D3d12CommandList* own) { return own->wait(); });
}

Expected<std::vector<double>> D3d12Device::timestamps(CommandList& list) {
  return own_list(*state_, list).and_then([](D3d12CommandList* own) { return own->timestamps(); });
}

}  // namespace crosslane::d3d12
