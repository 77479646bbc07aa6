#include "device/d3d12/command_list.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "device/checks.hpp"

namespace crosslane::d3d12 {
namespace {

constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);

Expected<const D3d12Pipeline*> own_pipeline(const DeviceState& state, const Pipeline& pipeline) {
  const auto* const own = dynamic_cast<const D3d12Pipeline*>(&pipeline);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A pipeline of another device was passed to {}.", label(state.info)));
  }
  return own;
}

// What the host reads was written by copies alone, and what it writes is read alone.
Expected<void> check_direction(const D3d12Buffer& buffer, MemoryKind wrong, std::string_view what) {
  if (buffer.memory() == wrong) {
    return fail(ErrorCode::unsupported, fmt::format("{}: Direct3D 12 cannot do so with memory of that kind.", what));
  }
  return {};
}

}  // namespace

D3d12CommandList::D3d12CommandList(std::shared_ptr<DeviceState> state, Reference<ID3D12GraphicsCommandList> adopted)
    : state_(std::move(state)),
      commands_(std::move(adopted)),
      states_(commands_.get()),
      descriptors_(state_),
      timestamps_(state_),
      adopted_(true) {}

Expected<std::unique_ptr<CommandList>> D3d12CommandList::create(std::shared_ptr<DeviceState> state) {
  const auto what = fmt::format("Making a command list on {}", label(state->info));
  const auto type = state->list_type;
  auto allocator = made<ID3D12CommandAllocator>(
      what, [&](REFIID id, void** place) { return state->device->CreateCommandAllocator(type, id, place); });
  if (!allocator) {
    return tl::unexpected<Error>(std::move(allocator.error()));
  }
  auto commands = made<ID3D12GraphicsCommandList>(what, [&](REFIID id, void** place) {
    return state->device->CreateCommandList(0, type, allocator->get(), nullptr, id, place);
  });
  auto fence = made<ID3D12Fence>(
      what, [&](REFIID id, void** place) { return state->device->CreateFence(0, D3D12_FENCE_FLAG_NONE, id, place); });
  if (!commands || !fence) {
    return tl::unexpected<Error>(commands ? std::move(fence.error()) : std::move(commands.error()));
  }
  set_name(**commands, "Crosslane command list");
  auto list = std::make_unique<D3d12CommandList>(std::move(state), *std::move(commands));
  list->allocator_ = *std::move(allocator);
  list->fence_ = *std::move(fence);
  list->adopted_ = false;
  return list;
}

D3d12CommandList::~D3d12CommandList() {
  if (stage_ == Stage::submitted) {
    // A lost device ends the wait too; nothing is left to do about it here.
    static_cast<void>(wait());
  }
}

Expected<void> D3d12CommandList::check_recording() const {
  if (stage_ == Stage::recording) {
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              stage_ == Stage::failed ? "The command list failed before; make a new one."
                                      : "The command list was submitted already; make a new one for more work.");
}

Expected<void> D3d12CommandList::prepare(const D3d12Pipeline& pipeline, std::span<const Binding> bindings,
                                         std::span<const std::byte> constants) {
  if (auto checked = check_constants(pipeline.name(), pipeline.constants_bytes(), constants.size()); !checked) {
    return checked;
  }
  const auto views = bind_views(pipeline, bindings);
  if (!views) {
    return tl::unexpected<Error>(views.error());
  }
  const RootLayout& layout = pipeline.layout();
  DescriptorPlace table;
  if (layout.table) {
    auto taken = descriptors_.take(*commands_, layout.descriptors);
    if (!taken) {
      return tl::unexpected<Error>(std::move(taken.error()));
    }
    table = *taken;
    descriptors_.write(*views, table);
  }
  states_.use(*views);
  commands_->SetPipelineState(pipeline.handle());
  commands_->SetComputeRootSignature(pipeline.root_signature());
  if (layout.pushed) {
    std::vector<std::uint32_t> words(divide_up(pipeline.constants_bytes(), word_bytes));
    std::copy_n(constants.begin(), pipeline.constants_bytes(), std::as_writable_bytes(std::span(words)).begin());
    commands_->SetComputeRoot32BitConstants(*layout.pushed, static_cast<UINT>(words.size()), words.data(), 0);
  }
  if (layout.specialized) {
    const auto& words = pipeline.specialized();
    commands_->SetComputeRoot32BitConstants(*layout.specialized, static_cast<UINT>(words.size()), words.data(), 0);
  }
  if (layout.table) {
    commands_->SetComputeRootDescriptorTable(*layout.table, table.device);
  }
  return {};
}

Expected<void> D3d12CommandList::dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                                          std::span<const std::byte> constants, GroupCount groups) {
  const auto own = own_pipeline(*state_, pipeline);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  return check_recording()
      .and_then([&] { return check_groups(state_->info, (*own)->name(), groups); })
      .and_then([&] { return prepare(**own, bindings, constants); })
      .map([&] { commands_->Dispatch(groups[0], groups[1], groups[2]); });
}

Expected<ID3D12CommandSignature*> D3d12CommandList::indirect_signature() {
  if (!indirect_signature_) {
    D3D12_INDIRECT_ARGUMENT_DESC argument{};
    argument.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    D3D12_COMMAND_SIGNATURE_DESC description{};
    description.ByteStride = sizeof(D3D12_DISPATCH_ARGUMENTS);
    description.NumArgumentDescs = 1;
    description.pArgumentDescs = &argument;
    auto signature = made<ID3D12CommandSignature>("Making a signature of dispatches", [&](REFIID id, void** place) {
      return state_->device->CreateCommandSignature(&description, nullptr, id, place);
    });
    if (!signature) {
      return tl::unexpected<Error>(std::move(signature.error()));
    }
    indirect_signature_ = *std::move(signature);
  }
  return indirect_signature_.get();
}

Expected<void> D3d12CommandList::dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                                   std::span<const std::byte> constants, const BufferPlace& groups) {
  const auto own = own_pipeline(*state_, pipeline);
  const auto arguments = own_buffer(*state_, groups.buffer);
  if (!own || !arguments) {
    return tl::unexpected<Error>(own ? arguments.error() : own.error());
  }
  auto checked = check_recording();
  checked = checked
                ? check_word_range("Reading a dispatch's groups", whole_words(**arguments), groups.offset, groups_bytes)
                : checked;
  if (!checked) {
    return checked;
  }
  // A buffer that the dispatch uses as well cannot be its arguments at the same time: they are copied.
  auto copied = D3d12Buffer::create(state_, {groups_bytes, MemoryKind::device});
  const auto signature = indirect_signature();
  if (!copied || !signature) {
    return tl::unexpected<Error>(copied ? signature.error() : copied.error());
  }
  auto& place = static_cast<D3d12Buffer&>(**copied);
  temporaries_.push_back(*std::move(copied));
  states_.use(**arguments, D3D12_RESOURCE_STATE_COPY_SOURCE);
  states_.use(place, D3D12_RESOURCE_STATE_COPY_DEST);
  commands_->CopyBufferRegion(place.handle(), 0, (*arguments)->handle(), groups.offset, groups_bytes);
  states_.use(place, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT);
  return prepare(**own, bindings, constants).map([&] {
    commands_->ExecuteIndirect(*signature, 1, place.handle(), 0, nullptr, 0);
  });
}

Expected<void> D3d12CommandList::copy_inside(D3d12Buffer& buffer, std::uint64_t source_offset,
                                             std::uint64_t destination_offset, std::uint64_t bytes) {
  auto created = D3d12Buffer::create(state_, {bytes, MemoryKind::device});
  if (!created) {
    return tl::unexpected<Error>(std::move(created.error()));
  }
  auto& between = static_cast<D3d12Buffer&>(**created);
  temporaries_.push_back(*std::move(created));
  states_.use(buffer, D3D12_RESOURCE_STATE_COPY_SOURCE);
  states_.use(between, D3D12_RESOURCE_STATE_COPY_DEST);
  commands_->CopyBufferRegion(between.handle(), 0, buffer.handle(), source_offset, bytes);
  states_.use(buffer, D3D12_RESOURCE_STATE_COPY_DEST);
  states_.use(between, D3D12_RESOURCE_STATE_COPY_SOURCE);
  commands_->CopyBufferRegion(buffer.handle(), destination_offset, between.handle(), 0, bytes);
  return {};
}

Expected<void> D3d12CommandList::copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                                      std::uint64_t destination_offset, std::uint64_t bytes) {
  const auto from = own_buffer(*state_, &source);
  const auto to = own_buffer(*state_, &destination);
  if (!from || !to) {
    return tl::unexpected<Error>(from ? to.error() : from.error());
  }
  const bool same = (*from)->handle() == (*to)->handle();
  auto checked = check_recording();
  checked = checked ? check_word_range("Copying from a buffer", whole_words(**from), source_offset, bytes) : checked;
  checked = checked ? check_word_range("Copying to a buffer", whole_words(**to), destination_offset, bytes) : checked;
  checked = checked ? check_overlap(same, source_offset, destination_offset, bytes) : checked;
  checked = checked ? check_direction(**from, MemoryKind::readback, "Copying from a buffer") : checked;
  checked = checked ? check_direction(**to, MemoryKind::upload, "Copying to a buffer") : checked;
  if (!checked || bytes == 0) {
    return checked;
  }
  if (same) {
    return copy_inside(**from, source_offset, destination_offset, bytes);
  }
  states_.use(**from, D3D12_RESOURCE_STATE_COPY_SOURCE);
  states_.use(**to, D3D12_RESOURCE_STATE_COPY_DEST);
  commands_->CopyBufferRegion((*to)->handle(), destination_offset, (*from)->handle(), source_offset, bytes);
  return {};
}

Expected<void> D3d12CommandList::fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) {
  const auto own = own_buffer(*state_, &buffer);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  auto checked = check_recording();
  checked = checked ? check_word_range("Filling a buffer", whole_words(**own), offset, bytes) : checked;
  if (checked && (*own)->memory() != MemoryKind::device) {
    return fail(ErrorCode::unsupported, "Filling a buffer: Direct3D 12 fills memory of the device alone.");
  }
  if (!checked || bytes == 0) {
    return checked;
  }
  states_.use(**own, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  const std::uint64_t most = state_->info.limits.binding_bytes;
  for (std::uint64_t at = offset; at < offset + bytes; at += most) {
    BoundView view{*own, DxilView::rw_typed_buffer, at, std::min(most, offset + bytes - at)};
    view.stride = word_bytes;
    view.format = DXGI_FORMAT_R32_UINT;
    const auto place = descriptors_.take(*commands_, 1);
    const auto host_place = descriptors_.take_for_host();
    if (!place || !host_place) {
      return tl::unexpected<Error>(place ? host_place.error() : place.error());
    }
    write_descriptor(*state_->device, view, place->host);
    write_descriptor(*state_->device, view, *host_place);
    const std::array<UINT, 4> words = {word, word, word, word};
    commands_->ClearUnorderedAccessViewUint(place->device, *host_place, (*own)->handle(), words.data(), 0, nullptr);
  }
  return {};
}

Expected<void> D3d12CommandList::barrier() {
  return check_recording().map([&] { states_.barrier(); });
}

Expected<std::uint32_t> D3d12CommandList::timestamp() {
  return check_recording().and_then([&] { return timestamps_.record(*commands_); });
}

Expected<void> D3d12CommandList::submit() {
  if (adopted_) {
    return fail(ErrorCode::invalid_argument,
                "The command list records into an adopted one; execute that one yourself.");
  }
  if (auto checked = check_recording(); !checked) {
    return checked;
  }
  stage_ = Stage::failed;
  const auto what = fmt::format("Submitting work to {}", label(state_->info));
  if (auto closed = check_result(commands_->Close(), what); !closed) {
    return closed;
  }
  ID3D12CommandList* const list = commands_.get();
  state_->queue->ExecuteCommandLists(1, &list);
  return check_result(state_->queue->Signal(fence_.get(), 1), what).map([&] { stage_ = Stage::submitted; });
}

Expected<void> D3d12CommandList::wait() {
  if (stage_ == Stage::finished) {
    return {};
  }
  if (stage_ != Stage::submitted) {
    return fail(ErrorCode::invalid_argument, "The command list cannot be waited for: it was not submitted, or failed.");
  }
  stage_ = Stage::failed;
  const auto what = fmt::format("Waiting for {}", label(state_->info));
  // Without an event it returns when the fence has the value.
  return check_result(fence_->SetEventOnCompletion(1, nullptr), what)
      .and_then([&] { return check_result(state_->device->GetDeviceRemovedReason(), what); })
      .map([&] { stage_ = Stage::finished; });
}

Expected<std::vector<double>> D3d12CommandList::timestamps() const {
  if (stage_ != Stage::finished && !adopted_) {
    return fail(ErrorCode::invalid_argument,
                "The timestamps are not there yet: submit the command list and wait for it first.");
  }
  return timestamps_.read();
}

Expected<void> D3d12CommandList::end_adopted() {
  if (!adopted_) {
    return fail(ErrorCode::invalid_argument, "The command list is no adopted one, and ends by being submitted.");
  }
  return check_recording().map([&] { states_.restore(); });
}

Expected<D3d12CommandList*> own_list(const DeviceState& state, CommandList& list) {
  auto* const own = dynamic_cast<D3d12CommandList*>(&list);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A command list of another device was passed to {}.", label(state.info)));
  }
  return own;
}

}  // namespace crosslane::d3d12
