#include "spirv/parse.hpp"

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.hpp11>

namespace crosslane::spirv {
namespace {

constexpr std::size_t header_words = 5;

struct Walk {
  const std::function<Expected<void>(const Instruction&)>* visit = nullptr;
  Header header;
  std::vector<std::uint32_t> ids;
  std::size_t next_word = header_words;
  tl::expected<void, Error> outcome;
  std::exception_ptr thrown;  // an exception must not cross SPIRV-Tools' C interface
};

bool is_used_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID ||
         type == SPV_OPERAND_TYPE_SCOPE_ID;
}

spv_result_t on_header(void* user, spv_endianness_t /*endianness*/, std::uint32_t /*magic*/, std::uint32_t version,
                       std::uint32_t generator, std::uint32_t id_bound, std::uint32_t /*reserved*/) {
  auto& walk = *static_cast<Walk*>(user);
  walk.header = {{(version >> 16U) & 0xFFU, (version >> 8U) & 0xFFU}, generator, id_bound};
  return SPV_SUCCESS;
}

spv_result_t on_instruction(void* user, const spv_parsed_instruction_t* parsed) {
  auto& walk = *static_cast<Walk*>(user);
  try {
    const std::span<const std::uint32_t> words(parsed->words, parsed->num_words);
    walk.ids.clear();
    for (const auto& operand : std::span(parsed->operands, parsed->num_operands)) {
      if (is_used_id(operand.type)) {
        walk.ids.push_back(words[operand.offset]);
      }
    }
    walk.outcome = (*walk.visit)({parsed->opcode, parsed->type_id, parsed->result_id, words, walk.ids, walk.next_word});
    walk.next_word += words.size();
  } catch (...) {
    walk.thrown = std::current_exception();
  }
  return walk.thrown == nullptr && walk.outcome ? SPV_SUCCESS : SPV_REQUESTED_TERMINATION;
}

}  // namespace

Expected<Header> parse(std::span<const std::uint32_t> words,
                       const std::function<Expected<void>(const Instruction&)>& visit) {
  if (words.size() < header_words) {
    return fail(ErrorCode::invalid_input,
                fmt::format("The SPIR-V module has {} words, fewer than its header needs; is the file complete?",
                            words.size()));
  }
  if (words[0] != spv::MagicNumber) {
    return fail(ErrorCode::invalid_input,
                fmt::format("The module begins with 0x{:08x} instead of SPIR-V's 0x{:08x}; is it a SPIR-V binary of "
                            "this machine's byte order?",
                            words[0], static_cast<std::uint32_t>(spv::MagicNumber)));
  }
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6),
                                                                             &spvContextDestroy);
  Walk walk;
  walk.visit = &visit;
  spv_diagnostic diagnostic = nullptr;
  const auto result =
      spvBinaryParse(context.get(), &walk, words.data(), words.size(), &on_header, &on_instruction, &diagnostic);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owned(diagnostic, &spvDiagnosticDestroy);
  if (walk.thrown != nullptr) {
    std::rethrow_exception(walk.thrown);
  }
  if (!walk.outcome) {
    return tl::unexpected<Error>(std::move(walk.outcome.error()));
  }
  if (result != SPV_SUCCESS) {
    std::vector<std::string> reasons;
    if (owned != nullptr && owned->error != nullptr) {
      reasons.push_back(fmt::format("word {}: {}", owned->position.index, owned->error));
    }
    return fail(ErrorCode::invalid_input, "The SPIR-V module is malformed; compile it again.", std::move(reasons));
  }
  return walk.header;
}

std::string text_of(std::span<const std::uint32_t> words) {
  std::string text;
  for (const auto word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char character = static_cast<char>((word >> shift) & 0xFFU);
      if (character == '\0') {
        return text;
      }
      text.push_back(character);
    }
  }
  return text;
}

}  // namespace crosslane::spirv
