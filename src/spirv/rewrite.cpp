#include "spirv/rewrite.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/parse.hpp"

namespace crosslane::spirv {
namespace {

Expected<std::vector<std::uint32_t>> optimise(std::span<const std::uint32_t> words,
                                              std::vector<spvtools::Optimizer::PassToken> passes) {
  // The optimiser takes what it reads for valid, so malformed words must not reach it; its validator sees to the rest.
  if (const auto parsed = parse(words, [](const Instruction&) -> Expected<void> { return {}; }); !parsed) {
    return tl::unexpected<Error>(parsed.error());
  }
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  std::vector<std::string> messages;
  optimizer.SetMessageConsumer([&messages](spv_message_level_t level, const char* /*source*/,
                                           const spv_position_t& /*position*/, const char* message) {
    if (level <= SPV_MSG_ERROR) {
      messages.emplace_back(message);
    }
  });
  for (auto& pass : passes) {
    optimizer.RegisterPass(std::move(pass));
  }
  spvtools::ValidatorOptions rules;
  rules.SetScalarBlockLayout(true);  // layouts are not what is changed here, so the laxest rules do
  spvtools::OptimizerOptions options;
  options.set_run_validator(true);
  options.set_validator_options(rules);
  options.set_preserve_bindings(true);
  options.set_preserve_spec_constants(true);
  std::vector<std::uint32_t> changed;
  if (!optimizer.Run(words.data(), words.size(), &changed, options)) {
    return fail(ErrorCode::invalid_input, "The SPIR-V module could not be rewritten; compile it again.",
                std::move(messages));
  }
  return changed;
}

// Passes can be moved and not copied, so no list of them can be written.
template <typename... Passes>
std::vector<spvtools::Optimizer::PassToken> list(Passes... passes) {
  std::vector<spvtools::Optimizer::PassToken> all;
  (all.push_back(std::move(passes)), ...);
  return all;
}

}  // namespace

Expected<std::vector<std::uint32_t>> strip_execution_mode(std::span<const std::uint32_t> words, std::uint32_t mode,
                                                          std::string_view extension) {
  std::vector<std::uint32_t> kept(words.begin(),
                                  words.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(words.size(), 5)));
  kept.reserve(words.size());
  const auto parsed = parse(words, [&](const Instruction& instruction) -> Expected<void> {
    const auto opcode = static_cast<spv::Op>(instruction.opcode);
    const bool is_mode = opcode == spv::Op::OpExecutionMode && instruction.words[2] == mode;
    const bool is_extension = opcode == spv::Op::OpExtension && text_of(instruction.words.subspan(1)) == extension;
    if (!is_mode && !is_extension) {
      kept.insert(kept.end(), instruction.words.begin(), instruction.words.end());
    }
    return {};
  });
  if (!parsed) {
    return tl::unexpected<Error>(parsed.error());
  }
  return kept;
}

Expected<std::vector<std::uint32_t>> strip_maximal_reconvergence(std::span<const std::uint32_t> words) {
  return strip_execution_mode(words, static_cast<std::uint32_t>(spv::ExecutionMode::MaximallyReconvergesKHR),
                              "SPV_KHR_maximal_reconvergence");
}

Expected<std::vector<std::uint32_t>> set_group_size(std::span<const std::uint32_t> words,
                                                    const std::array<std::uint32_t, 3>& threads) {
  std::vector<std::uint32_t> changed(words.begin(), words.end());
  const auto parsed = parse(words, [&](const Instruction& instruction) -> Expected<void> {
    constexpr std::size_t first_size = 3;  // behind opcode, entry point and mode
    if (static_cast<spv::Op>(instruction.opcode) == spv::Op::OpExecutionMode &&
        static_cast<spv::ExecutionMode>(instruction.words[2]) == spv::ExecutionMode::LocalSize) {
      std::ranges::copy(threads, changed.begin() + static_cast<std::ptrdiff_t>(instruction.first_word + first_size));
    }
    return {};
  });
  if (!parsed) {
    return tl::unexpected<Error>(parsed.error());
  }
  return changed;
}

Expected<std::vector<std::uint32_t>> trim_capabilities(std::span<const std::uint32_t> words) {
  return optimise(words, list(spvtools::CreateTrimCapabilitiesPass()));
}

Expected<std::vector<std::uint32_t>> strip_tool_information(std::span<const std::uint32_t> words) {
  return optimise(words, list(spvtools::CreateStripNonSemanticInfoPass()));
}

Expected<std::vector<std::uint32_t>> promote_variables(std::span<const std::uint32_t> words) {
  return optimise(words,
                  list(spvtools::CreateScalarReplacementPass(), spvtools::CreateLocalAccessChainConvertPass(),
                       spvtools::CreateLocalSingleBlockLoadStoreElimPass(), spvtools::CreateLocalSingleStoreElimPass(),
                       spvtools::CreateSSARewritePass(), spvtools::CreateAggressiveDCEPass()));
}

}  // namespace crosslane::spirv
