#include "machine/one_instruction.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "machine/launch.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

constexpr std::string_view operand_letters = "abcd";

// Declares types before their users, each once.
class Declarations {
 public:
  void add(const Type& type) {
    if (!known_.insert(type.name()).second) {
      return;
    }
    if (type.columns > 1) {
      const Type column{type.kind, type.bits, type.rows};
      add(column);
      text_ += fmt::format("%{} = OpTypeMatrix %{} {}\n", type.name(), column.name(), type.columns);
    } else if (type.rows > 1) {
      const Type scalar{type.kind, type.bits};
      add(scalar);
      text_ += fmt::format("%{} = OpTypeVector %{} {}\n", type.name(), scalar.name(), type.rows);
    } else if (type.kind == 'b') {
      text_ += "%bool = OpTypeBool\n";
    } else if (type.kind == 'f') {
      text_ += fmt::format("%{} = OpTypeFloat {}\n", type.name(), type.bits);
    } else {
      text_ += fmt::format("%{} = OpTypeInt {} {}\n", type.name(), type.bits, type.kind == 'i' ? 1 : 0);
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::set<std::string> known_;
  std::string text_;
};

// Booleans are stored as words.
Type stored(Type type) {
  if (type.kind == 'b') {
    type.kind = 'u';
  }
  return type;
}

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A vector of that many equal words, or the word itself.
std::string constant_words(const Type& type, std::uint32_t word) {
  const auto scalar = fmt::format("%word_{}", word);
  return type.rows == 1 ? scalar : fmt::format("%word_{}_v{}", word, type.rows);
}

// The machine's handlers are compiled for several instruction sets: waves of 1 lane run on the baseline's, waves of 3
// on those of AVX2, all others on the best ones. Of Highway's numbers for them the lower ones are the better ones.
void choose_instruction_set(std::uint32_t wave_size) {
  constexpr std::int64_t not_baseline = ~static_cast<std::int64_t>(HWY_STATIC_TARGET);
  constexpr std::int64_t above_avx2 = static_cast<std::int64_t>(HWY_AVX2) - 1;
  hwy::DisableTargets(wave_size == 1 ? not_baseline : wave_size == 3 ? above_avx2 : 0);
}

}  // namespace

std::string Type::name() const {
  const auto scalar = kind == 'b' ? std::string("bool") : fmt::format("{}{}", kind, bits);
  const auto vector = rows == 1 ? scalar : fmt::format("v{}{}", rows, scalar);
  return columns == 1 ? vector : fmt::format("m{}{}", columns, vector);
}

std::string program_text(const Instruction& instruction) {
  std::vector<Type> buffers = instruction.operands;
  buffers.push_back(instruction.result);
  Declarations types;
  for (const auto& type :
       {Type{'u', 32}, Type{'i', 32}, Type{'u', 32, 2}, Type{'u', 32, 3}, Type{'u', 32, 4}, Type{'b', 32}}) {
    types.add(type);
  }
  std::string decorations;
  std::string blocks;
  std::string names;
  std::string loads;
  std::string store;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& type = buffers[i];
    const auto memory = stored(type);
    types.add(type);
    types.add(memory);
    names += fmt::format(" %buffer{}", i);
    decorations += fmt::format(
        "OpDecorate %array{0} ArrayStride {1}\nOpDecorate %block{0} Block\nOpMemberDecorate %block{0} 0 Offset 0\n"
        "OpDecorate %buffer{0} DescriptorSet 0\nOpDecorate %buffer{0} Binding {0}\n",
        i, memory.bytes());
    if (memory.columns > 1) {
      decorations +=
          fmt::format("OpMemberDecorate %block{0} 0 ColMajor\nOpMemberDecorate %block{0} 0 MatrixStride {1}\n", i,
                      memory.bytes() / memory.columns);
    }
    blocks += fmt::format(
        "%array{0} = OpTypeRuntimeArray %{1}\n%block{0} = OpTypeStruct %array{0}\n"
        "%block_pointer{0} = OpTypePointer StorageBuffer %block{0}\n%pointer{0} = OpTypePointer StorageBuffer %{1}\n"
        "%buffer{0} = OpVariable %block_pointer{0} StorageBuffer\n",
        i, memory.name());
    const bool is_result = i + 1 == buffers.size();
    const auto place = is_result ? std::string("%place") : fmt::format("%place_{}", operand_letters[i]);
    loads += fmt::format("{} = OpAccessChain %pointer{} %buffer{} %word_0 %thread\n", place, i, i);
    const bool boolean = type.kind == 'b';
    if (is_result) {
      store = boolean ? fmt::format("%stored = OpSelect %{} %r {} {}\nOpStore %place %stored\n", memory.name(),
                                    constant_words(type, 1), constant_words(type, 0))
                      : "OpStore %place %r\n";
    } else if (boolean) {
      loads += fmt::format("%word_of_{0} = OpLoad %{1} {2}\n%{0} = OpINotEqual %{3} %word_of_{0} {4}\n",
                           operand_letters[i], memory.name(), place, type.name(), constant_words(type, 0));
    } else {
      loads += fmt::format("%{} = OpLoad %{} {}\n", operand_letters[i], memory.name(), place);
    }
  }
  std::string constants;
  for (const auto word : {0U, 1U}) {
    constants += fmt::format("%word_{0} = OpConstant %u32 {0}\n", word);
    for (const auto rows : {2U, 3U, 4U}) {
      const std::vector<std::string> parts(rows, constant_words({}, word));
      constants += fmt::format("{} = OpConstantComposite %v{}u32 {}\n", constant_words({'u', 32, rows}, word), rows,
                               fmt::join(parts, " "));
    }
  }
  const auto written = [&](std::string text) {
    text = replaced(std::move(text), "$R", "%" + instruction.result.name());
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      text = replaced(std::move(text), "$" + std::string(1, "ABCD"[i]), "%" + instruction.operands[i].name());
    }
    return text;
  };
  return fmt::format(R"(
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability StorageBuffer16BitAccess
OpCapability StorageBuffer8BitAccess
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %threads{names}{interface}
OpExecutionMode %main LocalSize {group} 1 1
OpDecorate %threads BuiltIn GlobalInvocationId
{decorations}{more_decorations}
%void = OpTypeVoid
%procedure = OpTypeFunction %void
{types}{constants}
%input_v3u32 = OpTypePointer Input %v3u32
%threads = OpVariable %input_v3u32 Input
{blocks}{declarations}
%main = OpFunction %void None %procedure
%entry = OpLabel
{variables}
%ids = OpLoad %v3u32 %threads
%thread = OpCompositeExtract %u32 %ids 0
{loads}{body}
{store}OpReturn
OpFunctionEnd
)",
                     fmt::arg("names", names), fmt::arg("interface", instruction.interface),
                     fmt::arg("group", group_threads), fmt::arg("decorations", decorations),
                     fmt::arg("more_decorations", written(instruction.decorations)), fmt::arg("types", types.text()),
                     fmt::arg("constants", constants), fmt::arg("blocks", blocks),
                     fmt::arg("declarations", written(instruction.declarations)),
                     fmt::arg("variables", written(instruction.variables)), fmt::arg("loads", loads),
                     fmt::arg("body", written(instruction.body)), fmt::arg("store", store));
}

void run_module(std::span<const std::uint32_t> words, const machine::DecodeOptions& options,
                std::array<std::uint32_t, 3> groups, std::vector<std::vector<std::byte>>& buffers) {
  constexpr std::size_t guard = 64;
  constexpr std::byte untouched{0xA5};
  choose_instruction_set(options.wave_size);
  const auto program = must(machine::make_program(words, options));
  machine::Launch launch;
  launch.groups = groups;
  launch.roots.resize(program.roots);
  launch.threads = 1;
  for (const auto& binding : program.bindings) {
    auto& buffer = buffers.at(binding.slot);
    buffer.insert(buffer.end(), guard, untouched);
    launch.roots.at(binding.first_root) = {buffer.data(), buffer.size() - guard};
  }
  must(machine::run(program, launch));
  for (const auto& binding : program.bindings) {
    auto& buffer = buffers.at(binding.slot);
    if (std::ranges::any_of(std::span(buffer).last(guard), [&](std::byte byte) { return byte != untouched; })) {
      throw std::runtime_error("the program wrote behind the end of its buffer");
    }
    buffer.resize(buffer.size() - guard);
  }
}

std::vector<std::byte> run_instruction(std::span<const std::uint32_t> words, const Instruction& instruction,
                                       std::span<const std::vector<std::byte>> operands, std::size_t count,
                                       std::uint32_t wave_size) {
  std::vector<std::vector<std::byte>> buffers(operands.begin(), operands.end());
  buffers.emplace_back(count * stored(instruction.result).bytes());
  const auto groups = static_cast<std::uint32_t>((count + group_threads - 1) / group_threads);
  run_module(words, {.constants = instruction.constants, .wave_size = wave_size}, {groups, 1, 1}, buffers);
  return std::move(buffers.back());
}

}  // namespace crosslane::test
