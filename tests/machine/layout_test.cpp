// How values lie in buffers: matrices by columns and by rows, with any stride; numbers of 8 and 16 bits; structs.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"

namespace crosslane::test {
namespace {

constexpr std::uint32_t threads = 90;

using Bytes = std::vector<std::byte>;

Bytes any_bytes(std::size_t count) {
  const auto drawn = Draw(count).some<std::uint8_t>(count);
  return bytes_of_values(std::span<const std::uint8_t>(drawn));
}

// Where the elements of a matrix lie in a struct, 16 bytes behind its start.
struct MatrixPlace {
  bool by_rows = false;
  std::uint32_t stride = 0;

  [[nodiscard]] std::size_t offset(std::uint32_t row, std::uint32_t column, std::uint32_t bytes) const {
    return 16 + (by_rows ? row * stride + column * bytes : column * stride + row * bytes);
  }
  [[nodiscard]] std::string decorations(const std::string& type) const {
    return fmt::format(
        "OpMemberDecorate %{0} 0 Offset 0\nOpMemberDecorate %{0} 1 Offset 16\nOpMemberDecorate %{0} 1 {1}\n"
        "OpMemberDecorate %{0} 1 MatrixStride {2}\nOpDecorate %{0}_array ArrayStride 160\n"
        "OpDecorate %{0}_block Block\nOpMemberDecorate %{0}_block 0 Offset 0\n",
        type, by_rows ? "RowMajor" : "ColMajor", stride);
  }
};

// A struct with a matrix, and a buffer of such structs.
std::string buffer_of(const std::string& name, const std::string& matrix) {
  return fmt::format(R"(%{0} = OpTypeStruct %u32 %{1}
%{0}_array = OpTypeRuntimeArray %{0}
%{0}_block = OpTypeStruct %{0}_array
%{0}_block_pointer = OpTypePointer StorageBuffer %{0}_block
%{0}s = OpVariable %{0}_block_pointer StorageBuffer
)",
                     name, matrix);
}

std::string copied_whole() {
  return R"(%from = OpAccessChain %matrix_pointer %sources %word_0 %thread %word_1
%to = OpAccessChain %matrix_pointer %targets %word_0 %thread %word_1
%matrix = OpLoad %MATRIX %from
OpStore %to %matrix
)";
}

std::string copied_by_columns(std::uint32_t columns) {
  std::string text;
  for (std::uint32_t column = 0; column < columns; ++column) {
    text += fmt::format(R"(%from{0} = OpAccessChain %column_pointer %sources %word_0 %thread %word_1 %place_{0}
%to{0} = OpAccessChain %column_pointer %targets %word_0 %thread %word_1 %place_{0}
%column{0} = OpLoad %COLUMN %from{0}
OpStore %to{0} %column{0}
)",
                        column);
  }
  return text;
}

// By indices that are no constants.
std::string copied_by_elements(std::uint32_t rows, std::uint32_t columns) {
  std::string text = "%zero = OpBitwiseXor %u32 %thread %thread\n";
  for (std::uint32_t column = 0; column < columns; ++column) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      text += fmt::format(R"(%c{0}_{1} = OpIAdd %u32 %zero %place_{0}
%r{0}_{1} = OpIAdd %u32 %zero %place_{1}
%from{0}_{1} = OpAccessChain %element_pointer %sources %word_0 %thread %word_1 %c{0}_{1} %r{0}_{1}
%to{0}_{1} = OpAccessChain %element_pointer %targets %word_0 %thread %word_1 %c{0}_{1} %r{0}_{1}
%element{0}_{1} = OpLoad %ELEMENT %from{0}_{1}
OpStore %to{0}_{1} %element{0}_{1}
)",
                          column, row);
    }
  }
  return text;
}

std::string named(std::string text, const Type& matrix) {
  const auto put = [&](std::string_view what, const std::string& name) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what)) {
      text.replace(at, what.size(), name);
    }
  };
  put("MATRIX", matrix.name());
  put("COLUMN", Type{matrix.kind, matrix.bits, matrix.rows}.name());
  put("ELEMENT", Type{matrix.kind, matrix.bits}.name());
  return text;
}

// Copies matrices from one layout to another. The instruction's own buffers, 0 to 2, only bring the types along.
void check_matrix_copy(const Type& matrix, const MatrixPlace& from, const MatrixPlace& to, const std::string& copy) {
  Instruction instruction;
  instruction.body = "%r = OpCopyObject $R %b\n" + named(copy, matrix);
  instruction.result = {'u', 32};
  instruction.operands = {matrix, {'u', 32}};
  instruction.interface = " %sources %targets";
  instruction.decorations = from.decorations("source") + to.decorations("target") +
                            "OpDecorate %sources DescriptorSet 0\nOpDecorate %sources Binding 3\n"
                            "OpDecorate %targets DescriptorSet 0\nOpDecorate %targets Binding 4\n";
  instruction.declarations =
      "%place_0 = OpConstant %u32 0\n%place_1 = OpConstant %u32 1\n"
      "%place_2 = OpConstant %u32 2\n%place_3 = OpConstant %u32 3\n" +
      buffer_of("source", matrix.name()) + buffer_of("target", matrix.name()) +
      named(
          "%matrix_pointer = OpTypePointer StorageBuffer %MATRIX\n"
          "%column_pointer = OpTypePointer StorageBuffer %COLUMN\n"
          "%element_pointer = OpTypePointer StorageBuffer %ELEMENT\n",
          matrix);
  const auto words = assemble(program_text(instruction));
  const Bytes sources = any_bytes(threads * 160);
  Bytes expected(threads * 160);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    for (std::uint32_t column = 0; column < matrix.columns; ++column) {
      for (std::uint32_t row = 0; row < matrix.rows; ++row) {
        std::memcpy(&expected[thread * 160 + to.offset(row, column, matrix.bits / 8)],
                    &sources[thread * 160 + from.offset(row, column, matrix.bits / 8)], matrix.bits / 8);
      }
    }
  }
  for (const auto wave_size : wave_sizes) {
    std::vector<Bytes> buffers(5);
    buffers[3] = sources;
    buffers[4].resize(expected.size());
    run_module(words, {.wave_size = wave_size}, {(threads + group_threads - 1) / group_threads, 1, 1}, buffers);
    ASSERT_TRUE(buffers[4] == expected) << matrix.name() << " at wave size " << wave_size << ", " << copy;
  }
}

void check_matrix_layouts(std::uint32_t bits) {
  const std::uint32_t bytes = bits / 8;
  for (const auto& [rows, columns] : {std::pair{2U, 3U}, {3U, 2U}, {3U, 3U}, {4U, 2U}, {4U, 4U}}) {
    const Type matrix{'f', bits, rows, columns};
    const MatrixPlace tight{false, rows * bytes};
    const MatrixPlace tight_rows{true, columns * bytes};
    const MatrixPlace wide{false, 4 * bytes};
    const MatrixPlace wide_rows{true, 4 * bytes};
    for (const auto& copy : {copied_whole(), copied_by_columns(columns), copied_by_elements(rows, columns)}) {
      check_matrix_copy(matrix, tight, tight_rows, copy);
      check_matrix_copy(matrix, wide_rows, wide, copy);
    }
  }
}

TEST(MachineLayout, MatricesOfSixteenBits) { check_matrix_layouts(16); }
TEST(MachineLayout, MatricesOfThirtyTwoBits) { check_matrix_layouts(32); }
TEST(MachineLayout, MatricesOfSixtyFourBits) { check_matrix_layouts(64); }

// A struct of small numbers between two layouts: what lies between the members stays as it was.
TEST(MachineLayout, StructsOfSmallNumbers) {
  struct Member {
    std::string type;
    std::uint32_t bytes;
    std::uint32_t from;
    std::uint32_t to;
  };
  const std::vector<Member> members = {{"u8", 1, 3, 0},     {"i16", 2, 6, 2}, {"f16", 2, 8, 12},    {"v3u8", 3, 12, 4},
                                       {"v2f16", 4, 16, 8}, {"i8", 1, 1, 17}, {"v3i16", 6, 24, 20}, {"u64", 8, 32, 40}};
  std::string types =
      "%u8 = OpTypeInt 8 0\n%i16 = OpTypeInt 16 1\n%f16 = OpTypeFloat 16\n%v3u8 = OpTypeVector %u8 3\n"
      "%v2f16 = OpTypeVector %f16 2\n%i8 = OpTypeInt 8 1\n%v3i16 = OpTypeVector %i16 3\n"
      "%u64 = OpTypeInt 64 0\n";
  std::string decorations;
  std::string list;
  for (const auto& member : members) {
    list += " %" + member.type;
  }
  for (const std::string name : {"source", "target"}) {
    types += fmt::format(R"(%{0} = OpTypeStruct{1}
%{0}_array = OpTypeRuntimeArray %{0}
%{0}_block = OpTypeStruct %{0}_array
%{0}_block_pointer = OpTypePointer StorageBuffer %{0}_block
%{0}_pointer = OpTypePointer StorageBuffer %{0}
%{0}s = OpVariable %{0}_block_pointer StorageBuffer
)",
                         name, list);
    decorations += fmt::format(
        "OpDecorate %{0}_array ArrayStride 48\nOpDecorate %{0}_block Block\nOpMemberDecorate %{0}_block 0 Offset 0\n"
        "OpDecorate %{0}s DescriptorSet 0\nOpDecorate %{0}s Binding {1}\n",
        name, name == "source" ? 2 : 3);
    for (std::size_t i = 0; i < members.size(); ++i) {
      decorations += fmt::format("OpMemberDecorate %{} {} Offset {}\n", name, i,
                                 name == "source" ? members[i].from : members[i].to);
    }
  }
  const Instruction instruction{.body = R"(%r = OpCopyObject $R %a
%from = OpAccessChain %source_pointer %sources %word_0 %thread
%to = OpAccessChain %target_pointer %targets %word_0 %thread
%value = OpLoad %source %from
%other = OpCopyLogical %target %value
OpStore %to %other
)",
                                .result = {'u', 32},
                                .operands = {{'u', 32}},
                                .declarations = types,
                                .interface = " %sources %targets",
                                .decorations = decorations};
  const auto words = assemble(program_text(instruction));
  const Bytes sources = any_bytes(threads * 48);
  Bytes expected(threads * 48, std::byte{0x77});
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (const auto& member : members) {
      std::memcpy(&expected[thread * 48 + member.to], &sources[thread * 48 + member.from], member.bytes);
    }
  }
  for (const auto wave_size : wave_sizes) {
    std::vector<Bytes> buffers(4);
    buffers[2] = sources;
    buffers[3].assign(expected.size(), std::byte{0x77});
    run_module(words, {.wave_size = wave_size}, {(threads + group_threads - 1) / group_threads, 1, 1}, buffers);
    ASSERT_TRUE(buffers[3] == expected) << "at wave size " << wave_size;
  }
}

// Vectors of every width, side by side, plain and with arithmetic that needs their rows apart.
template <typename T>
void check_vectors() {
  for (const std::uint32_t rows : {1U, 2U, 3U, 4U}) {
    check_whole<T>(
        {.body = "%r = OpCopyObject $R %a", .result = type_of<T>(rows), .operands = {type_of<T>(rows)}},
        [](std::span<const T> a) { return std::vector<T>(a.begin(), a.end()); }, Draw(rows).some<T>(threads * rows));
  }
}

TEST(MachineLayout, VectorsOfEveryWidth) {
  check_vectors<std::uint8_t>();
  check_vectors<std::int8_t>();
  check_vectors<std::uint16_t>();
  check_vectors<Half>();
  check_vectors<std::int32_t>();
  check_vectors<float>();
  check_vectors<std::int64_t>();
  check_vectors<double>();
}

// Vectors of booleans have no place in buffers, but in variables they have.
TEST(MachineLayout, BooleanVectorsInVariables) {
  for (const std::uint32_t rows : {2U, 3U, 4U}) {
    const auto vector = "%" + type_of<Truth>(rows).name();
    check_whole<Truth>(
        {.body = "OpStore %variable %a\n%half = OpLogicalNot $R %a\n%second = OpAccessChain "
                 "%bool_pointer %variable %word_1\n%flipped = OpCompositeExtract %bool %half 1\n"
                 "OpStore %second %flipped\n%r = OpLoad $R %variable",
         .result = type_of<Truth>(rows),
         .operands = {type_of<Truth>(rows)},
         .declarations = "%vector_pointer = OpTypePointer Private $R\n%bool_pointer = OpTypePointer "
                         "Private %bool\n%variable = OpVariable %vector_pointer Private\n",
         .interface = " %variable"},
        [](std::span<const Truth> a) {
          std::vector<Truth> changed(a.begin(), a.end());
          changed[1] = changed[1] == Truth::no ? Truth::yes : Truth::no;
          return changed;
        },
        Draw(rows).some<Truth>(threads * rows));
  }
}

}  // namespace
}  // namespace crosslane::test
