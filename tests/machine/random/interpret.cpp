// What a random program gives: its statements, run by one wave after the other.
#include "machine/random/interpret.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "machine/random/interpret_arithmetic.hpp"
#include "machine/random/interpret_lanes.hpp"
#include "machine/random/interpret_wave_operation.hpp"

namespace crosslane::machine_tests {
namespace {

// The variables of one call, for all lanes.
struct Frame {
  std::vector<LaneValues> variables;
  std::array<LaneValues, array_elements> array{};
  LaneValues result{};
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

  [[nodiscard]] LaneValues evaluate(const Expression& expression, const Frame& frame, Lanes active) const {
    std::vector<LaneValues> operands;
    for (const auto& operand : expression.operands) {
      operands.push_back(evaluate(operand, frame, active));
    }
    LaneValues result{};
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
        return interpret_wave_operation(expression, operands, active, size_);
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

  // ---- Statements. Each gives the lanes that go on behind it.

  void assign(LaneValues& target, const LaneValues& values, Lanes active) const {
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      if (active[lane]) {
        target[lane] = values[lane];
      }
    }
  }

  [[nodiscard]] Lanes nonzero(const LaneValues& values, Lanes active) const {
    Lanes lanes;
    for (std::uint32_t lane = 0; lane < size_; ++lane) {
      lanes[lane] = active[lane] && values[lane] != 0;
    }
    return lanes;
  }

  LaneValues call(const Function& function, const std::vector<LaneValues>& arguments, Lanes active) {
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
        std::vector<LaneValues> arguments;
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

  void trace(const LaneValues& values, Lanes active) {
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
  LaneValues cursor_{};
  LaneValues hash_{};
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
