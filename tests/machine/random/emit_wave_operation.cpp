// Wave operations in SPIR-V.
#include "machine/random/emit_wave_operation.hpp"

#include <array>
#include <string_view>

#include "machine/random/emit_words.hpp"

namespace crosslane::machine_tests {
namespace {

constexpr std::array integer_arithmetic = {"IAdd", "IMul",       "UMin",      "UMax",      "SMin",
                                           "SMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
constexpr std::array logical_arithmetic = {"LogicalAnd", "LogicalOr", "LogicalXor"};

std::string_view name_of(Shape shape) {
  constexpr std::array names = {"Reduce", "InclusiveScan", "ExclusiveScan"};
  return names.at(static_cast<std::size_t>(shape));
}

class WaveOperationEmitter {
 public:
  WaveOperationEmitter(SpirvText& text, bool portable) : text_(text), portable_(portable) {}

  std::string emit(const Expression& expression, const std::vector<std::string>& operands) {
    const auto scope = text_.constant(3);
    const auto immediate = expression.immediate;
    const auto a = operands.empty() ? std::string() : operands[0];
    const auto b = operands.size() < 2 ? std::string() : operands[1];
    switch (expression.wave) {
      case WaveOp::elect:
        return number_of(text_, text_.define("OpGroupNonUniformElect %bool {}", scope));
      case WaveOp::all: {
        const auto condition = truth_of(text_, a);
        return number_of(text_, text_.define("OpGroupNonUniformAll %bool {} {}", scope, condition));
      }
      case WaveOp::any: {
        const auto condition = truth_of(text_, a);
        return number_of(text_, text_.define("OpGroupNonUniformAny %bool {} {}", scope, condition));
      }
      case WaveOp::all_equal:
        return number_of(text_, text_.define("OpGroupNonUniformAllEqual %bool {} {}", scope, a));
      case WaveOp::ballot_word: {
        const auto lanes = ballot(truth_of(text_, a));
        return text_.define("OpCompositeExtract %uint {} {}", lanes, immediate);
      }
      case WaveOp::ballot_count: {
        const auto lanes = ballot(truth_of(text_, a));
        return text_.define("OpGroupNonUniformBallotBitCount %uint {} {} {}", scope, name_of(expression.shape), lanes);
      }
      case WaveOp::ballot_extract: {
        const auto lanes = ballot(truth_of(text_, a));
        const auto size = load_input(text_, Input::wave_size);
        const auto lane = text_.define("OpUMod %uint {} {}", b, size);
        return number_of(text_, text_.define("OpGroupNonUniformBallotBitExtract %bool {} {} {}", scope, lanes, lane));
      }
      case WaveOp::inverse_ballot: {
        const auto lanes = ballot(truth_of(text_, a));
        return number_of(text_, text_.define("OpGroupNonUniformInverseBallot %bool {} {}", scope, lanes));
      }
      case WaveOp::ballot_lowest:
        return text_.define("OpGroupNonUniformBallotFindLSB %uint {} {}", scope, ballot("%true"));
      case WaveOp::ballot_highest:
        return text_.define("OpGroupNonUniformBallotFindMSB %uint {} {}", scope, ballot("%true"));
      case WaveOp::broadcast_first:
        return text_.define("OpGroupNonUniformBroadcastFirst %uint {} {}", scope, a);
      default:
        return read_or_combine(expression, a, b);
    }
  }

 private:
  std::string ballot(const std::string& condition) {
    return text_.define("OpGroupNonUniformBallot %v4 {} {}", text_.constant(3), condition);
  }

  // `read`, or 0 where the lane `source` cannot be read. Only where SPIR-V leaves open what `read` is then.
  std::string defined_read(const std::string& read, const std::string& source) {
    if (!portable_) {
      return read;
    }
    const auto active = ballot("%true");
    const auto lane = low_bits(text_, source, 127);
    const auto size = load_input(text_, Input::wave_size);
    const auto inside = text_.define("OpULessThan %bool {} {}", source, size);
    const auto bit = text_.define("OpGroupNonUniformBallotBitExtract %bool {} {} {}", text_.constant(3), active, lane);
    const auto readable = text_.define("OpLogicalAnd %bool {} {}", inside, bit);
    return text_.define("OpSelect %uint {} {} {}", readable, read, text_.constant(0));
  }

  std::string shuffled(std::string_view operation, const std::string& a, const std::string& b,
                       const std::string& source) {
    return defined_read(text_.define("OpGroupNonUniform{} %uint {} {} {}", operation, text_.constant(3), a, b), source);
  }

  std::string read_or_combine(const Expression& expression, const std::string& a, const std::string& b) {
    const auto immediate = text_.constant(expression.immediate);
    switch (expression.wave) {
      case WaveOp::broadcast:
        return shuffled("Broadcast", a, immediate, immediate);
      case WaveOp::shuffle:
        return shuffled("Shuffle", a, b, b);
      case WaveOp::shuffle_xor: {
        const auto mask = low_bits(text_, b, 127);
        const auto source = text_.define("OpBitwiseXor %uint {} {}", load_input(text_, Input::lane), mask);
        return shuffled("ShuffleXor", a, mask, source);
      }
      case WaveOp::shuffle_up: {
        const auto by = low_bits(text_, b, 127);
        const auto source = text_.define("OpISub %uint {} {}", load_input(text_, Input::lane), by);
        return shuffled("ShuffleUp", a, by, source);
      }
      case WaveOp::shuffle_down: {
        const auto by = low_bits(text_, b, 127);
        const auto source = text_.define("OpIAdd %uint {} {}", load_input(text_, Input::lane), by);
        return shuffled("ShuffleDown", a, by, source);
      }
      case WaveOp::quad_broadcast: {
        const auto quad = low_bits(text_, load_input(text_, Input::lane), ~3U);
        const auto source = text_.define("OpIAdd %uint {} {}", quad, immediate);
        return shuffled("QuadBroadcast", a, immediate, source);
      }
      case WaveOp::quad_swap: {
        const auto source = text_.define("OpBitwiseXor %uint {} {}", load_input(text_, Input::lane),
                                         text_.constant(expression.immediate + 1));
        return shuffled("QuadSwap", a, immediate, source);
      }
      case WaveOp::rotate: {
        const auto sum = text_.define("OpIAdd %uint {} {}", load_input(text_, Input::lane), immediate);
        const auto source = text_.define("OpUMod %uint {} {}", sum, load_input(text_, Input::wave_size));
        return shuffled("RotateKHR", a, immediate, source);
      }
      default:
        return combined(expression, a, b);
    }
  }

  std::string combined(const Expression& expression, const std::string& a, const std::string& b) {
    std::string shape(name_of(expression.shape));
    std::string extra;
    if (expression.wave == WaveOp::clustered) {
      shape = "ClusteredReduce";
      extra = ' ' + text_.constant(expression.immediate);
    } else if (expression.wave == WaveOp::partitioned) {
      shape = "Partitioned" + shape + "NV";
      extra = ' ' + text_.define("OpGroupNonUniformPartitionNV %v4 {}", b);
    }
    const auto which = static_cast<std::size_t>(expression.arithmetic);
    if (which < integer_arithmetic.size()) {
      return text_.define("OpGroupNonUniform{} %uint {} {} {}{}", integer_arithmetic.at(which), text_.constant(3),
                          shape, a, extra);
    }
    const auto condition = truth_of(text_, a);
    return number_of(text_, text_.define("OpGroupNonUniform{} %bool {} {} {}{}",
                                         logical_arithmetic.at(which - integer_arithmetic.size()), text_.constant(3),
                                         shape, condition, extra));
  }

  SpirvText& text_;
  bool portable_;
};

}  // namespace

std::string emit_wave_operation(SpirvText& text, bool portable, const Expression& expression,
                                const std::vector<std::string>& operands) {
  return WaveOperationEmitter(text, portable).emit(expression, operands);
}

}  // namespace crosslane::machine_tests
