// The structured control flow of one function: an order of its blocks in which constructs are contiguous, and what each
// branch means: stay in a construct, leave it for a merge block, or go on with the next iteration of a loop.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "crosslane/error.hpp"
#include "spirv/module.hpp"

namespace crosslane::spirv {

enum class ConstructKind : std::uint8_t { call, selection, switch_case, loop };

constexpr std::uint32_t no_block = 0xFFFFFFFF;

/// The function itself, a selection, a switch or a loop. Blocks are places in Function::blocks.
struct Construct {
  ConstructKind kind = ConstructKind::call;
  std::uint32_t parent = 0;  ///< place in Structure::constructs; the function's own is its own parent
  std::uint32_t header = 0;
  std::uint32_t merge = no_block;
  std::uint32_t continue_target = no_block;  ///< of loops
  std::vector<std::uint32_t> cases;  ///< of switches: where their OpSwitch may branch to, but for the merge block
};

enum class EdgeKind : std::uint8_t {
  plain,          ///< goes on in the construct
  merge,          ///< leaves for the merge block of `construct`
  next_case,      ///< falls through to another case of the switch `construct`
  continue_loop,  ///< to the continue target of the loop `construct`
  back,           ///< to the header of the loop `construct`
};

struct Edge {
  EdgeKind kind = EdgeKind::plain;
  std::uint32_t construct = 0;
};

struct Structure {
  std::vector<std::uint32_t> order;         ///< reachable blocks and declared targets; every construct is contiguous
  std::vector<Construct> constructs;        ///< the first is the function's own
  std::vector<std::uint32_t> construct_of;  ///< block → the innermost construct that holds it
  /// Block → the construct that its last instruction branches in: what its merge instruction opens, else the block's.
  std::vector<std::uint32_t> branches_in;
  std::unordered_map<std::uint32_t, std::uint32_t> block_of_label;

  /// What a branch from `block` to `target` means.
  [[nodiscard]] Edge edge(std::uint32_t block, std::uint32_t target) const;
  /// The innermost loop around a construct, itself included; 0 where there is none.
  [[nodiscard]] std::uint32_t innermost_loop(std::uint32_t construct) const;
  /// True where `inner` is `outer` or lies in it.
  [[nodiscard]] bool contains(std::uint32_t outer, std::uint32_t inner) const;
};

/// Errors: `invalid_input` for branches to what is no block of the function.
Expected<Structure> make_structure(const Module& module, const Function& function);

/// Words of one case's literal of an OpSwitch: 2 for 64-bit selectors.
std::size_t switch_literal_words(const Module& module, const Statement& statement);

/// Labels that the last instruction of a block may branch to.
std::vector<std::uint32_t> successor_labels(const Module& module, const Block& block);

}  // namespace crosslane::spirv
