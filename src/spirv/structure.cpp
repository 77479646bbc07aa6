#include "spirv/structure.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace crosslane::spirv {
namespace {

using spv::Op;

const Statement* merge_instruction(const Block& block) {
  if (block.statements.size() < 2) {
    return nullptr;
  }
  const auto& statement = block.statements[block.statements.size() - 2];
  return statement.opcode == Op::OpSelectionMerge || statement.opcode == Op::OpLoopMerge ? &statement : nullptr;
}

// Walks the blocks depth first. What a construct ends with is walked before what it holds, so that in reverse postorder
// it comes after.
class Walk {
 public:
  Walk(const Module& module, const Function& function, Structure& structure)
      : module_(module), function_(function), structure_(structure), visited_(function.blocks.size()) {
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      structure_.block_of_label[function.blocks[block].label] = block;
    }
    structure_.construct_of.resize(function.blocks.size());
    structure_.branches_in.resize(function.blocks.size());
    structure_.constructs.emplace_back();
  }

  Expected<void> run() {
    if (auto entered = enter(0, 0); !entered) {
      return entered;
    }
    while (!stack_.empty()) {
      auto& visit = stack_.back();
      if (visit.next == visit.targets.size()) {
        structure_.order.push_back(visit.block);
        stack_.pop_back();
        continue;
      }
      const auto [target, construct] = visit.targets[visit.next++];
      if (!visited_[target]) {
        if (auto entered = enter(target, construct); !entered) {
          return entered;
        }
      }
    }
    std::ranges::reverse(structure_.order);
    return {};
  }

 private:
  struct Target {
    std::uint32_t block = 0;
    std::uint32_t construct = 0;
  };
  struct Visit {
    std::uint32_t block = 0;
    std::vector<Target> targets;
    std::size_t next = 0;
  };

  Expected<void> enter(std::uint32_t block, std::uint32_t construct) {
    visited_[block] = true;
    Visit visit{block, {}, 0};
    auto inside = construct;
    const auto& source = function_.blocks[block];
    structure_.construct_of[block] = construct;
    if (const auto* merge = merge_instruction(source); merge != nullptr) {
      inside = static_cast<std::uint32_t>(structure_.constructs.size());
      const auto words = module_.operands(*merge);
      Construct opened{ConstructKind::selection, construct, block, no_block, no_block, {}};
      if (auto target = add_target(visit, words[0], construct); target) {
        opened.merge = *target;
      } else {
        return tl::unexpected<Error>(std::move(target.error()));
      }
      if (merge->opcode == Op::OpLoopMerge) {
        opened.kind = ConstructKind::loop;
        structure_.construct_of[block] = inside;
        if (auto target = add_target(visit, words[1], inside); target) {
          opened.continue_target = *target;
        } else {
          return tl::unexpected<Error>(std::move(target.error()));
        }
      } else if (source.statements.back().opcode == Op::OpSwitch) {
        opened.kind = ConstructKind::switch_case;
      }
      structure_.constructs.push_back(opened);
    }
    structure_.branches_in[block] = inside;
    auto labels = successor_labels(module_, source);
    if (inside != construct && structure_.constructs[inside].kind == ConstructKind::switch_case) {
      if (auto noted = note_cases(structure_.constructs[inside], labels); !noted) {
        return noted;
      }
      place_default(inside, labels);
    }
    std::ranges::reverse(labels);
    for (const auto label : labels) {
      const auto target = find(label);
      if (!target) {
        return tl::unexpected<Error>(target.error());
      }
      // Blocks that end an enclosing construct belong where that construct was opened.
      if (structure_.edge(block, *target).kind == EdgeKind::plain) {
        visit.targets.push_back({*target, inside});
      }
    }
    stack_.push_back(std::move(visit));
    return {};
  }

  Expected<void> note_cases(Construct& opened, const std::vector<std::uint32_t>& labels) const {
    for (const auto label : labels) {
      const auto target = find(label);
      if (!target) {
        return tl::unexpected<Error>(target.error());
      }
      if (*target != opened.merge) {
        opened.cases.push_back(*target);
      }
    }
    return {};
  }

  // Cases that fall through stand in the order in which they do, but the default stands in front: moves it to where it
  // belongs.
  void place_default(std::uint32_t choice, std::vector<std::uint32_t>& labels) const {
    const auto otherwise = labels[0];
    if (structure_.block_of_label.at(otherwise) == structure_.constructs[choice].merge) {
      return;
    }
    const auto place = std::find_if(labels.begin() + 1, labels.end(), [&](std::uint32_t label) {
      return label == otherwise || falls_through(choice, otherwise, label);
    });
    const auto before = std::find_if(labels.begin() + 1, labels.end(),
                                     [&](std::uint32_t label) { return falls_through(choice, label, otherwise); });
    if (place != labels.end()) {
      std::rotate(labels.begin(), labels.begin() + 1, place);
    } else if (before != labels.end()) {
      const auto last = std::find(labels.rbegin(), labels.rend(), *before).base();
      std::rotate(labels.begin(), labels.begin() + 1, last);
    }
  }

  // Whether lanes can come from the case `from` to the case `to` and stay in the switch.
  [[nodiscard]] bool falls_through(std::uint32_t choice, std::uint32_t from, std::uint32_t to) const {
    const auto start = structure_.block_of_label.at(from);
    const auto end = structure_.block_of_label.at(to);
    const auto& own = structure_.constructs[choice];
    std::vector<bool> seen(function_.blocks.size());
    // Nothing behind another case, or outside.
    for (const auto block : own.cases) {
      seen[block] = true;
    }
    for (auto around = choice; around != 0; around = structure_.constructs[around].parent) {
      const auto& construct = structure_.constructs[around];
      for (const auto block : {construct.header, construct.merge, construct.continue_target}) {
        if (block != no_block) {
          seen[block] = true;
        }
      }
    }
    for (std::vector<std::uint32_t> open = {start}; !open.empty();) {
      const auto block = open.back();
      open.pop_back();
      for (const auto label : successor_labels(module_, function_.blocks[block])) {
        const auto next = structure_.block_of_label.find(label);
        if (next == structure_.block_of_label.end()) {
          continue;
        }
        if (next->second == end && start != end) {
          return true;
        }
        if (!seen[next->second]) {
          seen[next->second] = true;
          open.push_back(next->second);
        }
      }
    }
    return false;
  }

  Expected<std::uint32_t> add_target(Visit& visit, std::uint32_t label, std::uint32_t construct) {
    auto block = find(label);
    if (block) {
      visit.targets.push_back({*block, construct});
    }
    return block;
  }

  [[nodiscard]] Expected<std::uint32_t> find(std::uint32_t label) const {
    const auto found = structure_.block_of_label.find(label);
    if (found == structure_.block_of_label.end()) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("The function %{} branches to %{}, which is none of its blocks.", function_.id, label));
    }
    return found->second;
  }

  const Module& module_;
  const Function& function_;
  Structure& structure_;
  std::vector<bool> visited_;
  std::vector<Visit> stack_;
};

}  // namespace

std::size_t switch_literal_words(const Module& module, const Statement& statement) {
  const auto found = module.type_of.find(module.operands(statement)[0]);
  const auto* type = found == module.type_of.end() ? nullptr : module.tables.type(found->second);
  return type != nullptr && type->bytes == 8 ? 2 : 1;
}

std::vector<std::uint32_t> successor_labels(const Module& module, const Block& block) {
  if (block.statements.empty()) {
    return {};
  }
  const auto& last = block.statements.back();
  const auto words = module.operands(last);
  switch (last.opcode) {
    case Op::OpBranch:
      return {words[0]};
    case Op::OpBranchConditional:
      return {words[1], words[2]};
    case Op::OpSwitch: {
      std::vector<std::uint32_t> labels = {words[1]};
      const auto literal_words = switch_literal_words(module, last);
      for (std::size_t word = 2 + literal_words; word < words.size(); word += literal_words + 1) {
        labels.push_back(words[word]);
      }
      return labels;
    }
    default:
      return {};
  }
}

Edge Structure::edge(std::uint32_t block, std::uint32_t target) const {
  // A block can end a selection and be a loop's continue target at once: the loop's lanes meet there, so it comes
  // first.
  for (auto construct = branches_in[block]; construct != 0; construct = constructs[construct].parent) {
    const auto& loop = constructs[construct];
    if (loop.kind == ConstructKind::loop && loop.continue_target == target) {
      return {EdgeKind::continue_loop, construct};
    }
    if (loop.kind == ConstructKind::loop && loop.header == target) {
      return {EdgeKind::back, construct};
    }
  }
  for (auto construct = branches_in[block]; construct != 0; construct = constructs[construct].parent) {
    const auto& candidate = constructs[construct];
    if (candidate.merge == target) {
      return {EdgeKind::merge, construct};
    }
    if (candidate.header != block && std::ranges::find(candidate.cases, target) != candidate.cases.end()) {
      return {EdgeKind::next_case, construct};
    }
  }
  return {EdgeKind::plain, branches_in[block]};
}

std::uint32_t Structure::innermost_loop(std::uint32_t construct) const {
  while (construct != 0 && constructs[construct].kind != ConstructKind::loop) {
    construct = constructs[construct].parent;
  }
  return construct;
}

bool Structure::contains(std::uint32_t outer, std::uint32_t inner) const {
  while (inner != outer && inner != 0) {
    inner = constructs[inner].parent;
  }
  return inner == outer;
}

Expected<Structure> make_structure(const Module& module, const Function& function) {
  Structure structure;
  if (auto walked = Walk(module, function, structure).run(); !walked) {
    return tl::unexpected<Error>(std::move(walked.error()));
  }
  return structure;
}

}  // namespace crosslane::spirv
