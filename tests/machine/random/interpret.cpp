#include "machine/random/interpret.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <map>

namespace crosslane::machine_tests {
namespace {

constexpr std::uint32_t most_lanes = 128;
using Lanes = std::bitset<most_lanes>;
using Values = std::array<std::uint32_t, most_lanes>;

std::uint32_t compute(Binary operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case Binary::add:
      return a + b;
    case Binary::subtract:
      return a - b;
    case Binary::multiply:
      return a * b;
    case Binary::divide:
      return a / (b | 1U);
    case Binary::remainder:
      return a % (b | 1U);
    case Binary::bit_and:
      return a & b;
    case Binary::bit_or:
      return a | b;
    case Binary::bit_xor:
      return a ^ b;
    case Binary::shift_left:
      return a << (b % 32);
    case Binary::shift_right:
      return a >> (b % 32);
    case Binary::less:
      return a < b ? 1 : 0;
    case Binary::less_signed:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? 1 : 0;
    case Binary::equal:
      return a == b ? 1 : 0;
    case Binary::not_equal:
      return a != b ? 1 : 0;
  }
  return 0;
}

std::uint32_t identity(Arithmetic operation) {
  switch (operation) {
    case Arithmetic::multiply:
    case Arithmetic::logical_and:
      return 1;
    case Arithmetic::minimum:
    case Arithmetic::bit_and:
      return 0xFFFFFFFF;
    case Arithmetic::minimum_signed:
      return 0x7FFFFFFF;
    case Arithmetic::maximum_signed:
      return 0x80000000;
    default:
      return 0;
  }
}

std::uint32_t combine(Arithmetic operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::multiply:
      return a * b;
    case Arithmetic::minimum:
      return std::min(a, b);
    case Arithmetic::maximum:
      return std::max(a, b);
    case Arithmetic::minimum_signed:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
    case Arithmetic::maximum_signed:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? b : a;
    case Arithmetic::bit_and:
    case Arithmetic::logical_and:
      return a & b;
    case Arithmetic::bit_or:
    case Arithmetic::logical_or:
      return a | b;
    case Arithmetic::bit_xor:
    case Arithmetic::logical_xor:
      return a ^ b;
  }
  return 0;
}

bool is_logical(Arithmetic operation) { return operation >= Arithmetic::logical_and; }

// The variables of one call, for all lanes.
struct Frame {
  std::vector<Values> variables;
  std::array<Values, array_elements> array{};
  Values result{};
};

// Where lanes wait that have left a list of statements early.
struct Exits {
  Lanes* loop_broken = nullptr;
  Lanes* loop_continued = nullptr;
  Lanes* choice_broken = nullptr;
  Lanes* left = nullptr;
};

class WaveRun {
 public:
  WaveRun(const Program& program, std::uint32_t size, std::uint32_t group, std::uint32_t wave,
          std::span<const std::uint32_t> data, std::span<std::uint32_t> traces)
      : program_(program), size_(size), group_(group), wave_(wave), data_(data), traces_(traces) {}

  void run() {
    Lanes lanes;
    for (std::uint32_t lane = 0; lane < size_ && wave_ * size_ + lane < program_.threads; ++lane) {
      lanes.set(lane);
    }
    call(program_.functions[0], {}, lanes);
  }

 private:
  // ---- Values of the active lanes; those of others are never looked at.

  [[nodiscard]] Values evaluate(const Expression& expression, const Frame& frame, Lanes active) const {
    std::vector<Values> operands;
    for (const auto& operand : expression.operands) {
      operands.push_back(evaluate(operand, frame, active));
    }
    Values result{};
    const auto each = [&](auto&& of_lane) {
      for (std::uint32_t lane = 0; lane < size_; ++lane) {
        if (active[lane]) {
          result[lane] = of_lane(lane);
        }
      }
    };
    switch (expression.kind) {
      case Expression::Kind::constant:
        each([&](std::uint32_t) { return expression.number; });
        break;
      case Expression::Kind::variable:
        return frame.variables[expression.number];
      case Expression::Kind::element:
        each([&](std::uint32_t lane) { return frame.array[operands[0][lane] % array_elements][lane]; });
        break;
      case Expression::Kind::input:
        each([&](std::uint32_t lane) { return input(expression.input, lane); });
        break;
      case Expression::Kind::binary:
        each([&](std::uint32_t lane) { return compute(expression.binary, operands[0][lane], operands[1][lane]); });
        break;
      case Expression::Kind::select:
        each([&](std::uint32_t lane) { return operands[operands[0][lane] != 0 ? 1 : 2][lane]; });
        break;
      case Expression::Kind::wave:
        return wave_operation(expression, operands, active);
    }
    return result;
  }

  [[nodiscard]] std::uint32_t thread(std::uint32_t lane) const { return wave_ * size_ + lane; }
  [[nodiscard]] std::uint32_t global(std::uint32_t lane) const { return group_ * program_.threads + thread(lane); }

  [[nodiscard]] std::uint32_t input(Input which, std::uint32_t lane) const {
    switch (which) {
      case Input::lane:
        return lane;
      case Input::wave_size:
        return size_;
      case Input::wave:
        return wave_;
      case Input::thread:
        return thread(lane);
      case Input::group:
        return group_;
      case Input::data:
        return data_[global(lane)];
    }
    return 0;
  }

  [[nodiscard]] Values wave_operation(const Expression& expression, const std::vector<Values>& operands,
                                      Lanes active) const {
    const auto immediate = expression.immediate;
    const auto a = [&](std::uint32_t lane) { return operands[0][lane]; };
    const auto b = [&](std::uint32_t lane) { return operands[1][lane]; };
    Lanes yes;  // the ballot of a
    std::uint32_t first = most_lanes;
    std::uint32_t last = 0;
    for (std::uint32_t lane = size_; lane-- > 0;) {
      if (active[lane]) {
        yes[lane] = !operands.empty() && operands[0][lane] != 0;
        first = lane;
        last = std::max(last, lane);
      }
    }
    // a of another lane, where it can be read.
    const auto read = [&](std::uint32_t from) { return from < size_ && active[from] ? a(from) : 0; };
    const auto together = [&](std::uint32_t lane, const std::function<bool(std::uint32_t)>& member, Shape shape) {
      std::uint32_t sum = identity(expression.arithmetic);
      for (std::uint32_t other = 0; other < size_; ++other) {
        const bool counts = shape == Shape::reduce || other < lane || (other == lane && shape == Shape::inclusive);
        if (active[other] && counts && member(other)) {
          const auto value = is_logical(expression.arithmetic) ? (a(other) != 0 ? 1U : 0U) : a(other);
          sum = combine(expression.arithmetic, sum, value);
        }
      }
      return sum;
    };
    const auto of_lane = [&](std::uint32_t lane) -> std::uint32_t {
      switch (expression.wave) {
        case WaveOp::elect:
          return lane == first ? 1 : 0;
        case WaveOp::all:
          return yes == active ? 1 : 0;
        case WaveOp::any:
          return yes.any() ? 1 : 0;
        case WaveOp::all_equal:
          for (std::uint32_t other = 0; other < size_; ++other) {
            if (active[other] && a(other) != a(lane)) {
              return 0;
            }
          }
          return 1;
        case WaveOp::ballot_word: {
          std::uint32_t word = 0;
          for (std::uint32_t bit = 0; bit < 32; ++bit) {
            word |= yes[immediate * 32 + bit] ? 1U << bit : 0U;
          }
          return word;
        }
        case WaveOp::ballot_count: {
          std::uint32_t count = 0;
          for (std::uint32_t other = 0; other < size_; ++other) {
            const bool counts = expression.shape == Shape::reduce || other < lane ||
                                (other == lane && expression.shape == Shape::inclusive);
            count += yes[other] && counts ? 1 : 0;
          }
          return count;
        }
        case WaveOp::ballot_extract:
          return yes[b(lane) % size_] ? 1 : 0;
        case WaveOp::inverse_ballot:
          return yes[lane] ? 1 : 0;
        case WaveOp::ballot_lowest:
          return first;
        case WaveOp::ballot_highest:
          return last;
        case WaveOp::broadcast_first:
          return a(first);
        case WaveOp::broadcast:
          return read(immediate);
        case WaveOp::shuffle:
          return read(b(lane));
        case WaveOp::shuffle_xor:
          return read(lane ^ (b(lane) % 128));
        case WaveOp::shuffle_up:
          return b(lane) % 128 <= lane ? read(lane - b(lane) % 128) : 0;
        case WaveOp::shuffle_down:
          return read(lane + b(lane) % 128);
        case WaveOp::quad_broadcast:
          return read(lane / 4 * 4 + immediate);
        case WaveOp::quad_swap:
          return read(lane ^ (immediate + 1));
        case WaveOp::rotate:
          return read((lane + immediate) % size_);
        case WaveOp::arithmetic:
          return together(
              lane, [](std::uint32_t) { return true; }, expression.shape);
        case WaveOp::clustered:
          return together(
              lane, [&](std::uint32_t other) { return other / immediate == lane / immediate; }, Shape::reduce);
        case WaveOp::partitioned:
          return together(
              lane, [&](std::uint32_t other) { return b(other) == b(lane); }, expression.shape);
      }
      return 0;
    };
    Values result{};
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      if (active[lane]) {
        result[lane] = of_lane(lane);
      }
    }
    return result;
  }

  // ---- Statements. Each gives the lanes that go on behind it.

  void assign(Values& target, const Values& values, Lanes active) const {
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      if (active[lane]) {
        target[lane] = values[lane];
      }
    }
  }

  [[nodiscard]] Lanes nonzero(const Values& values, Lanes active) const {
    Lanes lanes;
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      lanes[lane] = active[lane] && values[lane] != 0;
    }
    return lanes;
  }

  Values call(const Function& function, const std::vector<Values>& arguments, Lanes active) {
    Frame frame;
    frame.variables.resize(function.in_memory.size());
    std::ranges::copy(arguments, frame.variables.begin());
    Lanes left;
    const Lanes through = run_block(function.body, frame, active, {.left = &left});
    if (through.any()) {
      assign(frame.result, evaluate(function.result, frame, through), through);
    }
    return frame.result;
  }

  Lanes run_block(const Block& block, Frame& frame, Lanes active, const Exits& exits) {
    for (const auto& statement : block) {
      if (active.none()) {
        break;
      }
      active = run_statement(statement, frame, active, exits);
    }
    return active;
  }

  Lanes run_statement(const Statement& statement, Frame& frame, Lanes active, const Exits& exits) {
    switch (statement.kind) {
      case Statement::Kind::assign:
        assign(frame.variables[statement.variable], evaluate(statement.value, frame, active), active);
        return active;
      case Statement::Kind::store_element: {
        const auto values = evaluate(statement.value, frame, active);
        const auto indices = evaluate(statement.index, frame, active);
        for (std::uint32_t lane = 0; lane < size_; ++lane) {
          if (active[lane]) {
            frame.array[indices[lane] % array_elements][lane] = values[lane];
          }
        }
        return active;
      }
      case Statement::Kind::trace:
        trace(evaluate(statement.value, frame, active), active);
        return active;
      case Statement::Kind::selection: {
        const Lanes taken = nonzero(evaluate(statement.value, frame, active), active);
        return run_block(statement.bodies[0], frame, taken, exits) |
               run_block(statement.bodies[1], frame, active & ~taken, exits);
      }
      case Statement::Kind::loop:
        return run_loop(statement, frame, active, exits);
      case Statement::Kind::choice:
        return run_choice(statement, frame, active, exits);
      case Statement::Kind::break_loop:
        *exits.loop_broken |= active;
        return {};
      case Statement::Kind::continue_loop:
        *exits.loop_continued |= active;
        return {};
      case Statement::Kind::break_choice:
        *exits.choice_broken |= active;
        return {};
      case Statement::Kind::leave:
        assign(frame.result, evaluate(statement.value, frame, active), active);
        *exits.left |= active;
        return {};
      case Statement::Kind::call: {
        std::vector<Values> arguments;
        for (const auto& argument : statement.arguments) {
          arguments.push_back(evaluate(argument, frame, active));
        }
        assign(frame.variables[statement.variable], call(program_.functions[statement.function], arguments, active),
               active);
        return active;
      }
    }
    return active;
  }

  Lanes run_loop(const Statement& loop, Frame& frame, Lanes active, const Exits& exits) {
    auto& counter = frame.variables[loop.variable];
    auto& bound = frame.variables[loop.variable + 1];
    const bool tests_first = loop.form == LoopForm::header_test || loop.form == LoopForm::body_test;
    assign(bound, evaluate(loop.value, frame, active), active);
    assign(counter, {}, active);
    Lanes done;
    const auto goes_on = [&] {
      const Lanes wanted = nonzero(evaluate(loop.index, frame, active), active);
      Lanes going;
      for (std::uint32_t lane = 0; lane < size_; ++lane) {
        going[lane] = wanted[lane] && counter[lane] < bound[lane];
      }
      done |= active & ~going;
      active = going;
    };
    while (active.any()) {
      if (tests_first) {
        goes_on();
      }
      Lanes continued;
      const Exits inside{&done, &continued, nullptr, exits.left};
      active = run_block(loop.bodies[0], frame, active, inside) | continued;
      active = run_block(loop.bodies[1], frame, active, {});
      for (std::uint32_t lane = 0; lane < size_; ++lane) {
        counter[lane] += active[lane] ? 1 : 0;
      }
      if (!tests_first && active.any()) {
        goes_on();
      }
    }
    return done;
  }

  Lanes run_choice(const Statement& choice, Frame& frame, Lanes active, const Exits& exits) {
    const auto selector = evaluate(choice.value, frame, active);
    std::map<std::uint32_t, std::size_t> case_of;
    std::size_t otherwise = choice.cases.size();
    for (std::size_t at = 0; at < choice.cases.size(); ++at) {
      for (const auto literal : choice.cases[at].literals) {
        case_of[literal] = at;
      }
      otherwise = choice.cases[at].literals.empty() ? at : otherwise;
    }
    std::vector<Lanes> chosen(choice.cases.size() + 1);
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      if (active[lane]) {
        const auto found = case_of.find(selector[lane]);
        chosen[found == case_of.end() ? otherwise : found->second].set(lane);
      }
    }
    Lanes done = chosen.back();
    Exits inside = exits;
    inside.choice_broken = &done;
    for (std::size_t at = 0; at < choice.cases.size(); ++at) {
      const Lanes through = run_block(choice.cases[at].body, frame, chosen[at], inside);
      (choice.cases[at].falls_through ? chosen[at + 1] : done) |= through;
    }
    return done;
  }

  void trace(const Values& values, Lanes active) {
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      if (active[lane]) {
        hash_[lane] = (hash_[lane] ^ values[lane]) * 16777619U;
        traces_[global(lane) * trace_slots + cursor_[lane] % trace_slots] = hash_[lane];
        ++cursor_[lane];
      }
    }
  }

  const Program& program_;
  std::uint32_t size_;
  std::uint32_t group_;
  std::uint32_t wave_;
  std::span<const std::uint32_t> data_;
  std::span<std::uint32_t> traces_;
  Values cursor_{};
  Values hash_{};
};

}  // namespace

std::vector<std::uint32_t> interpret(const Program& program, std::uint32_t wave_size,
                                     std::span<const std::uint32_t> data) {
  std::vector<std::uint32_t> traces(std::size_t{program.groups} * program.threads * trace_slots, untouched);
  for (std::uint32_t group = 0; group < program.groups; ++group) {
    for (std::uint32_t wave = 0; wave * wave_size < program.threads; ++wave) {
      WaveRun(program, wave_size, group, wave, data, traces).run();
    }
  }
  return traces;
}

}  // namespace crosslane::machine_tests
