// Random programs as the tests see them: a tree of statements over 32-bit numbers, one of each per lane.
//
// What a statement means is the affair of interpret.hpp; that SPIR-V says the same is the affair of emit_spirv.hpp.
#pragma once

#include <cstdint>
#include <vector>

namespace crosslane::machine_tests {

enum class Input : std::uint8_t { lane, wave_size, wave, thread, group, data };

/// Comparisons give 1 or 0. Shifts take the distance modulo 32; divisors have their lowest bit set.
enum class Binary : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  less,
  less_signed,
  equal,
  not_equal,
};

/// Truth is: not 0. Lanes that are not active, or outside of the wave, give 0 when they are read.
enum class WaveOp : std::uint8_t {
  elect,
  all,
  any,
  all_equal,
  ballot_word,     ///< word `immediate` of the ballot
  ballot_count,    ///< of the ballot, by `shape`
  ballot_extract,  ///< bit (b modulo the wave size) of the ballot of a
  inverse_ballot,  ///< of the ballot of a
  ballot_lowest,   ///< of the active lanes
  ballot_highest,  ///< of the active lanes
  broadcast_first,
  broadcast,       ///< from lane `immediate`
  shuffle,         ///< a from lane b
  shuffle_xor,     ///< b modulo 128
  shuffle_up,      ///< by b modulo 128
  shuffle_down,    ///< by b modulo 128
  quad_broadcast,  ///< from lane `immediate` of the quad
  quad_swap,       ///< 0: horizontal, 1: vertical, 2: diagonal
  rotate,          ///< by `immediate`, in the whole wave
  arithmetic,      ///< `arithmetic` of a by `shape`
  clustered,       ///< `arithmetic` of a in clusters of `immediate` lanes
  partitioned,     ///< `arithmetic` of a by `shape`, among lanes with equal b
};

enum class Arithmetic : std::uint8_t {
  add,
  multiply,
  minimum,
  maximum,
  minimum_signed,
  maximum_signed,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  logical_xor,
};

enum class Shape : std::uint8_t { reduce, inclusive, exclusive };

struct Expression {
  enum class Kind : std::uint8_t { constant, variable, element, input, binary, select, wave };
  Kind kind = Kind::constant;
  std::uint32_t number = 0;  ///< the constant, or the variable
  Input input = Input::lane;
  Binary binary = Binary::add;
  WaveOp wave = WaveOp::elect;
  Arithmetic arithmetic = Arithmetic::add;
  Shape shape = Shape::reduce;
  std::uint32_t immediate = 0;
  std::vector<Expression> operands = {};
};

struct Statement;
using Block = std::vector<Statement>;

enum class LoopForm : std::uint8_t {
  header_test,   ///< the header itself decides
  body_test,     ///< the body starts with the decision
  end_test,      ///< the back edge decides: the body runs at least once
  single_block,  ///< as end_test, in one block: its body has plain statements only and nothing continues it
};

/// The body of some literals of a switch.
struct Case {
  std::vector<std::uint32_t> literals;  ///< empty for the default
  Block body;
  bool falls_through = false;  ///< into the next one
};

struct Statement {
  enum class Kind : std::uint8_t {
    assign,         ///< variable = value
    store_element,  ///< array[index modulo 8] = value
    trace,          ///< notes the value
    selection,      ///< by value: bodies 0 and 1
    loop,           ///< counter in `variable`, goes on while counter < bound and `condition`; bodies: body, continuing
    choice,         ///< a switch by value
    break_loop,     ///< of the innermost loop
    continue_loop,
    break_choice,  ///< of the switch, with no loop between
    leave,         ///< the function, with a value
    call,          ///< variable = function(arguments)
  };
  Kind kind = Kind::trace;
  std::uint32_t variable = 0;
  Expression value = {};
  Expression index = {};  ///< of an element; a loop's condition
  std::vector<Block> bodies = {};
  std::vector<Case> cases = {};
  LoopForm form = LoopForm::header_test;
  bool bare = false;  ///< a selection that only jumps, spelled without a merge block of its own
  std::uint32_t function = 0;
  std::vector<Expression> arguments = {};
};

/// Variables start as 0, the first ones as the arguments. Loops own a counter and the bound beside it.
struct Function {
  std::uint32_t parameters = 0;
  std::vector<bool> in_memory = {};  ///< per variable: in memory, or a value that phis carry
  Block body = {};
  Expression result = {};
};

constexpr std::uint32_t array_elements = 8;
constexpr std::uint32_t trace_slots = 32;
constexpr std::uint32_t untouched = 0xCDCDCDCD;

/// The first function is the entry point; functions call only those that come after them.
struct Program {
  std::vector<Function> functions;
  std::uint32_t threads = 1;  ///< per group
  std::uint32_t groups = 2;
  bool portable = false;  ///< what is read of other lanes is defined by SPIR-V, and no operation is rare
};

}  // namespace crosslane::machine_tests
