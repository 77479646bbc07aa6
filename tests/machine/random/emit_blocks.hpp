// The blocks of a function in SPIR-V, and the phis where they meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "machine/random/emit_text.hpp"

namespace crosslane::machine_tests {

/// The names of what variables hold at one place, by variable; empty for those in memory.
using CarriedValues = std::vector<std::string>;

/// A way into a block.
struct Edge {
  std::string from;
  CarriedValues values;
};

/// A block that is still to come, and who goes there.
struct Target {
  std::string label;
  std::vector<Edge> edges;
};

/// The value of a loop's variable at the start of each iteration: a phi whose second source is not known yet.
struct HeaderPhi {
  std::uint32_t variable = 0;
  std::size_t line = 0;
};

class BlockEmitter {
 public:
  /// Before the first block, with so many variables.
  BlockEmitter(SpirvText& text, std::size_t variables) : text_(text), values_(variables) {}

  Target new_target(std::string_view kind) { return {text_.new_label(kind), {}}; }

  /// The block at hand goes there, among others maybe: the caller writes the branch.
  void edge_to(Target& target) { target.edges.push_back({block_, values_}); }

  /// The block at hand goes there and ends.
  void jump(Target& target);

  /// Whoever wrote the last line of the block says so.
  void end() { ended_ = true; }
  [[nodiscard]] bool ended() const { return ended_; }

  /// Starts a block that keeps the values of the one before.
  void begin(const std::string& label);

  /// Starts the block with phis of what the ways there disagree on; one that nobody reaches ends at once.
  void meet(const Target& target);

  /// Goes to the header of a loop and starts it, with phis of those variables that are not in memory.
  std::vector<HeaderPhi> begin_header(Target& header, const std::set<std::uint32_t>& assigned);

  /// Completes these phis.
  void end_header(const std::vector<HeaderPhi>& phis, const Edge& back);

  [[nodiscard]] const std::string& value(std::uint32_t variable) const { return values_[variable]; }
  void set_value(std::uint32_t variable, const std::string& value) { values_[variable] = value; }

 private:
  SpirvText& text_;
  CarriedValues values_;
  std::string block_;  // the label of the block at hand
  bool ended_ = false;
};

}  // namespace crosslane::machine_tests
