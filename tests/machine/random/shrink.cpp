#include "machine/random/shrink.hpp"

#include <cstddef>
#include <utility>

namespace crosslane::machine_tests {
namespace {

std::size_t count(const Block& block) {
  std::size_t statements = 0;
  for (const auto& statement : block) {
    ++statements;
    for (const auto& body : statement.bodies) {
      statements += count(body);
    }
    for (const auto& one : statement.cases) {
      statements += count(one.body);
    }
  }
  return statements;
}

// Takes out the statement that comes `skipped` after the block's first, in the order of the text.
bool take_out(Block& block, std::size_t& skipped) {
  for (std::size_t at = 0; at < block.size(); ++at) {
    if (skipped == 0) {
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    }
    --skipped;
    for (auto& body : block[at].bodies) {
      if (take_out(body, skipped)) {
        return true;
      }
    }
    for (auto& one : block[at].cases) {
      if (take_out(one.body, skipped)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::size_t count_statements(const Program& program) {
  std::size_t statements = 0;
  for (const auto& function : program.functions) {
    statements += count(function.body);
  }
  return statements;
}

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t at = count_statements(program); at-- > 0;) {
      auto candidate = program;
      auto skipped = at;
      for (auto& function : candidate.functions) {
        if (take_out(function.body, skipped)) {
          break;
        }
      }
      if (fails(candidate)) {
        program = std::move(candidate);
        smaller = true;
      }
    }
  }
  return program;
}

}  // namespace crosslane::machine_tests
