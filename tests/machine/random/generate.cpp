#include "machine/random/generate.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <utility>

namespace crosslane::machine_tests {
namespace {

constexpr std::uint32_t deepest_block = 5;
constexpr std::uint32_t deepest_expression = 3;
constexpr std::uint64_t most_work = 3000;  // statements that one lane runs, at most

// Where a block stands.
struct Place {
  std::uint32_t depth = 0;
  std::uint64_t times = 1;  // how often it runs, at most
  bool in_loop = false;     // whose body it can leave
  bool in_choice = false;   // that it can leave: no loop is between
  bool continuing = false;  // behind a loop's continue target, which nothing leaves
};

class Generator {
 public:
  Generator(std::uint32_t seed, bool portable) : random_(seed), portable_(portable) { program_.portable = portable; }

  Program generate() {
    constexpr std::array<std::uint32_t, 8> group_sizes = {1, 5, 32, 37, 64, 70, 128, 131};
    program_.threads = group_sizes.at(below(group_sizes.size()));
    program_.groups = 1 + below(2);
    program_.functions.resize(1 + below(4));
    work_.resize(program_.functions.size());
    for (at_ = program_.functions.size(); at_-- > 0;) {
      make_function();
    }
    return std::move(program_);
  }

 private:
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  Function& function() { return program_.functions[at_]; }

  void make_function() {
    function().parameters = at_ == 0 ? 0 : 1 + below(3);
    for (auto variables = function().parameters + 2 + below(4); variables > 0; --variables) {
      new_variable();
    }
    plain_variables_ = static_cast<std::uint32_t>(function().in_memory.size());
    function().body = block({}, at_ == 0 ? 4 + below(6) : 1 + below(4));
    if (at_ == 0) {
      for (std::uint32_t variable = 0; variable < function().in_memory.size(); ++variable) {
        function().body.push_back(trace({.kind = Expression::Kind::variable, .number = variable}));
      }
    }
    function().result = expression(1);
  }

  std::uint32_t new_variable() {
    function().in_memory.push_back(chance(50));
    return static_cast<std::uint32_t>(function().in_memory.size()) - 1;
  }

  // ---- Expressions.

  static Expression constant(std::uint32_t number) { return {.kind = Expression::Kind::constant, .number = number}; }
  static Expression binary(Binary operation, Expression a, Expression b) {
    Expression result{.kind = Expression::Kind::binary, .binary = operation};
    result.operands.push_back(std::move(a));
    result.operands.push_back(std::move(b));
    return result;
  }

  Expression leaf() {
    constexpr std::array<std::uint32_t, 10> numbers = {0, 1, 2, 3, 5, 7, 31, 100, 0x80000000, 0xFFFFFFFF};
    switch (below(4)) {
      case 0:
        return constant(numbers.at(below(numbers.size())));
      case 1:
        return {.kind = Expression::Kind::input, .input = static_cast<Input>(below(6))};
      default:
        return {.kind = Expression::Kind::variable, .number = below(function().in_memory.size())};
    }
  }

  Expression expression(std::uint32_t depth) {
    if (depth >= deepest_expression || chance(20)) {
      return leaf();
    }
    const auto kind = below(20);
    if (kind < 10) {
      auto a = expression(depth + 1);
      return binary(static_cast<Binary>(below(14)), std::move(a), expression(depth + 1));
    }
    Expression result;
    if (kind < 12) {
      result.kind = Expression::Kind::select;
      result.operands = operands(3, depth);
    } else if (kind < 13) {
      result.kind = Expression::Kind::element;
      result.operands = operands(1, depth);
    } else {
      result = wave_operation(depth);
    }
    return result;
  }

  std::vector<Expression> operands(std::uint32_t count, std::uint32_t depth) {
    std::vector<Expression> made;
    for (; count > 0; --count) {
      made.push_back(expression(depth + 1));
    }
    return made;
  }

  Expression wave_operation(std::uint32_t depth) {
    Expression result{.kind = Expression::Kind::wave};
    result.wave = static_cast<WaveOp>(below(portable_ ? 18 : 22));
    if (chance(30)) {
      result.wave = WaveOp::arithmetic;
    }
    result.arithmetic = static_cast<Arithmetic>(below(12));
    result.shape = static_cast<Shape>(below(3));
    std::uint32_t count = 1;
    switch (result.wave) {
      case WaveOp::elect:
      case WaveOp::ballot_lowest:
      case WaveOp::ballot_highest:
        count = 0;
        break;
      case WaveOp::ballot_extract:
      case WaveOp::shuffle:
      case WaveOp::shuffle_xor:
      case WaveOp::shuffle_up:
      case WaveOp::shuffle_down:
      case WaveOp::partitioned:
        count = 2;
        break;
      case WaveOp::quad_swap:
        result.immediate = below(3);
        break;
      case WaveOp::rotate:
        result.immediate = below(128);
        break;
      case WaveOp::clustered:
        result.immediate = 1U << below(4);
        break;
      default:
        result.immediate = below(4);
        break;
    }
    result.operands = operands(count, depth);
    if (result.wave == WaveOp::partitioned) {  // a few partitions
      result.operands[1] = binary(Binary::bit_and, std::move(result.operands[1]), constant(3));
    }
    if (result.wave == WaveOp::shuffle) {  // from near enough, mostly
      result.operands[1] = binary(Binary::bit_and, std::move(result.operands[1]), constant(chance(50) ? 7 : 63));
    }
    return result;
  }

  // Holds for some lanes.
  Expression condition() {
    if (chance(50)) {
      return expression(0);
    }
    const auto divisor = constant(2 + below(4));
    auto part = binary(Binary::remainder, expression(1), divisor);
    return binary(chance(50) ? Binary::not_equal : Binary::less, std::move(part), constant(1 + below(2)));
  }

  // ---- Statements.

  static Statement trace(Expression value) {
    Statement made{.kind = Statement::Kind::trace};
    made.value = std::move(value);
    return made;
  }

  Block block(Place place, std::uint32_t statements) {
    Block made;
    for (; statements > 0; --statements) {
      work_[at_] += place.times;
      made.push_back(statement(place));
    }
    return made;
  }

  Block inner_block(Place place) {
    ++place.depth;
    Block made = block(place, below(4));
    // What nobody reaches must not lie behind a continue target: there only selections of their own jump.
    if (!place.continuing && chance(35)) {
      if (auto jumps = jump(place); !jumps.empty()) {
        made.push_back(std::move(jumps.front()));
      }
    }
    return made;
  }

  // One that is possible here; empty where none is, or by chance.
  Block jump(const Place& place) {
    std::vector<Statement::Kind> possible;
    if (place.in_loop) {
      possible = {Statement::Kind::break_loop, Statement::Kind::continue_loop};
    }
    if (place.in_choice) {
      possible.push_back(Statement::Kind::break_choice);
    }
    if (!place.continuing && chance(at_ == 0 ? 10 : 40)) {
      possible.push_back(Statement::Kind::leave);
    }
    Block made;
    if (!possible.empty()) {
      made.push_back({.kind = possible[below(possible.size())]});
      made.back().value = expression(1);
    }
    return made;
  }

  Statement statement(const Place& place) {
    const auto kind = below(100);
    const bool may_nest = place.depth < deepest_block && work_[at_] + place.times * 8 < most_work;
    if (kind < 20 && may_nest) {
      return selection(place);
    }
    if (kind < 35 && may_nest) {
      return loop(place);
    }
    if (kind < 44 && may_nest) {
      return choice(place);
    }
    if (kind < 52 && at_ + 1 < program_.functions.size()) {
      const auto callee = at_ + 1 + below(program_.functions.size() - at_ - 1);
      if (work_[at_] + place.times * work_[callee] < most_work) {
        return call(place, static_cast<std::uint32_t>(callee));
      }
    }
    if (kind < 70) {
      return trace(expression(0));
    }
    if (kind < 76) {
      Statement made{.kind = Statement::Kind::store_element};
      made.value = expression(0);
      made.index = expression(1);
      return made;
    }
    Statement made{.kind = Statement::Kind::assign};
    made.variable = below(plain_variables_);
    made.value = expression(0);
    return made;
  }

  Statement selection(const Place& place) {
    Statement made{.kind = Statement::Kind::selection};
    made.value = condition();
    made.bodies.resize(2);
    if (chance(25)) {
      auto inside = place;
      ++inside.depth;
      made.bare = true;
      made.bodies[0] = jump(inside);
    }
    if (made.bodies[0].empty()) {
      made.bare = false;
      made.bodies[0] = inner_block(place);
      if (chance(50)) {
        made.bodies[1] = inner_block(place);
      }
    }
    return made;
  }

  Statement loop(Place place) {
    Statement made{.kind = Statement::Kind::loop};
    made.variable = new_variable();
    new_variable();
    made.form = static_cast<LoopForm>(below(4));
    constexpr std::uint32_t most_turns = 3;
    made.value = binary(Binary::add, binary(Binary::bit_and, expression(1), constant(most_turns)), constant(below(2)));
    made.index = chance(40) ? constant(1) : condition();
    place.times *= most_turns + 1;
    place.in_choice = false;
    made.bodies.resize(2);
    if (made.form == LoopForm::single_block) {
      place.depth = deepest_block;  // nothing that nests
      made.bodies[0] = block(place, 1 + below(3));
      return made;
    }
    auto continuing = place;
    place.in_loop = true;
    made.bodies[0] = inner_block(place);
    if (made.bodies[0].size() < 2) {
      auto more = block(place, 1);
      made.bodies[0].insert(made.bodies[0].begin(), std::make_move_iterator(more.begin()),
                            std::make_move_iterator(more.end()));
    }
    if (chance(40)) {
      continuing.in_loop = false;
      continuing.continuing = true;
      ++continuing.depth;
      made.bodies[1] = block(continuing, 1 + below(2));
    }
    return made;
  }

  Statement choice(Place place) {
    Statement made{.kind = Statement::Kind::choice};
    constexpr std::uint32_t literals = 8;
    made.value = binary(Binary::bit_and, expression(1), constant(literals - 1));
    place.in_choice = true;
    place.in_loop = place.in_loop && !portable_;  // older validators take such jumps out of a switch for mistakes
    std::uint32_t next = below(2);
    while (next < literals) {
      Case one;
      for (auto count = 1 + below(2); count > 0 && next < literals; --count) {
        one.literals.push_back(next);
        next += 1 + below(3);
      }
      one.body = inner_block(place);
      made.cases.push_back(std::move(one));
    }
    if (chance(60)) {
      Case otherwise;
      otherwise.body = inner_block(place);
      made.cases.insert(made.cases.begin() + below(made.cases.size() + 1), std::move(otherwise));
    }
    for (std::size_t at = 0; at + 1 < made.cases.size(); ++at) {
      made.cases[at].falls_through = chance(30);
    }
    return made;
  }

  Statement call(const Place& place, std::uint32_t callee) {
    Statement made{.kind = Statement::Kind::call};
    made.variable = below(plain_variables_);
    made.function = callee;
    made.arguments = operands(program_.functions[callee].parameters, 0);
    work_[at_] += place.times * work_[callee];
    return made;
  }

  std::mt19937 random_;
  bool portable_;
  Program program_;
  std::size_t at_ = 0;                 // the function at hand
  std::uint32_t plain_variables_ = 0;  // its variables but for those of loops
  std::vector<std::uint64_t> work_;    // statements that a lane runs in each function, at most
};

}  // namespace

Program generate(std::uint32_t seed, bool portable) { return Generator(seed, portable).generate(); }

}  // namespace crosslane::machine_tests
