// Sizes and offsets of types in memory, see Layout.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/decode/decoder.hpp"

namespace crosslane::machine {

/// In bytes, or in leaves; stays at the largest number where it would overflow. Runtime arrays count 0.
std::uint64_t size_of(const Decoder& decoder, std::uint32_t type, Layout layout);
std::uint64_t member_offset(const Decoder& decoder, std::uint32_t type, std::uint32_t member, Layout layout);
/// From one element of an array to the next.
std::uint64_t array_stride(const Decoder& decoder, std::uint32_t type, Layout layout);
/// How matrices in the member of a struct are stored; `outer` where the module does not say.
MatrixLayout matrix_layout(const Decoder& decoder, std::uint32_t type, std::uint32_t member, MatrixLayout outer);

struct ColumnPlace {
  std::uint64_t offset = 0;
  std::uint32_t component_stride = 0;  ///< 0 where its components lie side by side
};
/// Where a column of a matrix is, from the matrix's start.
ColumnPlace column_place(const Decoder& decoder, std::uint32_t type, std::uint64_t column, Layout layout,
                         MatrixLayout matrix);

/// Components of one kind at equal distances: what one operation loads or stores.
struct MemoryRun {
  Element element = Element::int32;
  std::uint32_t components = 1;
  std::uint64_t offset = 0;
  std::uint32_t stride = 4;
};

/// The runs of the pointer's pointee, in the order of its leaves; offsets count from the pointer.
Expected<std::vector<MemoryRun>> memory_runs(const Decoder& decoder, const Pointer& pointer);

}  // namespace crosslane::machine
