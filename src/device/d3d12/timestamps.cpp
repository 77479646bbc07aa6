#include "device/d3d12/timestamps.hpp"

#include <algorithm>
#include <cstring>

namespace crosslane::d3d12 {
namespace {

constexpr std::uint32_t queries_per_pool = 64;

}  // namespace

Expected<void> Timestamps::add_pool() {
  Pool pool;
  D3D12_QUERY_HEAP_DESC description{};
  description.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP;
  description.Count = queries_per_pool;
  auto heap = made<ID3D12QueryHeap>("Making a heap of queries", [&](REFIID id, void** place) {
    return state_->device->CreateQueryHeap(&description, id, place);
  });
  if (!heap) {
    return tl::unexpected<Error>(std::move(heap.error()));
  }
  set_name(**heap, "Crosslane timestamps");
  pool.queries = *std::move(heap);
  return D3d12Buffer::create(state_, {queries_per_pool * sizeof(std::uint64_t), MemoryKind::readback})
      .map([&](std::unique_ptr<Buffer> values) {
        pool.values = std::move(values);
        pools_.push_back(std::move(pool));
      });
}

Expected<std::uint32_t> Timestamps::record(ID3D12GraphicsCommandList& commands) {
  const auto query = count_ % queries_per_pool;
  if (query == 0) {
    if (auto added = add_pool(); !added) {
      return tl::unexpected<Error>(std::move(added.error()));
    }
  }
  const Pool& pool = pools_.back();
  commands.EndQuery(pool.queries.get(), D3D12_QUERY_TYPE_TIMESTAMP, query);
  commands.ResolveQueryData(pool.queries.get(), D3D12_QUERY_TYPE_TIMESTAMP, query, 1,
                            static_cast<D3d12Buffer&>(*pool.values).handle(), query * sizeof(std::uint64_t));
  return count_++;
}

std::vector<double> Timestamps::read() const {
  std::vector<double> values;
  std::uint64_t first = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint64_t ticks = 0;
    std::memcpy(&ticks, pools_.at(i / queries_per_pool).values->host().data() + i % queries_per_pool * sizeof(ticks),
                sizeof(ticks));
    first = i == 0 ? ticks : first;
    constexpr double milliseconds_per_second = 1e3;
    values.push_back(static_cast<double>(static_cast<std::int64_t>(ticks - first)) * milliseconds_per_second /
                     static_cast<double>(std::max<std::uint64_t>(state_->timestamp_frequency, 1)));
  }
  return values;
}

}  // namespace crosslane::d3d12
