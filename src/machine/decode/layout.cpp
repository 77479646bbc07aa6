#include "machine/decode/layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/rounding.hpp"

namespace crosslane::machine {
namespace {

using spirv::saturating_add;
using spirv::saturating_multiply;
using spv::Op;

std::uint64_t scalar_size(Element element, Layout layout) { return layout == Layout::leaves ? 1 : bytes_of(element); }

std::uint64_t alignment(const Decoder& decoder, std::uint32_t id, Layout layout) {
  const auto& type = decoder.type(id);
  if (type.opcode == Op::OpTypeStruct) {
    std::uint64_t most = 1;
    for (const auto member : type.operands) {
      most = std::max(most, alignment(decoder, member, layout));
    }
    return most;
  }
  if (type.opcode == Op::OpTypeArray || type.opcode == Op::OpTypeRuntimeArray) {
    return alignment(decoder, type.operands[0], layout);
  }
  return scalar_size(decoder.element(id), layout);
}

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return offset > ~std::uint64_t{0} - alignment ? ~std::uint64_t{0} : round_up(offset, alignment);
}

class Runs {
 public:
  Runs(const Decoder& decoder, Layout layout, std::vector<MemoryRun>& runs)
      : decoder_(decoder), layout_(layout), runs_(runs) {}

  void add(std::uint32_t id, std::uint64_t offset, MatrixLayout matrix, std::uint32_t component_stride) {
    const auto& type = decoder_.type(id);
    switch (type.opcode) {
      case Op::OpTypeStruct:
        for (std::uint32_t member = 0; member < type.operands.size(); ++member) {
          add(type.operands[member], offset + member_offset(decoder_, id, member, layout_),
              matrix_layout(decoder_, id, member, matrix), 0);
        }
        return;
      case Op::OpTypeArray: {
        const auto stride = array_stride(decoder_, id, layout_);
        for (std::uint64_t i = 0; i < decoder_.element_count(id); ++i) {
          add(type.operands[0], offset + i * stride, matrix, 0);
        }
        return;
      }
      case Op::OpTypeMatrix:
        for (std::uint64_t column = 0; column < type.count; ++column) {
          const auto [column_offset, stride] = column_place(decoder_, id, column, layout_, matrix);
          add(type.operands[0], offset + column_offset, {}, stride);
        }
        return;
      default: {
        const auto element = decoder_.element(id);
        const auto unit = static_cast<std::uint32_t>(scalar_size(element, layout_));
        const auto components = type.opcode == Op::OpTypeVector ? static_cast<std::uint32_t>(type.count) : 1;
        runs_.push_back({element, components, offset, component_stride == 0 ? unit : component_stride});
      }
    }
  }

 private:
  const Decoder& decoder_;
  Layout layout_;
  std::vector<MemoryRun>& runs_;
};

}  // namespace

std::uint64_t size_of(const Decoder& decoder, std::uint32_t id, Layout layout) {
  const auto& type = decoder.type(id);
  switch (type.opcode) {
    case Op::OpTypeStruct: {
      std::uint64_t bytes = 0;
      for (std::uint32_t member = 0; member < type.operands.size(); ++member) {
        bytes = std::max(bytes, saturating_add(member_offset(decoder, id, member, layout),
                                               size_of(decoder, type.operands[member], layout)));
      }
      return aligned(bytes, alignment(decoder, id, layout));
    }
    case Op::OpTypeArray:
      return saturating_multiply(array_stride(decoder, id, layout), decoder.element_count(id));
    case Op::OpTypeVector:
      return scalar_size(decoder.element(id), layout) * type.count;
    case Op::OpTypeMatrix:
      return size_of(decoder, type.operands[0], layout) * type.count;
    case Op::OpTypeRuntimeArray:
      return 0;
    default:
      return scalar_size(decoder.element(id), layout);
  }
}

std::uint64_t member_offset(const Decoder& decoder, std::uint32_t id, std::uint32_t member, Layout layout) {
  if (layout == Layout::described) {
    return decoder.module().tables.member_decoration(id, member, spv::Decoration::Offset).value_or(0);
  }
  const auto& type = decoder.type(id);
  std::uint64_t offset = 0;
  for (std::uint32_t before = 0; before <= member && before < type.operands.size(); ++before) {
    offset = aligned(offset, alignment(decoder, type.operands[before], layout));
    if (before < member) {
      offset = saturating_add(offset, size_of(decoder, type.operands[before], layout));
    }
  }
  return offset;
}

std::uint64_t array_stride(const Decoder& decoder, std::uint32_t id, Layout layout) {
  if (layout == Layout::described) {
    if (const auto stride = decoder.module().tables.decoration(id, spv::Decoration::ArrayStride)) {
      return *stride;
    }
  }
  const auto element = decoder.type(id).operands[0];
  return aligned(size_of(decoder, element, layout), alignment(decoder, element, layout));
}

MatrixLayout matrix_layout(const Decoder& decoder, std::uint32_t id, std::uint32_t member, MatrixLayout outer) {
  const auto& tables = decoder.module().tables;
  const auto stride = tables.member_decoration(id, member, spv::Decoration::MatrixStride);
  if (!stride) {
    return outer;
  }
  return {*stride, tables.member_decoration(id, member, spv::Decoration::RowMajor).has_value()};
}

ColumnPlace column_place(const Decoder& decoder, std::uint32_t id, std::uint64_t column, Layout layout,
                         MatrixLayout matrix) {
  const auto& type = decoder.type(id);
  const auto unit = scalar_size(decoder.element(id), layout);
  if (layout != Layout::described || matrix.stride == 0) {
    return {column * unit * decoder.type(type.operands[0]).count, 0};
  }
  return matrix.by_rows ? ColumnPlace{column * unit, matrix.stride} : ColumnPlace{column * matrix.stride, 0};
}

Expected<std::vector<MemoryRun>> memory_runs(const Decoder& decoder, const Pointer& pointer) {
  // Bounds the work below: types nest without limit.
  if (auto leaves = decoder.leaves(pointer.pointee); !leaves) {
    return tl::unexpected<Error>(std::move(leaves.error()));
  }
  std::vector<MemoryRun> runs;
  Runs(decoder, pointer.layout, runs).add(pointer.pointee, 0, pointer.matrix, pointer.component_stride);
  return runs;
}

}  // namespace crosslane::machine
